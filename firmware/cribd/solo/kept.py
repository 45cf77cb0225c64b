"""What is kept of somebody who plays alone: one setting of the journal, written before the press that needs it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cribboard.cards import PACK, Card
from cribboard.rules import Way
from cribboard.strategy import Strength
from cribd.robots.deal import Deal, from_json, to_json
from cribd.storage.journal import Journal, JournalDamaged

#: The setting's name; its value is "" where nobody plays alone.
_SETTING = "solo"

#: The number of a deal, and how many deals before it were void.
DealKey = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Plays:
    """Somebody plays alone, or robots play for whoever watches."""

    rules: str
    """The label."""
    way: Way
    strength: Strength
    person: bool
    """Whether a person sits in the first seat; else a robot does."""
    seed: str
    """Chance: cards and robots are made from it."""
    names: tuple[str, ...] = ()
    """The names of the sides, by which a game is known to be this one's."""
    game: int | None = None
    """The number of the game in the journal; None until it has begun."""
    cuts: tuple[Card, ...] = ()
    """The pack from which the seats cut for the deal."""
    deals: Mapping[DealKey, Deal] = field(default_factory=dict)
    left: bool = False
    """Whether the person has left the game; he may take it up again while the table plays no other."""


def read(journal: Journal) -> Plays | None:
    """What was kept; None if nobody plays alone or has left a game, or it cannot be read or cannot be."""
    try:
        kept = json.loads(journal.setting(_SETTING) or "null")
        return None if kept is None else _plays(kept)
    except (JournalDamaged, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        return None


def write(journal: Journal, plays: Plays | None) -> None:
    """Keep this, or that nobody plays alone. Raises `NotKept`."""
    journal.write_settings({_SETTING: "" if plays is None else json.dumps(_as_json(plays))})


def _as_json(plays: Plays) -> dict[str, Any]:
    return {
        "rules": plays.rules,
        "way": plays.way,
        "strength": plays.strength,
        "person": plays.person,
        "seed": plays.seed,
        "names": list(plays.names),
        "game": plays.game,
        "cuts": " ".join(map(str, plays.cuts)),
        "deals": [[*key, to_json(deal)] for key, deal in plays.deals.items()],
        "left": plays.left,
    }


def _plays(kept: Any) -> Plays:
    """What was kept as JSON. Raises `KeyError`, `OverflowError`, `TypeError` or `ValueError` for anything else."""
    cuts = Card.parse_many(str(kept["cuts"]))
    if sorted(cuts) != list(PACK):
        raise ValueError("the cuts are no pack")
    return Plays(
        rules=str(kept["rules"]),
        way=Way(kept["way"]),
        strength=Strength(kept["strength"]),
        person=bool(kept["person"]),
        seed=str(kept["seed"]),
        names=tuple(map(str, kept["names"])),
        game=None if kept["game"] is None else int(kept["game"]),
        cuts=cuts,
        deals={(int(number), int(void)): from_json(deal) for number, void, deal in kept["deals"]},
        left=bool(kept.get("left", False)),
    )
