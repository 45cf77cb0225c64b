"""Configuration: the TOML file of a board and house-rules files. Each reports all its errors at once.

The commands and the daemon read it once, at the start. It must never open a device or word what players see.
"""
