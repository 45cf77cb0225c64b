"""The page of the count judge, `/verify`."""
