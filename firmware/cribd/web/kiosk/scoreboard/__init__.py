"""The scoreboard, `/`: what it shows while nobody plays."""
