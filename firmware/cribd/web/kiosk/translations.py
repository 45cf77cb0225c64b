"""What a page says by itself, from the same file of phrases as the board: a third language is one `.po` file more.

A page fetches its language as JSON: phrases whose code begins with `page.`, and the names of cards, sides and rules. Of
a phrase with plural forms it gets all of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from cribd.text import languages, texts

#: What a page may need of the phrases.
SPOKEN = ("page.", "rank.", "side.")


def words(language: str) -> dict[str, str | list[str]]:
    """The words of a page in one language, by code."""
    return {
        code: text.split("\0") if "\0" in text else text
        for code, text in texts(language).items()
        if code.startswith(SPOKEN)
    }


def files() -> Mapping[str, bytes]:
    """What a page fetches: one file a language, and one that names them all, each in its own words."""
    spoken = {language: words(language) for language in languages()}
    names = {language: said["page.language"] for language, said in spoken.items()}
    return {f"{name}.json": _json(said) for name, said in (*spoken.items(), ("languages", names))}


def _json(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode()
