"""The daemon as it runs on a desk: a real process, real signals, real sockets.

People press and scan through its page; what glows is what the page shows, and that is what the chips hold.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sys
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import aiohttp
import pytest
from tests.support.daemon_process import PATIENCE_S, Daemon, begin_a_game, daemon
from tests.support.daemon_starts import started
from tests.support.places import ROOT
from tests.support.sweeps import mostly_long, one_in

from cribboard.record import Record, judge
from cribd.clock import ManualClock
from cribd.storage.journal import Journal
from cribd.web.kiosk.pages import PAGES

pytestmark = pytest.mark.slow


async def test_a_killed_daemon_shows_the_same_pegs_again_and_play_goes_on(tmp_path: Path) -> None:
    async with daemon(tmp_path) as board:
        await begin_a_game(board)
        await board.do("KD")
        await board.until(lambda: board.pegs(0) == (2, 0))
        await board.rests()
        stood, said = board.leds, board.screen
        await board.kill()
    assert (tmp_path / "journal.db-wal").exists()

    async with daemon(tmp_path) as board:
        await board.until(lambda: board.leds == stood)
        assert board.screen != said  # it asks whether to resume
        await board.do("red ok")
        await board.until(lambda: board.screen == said)
        assert board.leds == stood
        await board.do("6S", "blue 4", "blue ok")
        await board.until(lambda: board.pegs(0) == (4, 2))


async def test_a_peg_in_hand_is_in_hand_again_after_a_kill(tmp_path: Path) -> None:
    async with daemon(tmp_path) as board:
        await begin_a_game(board)
        await board.kill()
    async with daemon(tmp_path) as board:
        await board.do("blue ok")
        await board.until(lambda: board.pegs(0) == (2, 0))
        await board.until(lambda: board.pegs(0) == (0, 0))  # it blinks
        await board.do("blue ok")
        await board.until(lambda: board.pegs(0) == (2, 0))
        await board.rests()
        assert board.pegs(0) == (2, 0)


async def play_wildly(board: Daemon, rng: Random) -> None:
    """Press and scan whatever comes, one thing after the other, quicker than any player."""
    await board.press("red ok")
    while True:
        if rng.random() < 0.7:
            await board.scan(rng.choice("A23456789TJQK") + rng.choice("CDHS"))
            await asyncio.sleep(0.02)
        else:
            what = rng.choice(["ok", "ok", "go", rng.randint(1, 40)])
            await board.press(f"{rng.choice(['blue', 'red'])} {what}")
            await asyncio.sleep(0.1)


async def test_however_often_it_is_killed_while_people_play_the_journal_holds_whole_acts(tmp_path: Path) -> None:
    rng, events = Random(4), [0]
    for _ in range(6):
        async with daemon(tmp_path) as board:
            playing = asyncio.create_task(play_wildly(board, rng))
            await asyncio.sleep(rng.uniform(0.2, 1.5))
            await board.kill()
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await playing
        left = shutil.copytree(tmp_path, tmp_path.with_name("left"), dirs_exist_ok=True, ignore=_no_sockets)
        journal = Journal(left / "journal.db", ManualClock())
        for number, *_ in journal.games():
            stored = journal.game(number)
            assert judge(Record(stored.heading, stored.game.log)).position == stored.game.position
        events.append(sum(len(journal.game(number).game.log) for number, *_ in journal.games()))
        journal.close()
        shutil.rmtree(left)
    assert events == sorted(events)
    assert events[-1] > 5


async def test_a_twin_that_is_switched_off_is_dark_and_says_so_and_the_game_goes_on_later(
    tmp_path: Path,
) -> None:
    async with daemon(tmp_path) as board:
        await begin_a_game(board)
        await board.do("KD")
        await board.until(lambda: board.pegs(0) == (2, 0))
        await board.wires.send_json({"down": "menu"})
        await asyncio.sleep(3.2)
        await board.wires.send_json({"up": "menu"})
        assert "off" not in board.shown["table"]
        await asyncio.sleep(1.1)  # the question must have stood for a second
        await board.press("red ok")
        await board.until(lambda: bool(board.shown["table"].get("off")) and board.pegs(0) == (0, 0))
        await board.rests()
        off = board.screen
        await board.press("blue ok")
        await board.rests()
        assert board.screen == off
        assert board.shown["oled"]["on"]
        async with aiohttp.ClientSession() as browser, browser.get(f"{board.origin}/table/events") as answer:
            while not (line := await answer.content.readline()).startswith(b"data: {"):
                pass
            text = json.loads(line[6:])["text"]["en"]
        assert (text["ask"], text["hints"]) == ("Switching off", ["Pull the plug when the Pi's green light stays dark"])
    async with daemon(tmp_path) as board:
        await board.do("red ok")
        await board.until(lambda: board.pegs(0) == (2, 0))


def _no_sockets(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "twin"]


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
async def test_a_stopped_daemon_leaves_dark_lights_and_a_closed_journal(sent: signal.Signals, tmp_path: Path) -> None:
    async with daemon(tmp_path, start=started, module="tests.support.witness") as board:
        await begin_a_game(board)
        assert await board.ends(sent) == 0
        seen = json.loads(await board.says())
    assert seen == {"glowing": 0, "screen": False, "buzzer": 0}
    assert {path.name for path in tmp_path.iterdir()} <= {"journal.db", "twin"}
    journal = Journal(tmp_path / "journal.db", ManualClock())
    stored = journal.latest_game()
    journal.close()
    assert stored is not None
    assert stored.game.log


@pytest.mark.sweep
@pytest.mark.parametrize("moment", range(0, 8, one_in(4)))
async def test_a_watching_page_sees_the_board_go_dark(moment: int, tmp_path: Path) -> None:
    """At whatever moment it is told to stop: while a peg blinks, a commit is on its way, a picture is being sent."""
    async with daemon(tmp_path, module="tests.support.witness") as board:
        await begin_a_game(board)
        for act in ("KD", "red 3", "QH")[: moment % 4]:
            await board.press(act) if " " in act else await board.scan(act)
        await asyncio.sleep(0.007 * moment)
        assert await board.ends(signal.SIGTERM) == 0
        async with asyncio.timeout(PATIENCE_S):
            await board.wires_closed.wait()
        seen = json.loads(await board.says())
        assert seen == {"glowing": 0, "screen": False, "buzzer": 0}
        assert not any(board.leds[at] for at in range(len(board.leds)) if at % 4 != 3)
        assert (board.shown["oled"]["on"], board.shown["buzzer"]) == (False, 0)


def _glows(board: Daemon) -> bool:
    return any(board.leds)


@pytest.mark.parametrize("nobody", ["full", "gone"])
async def test_a_game_goes_on_while_the_output_of_the_daemon_is_blocked(nobody: str, tmp_path: Path) -> None:
    """`cribboard run > /dev/full`, and a pipe whose reader has gone."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    reader, pipe = os.pipe()
    os.close(reader)
    output = os.open("/dev/full", os.O_WRONLY) if nobody == "full" else pipe
    options = ("--journal", str(tmp_path / "journal.db"), "--port", str(port), "--no-browser")
    with started("run", "--twin", *options, stdout=output, stderr=output) as process:
        async with asyncio.timeout(PATIENCE_S), aiohttp.ClientSession() as browser:
            while True:
                with contextlib.suppress(aiohttp.ClientConnectorError):
                    async with browser.ws_connect(f"http://127.0.0.1:{port}/twin/wires") as wires:
                        running = Daemon(process, wires)
                        looking = asyncio.create_task(running.look())
                        await running.until(partial(_glows, running))
                        await begin_a_game(running)
                        assert await running.ends(signal.SIGTERM) == 0
                        await looking
                        break
                await asyncio.sleep(0.05)
    for descriptor in {output, pipe}:
        os.close(descriptor)
    journal = Journal(tmp_path / "journal.db", ManualClock())
    stored = journal.latest_game()
    journal.close()
    assert stored is not None
    assert len(stored.game.log) > 5


async def test_the_witness_sees_what_glows_when_the_lights_are_not_put_out(tmp_path: Path) -> None:
    async with daemon(tmp_path, module="tests.support.witness", LIGHTS="left") as board:
        assert await board.ends(signal.SIGTERM) == 0
        assert json.loads(await board.says())["glowing"] > 0


@pytest.mark.parametrize(
    ("host", "own"), mostly_long([("::", "[::1]"), ("0.0.0.0", "127.0.0.1"), ("::1", "[::1]")], every=3)
)
async def test_every_printed_address_and_the_printed_way_to_stop_work(tmp_path: Path, host: str, own: str) -> None:
    config = tmp_path / "board.toml"
    config.write_text(f'journal = "{tmp_path}/journal.db"\n[page]\nhost = "{host}"\nport = 0\n', encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cribd", "run", "--twin", "--config", str(config), "--no-browser"),
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'board'}:{ROOT / 'firmware'}"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout is not None
    lines: list[str] = []
    try:
        async with asyncio.timeout(PATIENCE_S), aiohttp.ClientSession() as browser:
            while "Ctrl-C" not in "".join(lines):
                lines.append((await process.stdout.readline()).decode())
            printed = re.findall(r"http://\S+", "".join(lines))
            for address in printed:
                async with browser.get(address) as answer:
                    assert (answer.status, answer.content_type) == (200, "text/html"), address
        here = printed[0].removesuffix("/twin")
        assert here.startswith(f"http://{own}:")
        linked = [f"{here}{page.paths[0]}" for page in PAGES if page.link]
        assert printed[1 : 1 + len(linked)] == linked
        assert not any("//0.0.0.0" in address or "//[::]" in address for address in printed)
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_S):
            assert await process.wait() == 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


async def test_systemd_is_notified_of_ready_watchdog_and_stopping(tmp_path: Path) -> None:
    with TemporaryDirectory(prefix="cribd-") as short, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"{short}/notify")
        systemd.setblocking(False)
        loop = asyncio.get_running_loop()

        async def heard() -> bytes:
            async with asyncio.timeout(PATIENCE_S):
                return await loop.sock_recv(systemd, 100)

        async with daemon(tmp_path, start=started, NOTIFY_SOCKET=f"{short}/notify", WATCHDOG_USEC="400000") as board:
            assert await heard() == b"READY=1"
            began = loop.time()
            assert [await heard() for _ in range(4)] == [b"WATCHDOG=1"] * 4
            assert loop.time() - began < 4 * 0.4
            board.process.send_signal(signal.SIGTERM)
            words = [await heard()]
            while words[-1] == b"WATCHDOG=1":
                words.append(await heard())
            assert words[-1] == b"STOPPING=1"
            assert await board.ends() == 0
