"""The page of the scoreboard, `/`, and the route for what it shows while nobody plays."""
