"""The page of past games, `/games`."""
