"""`docs/playing.md`: who presses what, when, and what the board answers, found out by pressing it.

Nothing on that page is written from memory. Each of its rows is a press at a real table (with
`interpret`, the game and the journal), and its lines are read off the picture that the screen shows. A test drives the
same rows through the wires of the twin.
"""

from tools.playing.page import CHAPTERS, Row, outcome_of, page, rows

__all__ = ["CHAPTERS", "Row", "outcome_of", "page", "rows"]
