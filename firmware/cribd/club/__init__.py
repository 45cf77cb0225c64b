"""Several boards and one organiser, the hub, who know one another by keys: what they send, and what the desk sees."""
