"""Robots play a game on the twin's own wires; the same presses and cards make the same game on the wires of a Pi."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.support.robot_games import Diary, play_games
from tests.wires.board import RunningBoard, Starts, lines_of, running_board
from tests.wires.nodes import nodes_of

from cribd.boards import load
from cribd.inputs import Key


async def act(board: RunningBoard, entry: dict[str, Any]) -> None:
    """Do what a robot did."""
    match entry:
        case {"press": track, "holes": holes}:
            await board.press(track, *holes)
        case {"key": key, "side": side}:
            await board.key(Key(key), side, long="held" in entry)
        case {"scan": card}:
            await board.scan(card)


@pytest.mark.whole_game
@pytest.mark.parametrize(("way", "seed"), [("verify", 3), ("auto", 5)])
async def test_a_whole_game_glows_as_on_the_twin_after_every_press_and_is_the_same_in_the_journal(
    start: Starts, tmp_path: Path, way: str, seed: int
) -> None:
    (twin_folder := tmp_path / "twin").mkdir()
    played = twin_folder / "journal.db"
    diary, tally = await play_games("continuous", twin_folder, games=1, way=way, seed=seed, journal=played)
    assert tally.games.total() == 1
    acts = [entry for entry in diary if entry.keys() & {"press", "key", "scan"}]
    assert len(acts) > 100
    settings = f'[table]\nway = "{way}"\nblue = "Robot 1"\nred = "Robot 2"\n'
    async with start(settings) as board:
        await play_again(board, diary)
        await board.until(lambda: board.shown["ended"] is not None)
    assert lines_of(board.journal) == lines_of(played)


@pytest.mark.whole_game
async def test_a_whole_game_is_played_by_keys_alone_on_a_board_without_holes(preload: Path, tmp_path: Path) -> None:
    (twin_folder := tmp_path / "twin").mkdir()
    played = twin_folder / "journal.db"
    diary, _ = await play_games("starter", twin_folder, rules="five-card", games=1, way="trust", seed=7, journal=played)
    acts = [entry for entry in diary if entry.keys() & {"press", "key", "scan"}]
    assert len(acts) > 100
    assert all("key" in entry for entry in acts)
    settings = '[table]\nboard = "starter"\nrules = "five-card"\nway = "trust"\nblue = "Robot 1"\nred = "Robot 2"\n'
    with nodes_of(load("starter")) as nodes:
        async with running_board(preload, nodes, tmp_path, settings) as board:
            await play_again(board, diary)
            await board.until(lambda: board.shown["ended"] is not None)
            assert board.faults == []
    assert lines_of(board.journal) == lines_of(played)


async def test_presses_that_come_while_the_board_is_held_up_count_each_by_itself(preload: Path, tmp_path: Path) -> None:
    settings = '[table]\nboard = "starter"\nrules = "five-card"\nway = "trust"\n'
    with nodes_of(load("starter")) as nodes:
        async with running_board(preload, nodes, tmp_path, settings) as board:
            for side in (0, 1):
                await board.key(Key.OK, side)
                await board.until(lambda: bool(board.shown["view"]))
            await board.until(lambda: board.shown["view"]["dealer"] == 1)
            board.process.send_signal(signal.SIGSTOP)
            for _ in range(3):
                await board.key(Key.STEP, 1)
                await asyncio.sleep(0.03)
            board.process.send_signal(signal.SIGCONT)
            await board.until(lambda: "> take red +3" in lines_of(board.journal))


async def play_again(board: RunningBoard, diary: Diary) -> None:
    """Do what the diary says, and wait after each act until the lights are those that it tells."""
    waiting = None
    for entry in diary:
        if entry.keys() & {"press", "key", "scan"}:
            before, waiting = len(board.snapshots), entry
            await act(board, entry)
            await board.until(lambda before=before: len(board.snapshots) > before)  # type: ignore[misc]
        elif "waited" in entry:
            await asyncio.sleep(entry["waited"])
        elif "lights" in entry:
            try:
                await board.until(lambda entry=entry: board.lights == entry["lights"])  # type: ignore[misc]
            except TimeoutError:
                pytest.fail(f"after {waiting}: {board.lights}, not {entry['lights']}")
