"""The table: the one owner of the game (design law 4).

It takes inputs, interprets them, lets the game decide, commits the events, and publishes a snapshot. The daemon calls
it. It never imports a driver, a page, a wording or a configuration: what it needs of them is handed in.

A hole press or a key press becomes an action in `button_actions`, a scan in `card_actions`, and a request of the owner
in `owner_actions`; `interpret` chooses between them by the table's mode (declared in `snapshot`).
"""
