"""Runs a club night on this machine: a hub with its broker, boards on simulated wires, robots and an organiser."""
