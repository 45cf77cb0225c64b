"""The voice: espeak-ng, if installed, speaks the running count, scores, questions and the win.

`announcing` chooses what is said of a snapshot, `speaker` runs the process that says it, and `voice` joins the two.
The daemon gives the voice each snapshot, as it gives one to the screen. The voice never asks the table anything, and
nothing waits for it (design laws 4, 6 and 9).
"""
