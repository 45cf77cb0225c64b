"""Storage: the journal of the running game and the archive of past games, in one SQLite file (design law 5),
and the list of members.

The table writes the journal; pages and commands read the archive. `schema` has the tables, `lock` lets one board write.
Storage must never judge an action.
"""
