"""The topics of a deal: one file has what decides a topic and what applies its events."""
