"""The laptop that is the board dies in the middle of an event: another machine goes on from a copy of its journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.daemon_process import Daemon, begin_a_game, daemon

from cribd.__main__ import main

pytestmark = pytest.mark.slow

PIN = "2468"


async def desk(board: Daemon, *acts: tuple[str, dict[str, Any]]) -> Any:
    """Do these acts at the desk of a running board. Returns what the desk shows then."""
    jar = aiohttp.CookieJar(unsafe=True)  # an address is no name
    async with aiohttp.ClientSession(board.origin, cookie_jar=jar) as browser:
        for path, fields in (("/desk/pin", {"pin": PIN}), *acts):
            async with browser.post(path, json=fields, headers={"Origin": board.origin}) as answer:
                assert answer.status == 200, await answer.text()
        async with browser.get("/desk/state") as answer:
            return await answer.json()


@pytest.mark.long
async def test_an_event_and_a_game_go_on_on_another_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here, there, stick = (tmp_path / name for name in ("here", "there", "stick"))
    for folder in (here, there, stick):
        folder.mkdir()
    for folder in (here, there):
        (folder / "board.toml").write_text(f'[page]\norganiser_pin = "{PIN}"\n')
    (tmp_path / "pin").write_text(PIN)

    def event(folder: Path, *words: str) -> int:
        shared = ("--journal", str(folder / "journal.db"), "--pin-file", str(tmp_path / "pin"))
        return main(["event", *words, *shared, "--config", str(folder / "board.toml"), "--lang", "en"])

    async with daemon(here, "--config", str(here / "board.toml")) as board:
        begun = {"format": "acc", "name": "Mardi", "tables": 2, "instead": False}
        registered = [("/desk/do", {"do": "register", "name": name}) for name in ("Odile", "Réjean", "Zoé")]
        state = await desk(board, ("/desk/begin", begun), *registered)
        assert event(here, "backup", str(stick / "copy.db")) == 0, "while the board plays"
        await begin_a_game(board)
        assert event(here, "restore", str(stick / "copy.db")) == 2
        assert has_phrase(capsys.readouterr().err, "command.event.restore_busy", file=here / "journal.db")
        await board.kill()

    # Elsewhere, the copy takes the place of what was tried there before the event.
    assert event(there, "restore", str(stick / "copy.db")) == 0
    assert has_phrase(capsys.readouterr().out, "command.event.restored", events=1)
    async with daemon(there, "--config", str(there / "board.toml")) as board:
        again = await desk(board)
        assert [each["name"] for each in again["entrants"]] == [each["name"] for each in state["entrants"]]
        more = await desk(board, ("/desk/do", {"do": "register", "name": "Luc"}))
        assert len(more["entrants"]) == 4
        await begin_a_game(board)
        await board.kill()

    # Here, the disk of the dead laptop still has the game that the copy lacks: it is not lost without a word.
    assert event(here, "restore", str(stick / "copy.db")) == 2
    games = phrase("command.event.lacks.games", numbers=1)
    assert has_phrase(capsys.readouterr().err, "command.event.restore_loses", file=here / "journal.db", what=games)
    assert event(here, "restore", str(stick / "copy.db"), "--instead") == 0
    assert (here / "journal.db.before-restore-1").exists()
