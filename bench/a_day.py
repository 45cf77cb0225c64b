"""Robots play games at a board with its pages, in a process of its own: `python -m bench.a_day GAMES SECONDS`.

They play GAMES games; each takes SECONDS, or longer if the machine is too slow. The pages and their viewers run in real
time. The process prints the address of its page, waits for a line on stdin, and prints a line after each game.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from random import Random

from cribboard import RULES
from cribd.boards import load
from cribd.clock import ManualClock, SystemClock
from cribd.config.config import Config, PageConfig, ReaderConfig, SoundConfig, TableConfig
from cribd.daemon import open_device
from cribd.daemon.serve_pages import serve_pages
from cribd.robots.fingers import Fingers
from cribd.robots.self_play import SelfPlay
from cribd.twin.machine import Twin


async def main(games: int, seconds: float) -> None:
    """Play a day of games."""
    clock, board = ManualClock(), load("continuous")
    with tempfile.TemporaryDirectory(prefix="cribboard-bench-") as name:
        folder = Path(name)
        config = Config(
            table=TableConfig(way="auto", blue="Robot 1", red="Robot 2"),
            sound=SoundConfig(volume=0.0),
            readers=(ReaderConfig(port="twin"),),
            page=PageConfig(port=0),
            journal=str(folder / "journal.db"),
        )
        twin = Twin(board, clock, folder=folder, rng=Random(1))
        device, _ = open_device(config, board, twin.wires, clock=clock, threaded=False)
        said: asyncio.Queue[str] = asyncio.Queue()
        beside = [
            asyncio.create_task(twin.run()),
            asyncio.create_task(serve_pages(config, board, device, None, SystemClock(), said.put_nowait)),
        ]
        await device.start()
        await clock.advance(0.1)  # until the screen asks for OK
        fingers = Fingers(twin, device, clock, speed=0, diary=_forget)
        robots = SelfPlay(device.table, fingers, 1, rules=RULES["six-card"])
        print((await said.get()).removesuffix("/table"), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        real = SystemClock()
        begun = real.now()
        for number in range(1, games + 1):
            await robots.play_game()
            await real.sleep(max(0.0, begun + number * seconds - real.now()))
            print(number, flush=True)
            await asyncio.to_thread(sys.stdin.readline)
        for task in beside:
            task.cancel()


def _forget(_: object) -> None:
    """Drop a diary entry, because no diary is kept."""


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
