"""The phrases of a language as its catalogue has them, with nothing from any other language."""

from __future__ import annotations

from functools import cache

from cribd.languages import CATALOGUES
from cribd.text.catalogue import parse, texts_by_code


@cache
def phrases_of(language: str) -> dict[str, str]:
    """The phrases by code; of plural ones, all forms."""
    return texts_by_code(parse((CATALOGUES / f"{language}.po").read_text(encoding="utf-8")))


def phrase(code: str, language: str = "en", **values: object) -> str:
    """A phrase, filled in. A test that is about more than its words quotes it so."""
    return phrases_of(language)[code].format(**values)
