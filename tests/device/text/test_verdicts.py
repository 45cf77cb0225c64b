"""What is told of a claim that was closed or ruled, in both languages: one line a ruling, and what it costs another."""

from __future__ import annotations

import pytest
from tests.support.moments_of_rulings import moments_of_rulings

from cribboard.event_terms import Verdict
from cribd.text import load
from cribd.text.verdicts import VERDICTS, verdict_in_words

MOMENTS = moments_of_rulings()


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        ("acc-too-many", ("Too many: 2, not 4", "+2 to Blue ACC 8.4c"), ("Trop : 2, pas 4", "+2 à Bleu ACC 8.4c")),
        ("acc-stood", ("Stands: 4 (due: 2)", "Red +4"), ("Maintenu : 4 (dû 2)", "Rouge +4")),
        ("acc-exact", ("The count is exact", "Red +2: fifteen"), ("Le compte est exact", "Rouge +2 : quinze")),
        ("acc-hand-accepted", ("Blue +9: hand", "fifteens 6, run 3"), ("Bleu +9 : main", "quinze 6, suite 3")),
        ("acc-hand-under", ("Blue +6: hand", "3 lost ACC 8.3"), ("Bleu +6 : main", "3 perdus ACC 8.3")),
        ("acc-out-of-turn", ("Red: out of turn", "+8 is void ACC 9.2c"), ("Rouge : hors tour", "+8 nul ACC 9.2c")),
        (
            "acc-false-game",
            ("Too many: 9, not 14", "+5 to Red ACC 8.4c", "Blue to 101 ACC 8.4b"),
            ("Trop : 9, pas 14", "+5 à Rouge ACC 8.4c", "Bleu à 101 ACC 8.4b"),
        ),
        ("tournament-false-game", ("Too many: 9, not 14", "Blue +9: hand"), ("Trop : 9, pas 14", "Bleu +9 : main")),
        ("muggins-exact", ("Muggins: 3 missed", "+3 to Red"), ("Muggins : 3 oubliés", "+3 à Rouge")),
        ("muggins-too-many", ("Muggins: 3, not 5", "+3 to Red"), ("Muggins : 3, pas 5", "+3 à Rouge")),
        ("muggins-too-few", ("Muggins: 2 of 3", "+2 to Red"), ("Muggins : 2 sur 3", "+2 à Rouge")),
        ("muggins-wrong", ("Nothing was missed", "+3 does not count"), ("Rien d'oublié", "+3 ne compte pas")),
        ("acc-muggins-wrong", ("Nothing was missed", "+3 to Blue ACC 10"), ("Rien d'oublié", "+3 à Bleu ACC 10")),
        ("acc-muggins", ("Muggins: 3 missed", "+3 to Red ACC 10"), ("Muggins : 3 oubliés", "+3 à Rouge ACC 10")),
        ("acc-play-on", ("Back at Red's go", "+2 to Blue ACC 7.3"), ("Retour au go Rouge", "+2 à Bleu ACC 7.3")),
        ("acc-dead", ("3♣ lies dead", "+2 to Blue ACC 7.3"), ("3♣ : carte morte", "+2 à Bleu ACC 7.3")),
        ("rolled-back", ("Back at Red's go",), ("Retour au go Rouge",)),
        ("unread-called", ("Red +2", "Not verified"), ("Rouge +2", "Non vérifié")),
        ("unread-card", ("Unread card: Red",), ("Illisible : Rouge",)),
        ("unread-starter", ("Starter: not read",), ("Retourne non lue",)),
        ("coach-counted", ("Blue +9: hand", "15-2 5♠ 10♣"), ("Bleu +9 : main", "15-2 5♠ 10♣")),
    ],
)
def test_a_ruling_and_what_it_costs_come_first(moment: str, english: tuple[str, ...], french: tuple[str, ...]) -> None:
    seen = MOMENTS[moment].view
    assert seen is not None
    for language, lines in ("en", english), ("fr_CA", french):
        assert load(language).said(seen)[: len(lines)] == lines


@pytest.mark.parametrize("moment", ["acc-called", "acc-hand-called", "muggins-asked", "muggins-in-hand"])
def test_an_open_call_is_shown_as_called_without_a_verdict(moment: str) -> None:
    seen = MOMENTS[moment].view
    assert seen is not None
    assert all(" = " in line for line in load("en").said(seen)[:1])


def test_every_verdict_has_its_words_in_both_languages() -> None:
    assert list(VERDICTS.keys() ^ set(Verdict)) == []
    for language in ("en", "fr_CA"):
        said = [verdict_in_words(verdict, load(language)) for verdict in Verdict]
        assert len(set(said)) == len(Verdict), "no two alike"
