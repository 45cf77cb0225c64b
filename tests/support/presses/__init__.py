"""Every press at every moment, tried at a real table.

`chapters/*.txt` list the moments of a game and the presses that are tried at each, and `moments` reads them. `outcome`
tries a press (`interpret`, the game, the journal), `codes` writes what it did, and `screen_text` reads the picture of
the screen. `tests/journey/test_every_press_on_the_twin.py` drives the same rows through the simulated chips and wires.
"""

from tests.support.presses.moments import chapters
from tests.support.presses.outcome import Row, outcome_of, rows, walks

__all__ = ["Row", "chapters", "outcome_of", "rows", "walks"]
