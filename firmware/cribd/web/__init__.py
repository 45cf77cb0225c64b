"""Web pages: `http` serves pages and limits requests, `kiosk` has the pages of the board.

The daemon serves them, and the twin its own page by `http`. Nothing here holds a position of the game or changes one.
"""
