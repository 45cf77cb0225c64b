"""The texts of the pages, from the board's own catalogues: a new language is one more `.po` file.

A page fetches its language as JSON: the phrases whose code begins with `page.`, the names of ranks and sides, and the
terms of competitions. A phrase with plural forms is a list of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from cribd.text import languages, texts

#: The beginnings of the codes that a page may use.
SPOKEN = (
    "page.",
    "rank.",
    "side.",
    "competition.criterion.",
    "competition.format.",
    "competition.missing.",
    "competition.movement.",
    "competition.part.",
    "competition.phase.",
    "competition.stage.",
    "competition.state.",
    "competition.status.",
)


def words(language: str) -> dict[str, str | list[str]]:
    """The texts of one language, by code."""
    return {
        code: text.split("\0") if "\0" in text else text
        for code, text in texts(language).items()
        if code.startswith(SPOKEN)
    }


def files() -> Mapping[str, bytes]:
    """The files by name: one for each language, and `languages.json` with the name of each in itself."""
    spoken = {language: words(language) for language in languages()}
    names = {language: said["page.language"] for language, said in spoken.items()}
    return {f"{name}.json": _json(said) for name, said in (*spoken.items(), ("languages", names))}


def _json(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode()
