"""The web pages: the count judge at `/verify`, the phone's pad of cards at `/table`.

They are given pictures of the table, never a position, and send it nothing but cards. `door` and `shelf` know nothing
of the game: the twin's page, which stands at the wires, uses them too.
"""
