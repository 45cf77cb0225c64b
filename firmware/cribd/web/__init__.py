"""The web pages of the board, and their HTTP server.

The daemon serves them, and the twin its own page by `http`. Nothing here holds a position of the game or changes one.
"""
