"""The page of the scoreboard, `/`."""
