"""The device: the daemon, and all code for hardware, files and the network.

`python -m cribd`, or the command `cribboard`, starts in `__main__`. docs/architecture.md maps the rooms. Nothing here
judges a claim or counts a card: `cribboard` does.
"""
