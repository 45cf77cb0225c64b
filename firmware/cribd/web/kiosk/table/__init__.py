"""The page `/table`, for the phones of the board's owner and of players near the board.

An entrant's phone uses `phone`."""
