"""A moment of a game, and how it is reached.

A moment is reached by steps from the first switching on, in each of its ways; then one press is made. Steps and presses
are written as `tools.playing.presses` reads them.
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.rules import Way

EVERY = (Way.TRUST, Way.VERIFY, Way.AUTO)
CARDS = (Way.VERIFY, Way.AUTO)
TRUST = (Way.TRUST,)
VERIFY = (Way.VERIFY,)
AUTO = (Way.AUTO,)


@dataclass(frozen=True, slots=True)
class Press:
    """One press of a moment, as `presses.read` has it, and what it is meant for."""

    step: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the game stands, and what may be pressed there.

    `steps` lead to it in each of `ways`, from the first switching on of this `board`, which plays the preset `rules`.
    """

    title: str
    told: str
    ways: tuple[Way, ...]
    steps: str
    presses: tuple[Press, ...]
    rules: str = "six-card"
    board: str = "continuous"


@dataclass(frozen=True, slots=True)
class Chapter:
    """Moments that belong together."""

    title: str
    told: str
    moments: tuple[Moment, ...]


def presses(text: str) -> tuple[Press, ...]:
    """One press a line; after two spaces its note."""
    lines = (line.strip().partition("  ") for line in text.strip().splitlines())
    return tuple(Press(step, note.strip()) for step, _, note in lines)


# How moments are reached: blue's OK starts the game, red deals, and the play goes on from there.

NAMED = "ok.blue ok.red"  # the dealer is named by his OK: in every way
DEALT = "ok.blue 9H 4C"
LEAD = f"{DEALT} 6C"
FIFTEEN = f"{LEAD} TC 5D"
AT_27 = f"{LEAD} TC 7D KD"
PLAYED = f"{AT_27} 4S 4H 9D 5S 5H"
#: Red has taken its three for the last card and its pair. Blue's hand is 9, red's 8, the crib 2.
SHOW = f"{PLAYED} red:3 ok.red"
RED_COUNTS = f"{SHOW} blue:9 ok.blue ok.red"
CRIB = f"{RED_COUNTS} red:11 ok.red ok.blue"
CRIB_READ = f"{CRIB} AH 8C JS 3D"
