"""Clean and compare the names of entrants and players."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

#: The most characters of a name: of a competition, an entrant or a player. Older files may have longer ones.
MOST_IN_NAME = 100

#: Spaces of any width, as in French texts and spreadsheets.
_SPACES = re.compile("[ \u00a0\u2000-\u200a\u202f\u205f\u3000]+")


def spaced(name: str) -> str:
    """Replace each run of spaces in the name by one space.

    >>> spaced("André \\u00a0 Côté")
    'André Côté'
    """
    return _SPACES.sub(" ", name)


#: Replacements for letters and signs that some keyboards do not have.
_TYPED = str.maketrans({"œ": "oe", "æ": "ae", "’": "'"})


def looks_like(name: str) -> str:
    """Normalise a name for comparison, without case and accents.

    Two names that become equal count as the same name.

    >>> looks_like("André  Lebœuf") == looks_like("andre leboeuf")
    True
    """
    letters = (letter for letter in normalize("NFKD", name.casefold()) if not combining(letter))
    return " ".join("".join(letters).translate(_TYPED).split())
