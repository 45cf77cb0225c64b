"""French as it is written in Québec, in everything that people read: one word for one thing, and the spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.support.catalogues import phrases_of
from tests.support.places import ROOT

GUIDES = ("docs/comment-jouer.md", "docs/mener-un-tournoi.md", "docs/soiree-au-club.md")
#: The word for each thing, and others that mean the same.
ONE_WORD = {
    "annuler": r"\bdéfai|\bdéfait",
    "pointage": r"\bscores?\b",
    "étape": r"\b(un|le|les|chaque) pas\b",
    "annoncé": r"\bappelé :",
}


def french() -> Iterator[tuple[str, str]]:
    """Every French text, and where it is: phrases without the names that are filled in, and lines of the guides."""
    for code, text in phrases_of("fr_CA").items():
        yield code, re.sub(r"\{\w+\}", "{}", text)
    for name in GUIDES:
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            yield name, line


def test_no_space_stands_before_a_question_mark_an_exclamation_mark_or_a_semicolon() -> None:
    """As the Office québécois de la langue française has it; a colon has one."""
    assert [each for each in french() if re.search(r"\w[»`]?\s+[?!;](?!\w)", each[1])] == []


@pytest.mark.parametrize("word", ONE_WORD)
def test_french_phrases_use_one_word_for_each_thing(word: str) -> None:
    found = [each for each in french() if re.search(ONE_WORD[word], re.sub(r"--\w+", "", each[1]), re.IGNORECASE)]
    assert found == [], word
