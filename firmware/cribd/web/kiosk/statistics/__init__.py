"""The page of the figures, `/statistics`."""
