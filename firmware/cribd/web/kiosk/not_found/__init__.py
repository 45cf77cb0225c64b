"""The page for an error, at any address."""
