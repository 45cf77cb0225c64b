"""The commands, one module each, called by `cribd.__main__`. Only they read options and write to the terminal."""
