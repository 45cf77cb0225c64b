"""The texts of the pages, from the board's catalogues.

A page fetches its language as JSON: the phrases whose code begins with `page.`, and the names of ranks and sides. The
pages of competitions fetch their own words beside them, and so does that of the simulated board, so that no other page
carries these. The guide's words of the rule sets are in its HTML already. A phrase with plural forms is a list of them.
On a board with step keys a phrase for these stands under the code of the one that it replaces.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cribd.languages import catalogue_path
from cribd.text import languages, texts
from cribd.text.catalogue import STEP

_TERMS = "criterion format missing movement part phase round source stage state status"
#: The beginnings of codes that only some pages use. Each key is a name in the `data-words` of these pages.
OF_SOME = {
    "competition": (
        *(f"page.{name}." for name in ("desk", "hall", "phone")),
        *(f"competition.{term}." for term in _TERMS.split()),
    ),
    "owner": ("page.owner",),
    "twin": ("page.twin.", "page.solo.", "key."),
}
#: The beginnings of the codes that a page may use.
SPOKEN = ("page.", "rank.", "side.", *OF_SOME["competition"], *OF_SOME["twin"])
#: The beginning of the codes that the board itself writes into the guide.
OF_GUIDE = "page.rules"


def words(language: str, *, steps: bool = False) -> dict[str, str | list[str]]:
    """Return the pages' texts in one language, by their codes.

    `steps`: points are called with step keys."""
    known = texts(language)
    of_steps = {code + STEP for code in known if code + STEP in known}
    said = {code: known.get(code + STEP, text) if steps else text for code, text in known.items()}
    return {
        code: text.split("\0") if "\0" in text else text
        for code, text in said.items()
        if code.startswith(SPOKEN) and not code.startswith(OF_GUIDE) and code not in of_steps
    }


def files(*, steps: bool = False) -> Mapping[str, bytes]:
    """Return the JSON files of the pages' texts.

    `steps`: points are called with step keys. The key is the name of the file. The files are made once: a changed word
    of a catalogue appears after a restart.

    Each language has `en.json`, and `competition.en.json`, `owner.en.json` and `twin.en.json` (`OF_SOME`).
    `languages.json` has each language's own name."""
    return _files(tuple(map(catalogue_path, languages())), steps)


@cache
def _files(catalogues: tuple[Path, ...], steps: bool) -> Mapping[str, bytes]:
    made: dict[str, dict[str, str | list[str]]] = {"languages.json": {}}
    for language in (catalogue.stem for catalogue in catalogues):
        common = words(language, steps=steps)
        for name, beginnings in OF_SOME.items():
            made[f"{name}.{language}.json"] = {c: common.pop(c) for c in tuple(common) if c.startswith(beginnings)}
        made[f"{language}.json"] = common
        made["languages.json"][language] = common["page.language"]
    return {
        name: json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode() for name, payload in made.items()
    }
