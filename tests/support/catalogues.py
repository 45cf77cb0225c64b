"""The phrases of a language as its catalogue has them, with nothing from any other language."""

from __future__ import annotations

from cribd.languages import CATALOGUES
from cribd.text.catalogue import parse, texts_by_code


def phrases_of(language: str) -> dict[str, str]:
    """The phrases by code; of plural ones, all forms."""
    return texts_by_code(parse((CATALOGUES / f"{language}.po").read_text(encoding="utf-8")))
