"""The page `/event/table`, for an entrant's phone."""
