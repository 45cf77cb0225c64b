"""All frozen outputs by name: the kept text, and what the code gives today."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path

from . import command_outputs, competition_outputs, evening_outputs, file_outputs, journal_outputs, web_outputs
from .product import main
from .text import Terminal, isolated

TOLD = Path(__file__).parent / "told"


@cache
def _by_commands() -> Mapping[str, Callable[[Terminal], list[str]]]:
    return {**command_outputs.outputs(), **file_outputs.outputs()}


@cache
def _by_boards() -> Mapping[str, Callable[[Path], Awaitable[list[str]]]]:
    return {
        **competition_outputs.outputs(),
        **evening_outputs.outputs(),
        **web_outputs.outputs(),
        **journal_outputs.outputs(),
    }


def names() -> list[str]:
    """The names of all outputs."""
    return sorted({**_by_commands(), **_by_boards()})


def tell(name: str) -> list[str]:
    """The lines of an output, as the code gives them today."""
    with tempfile.TemporaryDirectory() as folder, isolated(Path(folder)):
        if name in _by_commands():
            return _by_commands()[name](Terminal(main))
        return asyncio.run(_awaited(_by_boards()[name](Path(folder))))


async def _awaited(output: Awaitable[list[str]]) -> list[str]:
    return await output


def written(lines: list[str]) -> str:
    """The text of an output's file."""
    return "\n".join(lines) + "\n"


def frozen(name: str) -> str:
    """The kept text of an output."""
    return (TOLD / f"{name}.txt").read_text(encoding="utf-8")
