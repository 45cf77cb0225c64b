"""What is told of an act, the most important first."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from tests.support.catalogues import phrase
from tests.support.coded_lines import lines
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
from cribboard.view import LaidCard, View, see
from cribd.table.snapshot import Snapshot
from cribd.text import load

OF_RULES = moments_of_rules()
OF_RULINGS = moments_of_rulings()


def said_of(shown: Snapshot) -> tuple[str, ...]:
    """What the screen says of the last act, in codes."""
    assert shown.view is not None
    return lines_of(shown.view)


def lines_of(seen: View) -> tuple[str, ...]:
    """The same of a view."""
    return lines(lambda words: words.said(seen))


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("laid", ("⟨said.laid card=⟨rank.5⟩♥ side=⟨side.0⟩⟩",)),
        ("peg-in-hand", ()),
        ("heels", ("⟨said.points points=2 side=⟨side.1⟩⟩", "⟨why.heels⟩")),
        ("too-many", ("⟨said.too_many points=2⟩", "⟨said.points points=2 side=⟨side.1⟩⟩", "⟨why.fifteen⟩")),
        ("go", ("⟨said.go side=⟨side.0⟩⟩",)),
        ("go-pegged", ("⟨said.points points=1 side=⟨side.1⟩⟩", "⟨why.go⟩")),
        ("out-of-turn", ("⟨said.out_of_turn side=⟨side.0⟩⟩", "⟨said.nothing_pegged points=4⟩")),
        ("late-refused", ("⟨said.too_late side=⟨side.1⟩⟩", "⟨said.nothing_pegged points=2⟩")),
        ("impossible", ("⟨said.impossible points=27⟩", "⟨said.nothing_pegged points=27⟩")),
        ("false-go", ("⟨said.false_go card=⟨rank.3⟩♣ count=22⟩", "⟨hint.roll_back⟩")),
        ("undone", ("⟨said.undone_what what=⟨undone.LayCard card=⟨rank.11⟩♣ seat=⟨side.0⟩⟩⟩",)),
        (
            "hand-judged",
            (
                "⟨said.scored points=12 side=⟨side.0⟩ why=⟨occasion.hand⟩⟩",
                "⟨counted.fifteen points=8⟩",
                "⟨counted.pair points=4⟩",
            ),
        ),
        (
            "crib-too-few",
            (
                "⟨said.scored points=3 side=⟨side.1⟩ why=⟨occasion.crib⟩⟩",
                "⟨said.lost n=5⟩",
                "⟨counted.fifteen points=4⟩",
                "⟨counted.run points=4⟩",
            ),
        ),
        (
            "challenged",
            (
                "⟨said.exact⟩",
                "⟨said.scored points=12 side=⟨side.0⟩ why=⟨occasion.hand⟩⟩",
                "⟨said.challenged side=⟨side.1⟩⟩",
                "⟨counted.fifteen points=8⟩",
                "⟨counted.pair points=4⟩",
            ),
        ),
        ("misdeal-agreed", ("⟨said.misdeal⟩",)),
        ("trust-pegged", ("⟨said.moved points=8 side=⟨side.1⟩ total=8⟩",)),
        ("trust-challenged", ("⟨said.recount side=⟨side.0⟩⟩", "⟨said.challenged side=⟨side.1⟩⟩")),
        ("trust-undone", ("⟨said.undone_what what=⟨undone.TakePegInHand points=12 side=⟨side.0⟩⟩⟩",)),
        ("auto-pair-royal", ("⟨said.points points=8 side=⟨side.0⟩⟩", "⟨why.fifteen⟩", "⟨why.pair_royal⟩")),
        ("auto-31", ("⟨said.points points=2 side=⟨side.0⟩⟩", "⟨why.thirty_one⟩")),
        ("won", ("⟨said.won side=⟨side.0⟩⟩", "⟨said.moved points=5 side=⟨side.0⟩ total=121⟩")),
        ("again", ("⟨said.final⟩",)),
    ],
)
def test_the_most_important_line_of_an_act_comes_first(moment: str, expected: tuple[str, ...]) -> None:
    assert said_of(MOMENTS[moment]) == expected


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_every_event_has_a_line_or_is_left_to_the_main_line(kind: type[Any]) -> None:
    has_line = any(type(event) is kind and load("en").said(view(event)) for events in every_event() for event in events)
    has_line |= kind.__name__ in ("ClaimJudged", "Undone")
    assert has_line != (kind.__name__ in SILENT)


def test_an_event_without_a_line_leaves_the_screen_to_the_hint() -> None:
    assert load("en").said(view(Acted(TakePegInHand(BLUE, 2)), PegTaken(BLUE, 2, Doubt.NONE, Timing.IN_TIME))) == ()


def test_a_win_comes_before_all_that_led_to_it() -> None:
    assert lines_of(view(*judged(Verdict.EXACT, Kind.RUN), GameWon(BLUE)))[0] == "⟨said.won side=⟨side.0⟩⟩"


def test_a_ruling_is_announced_instead_of_the_act() -> None:
    lay = Acted(LayCard(BLUE, PACK[0]))
    ruled = ClaimRuled(RED, 4, Verdict.OUT_OF_TURN, Ground.ORDER)
    assert lines_of(view(lay, ruled))[0] == "⟨said.out_of_turn side=⟨side.1⟩⟩"


def test_an_undone_agreement_is_named() -> None:
    assert lines_of(view(Undone(3), undone=Agree(RED))) == ("⟨said.undone_what what=⟨undone.Agree⟩⟩",)


# What only some rules have


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("three-player-go", ("⟨said.go side=⟨side.2⟩⟩",)),
        ("three-player-undo-agreed", ("⟨said.agreed side=⟨side.1⟩⟩",)),
        ("partners-all-pass", ("⟨said.all_passed⟩", "⟨hint.goes_on⟩")),
        ("partners-goes-on", ("⟨said.pass_taken_back seat=⟨seat number=1 side=⟨side.0⟩⟩⟩",)),
        ("partners-lay", ("⟨said.laid card=⟨rank.10⟩♥ side=⟨seat number=2 side=⟨side.0⟩⟩⟩",)),
        ("fadoq-single-point", ("⟨said.single_point hole=116⟩", "⟨said.nothing_pegged points=1⟩")),
        ("five-card-three-for-last", ("⟨said.three_for_last side=⟨side.0⟩⟩",)),
        ("five-card-hand", ("⟨said.hand_card card=⟨rank.7⟩♥ seat=⟨side.0⟩⟩",)),
        ("five-card-17", ("⟨said.impossible points=17⟩", "⟨said.nothing_pegged points=17⟩")),
        ("jeux50-redeal", ("⟨said.misdeal⟩",)),
        ("jeux50-too-late", ("⟨said.too_late side=⟨side.1⟩⟩", "⟨said.nothing_pegged points=2⟩")),
        ("acc-cut-stands", ("⟨said.cut_stands⟩",)),
    ],
)
def test_events_that_only_some_rules_have_are_announced(moment: str, expected: tuple[str, ...]) -> None:
    assert said_of(OF_RULES[moment]) == expected


def test_his_heels_are_announced_without_their_points() -> None:
    heels, starter = ("⟨said.heels side=⟨side.1⟩⟩",), ("⟨said.starter card=⟨rank.11⟩♥⟩",)
    for worth, expected in (2, heels), (3, heels), (0, starter):
        rules = changed(RULES["six-card"], {"his_heels": worth})
        assert said_of(Story("verify", dealer=RED, rules=rules).starter("JH").shows()) == expected
    assert said_of(Story("verify", dealer=RED, rules=RULES["acc"]).starter("JH").shows()) == starter


def test_a_released_zero_in_a_silent_game_is_announced_like_any_call() -> None:
    seen = OF_RULINGS["muggins-zero-let-go"].view
    assert seen is not None
    for language, blue, red in ("en", "Blue", "Red"), ("fr_CA", "Bleu", "Rouge"):
        assert load(language).said(seen) == (
            phrase("said.moved", language, side=blue, points=0, total=0),
            phrase("said.points", language, side=red, points=3),
            f"{phrase('why.pair', language)}, {phrase('why.last_card', language)}",
        )


def test_points_that_move_no_peg_are_announced_with_the_reason() -> None:
    barred = (PointsBarred(BLUE, 1, Bar.SINGLE_POINT), *judged(Verdict.EXACT, Kind.GO, called=0, pegged=0))
    assert load("fr_CA").said(view(*barred, at=117))[:2] == (
        phrase("said.single_point", "fr_CA", hole=116),
        phrase("said.scored", "fr_CA", side="Bleu", points=0, why=phrase("why.go", "fr_CA")),
    )
    too_far = (PointsBarred(BLUE, 2, Bar.EXACT_OUT), *judged(Verdict.EXACT, Kind.PAIR, called=0, pegged=0))
    assert load("fr_CA").said(view(*too_far))[:2] == (
        phrase("said.exact_out", "fr_CA", points=2),
        phrase("said.scored", "fr_CA", side="Bleu", points=0, why=phrase("why.pair", "fr_CA")),
    )


def test_points_that_all_pass_the_game_hole_are_not_called_too_many() -> None:
    too_far = (PointsBarred(BLUE, 12, Bar.EXACT_OUT),)
    nothing = judged(Verdict.TOO_MANY, Kind.RUN, occasion=Occasion.CRIB, called=3, pegged=0)
    past_the_end = phrase("said.exact_out", points=12)
    crib = phrase("said.scored", side="Blue", points=0, why=phrase("occasion.crib"))
    assert load("en").said(view(*nothing, *too_far))[:2] == (past_the_end, crib)
    *some, pegged = judged(Verdict.TOO_MANY, Kind.PAIR, called=3, pegged=2)
    pair = phrase("said.scored", side="Blue", points=2, why=phrase("why.pair"))
    some_of_it = (phrase("said.too_many", points=2), past_the_end, pair)
    assert load("en").said(view(*some, *too_far, pegged)) == some_of_it


def test_after_a_barred_single_point_the_screen_says_how_to_claim_zero() -> None:
    assert lines_of(of_own_count(BLUE, 2, 2))[1] == "⟨hint.count⟩"


def test_the_line_of_all_pass_names_the_key_that_undoes_it() -> None:
    passed = AllPassed((1, 2))
    assert lines_of(view(passed)) == ("⟨said.all_passed⟩", "⟨hint.goes_on⟩")
    pegged = judged(Verdict.EXACT, Kind.GO, occasion=Occasion.GO, called=1, pegged=1)
    go = phrase("said.scored", side="Blue", points=1, why=phrase("why.go"))
    assert load("en").said(view(passed, *pegged)) == (go, phrase("hint.goes_on"))
    assert lines_of(view(passed, count=None)) == ("⟨said.all_passed⟩",)


def going(telling: str, *actions: Action, way: str = "verify") -> Story:
    """Blue and red have laid 29 between them, red last."""
    rules = changed(RULES["six-card"], {"telling": telling})
    return Story(way, dealer=RED, rules=rules).starter("2D").lay(BLUE, "KH 9S QC").do(*actions)


RED_GO, BLUE_GO = "⟨said.go side=⟨side.1⟩⟩", "⟨said.go side=⟨side.0⟩⟩"
OPEN, DUE = "⟨said.go_open points=1⟩", "⟨said.go_due points=1 side=⟨side.0⟩⟩"


@pytest.mark.parametrize(("telling", "first", "last"), [
    ("club", (RED_GO,), (BLUE_GO,)),
    ("guest", (RED_GO, OPEN), (DUE,)),
    ("coach", (RED_GO, OPEN), (DUE,)),
    ("tournament", (RED_GO,), (BLUE_GO,)),
])  # fmt: skip
def test_with_help_a_go_says_who_scores_what(telling: str, first: tuple[str, ...], last: tuple[str, ...]) -> None:
    story = going(telling, SayGo(RED))
    assert lines_of(see(story.game.position)) == first
    assert lines_of(see(story.do(SayGo(BLUE)).game.position)) == last


def test_a_go_that_is_unknown_barred_or_pegged_by_the_board_asks_for_no_peg() -> None:
    pegged = going("guest", SayGo(RED), SayGo(BLUE), way="auto")
    assert not any("said.go_due" in line for line in lines_of(see(pegged.game.position)))
    unread = (LaidCard(BLUE, None),)
    assert lines_of(view(SaidGo(RED), telling=Telling.GUEST, way=Way.VERIFY, laid=unread)) == (RED_GO,)
    barred = view(SaidGo(RED), CountEnded(BLUE, 29), telling=Telling.GUEST, way=Way.VERIFY, at=116)
    assert lines_of(barred)[0] == RED_GO
