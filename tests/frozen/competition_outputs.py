"""Outputs of competitions: the places after each act since play ended, and who may be drawn or must share.

A record in `given/competitions` names its format and the version of the rulings, and keeps the medals of that version.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path

from .given import competitions
from .product import places_of

Output = Callable[[Path], Awaitable[list[str]]]


async def of_competition(name: str, folder: Path) -> list[str]:
    """The heading's format, and each act from the end of play on with the standings that it leaves."""
    del folder
    return list(places_of(competitions()[name]))


def outputs() -> Mapping[str, Output]:
    """What makes each output, by its name."""
    return {f"competitions/{name}": partial(of_competition, name) for name in competitions()}
