"""The club: the boards and the hub of a competition.

Hub and boards publish their whole present state for each other (`messages`), so a lost, late or repeated message
changes nothing. What must not be lost is in the journals of both.
"""
