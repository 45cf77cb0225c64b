"""Storage: the journal of the running game and the archive of all games, in one SQLite file (design law 5).

The table writes the journal; pages and commands read the archive. Storage must never judge an action.
"""
