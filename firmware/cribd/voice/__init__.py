"""The voice of the board, spoken by espeak-ng if installed.

`announcement_text` makes the words for a snapshot, `speech_process` runs the process that says them, and `voice` joins
the two. The daemon gives the voice each snapshot, as it gives one to the screen. The voice never asks the table
anything, and nothing waits for it (design laws 4, 6 and 9).
"""
