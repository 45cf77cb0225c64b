"""The guide for players, `/help`."""
