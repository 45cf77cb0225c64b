"""Killed at any write, in any phase: the board comes back at the last committed event, and play goes on (design law 5).

Robots' acts are played on a real journal by a process that is really killed: before a SQL statement, in the middle of
the writes of a commit (the kernel stops the process at a given byte of a file, so that pages are torn), and between the
commit and the picture that shows it. A kill leaves the files as they were written so far. So each act is really killed
once before a statement and once within a write; for every other statement and every other write of the act the files
are copied, or cut off, as they were at that moment. What a power cut may leave besides, a write-ahead log without its
end, is cut off byte by byte.

After each death SQLite reads what is left: the journal holds the acts before the deadly one and nothing of that one. A
board on the twin's wires is switched on with it, unless one was at the same moment with the same journal: the lights
and the screen are those that a board showed that was never killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path
from random import Random
from signal import SIGKILL, SIGXFSZ

import pytest
from tests.support.journals import tamper
from tests.support.killable_table import Act, Death, copy_journal
from tests.support.places import ROOT
from tests.support.sweeps import IS_WHOLE, one_in
from tests.support.uninterrupted_evening import Evening, Switched, evening

from cribboard.position import Phase
from cribboard.rules import Way
from cribd.clock import ManualClock
from cribd.inputs import Key
from cribd.storage.journal import Journal, JournalDamaged
from cribd.table.snapshot import Lobby

PAGE = 4096
LOG_HEADER = 32
FRAME = 24 + PAGE  # SQLite's write-ahead log keeps a page with a header before it

pytestmark = pytest.mark.slow


WAYS = [way.value for way in Way]


@pytest.fixture(scope="module", params=WAYS[:: one_in(3)])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """The evening of one way, or those of all where sweeps are whole: what a journal does at such a moment follows from
    its pages and from nothing of the game."""
    return asyncio.run(evening(request.param, tmp_path_factory.mktemp("evening")))


class Reaper:
    """Has acts played by a process that dies, and says what killed it: a signal, or 0 if it lived to the end."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.support.killable_table"],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": f"{ROOT / 'board'}:{ROOT / 'firmware'}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def play(self, folder: Path, way: str, acts: Sequence[Act], death: Death, **more: bool) -> int:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        request = {"journal": str(folder / "journal.db"), "way": way, "acts": acts, "death": death, **more}
        print(json.dumps(request), file=self._server.stdin, flush=True)
        end = json.loads(self._server.stdout.readline())
        assert end["code"] == 0
        return int(end["signal"])

    def close(self) -> None:
        self._server.communicate(timeout=10)


@pytest.fixture(scope="module")
def reaper() -> Iterator[Reaper]:
    server = Reaper()
    yield server
    server.close()


def copy(base: Path, to: Path) -> Path:
    """The files of the journal as they are, in a folder of their own."""
    shutil.rmtree(to, ignore_errors=True)
    return copy_journal(base, to)


def recovered(folder: Path) -> bytes:
    """The journal that SQLite recovers from these files, page for page."""
    with closing(sqlite3.connect(folder / "journal.db")) as journal:
        return journal.serialize()


def log_size(folder: Path) -> int:
    """Bytes of the write-ahead log."""
    log = folder / "journal.db-wal"
    return log.stat().st_size if log.exists() else 0


async def check(folder: Path, evening: Evening, at: int) -> None:
    """A board that is switched on now stands before act `at`, shows it, and plays on."""
    state, then = evening.states[at : at + 2]
    assert not list(folder.glob("*damaged*"))
    async with Switched(folder, evening.way) as board:
        stored = board.journal.latest_game()
        assert (stored.game.log if stored else ()) == evening.log(state)
        found = board.state()
        assert (found.game, found.number) == (state.game, state.number)
        assert found.picture.leds == state.picture.leds
        if stored is None:
            assert board.snapshot.lobby is Lobby.START
        elif stored.game.position.phase is Phase.OVER:
            assert board.snapshot.lobby is Lobby.AGAIN
        else:
            assert board.snapshot.lobby is Lobby.RESUME
            assert await board.key(Key.OK, 0) is None
        if state.plain:
            assert board.state().picture == state.picture
        await board.do(evening.acts[at])
        now = board.state()
        assert (now.game, now.number, now.picture.leds) == (then.game, then.number, then.picture.leds)
        if state.plain:
            assert now.picture == then.picture


async def check_once(left: Path, folder: Path, evening: Evening, at: int, checked: set[bytes]) -> None:
    """Check what is left, unless SQLite recovers from it, page for page, a journal that was `checked` at this act.
    What is `left` stays as it is: copies in `folder` are read."""
    journal = recovered(copy(left, folder / "read"))
    if journal not in checked:
        await check(copy(left, folder / "switched on"), evening, at)
    checked.add(journal)


@dataclass(frozen=True)
class Moment:
    """The act `at`, and the journals before and after it. `stopped` are copies before each statement of the act."""

    at: int
    before: Path
    after: Path
    stopped: list[Path]


@pytest.fixture(scope="module")
def moments(played: Evening, reaper: Reaper, tmp_path_factory: pytest.TempPathFactory) -> list[Moment]:
    """The two games, played by a board that lives, with the moments at which boards are to die: one in three kinds of
    acts, in each way another third."""
    base, folder = tmp_path_factory.mktemp("base"), tmp_path_factory.mktemp("moments")
    found = []
    done = 0
    for at in played.moments[list(Way).index(Way(played.way)) % one_in(3) :: one_in(3)]:
        if done < at:
            assert reaper.play(base, played.way, played.acts[done:at], {}, close=True) == 0
        stops = folder / f"{at} stopped"
        stops.mkdir()
        before, after = copy(base, folder / f"{at} before"), copy(base, folder / f"{at} after")
        assert reaper.play(after, played.way, [played.acts[at]], {"stops": str(stops)}) == 0
        found.append(Moment(at, before, after, sorted(stops.iterdir(), key=lambda stop: int(stop.name))))
        base, done = copy(after, base), at + 1
    return found


@pytest.mark.sweep
async def test_a_board_killed_before_any_statement_has_lost_that_act_alone(
    played: Evening, reaper: Reaper, moments: list[Moment], tmp_path: Path
) -> None:
    """Each act really dies before its last statement, the commit. That leaves what the copy before it has, and so the
    copies before the others are what a death there leaves."""
    deaths = 0
    for moment in (each for each in moments if each.stopped):
        checked: set[bytes] = set()
        killed, last = copy(moment.before, tmp_path / "killed"), len(moment.stopped)
        assert reaper.play(killed, played.way, [played.acts[moment.at]], {"statement": last}) == SIGKILL
        assert log_size(killed) == log_size(moment.stopped[-1])
        for left in (killed, *reversed(moment.stopped)):
            await check_once(left, tmp_path, played, moment.at, checked)
            deaths += 1
    assert deaths > 2 * len(moments)


@pytest.mark.sweep
async def test_a_board_killed_within_any_write_of_a_commit_has_lost_that_act_alone(
    played: Evening, reaper: Reaper, moments: list[Moment], tmp_path: Path
) -> None:
    """Before each frame that is written, and within its page. Each act really dies in its last frame, which leaves the
    longest log: with that one the board is switched on and plays on. The log ends at the byte at which it died, and so
    the others are the same log, cut off at theirs."""
    deaths = 0
    for moment in (each for each in moments if each.stopped):
        opened = moment.stopped[0]  # the board runs, and the act has written nothing
        start, end = log_size(opened), log_size(moment.after)
        if end <= start:  # nothing is written, or the log begins again
            continue
        ends = [frame + byte for frame in range(max(start, LOG_HEADER), end, FRAME) for byte in (0, 24 + PAGE // 2)]
        if not start:
            ends = [0, LOG_HEADER - 1, *ends]
        log, checked = (moment.after / "journal.db-wal").read_bytes(), set[bytes]()
        for byte in reversed(ends):
            if byte == ends[-1]:
                killed = copy(moment.before, tmp_path / "killed")
                assert reaper.play(killed, played.way, [played.acts[moment.at]], {"byte": byte}) == SIGXFSZ
                assert log_size(killed) == byte
            else:
                killed = copy(opened, tmp_path / "killed")
                (killed / "journal.db-wal").write_bytes(log[:byte])
            await check_once(killed, tmp_path, played, moment.at, checked)
            deaths += 1
    assert deaths > 2 * len(moments)


@pytest.mark.sweep
async def test_a_board_killed_between_commit_and_display_has_stored_the_act(
    played: Evening, reaper: Reaper, tmp_path: Path
) -> None:
    at = played.moments[-1]
    (tmp_path / "base").mkdir()
    assert reaper.play(tmp_path / "base", played.way, played.acts[:at], {}) == 0
    assert reaper.play(tmp_path / "base", played.way, [played.acts[at]], {"shown": 1}) == SIGKILL
    await check(tmp_path / "base", played, at + 1)


@pytest.mark.sweep
async def test_games_are_played_to_the_end_by_a_board_that_is_killed_again_and_again(
    played: Evening, reaper: Reaper, tmp_path: Path
) -> None:
    """The first game of the evening; both where sweeps are whole."""
    games = len(played.logs) if IS_WHOLE else 1
    acts = played.acts[
        : next((at for at, state in enumerate(played.states) if state.game > games), len(played.states)) - 1
    ]
    board, seen = tmp_path / "board", tmp_path / "seen"
    board.mkdir()
    rng, deaths, at = Random(7), 0, 0
    while at < len(acts):
        death = {"statement": rng.randint(1, 75)}
        if rng.random() < 0.5:
            death = {"byte": log_size(board) + rng.randint(0, 20 * FRAME)}
        deaths += bool(reaper.play(board, played.way, acts[at:], death))
        if rng.random() < 0.3:
            (board / "journal.db-shm").unlink(missing_ok=True)  # the machine was off meanwhile
        if rng.random() < 0.3:
            Journal(board / "journal.db", ManualClock()).close()  # now the log begins anew
        journal = Journal(copy(board, seen) / "journal.db", ManualClock())
        stored = journal.latest_game()
        journal.close()
        at = played.act_after(stored.id, stored.game.position.number) if stored else 0
    journal = Journal(board / "journal.db", ManualClock())
    assert [journal.game(number).game.log for number, *_ in journal.games()] == played.logs[:games]
    journal.close()
    assert deaths > 5 * games


@pytest.mark.sweep
async def test_a_log_that_lost_its_end_in_a_power_cut_has_lost_the_last_act_alone(
    played: Evening, reaper: Reaper, tmp_path: Path
) -> None:
    """What was not yet synced may be missing from any byte on, or be zeros."""
    base, lived, cut = tmp_path / "base", tmp_path / "lived", tmp_path / "cut"
    before = after = 0
    for at in reversed(played.moments):
        shutil.rmtree(base, ignore_errors=True)
        base.mkdir()
        assert reaper.play(base, played.way, played.acts[:at], {}) == 0
        copy(base, lived)
        assert reaper.play(lived, played.way, [played.acts[at]], {}) == 0
        before, after = log_size(base), log_size(lived)
        if after > before:  # else the log began again from its first page with this very act
            break
    assert after > before
    log = (lived / "journal.db-wal").read_bytes()
    read: dict[bytes, int] = {}

    def events_with(log: bytes) -> int:
        """How many events the game has. What SQLite recovers alike is read once."""
        copy(base, cut)
        (cut / "journal.db-shm").unlink()
        (cut / "journal.db-wal").write_bytes(log)
        if (found := recovered(cut)) not in read:
            journal = Journal(cut / "journal.db", ManualClock())
            stored = journal.latest_game()
            journal.close()
            assert stored is not None
            read[found] = stored.game.position.number
        return read[found]

    assert events_with(log) == played.states[at + 1].number
    in_headers = [frame + byte for frame in range(before, after, FRAME) for byte in range(25)]
    for end in sorted({*in_headers, *range(before, after, 301), *range(after - 10, after)}):
        assert events_with(log[:end]) == played.states[at].number, end
    for end in range(before, after - 301, 1301):  # no further: a page may well end in zeros
        assert events_with(log[:end] + bytes(after - end)) == played.states[at].number, end
    await check(cut, played, at)


@pytest.mark.sweep
async def test_a_board_killed_while_it_closes_the_journal_has_lost_nothing(
    played: Evening, reaper: Reaper, tmp_path: Path
) -> None:
    base, closed, killed = tmp_path / "base", tmp_path / "closed", tmp_path / "killed"
    base.mkdir()
    at = played.moments[-1]
    assert reaper.play(base, played.way, played.acts[: at // 2], {}, close=True) == 0
    assert reaper.play(base, played.way, played.acts[at // 2 : at], {}) == 0
    copy(base, closed)
    assert reaper.play(closed, played.way, [], {}, close=True) == 0
    assert log_size(closed) == 0
    before, after = ((folder / "journal.db").stat().st_size for folder in (base, closed))
    ends: list[Death] = [{"byte": page + torn} for page in reversed(range(before, after, PAGE)) for torn in (1500, 0)]
    assert ends
    checked: set[bytes] = set()
    for death in [*ends, {"statement": 1}]:
        copy(base, killed)
        assert reaper.play(killed, played.way, [], death, close=True) in (SIGXFSZ, SIGKILL)
        await check_once(killed, tmp_path, played, at, checked)


@pytest.mark.long
async def test_a_board_killed_while_it_makes_its_journal_begins_with_a_new_one(reaper: Reaper, tmp_path: Path) -> None:
    deaths = 0
    statements: list[Death] = [{"statement": number} for number in range(1, 30)]
    for death in [*statements, *({"byte": byte} for byte in range(0, 50_000, 1000))]:
        folder = tmp_path / "-".join(map(str, *death.items()))
        folder.mkdir()
        deaths += bool(reaper.play(folder, "trust", [], death, opening=True))
        async with Switched(folder, "trust") as board:
            assert board.snapshot.lobby is Lobby.START
            assert await board.key(Key.OK, 0) is None
            assert board.journal.latest_game() is not None
        assert not list(folder.glob("*damaged*"))
    assert deaths > 20


@pytest.mark.sweep
async def test_a_board_killed_while_it_breaks_off_a_game_asks_for_one_or_the_other(
    played: Evening, reaper: Reaper, tmp_path: Path
) -> None:
    base, killed = tmp_path / "base", tmp_path / "killed"
    base.mkdir()
    assert reaper.play(base, played.way, played.acts[:12], {}) == 0
    new_game: list[Act] = [{"key": "menu", "side": None}, {"key": "ok", "side": 0}]
    lobbies: list[Lobby | None] = []
    for statement in count(1):
        copy(base, killed)
        ended = reaper.play(killed, played.way, new_game, {"statement": statement}, resume=False)
        async with Switched(killed, played.way) as board:
            lobbies.append(board.snapshot.lobby)
            assert (
                board.journal.game(1).game.log[: played.states[12].number] == played.logs[0][: played.states[12].number]
            )
            assert await board.key(Key.OK, 0) is None
            assert board.state().game == (1 if lobbies[-1] is Lobby.RESUME and ended else 2)
        if not ended:
            break
    assert [lobby for lobby, _ in groupby(lobbies)] == [Lobby.RESUME, Lobby.AGAIN, Lobby.RESUME]


async def test_a_board_killed_while_it_stores_a_setting_has_the_old_or_the_new_one(
    reaper: Reaper, tmp_path: Path
) -> None:
    (tmp_path / "base").mkdir()
    assert reaper.play(tmp_path / "base", "trust", [{"key": "ok", "side": 0}], {}) == 0
    silence: list[Act] = [{"key": "menu", "side": None}, {"key": "ok", "side": 0}]
    settings: list[tuple[str | None, ...]] = []
    for statement in count(1):
        killed = copy(tmp_path / "base", tmp_path / "killed")
        ended = reaper.play(killed, "trust", silence, {"statement": statement})
        journal = Journal(killed / "journal.db", ManualClock())
        settings.append((journal.setting("sound"), journal.setting("language")))
        journal.close()
        if not ended:
            break
    assert len(settings) > 3  # what follows the commit takes nothing back
    assert [each for each, _ in groupby(settings)] == [
        (None, None),
        ("off", "en"),
    ]


@pytest.mark.sweep
async def test_half_an_act_is_found_by_the_check(played: Evening, reaper: Reaper, tmp_path: Path) -> None:
    at = next(at for at, state in enumerate(played.states) if played.states[at + 1].number > state.number + 1)
    assert reaper.play(tmp_path, played.way, played.acts[: at + 1], {}, close=True) == 0
    tamper(
        tmp_path / "journal.db",
        "DROP TRIGGER line_delete; DELETE FROM line WHERE number = (SELECT max(number) FROM line);",
    )
    with pytest.raises((AssertionError, JournalDamaged)):
        await check(copy(tmp_path, tmp_path / "once"), played, at)
    with pytest.raises((AssertionError, JournalDamaged)):
        await check(copy(tmp_path, tmp_path / "twice"), played, at + 1)
