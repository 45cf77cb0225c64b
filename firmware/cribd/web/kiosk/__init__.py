"""The pages of the board: scoreboard, table, games, statistics, and the count judge at `/verify`.

They are given snapshots of the table and send it inputs: cards, and what the owner asks behind the PIN. They must never
hold a position of the game.
"""
