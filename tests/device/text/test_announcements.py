"""What is told of an act, the most important first."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from tests.support.everything_asked import MOMENTS, view
from tests.support.everything_happened import SILENT, every_event, judged
from tests.support.everything_said import of_own_count
from tests.support.moments import BLUE, RED, Story
from tests.support.moments_of_rules import moments_of_rules
from tests.support.moments_of_rulings import moments_of_rulings

from cribboard import PACK, RULES
from cribboard.actions import (
    Action,
    Agree,
    LayCard,
    SayGo,
    TakePegInHand,
)
from cribboard.event_terms import Bar, Doubt, Ground, Occasion, Timing, Verdict
from cribboard.events import (
    Acted,
    AllPassed,
    ClaimRuled,
    CountEnded,
    Event,
    GameWon,
    PegTaken,
    PointsBarred,
    SaidGo,
    Undone,
)
from cribboard.rules import Telling, Way, changed
from cribboard.scoring import Kind
from cribboard.view import Laid, see
from cribd.text import load

OF_RULES = moments_of_rules()
OF_RULINGS = moments_of_rulings()


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
        ("false-go", ("False go: 3♣ at 22", "MENU: back to the go"), ("Faux go : 3♣ à 22", "MENU : revenir au go")),
        ("undone", ("Undone: Blue J♣",), ("Annulé : Bleu V♣",)),
        ("hand-judged", ("Blue +12: hand", "fifteens 8, pairs 4"), ("Bleu +12 : main", "quinze 8, paires 4")),
        (
            "crib-too-few",
            ("Red +3: crib", "5 points lost", "fifteens 4, run 4"),
            ("Rouge +3 : crib", "5 points perdus", "quinze 4, suite 4"),
        ),
        ("challenged", ("The count is exact", "Blue +12: hand"), ("Le compte est exact", "Bleu +12 : main")),
        ("misdeal-agreed", ("Misdeal: deal again",), ("Maldonne : redonnez",)),
        ("trust-pegged", ("Red +8 = 8",), ("Rouge +8 = 8",)),
        ("trust-challenged", ("Blue: count again", "Red challenges"), ("Bleu : recomptez", "Rouge conteste")),
        ("trust-undone", ("Undone: Blue +12",), ("Annulé : Bleu +12",)),
        ("auto-pair-royal", ("Blue +8", "fifteen, pair royal"), ("Bleu +8", "quinze, triplé")),
        ("auto-31", ("Blue +2: 31",), ("Bleu +2 : 31",)),
        ("won", ("Blue wins!", "Blue +5 = 121"), ("Bleu gagne!", "Bleu +5 = 121")),
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


def test_an_event_without_a_line_leaves_the_screen_to_the_hint() -> None:
    assert load("en").said(view(Acted(TakePegInHand(BLUE, 2)), PegTaken(BLUE, 2, Doubt.NONE, Timing.IN_TIME))) == ()


def test_a_win_comes_before_all_that_led_to_it() -> None:
    assert load("en").said(view(*judged(Verdict.EXACT, Kind.RUN), GameWon(BLUE)))[0] == "Blue wins!"


def test_a_ruling_is_announced_instead_of_the_act() -> None:
    lay = Acted(LayCard(BLUE, PACK[0]))
    assert load("en").said(view(lay, ClaimRuled(RED, 4, Verdict.OUT_OF_TURN, Ground.ORDER)))[0] == "Red: out of turn"


def test_an_undone_agreement_is_named() -> None:
    assert load("en").said(view(Undone(3), undone=Agree(RED))) == ("Undone: agreement",)


# What only some rules have


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        ("three-player-go", ("Green: go",), ("Vert : go",)),
        ("three-player-undo-agreed", ("Red: agreed",), ("Rouge : d'accord",)),
        ("partners-all-pass", ("All pass", "A card fits? GO"), ("Tous passent", "Carte jouable? GO")),
        ("partners-goes-on", ("Blue 1 goes on",), ("Bleu 1 joue encore",)),
        ("partners-lay", ("Blue 2 plays 10♥",), ("Bleu 2 joue 10♥",)),
        (
            "fadoq-single-point",
            ("116: no single point", "+1 does not count"),
            ("116 : pas de 1 point", "+1 ne compte pas"),
        ),
        ("five-card-three-for-last", ("Three for last: Blue",), ("3 d'avance : Bleu",)),
        ("five-card-hand", ("Blue: 7♥",), ("Bleu : 7♥",)),
        ("five-card-17", ("17: impossible", "+17 does not count"), ("Impossible : 17", "+17 ne compte pas")),
        ("jeux50-redeal", ("Misdeal: deal again",), ("Maldonne : redonnez",)),
        ("jeux50-too-late", ("Red: too late", "+2 does not count"), ("Rouge : trop tard", "+2 ne compte pas")),
        ("acc-cut-stands", ("The cut stands",), ("La coupe tient",)),
    ],
)
def test_events_that_only_some_rules_have_are_announced(
    moment: str, english: tuple[str, ...], french: tuple[str, ...]
) -> None:
    seen = OF_RULES[moment].view
    assert seen is not None
    assert (load("en").said(seen), load("fr_CA").said(seen)) == (english, french)


def test_his_heels_are_announced_without_their_points() -> None:
    for worth, english in (2, ("His heels: Red",)), (3, ("His heels: Red",)), (0, ("Starter J♥",)):
        rules = changed(RULES["six-card"], {"his_heels": worth})
        cut = Story("verify", dealer=RED, rules=rules).starter("JH").shows().view
        assert cut is not None
        assert load("en").said(cut) == english
    silent = Story("verify", dealer=RED, rules=RULES["acc"]).starter("JH").shows().view
    assert silent is not None
    assert load("fr_CA").said(silent) == ("Retourne : V♥",)


def test_a_zero_that_is_let_go_in_a_silent_game_is_told_as_any_call() -> None:
    seen = OF_RULINGS["muggins-zero-let-go"].view
    assert seen is not None
    assert load("en").said(seen) == ("Blue +0 = 0", "Red +3", "pair, last card")
    assert load("fr_CA").said(seen) == ("Bleu +0 = 0", "Rouge +3", "paire, dernière")


def test_points_that_move_no_peg_are_told_with_the_reason() -> None:
    barred = (PointsBarred(BLUE, 1, Bar.SINGLE_POINT), *judged(Verdict.EXACT, Kind.GO, called=0, pegged=0))
    assert load("fr_CA").said(view(*barred, at=117))[:2] == ("116 : pas de 1 point", "Bleu +0 : go")
    too_far = (PointsBarred(BLUE, 2, Bar.EXACT_OUT), *judged(Verdict.EXACT, Kind.PAIR, called=0, pegged=0))
    assert load("fr_CA").said(view(*too_far))[:2] == ("+2 dépasse la fin", "Bleu +0 : paire")


def test_points_that_all_pass_the_game_hole_are_not_called_too_many() -> None:
    too_far = (PointsBarred(BLUE, 12, Bar.EXACT_OUT),)
    nothing = judged(Verdict.TOO_MANY, Kind.RUN, occasion=Occasion.CRIB, called=3, pegged=0)
    assert load("en").said(view(*nothing, *too_far))[:2] == ("+12: past the end", "Blue +0: crib")
    *some, pegged = judged(Verdict.TOO_MANY, Kind.PAIR, called=3, pegged=2)
    some_of_it = ("Too many: set to 2", "+12: past the end", "Blue +2: pair")
    assert load("en").said(view(*some, *too_far, pegged)) == some_of_it


def test_after_a_barred_single_point_the_screen_says_how_to_claim_zero() -> None:
    for language, said in ("en", "Your hole, or OK = 0"), ("fr_CA", "Votre trou ou OK = 0"):
        assert load(language).said(of_own_count(BLUE, 2, 2))[1] == said


def test_all_pass_names_the_key_that_takes_it_back_while_it_can_be() -> None:
    passed = AllPassed((1, 2))
    assert load("en").said(view(passed)) == ("All pass", "A card fits? GO")
    pegged = judged(Verdict.EXACT, Kind.GO, occasion=Occasion.GO, called=1, pegged=1)
    assert load("en").said(view(passed, *pegged)) == ("Blue +1: go", "A card fits? GO")
    assert load("en").said(view(passed, count=None)) == ("All pass",)


def going(telling: str, *actions: Action, way: str = "verify") -> Story:
    """Blue and red have laid 29 between them, red last."""
    rules = changed(RULES["six-card"], {"telling": telling})
    return Story(way, dealer=RED, rules=rules).starter("2D").lay(BLUE, "KH 9S QC").do(*actions)


@pytest.mark.parametrize(("telling", "first", "last"), [
    ("club", ("Red: go",), ("Blue: go",)),
    ("guest", ("Red: go", "Go: 1 for last card"), ("Blue: peg 1 for go",)),
    ("coach", ("Red: go", "Go: 1 for last card"), ("Blue: peg 1 for go",)),
    ("tournament", ("Red: go",), ("Blue: go",)),
])  # fmt: skip
def test_with_help_a_go_says_who_scores_what(telling: str, first: tuple[str, ...], last: tuple[str, ...]) -> None:
    words = load("en")
    story = going(telling, SayGo(RED))
    assert words.said(see(story.game.position)) == first
    assert words.said(see(story.do(SayGo(BLUE)).game.position)) == last


def test_a_go_that_is_unknown_barred_or_pegged_by_the_board_asks_for_no_peg() -> None:
    words = load("en")
    assert "peg 1" not in " ".join(words.said(see(going("guest", SayGo(RED), SayGo(BLUE), way="auto").game.position)))
    unread = (Laid(BLUE, None),)
    assert words.said(view(SaidGo(RED), telling=Telling.GUEST, way=Way.VERIFY, laid=unread)) == ("Red: go",)
    barred = view(SaidGo(RED), CountEnded(BLUE, 29), telling=Telling.GUEST, way=Way.VERIFY, at=116)
    assert words.said(barred)[0] == "Red: go"
