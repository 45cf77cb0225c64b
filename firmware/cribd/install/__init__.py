"""Installs, updates and removes Cribboard on a machine.

The system's Python runs this room before any environment exists: it imports the standard library and
`cribboard.validation`, and nothing else of this project.
"""
