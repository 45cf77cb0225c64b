"""The pages of the board. The module `pages` has their list.

They are for a table, for past games, and for a competition with its desk and the phones at its tables.

`site` adds their routes to a server; the daemon makes it. They get snapshots of the table and of the competition, and
send inputs of the owner and actions of the organiser. They must never hold a position of a game or a competition.
"""
