"""The board aloud: the running count, scores, questions, the win, by espeak-ng if that is here.

`announcing` makes words from what the table shows, `quiet` knows the hours at which nothing is said, and `speaker`
has a process say the words. `aloud` joins the three. The voice is a publisher as the screen is: it is given pictures,
and never asks the table anything; nobody ever waits for it (design laws 4, 6 and 9).
"""
