"""The pages of the board: scoreboard, table, past games with statistics, and the count judge.

They get snapshots of the table, and send it the owner's inputs: cards, names, rules, a new game or match, undo, and
opened results. They must never hold a position of the game.
"""
