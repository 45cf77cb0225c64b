"""Robot players: what they deal, what they do next, and how they do it on the twin by presses and scans.

`next_action` decides for any seats, at the side of people or alone. `players` is the entry of those that play whole
games by themselves: they are given a device to press and its snapshots, as people see the board.
"""
