"""Players who do anything at all: actions drawn at random, sensible or not, for the laws of the game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cribboard import PACK, Game
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    Ask,
    BreakOff,
    By,
    Challenge,
    CutForDeal,
    DropQuestion,
    EndDeal,
    LayCard,
    NameDealer,
    OpenCount,
    PutPegBack,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)


def any_action(chance: Random) -> Action:
    """An action of any kind, whether it makes sense or not; a game given up is left to those who ask for it."""
    side, card = chance.randint(0, 1), chance.choice(PACK)
    return chance.choice(
        (
            CutForDeal(side, card),
            NameDealer(side),
            TurnStarter(card),
            LayCard(side, card),
            SayGo(side),
            TakePegInHand(side, chance.randint(-2, 32)),
            TakePegInHand(side, chance.randint(1, 8)),
            PutPegBack(side),
            TakeZero(side),
            ReleasePeg(side, chance.choice(list(By))),
            ReleasePeg(side),
            Accept(side),
            Challenge(side),
            OpenCount(side),
            ReadCrib(card),
            EndDeal(side),
            AcceptResult(side),
            Undo(),
            Ask(side, chance.choice(list(Question))),
            Agree(side),
            DropQuestion(),
        )
    )


def likely(chance: Random, expected: Sequence[Action], *, taking_back: float = 0.1) -> Action:
    """One of the expected actions, kinds being equally likely: but few are taken back, and none is given up."""
    kinds: dict[type[Action], list[Action]] = {}
    for action in expected:
        kinds.setdefault(type(action), []).append(action)
    kinds.pop(BreakOff, None)
    if chance.random() > taking_back:
        for kind in (Undo, Ask, Agree):
            if len(kinds) > 1:
                kinds.pop(kind, None)
    return chance.choice(kinds[chance.choice(list(kinds))])


def walk(game: Game, chance: Random, steps: int, *, taking_back: float = 0.1) -> None:
    """Play on with expected actions, at random, for so many steps or to the end."""
    for _ in range(steps):
        expected = game.expected()
        if not expected:
            return
        game.do(likely(chance, expected, taking_back=taking_back))
