"""The texts of the pages, from the board's own catalogues: one more `.po` file adds a language.

A page fetches its language as JSON: the phrases whose code begins with `page.`, and the names of ranks and sides. The
pages of competitions fetch their own words beside them, so that no other page carries these. The guide's words of the
rule sets are in its HTML already. A phrase with plural forms is a list of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cribd.languages import catalogue_path
from cribd.text import languages, texts

#: The beginnings of the codes that the pages of competitions use alone.
OF_COMPETITIONS = (
    "page.desk.",
    "page.hall.",
    "page.phone.",
    "competition.criterion.",
    "competition.format.",
    "competition.missing.",
    "competition.movement.",
    "competition.part.",
    "competition.phase.",
    "competition.round.",
    "competition.source.",
    "competition.stage.",
    "competition.state.",
    "competition.status.",
)
#: The beginnings of the codes that a page may use.
SPOKEN = ("page.", "rank.", "side.", *OF_COMPETITIONS)
#: The beginning of those that the board itself writes into the guide.
OF_GUIDE = "page.rules"


def words(language: str) -> dict[str, str | list[str]]:
    """The texts of one language, by code."""
    return {
        code: text.split("\0") if "\0" in text else text
        for code, text in texts(language).items()
        if code.startswith(SPOKEN) and not code.startswith(OF_GUIDE)
    }


def files() -> Mapping[str, bytes]:
    """The files by name: for each language `en.json`, and `competition.en.json` with the words of the pages of
    competitions; and `languages.json` with each language's own name. They are made once, because the catalogues are
    read once: a changed word appears after a restart."""
    return _files(tuple(map(catalogue_path, languages())))


@cache
def _files(catalogues: tuple[Path, ...]) -> Mapping[str, bytes]:
    made: dict[str, dict[str, str | list[str]]] = {"languages.json": {}}
    for language in (catalogue.stem for catalogue in catalogues):
        spoken = words(language)
        own = {code: text for code, text in spoken.items() if code.startswith(OF_COMPETITIONS)}
        made[f"competition.{language}.json"] = own
        made[f"{language}.json"] = {code: text for code, text in spoken.items() if code not in own}
        made["languages.json"][language] = spoken["page.language"]
    return {name: _json(payload) for name, payload in made.items()}


def _json(payload: object) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode()
