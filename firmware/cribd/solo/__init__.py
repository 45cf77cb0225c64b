"""Somebody alone at the twin: the board deals, and robots play the other seats.

`Session` is the entry: it owns the games of one person, or of robots alone. The table sees only presses and scans of
it. Robots hold the cards of a deal, so they may read the position; nothing here shows it. No page, file name or log
line may hold a card that the person has not seen.
"""
