"""What is told of an act, the most important first."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from cribboard import PACK
from cribboard.actions import (
    Agree,
    LayCard,
    TakePegInHand,
)
from cribboard.events import (
    Acted,
    ClaimRuled,
    Doubt,
    Event,
    GameWon,
    PegTaken,
    Timing,
    Undone,
    Verdict,
)
from cribboard.scoring import Kind
from cribboard.view import Asks
from cribd.facts import Key
from cribd.phrases import languages, load
from cribd.showing import Refusal

from .everything_said import MOMENTS, SILENT, asking, every_event, judged, view
from .moments import BLUE, RED


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        ("laid", ("Blue plays 5♥",), ("Bleu joue 5♥",)),
        ("peg-in-hand", (), ()),
        ("heels", ("Red +2: his heels",), ("Rouge +2 : valet",)),
        ("too-many", ("Too many: set to 2", "Red +2: fifteen"), ("Trop : corrigé à 2", "Rouge +2 : quinze")),
        ("go", ("Blue: go",), ("Bleu : go",)),
        ("go-pegged", ("Red +1: go",), ("Rouge +1 : go",)),
        ("out-of-turn", ("Blue: out of turn", "+4 does not count"), ("Bleu : hors tour", "+4 ne compte pas")),
        ("late-refused", ("Red: too late", "+2 does not count"), ("Rouge : trop tard", "+2 ne compte pas")),
        ("impossible", ("27: impossible", "+27 does not count"), ("Impossible : 27", "+27 ne compte pas")),
        ("false-go", ("False go: Red", "3♣ fitted at 22"), ("Faux go : Rouge", "3♣ allait à 22")),
        ("undone", ("Undone: Blue J♣",), ("Défait : Bleu V♣",)),
        ("hand-judged", ("Blue +12: hand", "fifteens 8, pairs 4"), ("Bleu +12 : main", "quinze 8, paires 4")),
        (
            "crib-too-few",
            ("Red +3: crib", "5 points lost", "fifteens 4, run 4"),
            ("Rouge +3 : crib", "5 points perdus", "quinze 4, suite 4"),
        ),
        ("challenged", ("The count is exact", "Blue +12: hand"), ("Le compte est exact", "Bleu +12 : main")),
        ("misdeal-agreed", ("Misdeal: deal again",), ("Brasse à reprendre",)),
        ("trust-pegged", ("Red +8 = 8",), ("Rouge +8 = 8",)),
        ("trust-challenged", ("Blue: count again", "Red challenges"), ("Bleu : recomptez", "Rouge conteste")),
        ("trust-undone", ("Undone: Blue +12",), ("Défait : Bleu +12",)),
        ("auto-pair-royal", ("Blue +8", "fifteen, pair royal"), ("Bleu +8", "quinze, triplé")),
        ("auto-31", ("Blue +2: 31",), ("Bleu +2 : 31",)),
        ("won", ("Blue wins!", "Blue +5 = 121"), ("Bleu gagne !", "Bleu +5 = 121")),
        ("again", ("The result is final",), ("Résultat final",)),
    ],
)
def test_an_act_is_told_the_most_important_first(
    moment: str, english: tuple[str, ...], french: tuple[str, ...]
) -> None:
    seen = MOMENTS[moment].view
    assert seen is not None
    assert load("en").said(seen)[: len(english) or None] == english
    assert load("fr_CA").said(seen)[: len(french) or None] == french


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_every_event_is_told_or_left_to_the_main_line_on_purpose(kind: type[Any]) -> None:
    told = any(type(event) is kind and load("en").said(view(event)) for events in every_event() for event in events)
    told |= kind.__name__ in ("ClaimJudged", "Undone")
    assert told != (kind.__name__ in SILENT)


@pytest.mark.parametrize("points", [25, 26, 27])
def test_what_no_hand_counts_is_not_called_far(points: int) -> None:
    asked = asking(Asks.SAME_HOLE, BLUE, points=points, total=points, claimant=BLUE)
    refused = Refusal("same_hole_again", {"points": points})
    for language, why in ("en", f"No count is {points}"), ("fr_CA", f"Aucun compte de {points}"):
        assert load(language).hints(asked)[0] == why
        assert load(language).refusal(refused)[0] == why


@pytest.mark.parametrize("points", [30, 35, 121])
def test_a_hole_beyond_every_count_is_far(points: int) -> None:
    refused = Refusal("same_hole_again", {"points": points})
    assert load("en").refusal(refused) == (f"+{points} is far", "Same hole again = yes")
    assert load("fr_CA").refusal(refused) == (f"+{points}, c'est loin", "Encore ce trou = oui")


@pytest.mark.parametrize("language", languages())
def test_where_the_main_line_helps_alone_a_refusal_gives_no_hint(language: str) -> None:
    assert len(load(language).refusal(Refusal("key_means_nothing", {"key": Key.MENU}))) == 1
    assert len(load(language).refusal(Refusal("nothing_to_accept"))) == 2


def test_what_is_not_told_leaves_the_screen_to_the_hint() -> None:
    assert load("en").said(view(Acted(TakePegInHand(BLUE, 2)), PegTaken(BLUE, 2, Doubt.NONE, Timing.IN_TIME))) == ()


def test_a_win_comes_before_all_that_led_to_it() -> None:
    assert load("en").said(view(*judged(Verdict.EXACT, Kind.RUN), GameWon(BLUE)))[0] == "Blue wins!"


def test_what_was_only_done_is_silent_beside_what_was_ruled() -> None:
    lay = Acted(LayCard(BLUE, PACK[0]))
    assert load("en").said(view(lay, ClaimRuled(RED, 4, Verdict.OUT_OF_TURN)))[0] == "Red: out of turn"


def test_an_agreed_misdeal_can_be_taken_back_and_named() -> None:
    assert load("en").said(view(Undone(3), undone=Agree(RED))) == ("Undone: misdeal",)
