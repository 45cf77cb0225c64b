"""The page for a phone near the board, `/table`, and the owner's requests."""
