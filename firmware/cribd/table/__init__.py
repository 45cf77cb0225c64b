"""The table: the one owner of the game (design law 4).

It takes inputs, finds out what each means, lets the game decide, commits the events, and publishes a snapshot. The
daemon calls it. It must never import a driver, a page, a wording or a configuration: those are handed in.
"""
