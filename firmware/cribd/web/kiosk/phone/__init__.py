"""The page for an entrant's phone at a table of a competition, `/event/table`. The owner's phone uses `/table`."""
