"""Configuration: the TOML file of a board and house-rules files, each with all its errors in one report.

The commands and the daemon read it once, at the start. It must never open a device or word what players see.
"""
