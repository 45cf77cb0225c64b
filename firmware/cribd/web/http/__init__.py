"""HTTP plumbing: server, limits, security, static files, JSON bodies and server-sent events.

The pages of the kiosk and of the twin are served by it. It must never know a page or the game.
"""
