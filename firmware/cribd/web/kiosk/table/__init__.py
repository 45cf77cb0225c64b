"""The page `/table`, for phones of the owner and the players.

An entrant's phone uses `phone`."""
