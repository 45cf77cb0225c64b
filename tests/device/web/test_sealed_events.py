"""Sealed means sealed (design law 10): two games of a sealed event that differ in their scores alone leave every page,
stream, command, message and file name equal, to the byte, once the next game has begun."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.support.evenings import BLUE_WINS, OK, RED, holes
from tests.support.event_evenings import A_WIN, SEALED, open_results
from tests.support.kiosk_rooms import House, house
from tests.support.organised import draw_and_start, held, open_hall

from cribboard.competition.terms import MeetingFormat
from cribd.__main__ import main
from cribd.inputs import Input

#: Red pegs nothing, or a hundred points.
NOTHING: Sequence[Input] = ()
A_HUNDRED = holes(RED, *(hole for at in (20, 40, 60, 80, 100) for hole in (at, at)))
RED_WINS = holes(RED, 121, 121, 121)
A_MATCH = replace(SEALED, meeting=MeetingFormat.BEST_OF, meeting_games=3, games=1)
#: What the table's own running game may show, until its next one starts.
OF_THE_TABLE = frozenset({"/table/events", "/table/scores"})
_PATIENCE_S = 10


@asynccontextmanager
async def in_the_event(folder: Path, before_blue_wins: Sequence[Input]) -> AsyncIterator[House]:
    """The pages of a board at table 1, where blue has won a game of the event after this."""
    async with house(folder, "trust") as home:
        organiser = await home.table.competitions.organiser()
        await open_hall(organiser, 2, SEALED)
        await organiser.stand_at({"table": 1})
        await draw_and_start(organiser)
        await home.table.post(*A_WIN[:2], *before_blue_wins, *BLUE_WINS, *OK)
        assert home.table.scores == (121, 100 if before_blue_wins else 0)
        yield home


async def public_bodies(home: House) -> Mapping[str, bytes]:
    """What every address tells that anybody may ask, head and body, without the time of day."""
    addresses = sorted(
        str(resource.canonical).replace("{number}", number).replace("{name}", "words.js")
        for resource in home.client.app.router.resources()
        for number in ("1", "4")[: 1 + ("{number}" in resource.canonical)]
        if any(route.method == "GET" for route in resource)
    )
    assert {"/", "/games", "/games/list", "/games/statistics", "/games/1/record", "/event/events"} <= {*addresses}
    return {address: await answer(home, address) for address in addresses}


async def answer(home: House, address: str) -> bytes:
    async with asyncio.timeout(_PATIENCE_S), home.client.get(address) as got:
        head = sorted(f"{name}: {value}" for name, value in got.headers.items() if name != "Date")
        is_stream = got.content_type == "text/event-stream"
        body = b"" if is_stream and got.status == 200 else await got.read()
        while not body and is_stream:
            message = await got.content.readuntil(b"\n\n")
            body = message if message.startswith(b"data:") else b""
    return b"\n".join([str(got.status).encode(), "\n".join(head).encode(), body])


def commanded(home: House, capsys: pytest.CaptureFixture[str]) -> str:
    """What the commands print about the journal without a PIN."""
    journal = str(home.table.path)
    capsys.readouterr()
    for command in (
        ["record", "list"],
        ["record", "export", "1"],
        ["record", "show", "1", "--json"],
        ["record", "claims", "1"],
        ["record", "verify", "1"],
        ["statistics"],
        ["statistics", "--sealed", "--json"],
    ):
        main([*command, "--journal", journal])
    out, err = capsys.readouterr()
    return (out + err).replace(str(home.table.path.parent), "")


@pytest.mark.slow
async def test_two_sealed_games_with_one_winner_and_different_scores_leave_everything_equal(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("cribd.competition.organiser.SystemRandom", lambda: Random(7))
    caplog.set_level(logging.DEBUG)
    ended, gone_on, printed, files, logs = [], [], [], [], []
    for number, before in enumerate((NOTHING, A_HUNDRED)):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        async with in_the_event(folder, before) as home:
            ended.append(await public_bodies(home))
            await home.table.post(OK[RED])
            gone_on.append(await public_bodies(home))
            await home.table.post(*OK, *BLUE_WINS, *OK, OK[RED], *OK, *BLUE_WINS, *OK)
            gone_on[-1] = {
                **gone_on[-1],
                **{f"{path} at the end": body for path, body in (await public_bodies(home)).items()},
            }
            printed.append(commanded(home, capsys))
            files.append(sorted(path.name for path in folder.iterdir()))
            logs.append([record.getMessage() for record in caplog.records if record.name.startswith("crib")])
            caplog.clear()
    assert gone_on[0] == gone_on[1]
    differ = {path for path in ended[0] if ended[0][path] != ended[1][path]}
    assert differ == OF_THE_TABLE, "the table's own game, until its next one starts; and it differs in given_input"
    assert printed[0] == printed[1]
    assert files[0] == files[1]
    assert logs[0] == logs[1]


@pytest.mark.slow
async def test_the_number_of_games_of_a_sealed_match_is_hidden_once_another_game_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribd.competition.organiser.SystemRandom", lambda: Random(7))
    pages = []
    for games in ([BLUE_WINS, BLUE_WINS], [BLUE_WINS, RED_WINS, BLUE_WINS]):
        folder = tmp_path / f"{len(games)}"
        folder.mkdir()
        async with house(folder, "trust") as home:
            organiser = await home.table.competitions.organiser()
            await home.table.post(*A_WIN)
            await open_hall(organiser, 2, A_MATCH)
            await organiser.stand_at({"table": 1})
            await draw_and_start(organiser)
            for number, moves in enumerate(games):
                await home.table.post(OK[RED], *(OK if number == 0 else ()), *moves, *OK)
            assert held(organiser).organiser.rounds[0].tables[0].is_over
            await home.table.post(OK[RED])
            before = await public_bodies(home)
        async with house(folder, "trust") as home:
            after = {f"{path} after a restart": body for path, body in (await public_bodies(home)).items()}
        pages.append({**before, **after})
    assert {path for path in pages[0] if pages[0][path] != pages[1][path]} == set()


@pytest.mark.slow
async def test_once_the_results_are_open_the_same_two_games_differ(tmp_path: Path) -> None:
    lists = []
    for number, before in enumerate((NOTHING, A_HUNDRED)):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        async with in_the_event(folder, before) as home:
            await open_results(await home.table.competitions.organiser())
            lists.append(await answer(home, "/games/list"))
    assert lists[0] != lists[1]
