"""Competitions: who meets whom, what counts, who wins. As pure as the game: no clock, no chance, no files.

A draw is passed in as the order of the entrants.
"""
