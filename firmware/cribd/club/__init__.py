"""The club: the boards at the tables of an event, and the hub that organises the event.

Each side publishes its whole present state for the other (`messages`), so a lost, late or repeated message changes
nothing. What must not be lost is in the journals of both.
"""
