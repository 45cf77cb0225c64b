"""Stores games, competitions, settings and a club's members in one SQLite file, the journal (design law 5).

The table writes the journal; pages and commands read the archive. `schema` has the tables, `open_journal` opens
the journal for its one writer. Storage must never judge an action.
"""
