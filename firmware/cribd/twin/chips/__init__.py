"""The chips of a board, each from its own data sheet: bits in, bits out.

No clock, no lock and no wire here: what comes in is what was on the pins, and when it came is the bus's affair. Each
chip has a quick way for what an honest driver sends, and the tests hold it against a slow one that goes bit by bit.
"""
