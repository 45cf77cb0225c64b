"""Robot players: they play whole games at the twin, with presses and scans and a pack of cards of their own.

`players` is the entry. Robots are given a device to press and its snapshots, as people see the board. They must never
look into the game.
"""
