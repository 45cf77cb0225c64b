"""Robot players that press and scan on the twin.

`next_action` decides for any seats, at the side of people or alone: the card by `cribboard.strategy` or, without a
level, by `cards_without_level`, the right call by `points_to_call`, and wrong calls by `mistakes_and_habits`.
`press_and_scan` does an action on the twin. `self_play` plays whole games without people: it is given a device to press
and its snapshots, as people see the board.
"""
