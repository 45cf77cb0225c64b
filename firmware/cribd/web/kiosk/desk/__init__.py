"""The page of the organiser, `/desk`."""
