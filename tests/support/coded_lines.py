"""What is said, in codes: which phrases, and what is filled in. The words are in golden files and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from tests.frozen.codes import spoken_in_codes

from cribd.text import Phrases, load


def lines(say: Callable[[Phrases], Sequence[str]]) -> tuple[str, ...]:
    """What is said, in codes: the same in both languages."""
    english, french = (tuple(say(_in_codes(language))) for language in ("en", "fr_CA"))
    assert tuple(line.replace("⟨fr ", "⟨") for line in french) == english
    return english


@cache
def _in_codes(language: str) -> Phrases:
    with spoken_in_codes():
        return load(language)
