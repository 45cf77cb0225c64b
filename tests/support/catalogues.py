"""Phrases as the catalogues have them. A test quotes one by its code and values, so that the wording may change."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from cribboard.validation import Message
from cribd.languages import CATALOGUES
from cribd.text import load
from cribd.text.catalogue import parse, texts_by_code


@cache
def phrases_of(language: str) -> dict[str, str]:
    """The phrases by code, with nothing from any other language; of plural ones, all forms."""
    return texts_by_code(parse((CATALOGUES / f"{language}.po").read_text(encoding="utf-8")))


def phrase(code: str, language: str = "en", /, **values: object) -> str:
    """A phrase, filled in; the plural form for `n`. Raises KeyError if the catalogue has none."""
    if "\0" not in phrases_of(language)[code]:
        return load(language).say(code, **values)
    n = values.pop("n")
    assert isinstance(n, int)
    return load(language).count(code, n, **values)


def has_phrase(text: str, code: str, language: str = "en", /, **values: object) -> bool:
    """Whether the text has the phrase with these values. A value that is not given may be anything in a line."""
    words = load(language)
    known = {
        name: re.escape(words.problem(value) if isinstance(value, Message) else str(value))
        for name, value in values.items()
    }
    forms = [list(Formatter().parse(form)) for form in phrases_of(language)[code].split("\0")]
    assert known.keys() <= {place for form in forms for _, place, *_ in form}, (
        "a value that the phrase has no place for"
    )
    patterns = (
        "".join(re.escape(before) + (known.get(place, ".*") if place else "") for before, place, *_ in form)
        for form in forms
    )
    return any(re.search(pattern, text) for pattern in patterns)
