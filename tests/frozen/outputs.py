"""All outputs by name: what is kept of each, and what the code of today gives."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path

from . import told_at_the_door, told_at_the_table, told_by_commands, told_of_files, told_of_journals
from .product import main
from .text import Terminal, nowhere_in_particular

TOLD = Path(__file__).parent / "told"


@cache
def _by_commands() -> Mapping[str, Callable[[Terminal], list[str]]]:
    return {**told_by_commands.all_told(), **told_of_files.all_told()}


@cache
def _by_boards() -> Mapping[str, Callable[[Path], Awaitable[list[str]]]]:
    return {**told_at_the_table.all_told(), **told_at_the_door.all_told(), **told_of_journals.all_told()}


def names() -> list[str]:
    """The names of all outputs."""
    return sorted({**_by_commands(), **_by_boards()})


def tell(name: str) -> list[str]:
    """The lines of an output, as the code of today gives them."""
    with tempfile.TemporaryDirectory() as folder, nowhere_in_particular(Path(folder)):
        if name in _by_commands():
            return _by_commands()[name](Terminal(main))
        return asyncio.run(_awaited(_by_boards()[name](Path(folder))))


async def _awaited(told: Awaitable[list[str]]) -> list[str]:
    return await told


def written(lines: list[str]) -> str:
    """An output as it is kept in its file."""
    return "\n".join(lines) + "\n"


def kept(name: str) -> str:
    """An output as the commit before gave it."""
    return (TOLD / f"{name}.txt").read_text(encoding="utf-8")
