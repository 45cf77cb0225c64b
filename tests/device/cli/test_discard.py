"""`cribboard discard`: all choices, best first, in both languages and as JSON; and what it cannot rank."""

from __future__ import annotations

import json

import pytest
from tests.support.catalogues import phrase

from cribboard import RULES
from cribd.__main__ import main

HAND = ("discard", "2H", "3H", "4S", "5C", "5D", "JD")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*HAND, *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_fifteen_choices_come_best_first_with_what_each_gives_up(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "--crib", "mine", "--lang", "en")
    head, first, *rest = out.splitlines()
    assert code == 0
    assert head.split("  ")[0] == phrase("command.discard.head.discard")
    assert first.split()[:6] == ["5C", "5D", "2H", "3H", "4S", "JD"]
    assert first.endswith("0.00")
    given_up = [float(line.split()[-1]) for line in rest]
    assert len(given_up) == 14
    assert given_up == sorted(given_up)


def test_the_same_in_french_near_the_end_with_the_chance_to_win(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "--crib", "theirs", "--scores", "110", "112", "--lang", "fr")
    head, first, *_ = out.splitlines()
    assert head.split() == [
        phrase(f"command.discard.head.{column}", "fr_CA")
        for column in ("discard", "keep", "hand", "crib", "total", "gives_up", "chance")
    ]
    assert first.split()[:2] == ["2H", "JD"]
    assert first.endswith(" %")
    assert "12,48" in first


def test_json_has_every_number(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "--crib", "theirs", "--json")
    payload = json.loads(out)
    assert (payload["crib"], payload["scores"], len(payload["choices"])) == ("theirs", None, 15)
    for choice in payload["choices"]:
        assert choice["total"] == pytest.approx(choice["hand"] - choice["crib"], abs=0.002)
        assert choice["gives_up"] == pytest.approx(payload["choices"][0]["total"] - choice["total"], abs=0.002)
        assert choice["chance"] is None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--crib", "mine", "--scores", "121", "0"), phrase("command.discard.scores", score=121, most=120)),
        (("--crib", "mine", "--scores", "-1", "0"), phrase("command.discard.scores", score=-1, most=120)),
        (
            ("--crib", "mine", "--rules", "five-card"),
            phrase("command.discard.cards", n=6, wanted=5, rules="five-card"),
        ),
        (
            ("--crib", "mine", "--rules", "whist"),
            phrase("problem.rules.name", name="--rules whist", presets=", ".join(RULES)),
        ),
    ],
)
def test_cards_that_cannot_be_ranked_are_named(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], problem: str
) -> None:
    code, out, err = said(capsys, *arguments, "--lang", "en")
    assert (code, out, err) == (2, "", f"{problem}\n")


def test_scores_are_for_two_sides(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["discard", *HAND[1:6], "--crib", "mine", "--rules", "three-player", "--scores", "1", "2"])
    sides = phrase("command.discard.sides", rules="three-player", sides=3)
    assert (code, capsys.readouterr().err) == (2, f"{sides}\n")
