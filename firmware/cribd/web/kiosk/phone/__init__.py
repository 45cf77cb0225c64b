"""The page of the phones at the tables of a competition, `/event/table`."""
