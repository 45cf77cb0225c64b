"""Past games: what the archive finds in a journal, whoever writes it meanwhile and whatever became of it."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    MENU,
    MENU_HELD,
    OK,
    RED,
    evening,
    holes,
    policy,
    step_to,
)
from tests.support.event_evenings import A_WIN, SEALED, at_event, open_results
from tests.support.journals import tamper
from tests.support.organised import draw_and_start, open_hall

from cribboard import record
from cribboard.competition.actions import UndoCompetitionAct
from cribboard.record import Heading, Record
from cribboard.rules import RULES, Way, changed
from cribboard.series import FinishedGame
from cribboard.skunk import Skunk
from cribd.cli.record_verify import verify_record
from cribd.clock import ManualClock
from cribd.storage.archive import Archive, ArchiveAway, ArchiveReader, DamagedGame, EndedGame, GameDamaged
from cribd.storage.journal import Journal
from cribd.table.snapshot import Line
from cribd.text.audit import Audit

NAMED = policy(names=("Aline", "Paul", ""))


async def one_game(folder: Path) -> Archive:
    """An evening of one game that blue wins."""
    async with evening(folder, policy=NAMED) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    return Archive(folder / "journal.db")


async def three_games(folder: Path) -> Archive:
    """Blue wins two games of a match, and both agree to stop the third."""
    async with evening(folder, policy=NAMED) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK, OK[BLUE], *BLUE_WINS, *OK, OK[BLUE], *holes(RED, 12, 12))
        await step_to(table, Line.BREAK_OFF)
        await table.post(OK[BLUE], OK[RED])
    return Archive(folder / "journal.db")


def finished(archive: Archive) -> tuple[EndedGame, ...]:
    """Every game that ended and can be read."""
    return tuple(game for game in archive.page(99) if isinstance(game, EndedGame))


# What is there


async def test_a_game_that_ended_stands_with_its_names_scores_and_winner(tmp_path: Path) -> None:
    (game,) = finished(await one_game(tmp_path))
    assert (game.id, game.heading.names, game.heading.way) == (1, ("Aline", "Paul"), Way.TRUST)
    assert game.result is not None
    assert (game.result.winner, game.result.scores, game.skunk) == (BLUE, (121, 0), Skunk.SKUNK)
    assert timedelta(0) <= game.ended - game.begun < timedelta(minutes=1)


async def test_a_game_under_way_is_not_there_until_both_sides_said_ok(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        archive = Archive(table.path)
        assert finished(archive) == ()
        for given_input in (*BLUE_DEALS, *BLUE_WINS, OK[BLUE]):
            await table.post(given_input)
            assert (finished(archive), archive.page(9)) == ((), ())
            with pytest.raises(KeyError):
                archive.record(1)
        await table.post(OK[RED])
        assert [game.id for game in finished(archive)] == [1]
        assert archive.record(1).events


async def test_a_game_that_was_broken_off_has_no_winner_and_the_scores_at_which_it_was_left(tmp_path: Path) -> None:
    archive = await three_games(tmp_path)
    left, won, _ = finished(archive)
    assert (left.id, left.result, left.skunk) == (3, None, Skunk.NONE)
    assert archive.scores(left) == (0, 12)
    assert archive.scores(won) == (121, 0)


async def test_the_newest_game_stands_first_and_pages_go_back_from_there(tmp_path: Path) -> None:
    archive = await three_games(tmp_path)
    assert [game.id for game in finished(archive)] == [3, 2, 1]
    assert [game.id for game in archive.page(2)] == [3, 2]
    assert [game.id for game in archive.page(2, before=2)] == [1]
    assert archive.page(2, before=1) == ()
    assert [game.id for game in archive.page(9, before=99)] == [3, 2, 1]
    assert [game.id for game in archive.every()] == [3, 2, 1]


async def test_a_record_is_the_one_that_was_written_and_is_sound(tmp_path: Path) -> None:
    archive = await three_games(tmp_path)
    journal = Journal(tmp_path / "journal.db", ManualClock())
    for number in (1, 2, 3):
        stored = journal.game(number)
        assert archive.record(number) == Record(stored.heading, stored.game.log)
        assert isinstance(verify_record(record.write(archive.record(number))), Audit)
    journal.close()


@pytest.mark.parametrize("number", [0, -1, 4, 10**8])
async def test_a_game_that_was_never_played_is_not_there(tmp_path: Path, number: int) -> None:
    archive = await three_games(tmp_path)
    with pytest.raises(KeyError):
        archive.record(number)


@pytest.mark.parametrize(
    ("rules", "scores", "skunk"),
    [
        ("six-card", (121, 90), Skunk.NONE),
        ("six-card", (121, 89), Skunk.SKUNK),
        ("three-player", (121, 89, 90), Skunk.NONE),
        ("acc", (121, 60), Skunk.DOUBLE),
        ("acc", (121, 61), Skunk.SKUNK),
        ("jeux50", (121, 5), Skunk.NONE if RULES["jeux50"].game.skunk_line is None else Skunk.SKUNK),
    ],
)
def test_a_skunk_is_what_the_rules_of_the_game_call_one(rules: str, scores: tuple[int, ...], skunk: Skunk) -> None:
    at = ManualClock().wall()
    result = FinishedGame(winner=0, scores=scores, counts=1, first_dealer=0)
    heading = Heading(rules=RULES[rules], way=Way.TRUST)
    assert EndedGame(id=1, begun=at, ended=at, heading=heading, result=result).skunk is skunk


# Beside the one who writes


async def test_reading_the_archive_changes_nothing_in_the_file(tmp_path: Path) -> None:
    archive = await three_games(tmp_path)
    before = hashlib.sha256((tmp_path / "journal.db").read_bytes()).hexdigest()
    for game in finished(archive):
        archive.record(game.id)
    assert hashlib.sha256((tmp_path / "journal.db").read_bytes()).hexdigest() == before


async def test_reading_the_archive_does_not_block_the_table(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
        reader = sqlite3.connect(table.path, isolation_level=None)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM game").fetchone() == (1,)
        await table.post(OK[BLUE], *BLUE_WINS, *OK)
        assert table.now.faults == ()
        assert reader.execute("SELECT count(*) FROM game").fetchone() == (1,), "a look is of one moment"
        reader.close()
        assert [game.id for game in finished(Archive(table.path))] == [2, 1]


# Sealed results


async def sealed_games(folder: Path) -> Archive:
    """One game that anybody may know of, and then two of a sealed event."""
    async with evening(folder) as table:
        await table.post(*A_WIN)
    async with at_event(folder) as (table, _):
        await table.post(*A_WIN, OK[RED], *BLUE_WINS, *OK)
    return Archive(folder / "journal.db")


async def test_the_games_of_a_sealed_event_are_hidden_until_its_results_are_open(tmp_path: Path) -> None:
    archive = await sealed_games(tmp_path)
    assert [game.id for game in finished(archive)] == [1]
    assert [game.id for game in archive.page(9)] == [1]
    assert archive.sealing() == {1}
    for number in (2, 3):
        assert archive.is_sealed(number)
        with pytest.raises(KeyError):
            archive.record(number)
        with pytest.raises(KeyError):
            archive.ended(number)
    async with at_event(tmp_path) as (_, organiser):
        await open_results(organiser)
        assert [game.id for game in finished(archive)] == [3, 2, 1]
        assert (archive.sealing(), archive.is_sealed(2)) == (frozenset(), False)
        await organiser.do(UndoCompetitionAct())
        assert [game.id for game in finished(archive)] == [1], "what was opened too early is sealed again"


async def test_each_sealed_event_stays_sealed_whichever_event_is_current(tmp_path: Path) -> None:
    archive = await sealed_games(tmp_path)
    async with at_event(tmp_path) as (table, organiser):
        await open_hall(organiser, 2, SEALED)
        await draw_and_start(organiser)
        await table.post(*A_WIN)
        assert [game.id for game in finished(archive)] == [1]
        assert archive.sealing() == {1, 2}
        await organiser.switch(1)
        await open_results(organiser)
        assert [game.id for game in finished(archive)] == [3, 2, 1]
        assert archive.sealing() == {2}
        await organiser.switch(2)
        assert ([game.id for game in finished(archive)], archive.is_sealed(4)) == ([3, 2, 1], True)


async def test_the_pin_opens_the_games_of_sealed_events(tmp_path: Path) -> None:
    archive = await sealed_games(tmp_path)
    games = archive.page(9, reader=ArchiveReader.PIN)
    assert [game.id for game in games] == [3, 2, 1]
    assert [archive.scores(game) for game in games if isinstance(game, EndedGame)] == [(121, 0)] * 3
    assert archive.record(3, reader=ArchiveReader.PIN).events
    assert archive.ended(3, reader=ArchiveReader.PIN).result is not None


async def test_an_event_is_sealing_from_its_first_game_on_and_however_many_it_has(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, _):
        archive = Archive(table.path)
        assert archive.sealing() == frozenset()
        await table.post(*A_WIN[:2])
        assert archive.sealing() == {1}
        assert archive.is_sealed(1)
        await table.post(*A_WIN[2:])
        assert archive.sealing() == {1}


async def test_a_result_finds_its_record_by_the_last_link_alone(tmp_path: Path) -> None:
    archive = await sealed_games(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "journal.db")) as file:
        links = dict(file.execute("SELECT game, chain FROM line ORDER BY number").fetchall())
        (inside,) = file.execute("SELECT chain FROM line WHERE game = 2 AND number = 3").fetchone()
    assert archive.texts([links[2], links[3], inside, "0" * 64]) == {
        links[number]: record.write(archive.record(number, reader=ArchiveReader.PIN)) for number in (2, 3)
    }
    assert archive.texts([]) == {}
    tamper(
        tmp_path / "journal.db",
        "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE game = 2 AND number = 3;",
    )
    assert [*archive.texts(links.values())] == [links[3]], "the damaged one is left out"


async def test_a_private_game_is_sealed_by_no_preset(tmp_path: Path) -> None:
    async with evening(tmp_path, rules=changed(RULES["six-card"], {"sealed": "on"})) as table:
        await table.post(*A_WIN)
        archive = Archive(table.path)
        assert ([game.id for game in finished(archive)], archive.sealing()) == ([1], frozenset())


async def test_a_friendly_game_between_two_games_of_an_event_is_not_sealed(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, _):
        await table.post(*A_WIN, MENU, OK[BLUE], MENU_HELD, *A_WIN)
        assert [game.id for game in finished(Archive(table.path))] == [2]


@pytest.mark.parametrize(
    "wear",
    [
        "UPDATE competition SET heading = 'nonsense'",
        "UPDATE competition_line SET line = 'nonsense' WHERE number = 2",
        "DELETE FROM competition_line WHERE number = 1",
        "DELETE FROM competition",
    ],
)
async def test_an_event_that_cannot_be_read_keeps_its_games_sealed(tmp_path: Path, wear: str) -> None:
    await sealed_games(tmp_path)
    async with at_event(tmp_path) as (_, organiser):
        await open_results(organiser)
    triggers = "DROP TRIGGER competition_update; DROP TRIGGER competition_delete; DROP TRIGGER competition_line_update;"
    tamper(tmp_path / "journal.db", f"{triggers} DROP TRIGGER competition_line_delete; {wear};")
    assert [game.id for game in finished(Archive(tmp_path / "journal.db"))] == [1]


async def test_only_the_game_that_begins_may_be_one_of_an_event(tmp_path: Path) -> None:
    await sealed_games(tmp_path)
    for change in (
        "INSERT INTO competition_game VALUES (1, 1, 1, 1, 1)",
        "INSERT OR REPLACE INTO competition_game VALUES (3, 1, 1, 1, 1)",
        "UPDATE competition_game SET competition = 2",
        "DELETE FROM competition_game",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            tamper(tmp_path / "journal.db", change)


# What became of it


async def test_a_changed_line_is_named_and_keeps_no_other_game_from_being_read(tmp_path: Path) -> None:
    archive = await three_games(tmp_path)
    tamper(
        tmp_path / "journal.db",
        "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE game = 2 AND number = 3;",
    )
    with pytest.raises(GameDamaged) as damaged:
        archive.record(2)
    assert (damaged.value.id, damaged.value.line) == (2, 3)
    assert [game for game in archive.page(9) if isinstance(game, DamagedGame)] == [DamagedGame(2, 3)]
    assert [game.id for game in finished(archive)] == [3, 1]
    assert archive.record(1).events
    assert archive.record(3).events


async def test_a_game_whose_last_line_is_lost_is_named(tmp_path: Path) -> None:
    archive = await three_games(tmp_path)
    events = len(archive.record(2).events)
    tamper(tmp_path / "journal.db", f"DROP TRIGGER line_delete; DELETE FROM line WHERE game = 2 AND number = {events};")
    assert [game for game in archive.page(9) if isinstance(game, DamagedGame)] == [DamagedGame(2, events)]
    assert [game.id for game in finished(archive)] == [3, 1]


async def test_a_heading_that_is_not_what_was_written_is_named(tmp_path: Path) -> None:
    archive = await three_games(tmp_path)
    tamper(tmp_path / "journal.db", "DROP TRIGGER game_update; UPDATE game SET heading = 'nonsense' WHERE id = 1;")
    assert archive.page(9)[-1] == DamagedGame(1, 0)
    assert [game.id for game in finished(archive)] == [3, 2]
    with pytest.raises(GameDamaged):
        archive.ended(1)


async def test_a_heading_that_cannot_even_be_read_hides_no_sealed_game_behind_it(tmp_path: Path) -> None:
    archive = await sealed_games(tmp_path)
    tamper(
        tmp_path / "journal.db", "DROP TRIGGER game_update; UPDATE game SET heading = CAST(x'ff' AS TEXT) WHERE id < 3;"
    )
    assert archive.page(9) == (DamagedGame(1, 0),), "of a sealed game not even its damage is told"
    assert archive.sealing() == {1}


async def test_a_line_that_is_no_text_is_named_and_other_games_are_still_read(tmp_path: Path) -> None:
    """A bit of the file that says of what kind a value is."""
    archive = await three_games(tmp_path)
    tamper(
        tmp_path / "journal.db",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
        " replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'), 'STRICT', '');",
    )
    tamper(
        tmp_path / "journal.db",
        "DROP TRIGGER game_update; DROP TRIGGER line_update;"
        "UPDATE game SET heading = CAST(heading AS BLOB) WHERE id = 1;"
        "UPDATE line SET line = CAST(line AS BLOB) WHERE game = 2 AND number = 3;",
    )
    assert archive.page(9)[-1] == DamagedGame(1, 0)
    assert archive.sealing() == frozenset()
    with pytest.raises(GameDamaged) as damaged:
        archive.record(2)
    assert damaged.value.line == 3
    assert archive.record(3).events


async def test_a_game_that_could_not_be_taken_up_is_named_once_another_has_begun(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
    tamper(tmp_path / "journal.db", "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE number = 1;")
    archive = Archive(tmp_path / "journal.db")
    assert archive.page(9) == ()
    journal = Journal(tmp_path / "journal.db", ManualClock())
    journal.begin(Heading(rules=RULES["six-card"], way=Way.TRUST), 2)
    journal.close()
    (damaged,) = archive.page(9)
    assert isinstance(damaged, DamagedGame)
    assert damaged.id == 1


async def test_a_file_that_rots_in_places_gives_every_game_that_is_left(tmp_path: Path) -> None:
    archive = await three_games(tmp_path)
    path = tmp_path / "journal.db"
    sound = path.read_bytes()
    records = {number: archive.record(number) for number in (1, 2, 3)}
    most = 0
    for place in range(4096, len(sound), 4096):
        path.write_bytes(sound[:place] + b"\xff" * 4096 + sound[place + 4096 :])
        try:
            games = archive.page(9)
        except ArchiveAway:
            continue
        assert len({game.id for game in games}) == len(games)
        assert {game.id for game in games} <= records.keys()
        for game in games:
            with contextlib.suppress(GameDamaged):
                assert archive.record(game.id) == records[game.id]
        most = max(most, sum(isinstance(game, EndedGame) for game in games))
    assert most == len(records), "some places hold nothing of any game"


def test_a_missing_file_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ArchiveAway):
        finished(Archive(tmp_path / "journal.db"))
    assert list(tmp_path.iterdir()) == [], "and none is made"


def test_a_file_that_is_no_journal_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text("This is a letter to my aunt.\n" * 500)
    with pytest.raises(ArchiveAway):
        Archive(tmp_path / "journal.db").page(9)
