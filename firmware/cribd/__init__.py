"""The device: the daemon, and everything that touches the world."""
