"""What one board's key can do: it writes and reads its own topics, and no other board is slower for what it tries."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from statistics import median

import pytest
from tests.support.club import Club, line_with

#: So many messages are timed, without and with the flood.
SENT = 7
#: A message may take so many times as long in a flood, and this time in seconds on any machine. Without a flood it
#: takes 10 ms, and in one, which keeps both cores of a machine busy, 40 to 90.
MOST_TIMES, LEAST_S = 8, 0.25


async def test_a_board_and_the_hub_read_each_others_topics(running_club: Club) -> None:
    club, board = running_club, running_club.boards["a"]
    assert (await club.publish(board, board.up, "state", "-r"))[0] == 0
    assert (await club.publish(club.hub, board.down, "order", "-r"))[0] == 0
    assert await club.read(club.hub, board.up) == [f"{board.up} state"]
    assert await club.read(board, board.down) == [f"{board.down} order"]


@pytest.mark.parametrize("retained", [(), ("-r",)], ids=["passing", "retained"])
async def test_a_board_writes_no_topic_but_its_own(running_club: Club, retained: tuple[str, ...]) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    topics = (b.up, b.down, b.online, a.down, "cribboard/1/hub/online", "cribboard/2/x", "x", f"{a.up}/more", "$SYS/x")
    async with club.listening(club.hub, "#") as heard:
        for topic in topics:
            await club.publish(a, topic, "forged", *retained)
        await club.publish(a, a.up, "own")
        assert "forged" not in await line_with("own", heard)
    assert await club.read(club.hub, "#") == []


async def test_a_board_reads_nothing_of_others(running_club: Club) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    for machine, topic in (
        (b, b.up),
        (b, b.online),
        (club.hub, b.down),
        (club.hub, a.down),
        (club.hub, "cribboard/1/hub/online"),
    ):
        assert (await club.publish(machine, topic, "state", "-r"))[0] == 0
    own = sorted([f"{a.down} state", "cribboard/1/hub/online state"])
    wide = ("#", "+/+/+/+", "cribboard/#", f"cribboard/1/{b.id}/#", "$SYS/#", b.up, b.down, b.online)
    for topics in (wide, ("#",), ("$SYS/#", b.down)):
        assert set(await club.read(a, *topics)) <= set(own), topics
    assert sorted(await club.read(a, a.down, "cribboard/1/hub/online")) == own


async def test_the_last_will_of_a_board_reaches_no_topic_of_another(running_club: Club) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    async with club.listening(club.hub, "#") as heard:
        for topic, text in ((b.online, "forged"), (a.online, "own")):
            will = ("--will-topic", topic, "--will-payload", text)
            process = await club.start("mosquitto_sub", a, "-d", "-t", a.down, *will)
            assert process.stdout is not None
            async with asyncio.timeout(10):
                while (line := await process.stdout.readline()) and b"CONNACK" not in line:
                    pass
            process.kill()
            await process.wait()
        assert "forged" not in await line_with("own", heard)


async def test_a_board_that_calls_itself_another_does_not_cut_the_other_off(running_club: Club) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    async with club.listening(b, b.down) as heard:
        for name in (b.id, club.hub.id):
            await club.publish(a, a.up, "x", "-i", name, "-u", name)
        await club.publish(club.hub, b.down, "still there")
        await line_with("still there", heard)


@pytest.mark.parametrize("version", ["311", "5"])
async def test_ten_megabytes_in_one_message_are_cut_off_and_the_next_message_comes(
    running_club: Club, tmp_path: Path, version: str
) -> None:
    club, a = running_club, running_club.boards["a"]
    (tmp_path / "large").write_bytes(bytes(10_000_000))
    async with club.listening(club.hub, "#") as heard:
        large = ("-q", "1", "-V", version, "-t", a.up, "-f", str(tmp_path / "large"))
        code, said = await club.run("mosquitto_pub", a, *large)
        assert code != 0 or version == "5", said  # told of the limit, a client of MQTT 5 does not send
        await club.publish(a, a.up, "small")
        assert "10000000 bytes" not in await line_with("small", heard)
    if version == "311":  # a client of MQTT 5 does not send it
        assert f"Board {a.id[:8]} is cut off: it sent a message of more than 64 KiB." in club.said
    assert not [line for line in club.said if line.startswith(("New ", "Client "))]


async def test_a_message_of_64_kib_passes(running_club: Club, tmp_path: Path) -> None:
    club, a = running_club, running_club.boards["a"]
    (tmp_path / "full").write_bytes(b"x" * 65536)
    async with club.listening(club.hub, a.up) as heard:
        assert (await club.run("mosquitto_pub", a, "-q", "1", "-t", a.up, "-f", str(tmp_path / "full")))[0] == 0
        await line_with("(65536 bytes)", heard)


async def test_while_one_board_floods_another_is_heard_about_as_soon_as_without_that(running_club: Club) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    endless = f'yes {"x" * 60_000} | exec "$@"'
    async with club.listening(club.hub, b.up) as heard:

        async def median_s() -> float:
            """How long a message of the other board takes, from the start of the program that sends it."""
            waited = []
            for _ in range(SENT):
                since = time.monotonic()
                await club.publish(b, b.up, f"result {since}")
                await line_with(f"result {since}", heard)
                waited.append(time.monotonic() - since)
            return median(waited)

        quiet = await median_s()
        flood = await asyncio.create_subprocess_exec(
            *("sh", "-c", endless, "sh", "mosquitto_pub", *club.options(a), "-q", "0", "-t", a.up, "-l"),
            start_new_session=True,
        )
        try:
            await asyncio.sleep(0.5)
            flooded = await median_s()
            assert flood.returncode is None, "the flood was over before the results"
        finally:
            os.killpg(flood.pid, signal.SIGKILL)
            await flood.wait()
    assert flooded < max(LEAST_S, MOST_TIMES * quiet), (quiet, flooded)
