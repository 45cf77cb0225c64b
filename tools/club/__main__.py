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
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from pathlib import Path

import aiohttp
from aiohttp import web
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
    async with (
        switched_on(hall) as (hub, boards),
        at_desk(hub, PIN, say) as organiser,
        _desk_without_pin(f"{hub}/desk", organiser.cookies()) as desk,
    ):
        _announce(hub, boards)
        if not options.no_browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            for page in (f"{hub}/event", desk):
                webbrowser.open(page)
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


@asynccontextmanager
async def _desk_without_pin(desk: str, cookies: Mapping[str, str]) -> AsyncIterator[str]:
    """Serve a page that gives a browser these cookies and leads on to the desk. Yields its address.

    A cookie is for all ports of a machine."""

    async def lead(_: web.Request) -> web.Response:
        answer = web.Response(status=302, headers={"Location": desk})
        for name, value in cookies.items():
            answer.set_cookie(name, value, httponly=True, samesite="Strict")
        return answer

    app = web.Application()
    app.router.add_get("/", lead)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


def _announce(hub: str, boards: Sequence[str]) -> None:
    """Print the addresses."""
    print(f"The hall's screen  {hub}/event\nThe desk           {hub}/desk  (PIN {PIN})")
    for number, board in enumerate(boards, start=1):
        print(f"Board {number:<12} {board}/twin")
    sys.stdout.flush()


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
