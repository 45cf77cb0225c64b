"""The page for the phone of the board's owner and of players near it, `/table`. An entrant's phone uses `phone`."""
