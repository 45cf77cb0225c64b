"""A service that systemd restarts: its LEDs show the last frame before it is loaded, and the holes count already."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.wires.board import PATIENCE_S, RunningBoard, board_process, lines_of, running_board, watched
from tests.wires.nodes import Nodes, nodes_of

from cribd.boards import load as load_board
from cribd.display.screen import starting
from cribd.first_light import KEPT_EVERY_S
from cribd.inputs import Key
from cribd.text import load

TRUST = '[table]\nway = "trust"\nrelease_after_ms = 10000\n'


async def begin(board: RunningBoard) -> None:
    """Blue deals."""
    await board.key(Key.OK, 0)
    await board.until(lambda: bool(board.shown["view"]))
    await board.key(Key.OK, 0)
    await board.until(lambda: board.shown["view"]["dealer"] == 0)


async def play(board: RunningBoard) -> None:
    """Blue deals, and has one point."""
    await begin(board)
    await board.press(0, 1)
    await board.until(lambda: lines_of(board.journal)[-1].startswith("peg in hand"))


def taken(folder: Path) -> list[str]:
    return [line for line in lines_of(folder / "journal.db") if line.startswith("> take")]


async def test_a_restarted_service_shows_its_last_frame_at_once_and_holes_that_are_pressed_meanwhile_count(
    preload: Path, nodes: Nodes, tmp_path: Path
) -> None:
    async with running_board(preload, nodes, tmp_path, TRUST, service=True) as board:
        await play(board)
    nodes.twin.unplug("strip")
    nodes.twin.plug("strip")
    scans = nodes.twin.buttons.scans
    with board_process(preload, nodes, tmp_path, TRUST, service=True) as board:
        await board.until(lambda: any(board.lights) and nodes.twin.buttons.scans > scans + 2)  # or it counts as stuck
        await board.press(0, 3)
        assert "/_lgpio" not in Path(f"/proc/{board.process.pid}/maps").read_text(), "the pins are not opened yet"
        await board.until(lambda: len(taken(tmp_path)) == 2)
        assert taken(tmp_path) == ["> take blue +1", "> take blue +3"]


async def test_a_restarted_service_shows_starting_on_the_oled_before_its_first_picture(
    preload: Path, nodes: Nodes, tmp_path: Path
) -> None:
    async with running_board(preload, nodes, tmp_path, TRUST, service=True) as board:
        await play(board)
        await board.until(lambda: has_kept_starting(tmp_path), KEPT_EVERY_S + PATIENCE_S)
    for part in ("strip", "screen"):
        nodes.twin.unplug(part)
        nodes.twin.plug(part)
    with board_process(preload, nodes, tmp_path, TRUST, service=True) as board:
        shown = starting(load("en")).tobytes()
        await board.until(lambda: nodes.twin.oled().on and nodes.twin.oled().pixels == shown)
        assert "/_lgpio" not in Path(f"/proc/{board.process.pid}/maps").read_text(), "the pins are not opened yet"
        await board.until(lambda: any(board.lights))
        async with watched(board):
            picture = await board.still_picture()
            assert nodes.twin.oled().on
            assert any(picture)
            assert picture != shown
            assert board.faults == []
    nodes.twin.unplug("screen")
    nodes.twin.unplug("strip")
    nodes.twin.plug("strip")
    with board_process(preload, nodes, tmp_path, TRUST, service=True) as board:
        await board.until(lambda: any(board.lights))  # a panel that is away holds nothing up
        async with watched(board):
            assert board.faults == [phrase("fault.screen_away")]
        assert "Traceback" not in board.said


def has_kept_starting(folder: Path) -> bool:
    return bool(json.loads((folder / "last-frame.json").read_bytes())["starting"])


async def test_a_board_that_is_killed_while_it_is_loaded_leaves_nothing_that_scans(
    preload: Path, nodes: Nodes, tmp_path: Path
) -> None:
    async with running_board(preload, nodes, tmp_path, TRUST, service=True) as board:
        await play(board)
    scans = nodes.twin.buttons.scans
    with board_process(preload, nodes, tmp_path, TRUST, service=True) as board:
        await board.until(lambda: nodes.twin.buttons.scans > scans + 2)
        children = Path(f"/proc/{board.process.pid}/task/{board.process.pid}/children").read_text().split()
        board.process.kill()
        await asyncio.to_thread(board.process.wait)
        async with asyncio.timeout(5):
            while any(Path(f"/proc/{child}").exists() for child in children):
                await asyncio.sleep(0.01)


async def test_an_ok_from_before_the_screen_shows_something_is_dropped_and_the_board_says_so(
    preload: Path, nodes: Nodes, tmp_path: Path
) -> None:
    async with running_board(preload, nodes, tmp_path, TRUST, service=True) as board:
        await play(board)
    nodes.twin.unplug("strip")
    nodes.twin.plug("strip")
    with board_process(preload, nodes, tmp_path, TRUST, service=True) as board:
        await board.until(lambda: any(board.lights) and nodes.holder(pin_of(nodes, Key.OK)) is not None)
        await asyncio.sleep(0.05)  # the node has the line before its pin tells of edges
        await board.key(Key.OK, 1)
        async with watched(board):
            assert board.shown["text"]["en"]["refusal"][0] == phrase("refusal.too_early")
            assert lines_of(board.journal)[-1].startswith("peg in hand")


@pytest.mark.parametrize(("key", "side", "refusal"), [(Key.GO, 0, "key_means_nothing"), (Key.MENU, None, "too_early")])
async def test_a_key_that_is_down_while_its_pin_is_opened_counts_from_the_moment_it_went_down(
    preload: Path, nodes: Nodes, tmp_path: Path, key: Key, side: int | None, refusal: str
) -> None:
    async with running_board(preload, nodes, tmp_path, TRUST, service=True) as board:
        await begin(board)
    await released(nodes, key)
    for part in ("strip", "screen"):
        nodes.twin.unplug(part)
        nodes.twin.plug(part)
    with board_process(preload, nodes, tmp_path, TRUST, service=True) as board:
        await board.until(lambda: any(board.lights) and nodes.holder(pin_of(nodes, key)) is not None)
        await asyncio.sleep(0.05)  # the node has the line before its edges are noted
        assert "/_lgpio" not in Path(f"/proc/{board.process.pid}/maps").read_text(), "the pins are not opened yet"
        nodes.twin.key_down(key, side)
        await board.until(lambda: any(nodes.twin.oled().pixels))
        nodes.twin.key_up(key, side)
        async with watched(board):
            await board.until(
                lambda: board.shown["text"]["en"]["refusal"][:1] == [phrase(f"refusal.{refusal}", key=phrase("key.go"))]
            )


async def test_the_leds_on_pins_show_what_they_showed_before_the_board_is_loaded(preload: Path, tmp_path: Path) -> None:
    settings = TRUST + 'board = "starter"\n'
    with nodes_of(load_board("starter")) as nodes:
        async with running_board(preload, nodes, tmp_path, settings, service=True) as board:
            await begin(board)
            before = nodes.twin.pin_leds()
            assert any(before)
            await board.stop()
        assert not any(nodes.twin.pin_leds())
        with board_process(preload, nodes, tmp_path, settings, service=True) as board:
            await board.until(lambda: nodes.twin.pin_leds() == before)
            assert "/_lgpio" not in Path(f"/proc/{board.process.pid}/maps").read_text(), "the pins are not opened yet"
            async with watched(board):
                assert nodes.twin.pin_leds() == before
                assert board.faults == []


async def released(nodes: Nodes, key: Key) -> None:
    """Wait until no program has the line of this key: the kernel closes it after a process has ended."""
    async with asyncio.timeout(PATIENCE_S):
        while nodes.holder(pin_of(nodes, key)) is not None:
            await asyncio.sleep(0.01)


def pin_of(nodes: Nodes, key: Key) -> int:
    return next(pin.gpio for pin in nodes.twin.board.keys if pin.key is key)


async def test_the_pages_are_loaded_when_somebody_asks_for_one(preload: Path, nodes: Nodes, tmp_path: Path) -> None:
    def loaded(board: RunningBoard) -> bool:
        maps = Path(f"/proc/{board.process.pid}/maps").read_text()
        assert "/libcrypto" not in maps, "no part of a board needs OpenSSL"
        return "/aiohttp/" in maps

    with board_process(preload, nodes, tmp_path) as board:
        await board.until(lambda: any(board.lights) and any(nodes.twin.oled().pixels))
        assert not loaded(board)
    async with running_board(preload, nodes, tmp_path) as board:
        assert loaded(board)
