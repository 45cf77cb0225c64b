"""Owns the game: only the table changes it (design law 4).

It takes inputs, interprets them, lets the game decide, commits the events, and publishes a snapshot. The daemon calls
it. It never imports a driver, a page, a wording or a configuration: what it needs of them is handed in.
"""
