"""Players who press and scan: they sit at the twin as people do, with a pack of cards of their own."""
