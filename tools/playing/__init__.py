"""Makes `docs/playing.md`, the reference of every press: `python -m tools.playing docs/playing.md`.

`chapters/*.txt` list the moments of a game and the presses that are tried at each, and `moments` reads them. `outcome`
tries a press at a real table (`interpret`, the game, the journal), `answers` words what happened, `screen_text` reads
the picture of the screen, and `page` writes the Markdown. `tests/journey/test_every_row_of_playing.py` drives the same
rows through the simulated chips and wires.
"""

from tools.playing.moments import chapters
from tools.playing.outcome import Row, outcome_of, rows, walks
from tools.playing.page import page

__all__ = ["Row", "chapters", "outcome_of", "page", "rows", "walks"]
