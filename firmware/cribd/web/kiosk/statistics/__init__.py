"""The page of the statistics, `/statistics`."""
