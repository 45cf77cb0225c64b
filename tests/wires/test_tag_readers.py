"""Readers of tags on a serial port, with the real pyserial: their cards are read, and again after the plug was out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.wires.board import running_board
from tests.wires.nodes import nodes_of

from cribd.boards import load
from cribd.config.config import Config, ReaderConfig
from cribd.robots.fingers import teach_twin
from cribd.wires import ReaderKind


@pytest.mark.parametrize("kind", [kind for kind in ReaderKind if kind.reads_tags])
async def test_tagged_cards_are_read_and_read_again_after_the_plug_was_out(
    preload: Path, tmp_path: Path, kind: ReaderKind
) -> None:
    readers = (ReaderConfig(port="twin", kind=kind),)
    teach_twin(Config(journal=str(tmp_path / "journal.db"), readers=readers))
    with nodes_of(load("continuous"), kind=kind) as nodes:
        chip = asyncio.create_task(nodes.twin.run())
        async with running_board(preload, nodes, tmp_path, f'kind = "{kind}"\n') as board:
            await board.begin()
            nodes.twin.unplug("reader")
            await board.until(lambda: board.faults == [phrase("fault.reader_silent")])
            nodes.twin.plug("reader")
            await board.until(lambda: not board.faults)
            await board.scan("7D")
            await board.until(lambda: board.shown["view"]["starter"] == "7D")
        chip.cancel()
