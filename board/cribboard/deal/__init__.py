"""One module for each topic of a deal and of the game.

Each module decides the actions and applies the events of its topic.

`referee` sends an action to the module that decides it, `evolution` an event to the module that applies it. A rule that
several topics ask has a file of its own.
"""
