"""Hypothesis strategies for rules and actions, on which the laws of the game are tested.

`any_rules` draws a preset or house rules, `any_action` an action that makes sense or not, `likely` an expected one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from random import Random
from typing import Any

from hypothesis import strategies as st

from cribboard import PACK, RULES, Game, Rules
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    AllPass,
    Ask,
    BreakOff,
    By,
    Challenge,
    CutForDeal,
    DropQuestion,
    EndDeal,
    GoOnUnread,
    LayCard,
    LetLieDead,
    NameDealer,
    OpenCount,
    PutPegBack,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)
from cribboard.rules import PARAMETERS, Parameter, RulesError, changed

SIX_CARD = RULES["six-card"]

presets = st.sampled_from(list(RULES.values()))


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Any value that the parameter may have."""
    if isinstance(parameter.kind, type) and issubclass(parameter.kind, StrEnum):
        return st.sampled_from(list(parameter.kind))
    numbers = st.integers(parameter.low, parameter.high)
    return numbers if parameter.kind is int else st.none() | numbers


@st.composite
def house_rules(draw: st.DrawFn) -> Rules:
    """A preset with some changes that do not contradict each other."""
    rules = draw(presets)
    for name in draw(st.lists(st.sampled_from(list(PARAMETERS)), unique=True, max_size=10)):
        with suppress(RulesError):
            rules = changed(rules, {name: draw(values_of(PARAMETERS[name]))})
    return rules


any_rules = presets | house_rules()


def any_action(rng: Random, rules: Rules = SIX_CARD) -> Action:
    """An action of any kind, legal or not, without those that break off a game."""
    seat, side, card = rng.choice(rules.seats), rng.choice(rules.sides), rng.choice(PACK)
    return rng.choice(
        (
            CutForDeal(seat, card),
            NameDealer(seat),
            TurnStarter(card),
            LayCard(seat, card),
            SayGo(seat),
            AllPass(seat),
            TakeBackPass(seat),
            ShowCard(seat, card),
            TakePegInHand(side, rng.randint(-2, 32)),
            TakePegInHand(side, rng.randint(1, 8)),
            PutPegBack(side),
            TakeZero(side),
            ReleasePeg(side, rng.choice(list(By))),
            ReleasePeg(side),
            Accept(side),
            Challenge(side),
            LetLieDead(side),
            GoOnUnread(side),
            OpenCount(side),
            ReadCrib(card),
            EndDeal(side),
            AcceptResult(side),
            Undo(),
            Ask(side, rng.choice(list(Question))),
            Agree(side),
            DropQuestion(),
        )
    )


def likely(rng: Random, expected: Sequence[Action], *, taking_back: float = 0.1) -> Action:
    """One of the expected actions. Each kind is as likely as another, but undos are rare and no game is broken off."""
    kinds: dict[type[Action], list[Action]] = {}
    for action in expected:
        kinds.setdefault(type(action), []).append(action)
    kinds.pop(BreakOff, None)
    if rng.random() > taking_back:
        for kind in (Undo, Ask, Agree, TakeBackPass, GoOnUnread):
            if len(kinds) > 1:
                kinds.pop(kind, None)
    return rng.choice(kinds[rng.choice(list(kinds))])


def walk(game: Game, rng: Random, steps: int, *, taking_back: float = 0.1) -> None:
    """Play random expected actions, this many or to the end."""
    for _ in range(steps):
        expected = game.expected()
        if not expected:
            return
        game.do(likely(rng, expected, taking_back=taking_back))
