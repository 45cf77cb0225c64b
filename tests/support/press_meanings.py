"""Games at given moments, and the action that `interpret` makes of a press or a scan there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.support.seats import BLUE, RED, SIX_CARD, card

from cribboard import Card, Game, IllegalAction
from cribboard.actions import (
    Action,
    LayCard,
    TurnStarter,
)
from cribboard.rules import Rules
from cribd.boards import load
from cribd.inputs import Input, Key, KeyHeld, KeyPressed
from cribd.table.commands import InputMeaning, Situation
from cribd.table.interpret import interpret
from cribd.table.snapshot import Refusal

LONG = load("continuous")
TWICE_ROUND = load("classic")
MENU, UNDO, MENU_HELD = KeyPressed(Key.MENU), KeyPressed(Key.UNDO), KeyHeld(Key.MENU)


def ok(side: int) -> KeyPressed:
    return KeyPressed(Key.OK, side)


def go(side: int) -> KeyPressed:
    return KeyPressed(Key.GO, side)


def too_much(side: int) -> KeyPressed:
    return KeyPressed(Key.CHALLENGE, side)


def lay(names: str) -> list[Action]:
    """Lay these cards in turn, blue first."""
    return [LayCard(number % 2, each) for number, each in enumerate(Card.parse_many(names))]


def game(way: str, *acts: Action | Sequence[Action], dealer: int | None = RED, rules: Rules = SIX_CARD) -> Game:
    begun = Game.start(rules, way=way, dealer=dealer)
    for act in acts:
        for each in act if isinstance(act, Sequence) else [act]:
            begun.do(each)
    return begun


def meant(now: Game, given_input: Input) -> InputMeaning | None:
    return interpret(Situation(LONG, now.position), given_input)


def refused(now: Game, given_input: Input) -> Refusal:
    """The code with which the table or the game refuses; the game stays as it was."""
    answer = meant(now, given_input)
    if isinstance(answer, Refusal):
        return answer
    before = now.position
    with pytest.raises(IllegalAction) as no:
        now.do(answer)  # type: ignore[arg-type]
    assert now.position == before
    return Refusal(no.value.code, no.value.values)


#: The play of one deal to its last card, which is red's, at 24; the first count ends with red's 31. Blue counts first.
PLAYED: list[Action] = [
    TurnStarter(card("6C")),
    *lay("TC 7D KD 4S"),
    *(LayCard(BLUE, card("2S")), LayCard(RED, card("9D")), LayCard(BLUE, card("8H")), LayCard(RED, card("5H"))),
]
