"""The topics of a deal and of the game around it: each decides its actions and applies its events.

`referee` sends an action to the module that decides it, `evolution` an event to the module that applies it. A rule that
several topics ask has a file of its own.
"""
