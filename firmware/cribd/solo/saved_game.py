"""Saves the game for one person in the journal, as one setting.

It is written before the press that needs it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from cribboard.cards import PACK, Card
from cribboard.rules import Way
from cribboard.strategy import RobotLevel
from cribd.robots.deal import Deal, from_json, to_json
from cribd.storage.journal import Journal, JournalDamaged

#: The setting's name; its value is "" if there is no saved game.
_SETTING = "solo"

#: The number of a deal, and how many deals before it were void.
DealKey = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SoloGame:
    """A saved game, of a person against robots or of robots only."""

    rules: str  # the label
    way: Way
    strength: RobotLevel
    person: bool  # whether a person sits in the first seat; else a robot does
    seed: str  # the random seed of the cards and the robots
    names: tuple[str, ...] = ()  # of the sides; a game at the table belongs to this one if its names are the same
    game: int | None = None  # the number of the game in the journal; None until it has begun
    cuts: tuple[Card, ...] = ()  # the pack from which the seats cut for the deal
    deals: Mapping[DealKey, Deal] = field(default_factory=dict)
    left: bool = False  # whether the person has left the game; he may return while the table plays no other


def read(journal: Journal) -> SoloGame | None:
    """Read the saved game; None if it is missing or invalid."""
    try:
        saved = json.loads(journal.setting(_SETTING) or "null")
        return None if saved is None else _from_json(saved)
    except (JournalDamaged, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        return None


def write(journal: Journal, solo: SoloGame | None) -> None:
    """Save this game; None deletes it. Raises `JournalAway`."""
    setting = ""
    if solo is not None:
        saved = {field.name: getattr(solo, field.name) for field in fields(solo)}
        saved["cuts"] = " ".join(map(str, solo.cuts))
        saved["deals"] = [[*key, to_json(deal)] for key, deal in solo.deals.items()]
        setting = json.dumps(saved)
    journal.write_settings({_SETTING: setting})


def _from_json(saved: Any) -> SoloGame:
    """Build a saved game from JSON. Raises `KeyError`, `OverflowError`, `TypeError` or `ValueError` if invalid."""
    cuts = Card.parse_many(str(saved["cuts"]))
    if sorted(cuts) != list(PACK):
        raise ValueError("the cuts are no pack")
    return SoloGame(
        rules=str(saved["rules"]),
        way=Way(saved["way"]),
        strength=RobotLevel(saved["strength"]),
        person=bool(saved["person"]),
        seed=str(saved["seed"]),
        names=tuple(map(str, saved["names"])),
        game=None if saved["game"] is None else int(saved["game"]),
        cuts=cuts,
        deals={(int(number), int(void)): from_json(deal) for number, void, deal in saved["deals"]},
        left=bool(saved.get("left", False)),
    )
