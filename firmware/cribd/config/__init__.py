"""Reads the configuration of a board, and house-rules files.

Both are read once, at the start. This package must never open a device or word what players see.
"""
