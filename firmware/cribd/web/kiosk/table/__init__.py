"""The page of a phone near the board, `/table`, and the owner's requests."""
