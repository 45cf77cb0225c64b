"""A journal that an older version began is taken up where it stands, and its games keep their rulings and results.

The journals in `tests/older_games` were made by version 1 of the presets. `-unfinished` ends just after what version 2
would have ruled otherwise.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.places import OLDER_GAMES
from tests.support.players import Players

from cribboard import record
from cribboard.position import Phase
from cribboard.record import Record
from cribd.__main__ import main
from cribd.clock import ManualClock
from cribd.storage.archive import Archive
from cribd.storage.open_journal import open_or_repair_journal
from cribd.table.match import CurrentMatch, result_of_game
from cribd.table.rule_sets import PRESETS, titled

UNFINISHED = sorted(path.name.removesuffix(".db.gz") for path in OLDER_GAMES.glob("*-unfinished.db.gz"))


def unpacked(name: str, folder: Path) -> Path:
    journal = folder / "journal.db"
    journal.write_bytes(gzip.decompress((OLDER_GAMES / f"{name}.db.gz").read_bytes()))
    return journal


@pytest.mark.slow
@pytest.mark.parametrize("name", UNFINISHED)
async def test_a_game_that_was_begun_before_is_resumed_and_played_to_its_end(name: str, tmp_path: Path) -> None:
    clock = ManualClock()
    journal, aside = open_or_repair_journal(unpacked(name, tmp_path), clock)
    assert aside is None
    stored = journal.latest_game()
    assert stored is not None
    whole = record.read((OLDER_GAMES / f"{name.removesuffix('-unfinished')}.txt").read_text(encoding="utf-8"))
    assert whole.events[: len(stored.game.log)] == stored.game.log
    players = Players(name)
    while stored.game.position.phase is not Phase.OVER:
        events = stored.game.decide(players.act(stored.game.position))
        journal.append(stored, events, result_of_game(stored, events))
        stored.game.append(events)
    again = journal.game(stored.id)
    assert again.game.position == stored.game.position
    record.judge(Record(again.heading, again.game.log))
    journal.close()


@pytest.mark.parametrize("name", UNFINISHED)
def test_a_match_that_was_begun_before_goes_on_under_todays_rulings(name: str, tmp_path: Path) -> None:
    journal, _ = open_or_repair_journal(unpacked(name, tmp_path), ManualClock())
    latest = journal.latest_game()
    assert latest is not None
    today = latest.heading.rules.of_today
    match = CurrentMatch(journal, ManualClock(), today)
    match.load_latest_game()
    assert match.standing(today, between=True) is match.standing(latest.heading.rules, between=False)
    assert titled(latest.heading.rules, PRESETS).title == latest.heading.rules.name
    journal.close()


def test_the_result_of_an_older_version_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = unpacked("play-before-hands-finished", tmp_path)
    (ended,) = Archive(path).page(5)
    assert ended.result is not None  # type: ignore[union-attr]
    assert ended.result.scores == (121, 120)  # type: ignore[union-attr]
    assert main(["record", "verify", "1", "--journal", str(path)]) == 0
    said = capsys.readouterr().out
    assert has_phrase(said, "record.sound")
    assert has_phrase(said, "record.ruled_otherwise")


@pytest.mark.parametrize("language", ["en", "fr_CA"])
def test_verify_names_the_line_of_the_file(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = OLDER_GAMES / "play-before-hands.txt"
    at = file.read_text(encoding="utf-8").splitlines().index(" 656   peg let go blue +4 by next-count") + 1
    assert main(["record", "verify", str(file), "--lang", language]) == 0
    assert phrase("record.ruled_otherwise", language, n=1, lines=at) in capsys.readouterr().out
    assert main(["record", "verify", str(file), "--json"]) == 0
    payload = json.loads(capsys.readouterr().out)
    assert (payload["sound"], payload["ruled_otherwise_today"]) == (True, [at])
