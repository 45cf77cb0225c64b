"""The commands of `cribboard`, one module each. Only these modules read options and write to the terminal."""
