"""The commands of `cribboard`, one module each."""
