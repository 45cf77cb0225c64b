"""Reads the TOML configuration of a board and house-rules files, and reports all errors of a file at once.

The commands and the daemon read it once, at the start. It must never open a device or word what players see.
"""
