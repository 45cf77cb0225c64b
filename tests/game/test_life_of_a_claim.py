"""The table "Life of a claim" of `docs/architecture.md` has every transition of a claim, and no other.

Players play games by many rules, with slips. At each position every press that concerns a claim is tried on every side,
so the table lacks no row that the code has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from tests.support.places import ROOT
from tests.support.players import Players
from tests.support.seats import BLUE, RED, Table, card
from tests.support.sweeps import IS_WHOLE
from tests.support.walks import likely

from cribboard import RULES, Game, IllegalAction, Rules, actions, events
from cribboard.actions import Action, By
from cribboard.event_terms import Doubt, Timing
from cribboard.events import Event
from cribboard.position import Pegs, PegState, Phase, Position, updated
from cribboard.referee import rule
from cribboard.rules import changed

#: Events that are in the table also where they leave the state as it was.
OF_A_CLAIM = (
    events.PegTaken | events.PegPutBack | events.PegReleased | events.ClaimJudged | events.ClaimAccepted
    | events.ClaimChallenged | events.ChallengeRaised | events.MugginsTaken | events.ChallengeWithdrawn
    | events.MugginsRuled
)  # fmt: skip

#: Events that end a claim in any state, or put back the one of an earlier position.
FROM_ANY_STATE = events.GameWon | events.BrokenOff | events.DealVoided | events.RolledBack | events.Undone

Press = (
    actions.TakePegInHand | actions.TakeZero | actions.PutPegBack | actions.ReleasePeg | actions.Accept
    | actions.Challenge
)  # fmt: skip

WHO = {
    By.OWNER: "owner",
    By.OTHER_SIDE: "other side",
    By.CHALLENGE: "other side",
    By.NEXT_CARD: "card",
    By.NEXT_COUNT: "next claim",
    By.TIME: "timer",
    By.BOARD: "board",
}

#: Rules, with changes, and a way: between them they have nearly every transition.
CASES: tuple[tuple[str, dict[str, str], str], ...] = (
    ("six-card", {}, "trust"),
    ("six-card", {"exact_out": "on"}, "auto"),
    ("six-card", {"late_claim": "agreed", "peg_release_final": "off"}, "verify"),
    ("six-card", {"muggins": "on"}, "verify"),
    ("three-player", {"late_claim": "agreed", "verify_ack": "on"}, "verify"),
    ("three-player", {"muggins": "on"}, "verify"),
)
GAMES, ACTS = 6 if IS_WHOLE else 4, 120


class Transition(NamedTuple):
    """A row of the table for one state that follows and one who brings it about."""

    state: str
    event: str
    who: str
    follows: str


def table() -> list[tuple[Transition, ...]]:
    """The rows of the table, each as the transitions that it allows."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.partition("## Life of a claim\n")[2].partition("\n## ")[0]
    cells = [re.findall(r"[^|]+", line) for line in section.splitlines() if re.match(r"\| [^|]+ \| `", line)]
    rows = [[re.split(r", | or ", cell.strip().replace("`", "")) for cell in row] for row in cells]
    return [tuple(Transition(*names) for names in product(*row)) for row in rows]


def state_of(p: Position) -> str:
    """The state of the claim, as the table names it."""
    if p.open_challenge is not None:
        return "challenged" if p.open_challenge.points is None else "muggins in hand"
    if p.claim is None:
        return "no claim"
    if p.claim.state is PegState.RELEASED:
        return "released"
    if p.claim.doubt is not Doubt.NONE:
        return "doubtful"
    return "late" if p.claim.timing is Timing.LATE else "in hand"


def who(p: Position, event: Event, action: Action) -> str:
    """Who brings the event about, as the table names it."""
    if isinstance(by := getattr(event, "by", None), By):
        return WHO[by]
    if isinstance(event, events.ClaimJudged) or (
        isinstance(event, events.PegTaken) and not (isinstance(action, Press) and action.side == event.side)
    ):
        return "board"
    if not isinstance(action, Press):
        return "card"
    owner = p.open_challenge.by if p.open_challenge else p.claim.side if p.claim else action.side
    return "owner" if action.side == owner else "other side"


def transitions(p: Position, action: Action) -> Iterator[Transition]:
    """The transitions that an action causes; none if it is refused."""
    try:
        decision = rule(p, action)
    except IllegalAction:
        return
    for event, after in zip(decision.events, decision.positions, strict=False):  # an undo has no position of its own
        said_ok = isinstance(event, events.Agreed) and p.claim != after.claim
        moves = state_of(p) != state_of(after) and not isinstance(event, FROM_ANY_STATE)
        if said_ok or moves or isinstance(event, OF_A_CLAIM):
            yield Transition(state_of(p), type(event).__name__, who(p, event, action), state_of(after))
        p = after


def presses(p: Position) -> Iterator[Action]:
    """Every press on every side that concerns a claim, and a card that no reader reads."""
    for side in p.rules.sides:
        for points in {1, 2, 3, 4, 12, 19, 29, p.left_to_go(side)}:
            yield actions.TakePegInHand(side, points)
        yield from (kind(side) for kind in (actions.TakeZero, actions.PutPegBack, actions.ReleasePeg, actions.Accept))
        yield actions.ReleasePeg(side, By.TIME)
        yield actions.Challenge(side)
        yield actions.GoOnUnread(side)
        yield actions.OpenCount(side)


def two_sides_are_waited_for() -> Table:
    """Blue's peg is at the game hole, and two sides may still claim earlier points."""
    table = Table(rules=RULES["three-player"], scores=(117, 50, 60))
    table.starter("TC")
    table.play("AC 9D 5H AD 8S 3C AH go go AS JD 6H 7C TD")
    table.do(actions.TakePegInHand(BLUE, 4))
    return table


def all_passed_under_a_peg_at_the_game_hole() -> Table:
    """Blue lifted a peg for its pair, all passed, and a seat may go on."""
    table = Table(rules=RULES["partners"], scores=(119, 0))
    table.starter("5S")
    table.tell("S1 T, S2 9, S3 9 (28)")
    table.do(actions.TakePegInHand(BLUE, 2), actions.AllPass(table.seat("S3")))
    return table


def muggins_is_in_hand_too_soon() -> Table:
    """Red pegged its heels, and says that blue, who has not played yet, missed a point."""
    table = Table(rules=changed(RULES["six-card"], {"muggins": "on"}))
    table.starter("JC")
    table.press(RED, 2)
    table.do(actions.Challenge(RED), actions.TakePegInHand(RED, 1))
    return table


def a_peg_is_in_hand_for_forgotten_points() -> Table:
    """Blue claims late eight points for its second five; its last card is worth nothing."""
    table = Table(rules=changed(RULES["six-card"], {"late_claim": "agreed"}))
    table.starter("KS")
    table.play("5C 5D 5H AD 2C")
    table.do(actions.TakePegInHand(BLUE, 8))
    return table


def walk(rules: Rules, way: str, rng: Random) -> Iterator[Transition]:
    """The transitions of a game, which half of the time begins up to 25 points before the game hole."""
    game = Game.start(rules, way=way)
    if rng.random() < 0.5:
        target = rules.game.target
        scores = [target - rng.randint(1, 25) for _ in rules.sides]
        game = Game(updated(game.beginning, pegs=tuple(Pegs(score, score - 2) for score in scores)))
    players = Players(rng.random(), slips=0.3)
    for _ in range(ACTS):
        if game.position.phase is Phase.OVER:
            return
        for press in presses(game.position):
            yield from transitions(game.position, press)
        action = likely(rng, game.expected()) if rng.random() < 0.3 else players.act(game.position)
        yield from transitions(game.position, action)
        game.do(action)


@cache
def tried() -> frozenset[Transition]:
    """The transitions that were seen in games."""
    seen: set[Transition] = set()
    for name, changes, way in CASES:
        for number in range(GAMES):
            seen.update(walk(changed(RULES[name], changes), way, Random(f"{name} {changes} {way} {number}")))
    moments = two_sides_are_waited_for(), muggins_is_in_hand_too_soon(), a_peg_is_in_hand_for_forgotten_points()
    for moment in moments:
        for press in presses(moment.now):
            seen.update(transitions(moment.now, press))
    passed = all_passed_under_a_peg_at_the_game_hole()
    seen.update(transitions(passed.now, actions.LayCard(passed.seat("S1"), card("2H"))))
    return frozenset(seen)


ROWS = table()


def test_the_table_has_no_row_twice() -> None:
    allowed = [each for row in ROWS for each in row]
    assert ROWS
    assert len(set(allowed)) == len(allowed)


@pytest.mark.slow
@pytest.mark.sweep
def test_every_row_happens_in_a_game_and_no_transition_outside_the_table() -> None:
    """It is one test: to play the games takes longer than to look at them. Four games of each
    case have every row, and six are played where sweeps are whole."""
    assert [row for row in ROWS if not set(row) <= tried()] == []
    assert tried() - {each for row in ROWS for each in row} == set()
