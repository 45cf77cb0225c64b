"""The main line and its hints: who must do what now, at every table.

The lines are the codes of their phrases; `tests/device/table/golden` has the words.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.coded_lines import lines
from tests.support.everything_asked import MOMENTS, asking, view
from tests.support.moments import BLUE, RED
from tests.support.moments_of_rules import moments_of_rules
from tests.support.moments_of_rulings import moments_of_rulings

from cribboard.view import Prompt, PromptKind
from cribd.table.snapshot import Refusal, Snapshot

OF_RULES = moments_of_rules()
OF_RULINGS = moments_of_rulings()


@pytest.mark.parametrize("points", [25, 26, 27])
def test_a_number_that_no_possible_counts_is_not_called_far(points: int) -> None:
    asked = asking(PromptKind.SAME_HOLE, BLUE, points=points, total=points, claimant=BLUE)
    refused = Refusal("same_hole_again", {"points": points})
    why = f"⟨doubt.no_count points={points}⟩"
    assert lines(lambda words: words.hints(asked))[0] == why
    assert lines(lambda words: words.refusal(refused))[0] == why


@pytest.mark.parametrize(
    ("moment", "line"),
    [
        ("three-player-cut", "⟨ask.cut seat=⟨side.1⟩⟩"),
        ("three-player-undo", "⟨ask.undo_all.three⟩"),
        ("three-player-undo-agreed", "⟨ask.undo side=⟨side.0⟩⟩"),
        ("three-player-accept", "⟨ask.accept.three side=⟨side.0⟩⟩"),
        ("three-player-won", "⟨ask.result.three⟩"),
        ("three-player-won-agreed", "⟨ask.result_some waiting=⟨side.0⟩, ⟨side.2⟩⟩"),
        ("partners-who-deals", "⟨ask.who_deals⟩"),
        ("partners-name", "⟨ask.name_dealer seat=⟨seat number=2 side=⟨side.1⟩⟩⟩"),
        ("partners-deal", "⟨ask.deal.seats cards=5 seat=⟨seat number=2 side=⟨side.1⟩⟩⟩"),
        ("partners-lead", "⟨ask.lead seat=⟨seat number=1 side=⟨side.0⟩⟩⟩"),
        ("partners-lay", "⟨ask.lay_or_go seat=⟨seat number=2 side=⟨side.1⟩⟩⟩"),
        ("partners-go", "⟨ask.lay_after_go.seats seat=⟨seat number=1 side=⟨side.0⟩⟩⟩"),
        ("partners-crib", "⟨ask.read_crib.seats seat=⟨seat number=2 side=⟨side.1⟩⟩⟩"),
        ("six-player-name", "⟨ask.name_dealer seat=⟨seat number=2 side=⟨side.2⟩⟩⟩"),
        ("five-card-rest", "⟨ask.read_hand seat=⟨side.0⟩⟩"),
        ("jeux50-card-seen", "⟨ask.exposed_cut side=⟨side.0⟩⟩"),
        ("jeux50-undo", "⟨ask.undo_all⟩"),
        ("jeux50-undo-agreed", "⟨ask.undo side=⟨side.1⟩⟩"),
        ("britannica-again", "⟨lobby.again⟩"),
        ("fadoq-match-won", "⟨lobby.again_match⟩"),
        ("fadoq-menu", "⟨menu.rules rules=⟨rules.six-player⟩⟩"),
        ("britannica-menu-short", "⟨menu.option option=⟨option.britannica.short⟩ state=⟨state.off⟩⟩"),
        ("jeux50-menu-card-seen", "⟨menu.exposed_cut⟩"),
    ],
)
def test_every_prompt_names_who_must_do_what(moment: str, line: str) -> None:
    assert lines(lambda words: [words.prompt(OF_RULES[moment])]) == (line,)


@pytest.mark.parametrize(
    ("moment", "hints"),
    [
        (
            "three-player-deal",
            ("⟨step.discard discards=1⟩", "⟨step.from_pack from_pack=1⟩", "⟨step.cut cutter=⟨side.0⟩⟩"),
        ),
        (
            "partners-deal",
            ("⟨step.discard discards=1⟩", "⟨step.cut cutter=⟨seat number=2 side=⟨side.0⟩⟩⟩"),
        ),
        (
            "six-player-deal",
            (
                "⟨step.four cards=5 four=⟨initial.2⟩2, ⟨initial.1⟩2⟩",
                "⟨step.others_discard discards=1⟩",
                "⟨step.cut cutter=⟨seat number=2 side=⟨side.1⟩⟩⟩",
            ),
        ),
        (
            "six-player-deal-bury",
            (
                "⟨step.discard discards=1⟩",
                "⟨step.buried buried=⟨seat number=1 + 2 side=⟨side.1⟩⟩⟩",
                "⟨step.cut cutter=⟨seat number=2 side=⟨side.0⟩⟩⟩",
            ),
        ),
        (
            "three-player-undo",
            ("⟨hint.waiting waiting=⟨side.0⟩, ⟨side.1⟩⟩", "⟨hint.question⟩"),
        ),
        ("partners-peg", ("⟨hint.peg⟩",)),
        (
            "fadoq-need-two",
            ("⟨hint.need_two⟩", "⟨hint.release⟩"),
        ),
        ("five-card-rest", ("⟨hint.read_hand n=1⟩",)),
        ("fadoq-lay-barred", ("⟨said.single_point hole=116⟩",)),
        ("fadoq-lay-for-two", ("⟨said.need_two⟩",)),
        (
            "fadoq-hand-barred",
            ("⟨hint.count⟩", "⟨said.single_point hole=116⟩"),
        ),
        (
            "fadoq-then-partners",
            ("⟨hint.rules rules=⟨rules.partners⟩⟩", "⟨hint.start way=⟨way.auto⟩⟩"),
        ),
        ("fadoq-again", ("⟨match.points games=8⟩",)),
        ("fadoq-match-level", ("⟨match.level⟩",)),
        ("fadoq-match-won", ("⟨match.won side=⟨side.1⟩⟩",)),
        (
            "britannica-start-short",
            ("⟨hint.rules rules=⟨rules.britannica⟩⟩", "⟨hint.start way=⟨way.verify⟩⟩", "⟨option.britannica.short⟩"),
        ),
        (
            "house-start",
            ("⟨hint.rules rules=Legion Hall⟩", "⟨hint.start way=⟨way.auto⟩⟩"),
        ),
        (
            "house-menu",
            ("⟨now.house rules=⟨rules.britannica⟩⟩", "⟨menu.leave⟩"),
        ),
    ],
)
def test_every_table_gets_its_hints(moment: str, hints: tuple[str, ...]) -> None:
    assert lines(lambda words: words.hints(OF_RULES[moment])) == hints


@pytest.mark.parametrize(
    ("what", "line"),
    [
        (PromptKind.UNDO, "⟨ask.undo_all.three⟩"),
        (PromptKind.MISDEAL, "⟨ask.misdeal_all⟩"),
        (PromptKind.BREAK_OFF, "⟨ask.break_off_all⟩"),
    ],
)
def test_with_three_sides_those_who_have_not_said_ok_are_named(what: PromptKind, line: str) -> None:
    asked = asking(what, None, players=3, sides=3, claimant=BLUE)
    two, three = (replace(asked, waiting=waiting) for waiting in ((0, 2), (0, 1, 2)))
    assert lines(lambda words: (words.prompt(two), *words.hints(two))) == (
        line,
        "⟨hint.waiting waiting=⟨side.0⟩, ⟨side.2⟩⟩",
        "⟨hint.question⟩",
    )
    assert lines(lambda words: words.hints(three)) == ("⟨hint.question⟩",)


def test_who_must_accept_a_result_is_named_in_the_main_line_alone() -> None:
    result = replace(asking(PromptKind.RESULT, None, players=3, sides=3), waiting=(1, 2))
    assert lines(lambda words: (words.prompt(result), *words.hints(result))) == (
        "⟨ask.result_some waiting=⟨side.1⟩, ⟨side.2⟩⟩",
        "⟨hint.result⟩",
    )


def test_the_winner_of_a_match_is_shown_whatever_the_next_way_of_scoring() -> None:
    over, again = (replace(OF_RULES[moment], way="auto") for moment in ("fadoq-match-won", "fadoq-again"))
    assert lines(lambda words: words.hints(over))[0] == "⟨match.won side=⟨side.1⟩⟩"
    assert lines(lambda words: words.hints(again)) == (
        "⟨hint.rules rules=⟨rules.fadoq⟩⟩",
        "⟨hint.start way=⟨way.auto⟩⟩",
    )


@pytest.mark.parametrize(("count", "code"), [(21, "ask.lay"), (22, "ask.lay_or_go")])
def test_go_is_named_from_the_first_count_at_which_a_card_may_be_too_high(count: int, code: str) -> None:
    shown = Snapshot(view=view(prompt=Prompt(PromptKind.LAY, RED, {"seat": RED}), count=count))
    assert lines(lambda words: [words.prompt(shown)]) == (f"⟨{code} seat=⟨side.1⟩⟩",)


def test_a_trust_deal_begins_with_whose_ok_ends_it() -> None:
    shown = MOMENTS["trust"]
    dealt = shown.view
    assert dealt is not None
    assert lines(lambda words: (words.prompt(shown), *words.said(dealt), *words.hints(shown))) == (
        "⟨ask.peg seat=⟨side.0⟩⟩",
        "⟨hint.peg⟩",
    )


@pytest.mark.parametrize(
    ("moment", "first"),
    [
        (
            "muggins-asked",
            ("⟨ask.challenge side=⟨side.1⟩⟩", "⟨hint.missed⟩", "⟨hint.no_challenge⟩"),
        ),
        (
            "muggins-asked-in-play",
            ("⟨ask.challenge_missed side=⟨side.0⟩⟩", "⟨hint.missed⟩", "⟨hint.no_challenge⟩"),
        ),
        (
            "muggins-in-hand",
            ("⟨ask.muggins points=3 side=⟨side.1⟩⟩", "⟨hint.release⟩", "⟨hint.no_challenge⟩"),
        ),
        (
            "acc-game-claimed",
            ("⟨ask.game_claimed claimant=⟨side.0⟩⟩", "⟨ask.accept side=⟨side.1⟩⟩"),
        ),
        (
            "acc-false-go",
            ("⟨ask.renege card=⟨rank.3⟩♣ side=⟨side.0⟩⟩", "⟨hint.play_on⟩", "⟨hint.lies_dead⟩"),
        ),
        (
            "roll-back-asked",
            ("⟨ask.roll_back side=⟨side.1⟩⟩", "⟨hint.question⟩"),
        ),
        (
            "guest-hand",
            ("⟨ask.count_hand seat=⟨side.0⟩⟩", "⟨remind.look_for⟩", "⟨remind.and⟩"),
        ),
        (
            "acc-play-first",
            ("⟨ask.count_play seat=⟨side.0⟩⟩", "⟨hint.count⟩"),
        ),
        (
            "acc-play-first-in-hand",
            ("⟨ask.release points=1 side=⟨side.0⟩ total=1⟩", "⟨of.play⟩"),
        ),
        (
            "acc-hand-second",
            ("⟨ask.count_hand seat=⟨side.0⟩⟩", "⟨hint.count⟩"),
        ),
        (
            "acc-hand-second-in-hand",
            ("⟨ask.release points=24 side=⟨side.0⟩ total=25⟩", "⟨of.hand⟩"),
        ),
        (
            "acc-hand-in-hand",
            ("⟨ask.release points=9 side=⟨side.0⟩ total=9⟩", "⟨of.hand⟩"),
        ),
        (
            "official-captain",
            ("⟨ask.official side=⟨side.0⟩⟩", "⟨hint.captain⟩", "Les Joyeux As"),
        ),
        ("menu-no-help-excess", ("⟨menu.no_help⟩",)),
    ],
)
def test_a_prompt_names_the_side_and_the_key(moment: str, first: tuple[str, ...]) -> None:
    snapshot = OF_RULINGS[moment]
    assert lines(lambda words: (words.prompt(snapshot), *words.hints(snapshot)))[: len(first)] == first
