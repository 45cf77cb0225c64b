"""The games of the journal as a table.

Results come from the archive, which gives none of a game that is sealed or running.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from cribboard.record import Heading, RecordError, read_heading
from cribd.cli.progress import ReportProgress
from cribd.storage.archive import Archive, DamagedGame, EndedGame, GameDamaged
from cribd.terminal import table
from cribd.text import Phrases

#: The columns that may wrap: names of players and of house rules have any length.
_PLAYERS, _RULES = 2, 4


def as_table(
    games: Sequence[tuple[int, str, str]], journal: Path, words: Phrases, report: ReportProgress
) -> Iterator[str]:
    """Yield the lines of a table of games.

    `games` has the number, the start time in ISO 8601 and the heading of each game. Raises `ArchiveAway`."""
    if not games:
        yield words.say("command.record.none")
        return
    archive = Archive(journal)
    ended: dict[int, EndedGame | DamagedGame] = {}
    newest = max(number for number, _, _ in games)
    for game in archive.every():
        ended[game.id] = game
        report(newest - game.id + 1, newest)  # numbers have no gap
    heads = [words.say(f"command.record.head.{head}") for head in ("game", "date", "players", "result", "rules")]
    rows = [heads]
    for number, at, text in games:
        rows.append([f"{number:>{len(heads[0])}}", _day(at), *_played(number, text, ended.get(number), archive, words)])
    yield from table(rows, wrapping=(_PLAYERS, _RULES))


def _day(at: str) -> str:
    """Return the local date of `at`, or "" if damaged."""
    try:
        return datetime.fromisoformat(at).astimezone().date().isoformat()
    except (ValueError, OverflowError):
        return ""


def _played(
    number: int, text: str, ended: EndedGame | DamagedGame | None, archive: Archive, words: Phrases
) -> tuple[str, str, str]:
    """Return the players, result and rules of a game."""
    try:
        heading = read_heading(text)
    except RecordError:
        return "", words.say("command.record.damaged"), ""
    named = words.named(heading.names)
    players = ", ".join(named.side(side) for side in heading.rules.sides)
    return players, _result(number, heading, ended, archive, words), heading.rules.label


def _result(
    number: int, heading: Heading, ended: EndedGame | DamagedGame | None, archive: Archive, words: Phrases
) -> str:
    """Return the result or the state of a game.

    A game without a result has its state, and its scores if it was broken off."""
    if ended is None:
        return words.say("command.record.sealed" if archive.is_sealed(number) else "command.record.under_way")
    if isinstance(ended, DamagedGame):
        return words.say("command.record.damaged")
    try:
        scores = "–".join(map(str, archive.scores(ended)))
    except GameDamaged:
        return words.say("command.record.damaged")
    if ended.result is None:
        return f"{scores}, {words.say('command.record.broken_off')}"
    skunk = words.skunked(ended.skunk, heading.rules.label)
    return f"{scores}, {skunk.lower()}" if skunk else scores
