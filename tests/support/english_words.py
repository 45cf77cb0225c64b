"""Words that tell an English text from a French one."""

from __future__ import annotations

import re

#: English has them, French has not, and nearly every sentence of the board holds one.
_WORDS = """
    ace again all and another are average away back best blue board broken by called cards? clubs count counted
    dealer deals? diamonds each few fifteen first from games? given hands? has have hearts here holes? is jack keys
    king known last lead left lock many next no not nothing now of only or other owner pair peg pegging phone
    players? plays? pone press queen record red right rules run seat seen side spades speed starter statistics step
    taken tap the then times too tries try turn type undo unlock wait was way ways what where which who wins with
    won wrong yes you your
"""
_ENGLISH = re.compile(rf"\b({'|'.join(_WORDS.split())})\b", re.IGNORECASE)


def english_words(text: str) -> list[str]:
    """The English words of a text that should be French."""
    return _ENGLISH.findall(text)
