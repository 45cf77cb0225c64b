"""Stores games and competitions in the journal (design law 5).

The journal is one SQLite file, also for settings and a club's members. The table writes the journal; pages and commands
read the archive. `schema` has the tables, `open_journal` opens the journal for its one writer. Storage must never judge
an action.
"""
