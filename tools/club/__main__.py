"""`python -m tools.club` (`make club`): a FADOQ evening of twelve boards, played by robots at the pace of people.

The hub's desk and the hall's screen open in the browser. Ctrl-C ends everything.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

import aiohttp
from tools.club.hall import PIN, furnish, switched_on
from tools.club.organiser import OrganiserClient, at_desk
from tools.progress import Progress

from cribd.solo.robot_turns import SPEEDS


async def _evening(folder: Path, options: argparse.Namespace) -> None:
    say, evening = Progress(), asyncio.current_task()
    assert evening is not None
    for ended in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(ended, evening.cancel)
    hall = await furnish(folder, options.boards, port=options.port)
    say(f"{options.boards} boards and the hub start, in {folder}")
    async with switched_on(hall) as (hub, boards), at_desk(hub, PIN, say) as organiser:
        _announce(hub, boards, opens=not options.no_browser)
        for board in boards:
            await _set_pace(board, options.speed)
        await _played(organiser, 2 * options.boards)
        say("the evening is over: Ctrl-C ends the hub and the boards")
        await asyncio.Event().wait()


async def _played(organiser: OrganiserClient, teams: int) -> None:
    if not (await organiser.state()).get("entrants"):
        await organiser.register(teams)
    await organiser.play()
    await organiser.open_places(5.0)


async def _set_pace(origin: str, speed: int) -> None:
    """Set the speed of a board's robots, as a multiple of the speed of people."""
    window = {"window": "clubnight"}
    async with aiohttp.ClientSession(origin, headers={"Origin": origin}) as browser:
        for act in ({"do": "take_over"}, {"do": "pace", "speed": speed, "waits": False}):
            async with browser.post("/solo/act", json=act | window) as answer:
                answer.raise_for_status()


def _announce(hub: str, boards: Sequence[str], *, opens: bool) -> None:
    """Print the addresses, and open the hall's screen and the desk."""
    pages = [f"{hub}/event", f"{hub}/desk"]
    print(f"The hall's screen  {pages[0]}\nThe desk           {pages[1]}  (PIN {PIN})")
    for number, board in enumerate(boards, start=1):
        print(f"Board {number:<12} {board}/twin")
    sys.stdout.flush()
    if opens and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        for page in pages:
            webbrowser.open(page)


def main() -> None:
    """Run a club night until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m tools.club", description=__doc__)
    parser.add_argument("--boards", type=int, default=12, metavar="N")
    parser.add_argument("--speed", type=int, default=1, choices=SPEEDS, help="how many times as fast as people")
    parser.add_argument("--port", type=int, default=8200, metavar="N", help="of the hub's page; the boards' follow")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the journals stay; else they are deleted")
    parser.add_argument("--no-browser", action="store_true")
    options = parser.parse_args()
    own = tempfile.TemporaryDirectory(prefix="cribboard-club-") if options.folder is None else nullcontext("")
    with own as folder, suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_evening(options.folder or Path(folder), options))


if __name__ == "__main__":
    main()
