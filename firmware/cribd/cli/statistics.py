"""`cribboard statistics`: prints the statistics of each player.

Reads and never writes, so it may run beside the board. The command judges a file again before it counts it. It names a
damaged game and counts the others. Exit codes: 0 done, 1 a game is damaged, 2 the command cannot do it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from cribboard.cards import Card
from cribboard.figures import Statistics
from cribboard.record import Record
from cribboard.statistics import statistics_of
from cribboard.statistics_json import as_values
from cribd.cli.errors import CommandRefused, Exit
from cribd.cli.options import add_json, add_language, journal_path
from cribd.cli.pin import add_pin_file, may_see_sealed
from cribd.cli.progress import ReportProgress, progress_bar
from cribd.cli.record_verify import FirstRecordError, error_lines, unreadable, verify_record
from cribd.storage.archive import Archive, ArchiveAway, ArchiveReader, GameDamaged
from cribd.terminal import complain
from cribd.text import Phrases

#: Where the columns of a table end.
_NAME, _COLUMN = 16, 10


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", nargs="*", metavar="RECORD")
    parser.add_argument("--journal", metavar="FILE")
    parser.add_argument("--sealed", action="store_true")
    add_pin_file(parser)
    parser.add_argument("--config", type=Path, metavar="FILE")
    add_language(parser)
    add_json(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Print the statistics of each player. Returns the exit code."""
    figures, problems = Statistics(), list[str]()
    try:
        with progress_bar(words, quiet=options.json) as report:
            records = _files(options.records, words, report) if options.records else _journal(options, words, report)
            for found in records:
                if isinstance(found, str):
                    problems.append(found)
                else:
                    figures += statistics_of(found)
    except ArchiveAway as away:
        where = journal_path(options)
        raise CommandRefused(words.say("command.journal_damaged", where=where, why=away.args[0])) from away
    except OSError as wrong:
        raise CommandRefused(str(wrong)) from wrong
    payload = as_values(figures)
    print(json.dumps(payload, ensure_ascii=False) if options.json else "\n".join(_table(payload, words)))
    complain(*problems)
    return Exit.PROBLEM if problems else Exit.DONE


def _files(names: Sequence[str], words: Phrases, report: ReportProgress) -> Iterator[Record | str]:
    """Yield each file's record, or what is wrong with the file."""
    for done, name in enumerate(names):
        report(done, len(names))
        try:
            found = verify_record(Path(name).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as wrong:
            yield unreadable(name, wrong, words)
            continue
        if isinstance(found, FirstRecordError):
            yield from error_lines(found, name, words)
        else:
            yield found.record


def _journal(options: argparse.Namespace, words: Phrases, report: ReportProgress) -> Iterator[Record | str]:
    """Yield the records of the journal's past games.

    Sealed games need `--sealed` and the PIN. A text names a damaged game. Raises `ArchiveAway`, `CommandRefused`."""
    path = journal_path(options)
    if not os.path.exists(path):
        raise CommandRefused(words.say("command.no_journal", file=path))
    archive = Archive(path)
    reader = ArchiveReader.PIN if options.sealed and archive.sealing() else ArchiveReader.ANYBODY
    if reader is ArchiveReader.PIN and not may_see_sealed(options, words):
        raise CommandRefused(words.say("command.statistics.sealed"))
    newest = 0
    for game in archive.every(reader=reader):
        newest = newest or game.id  # the bar jumps over games that are sealed
        report(newest - game.id, newest)
        try:
            yield archive.record(game.id, reader=reader)
        except GameDamaged as damaged:
            yield words.say("command.record.game_damaged", game=damaged.id, line=damaged.line)


def _table(payload: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    if not payload["players"]:
        yield words.say("page.statistics.nobody")
        return
    for player in payload["players"]:
        yield from _player(player, words)
        yield ""
    if any(deals["par"] for player in payload["players"] for deals in player["deals"]):
        yield words.say("page.statistics.source")
        yield payload["par"]


def _player(player: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    yield player["name"] or words.say("page.statistics.nameless", side=words.side(player["side"]))
    won = words.say("page.statistics.won")
    yield "  " + words.say("audit.statistics.line", what=won, value=_of(player["won"], player["games"], words))
    for what, value in _tally(player, words):
        yield "  " + words.say("audit.statistics.line", what=words.say(f"page.statistics.tally.{what}"), value=value)
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for deals in player["deals"]:
        kinds.setdefault(_kind(deals, words), []).append(deals)
    for kind, roles in kinds.items():
        yield f"  {kind}"
        for deals in roles:
            yield from _deals(deals, words)
    if not player["hands"]:
        yield f"  {words.say('page.statistics.trusted')}"
    if player["best"]:
        yield f"  {words.say('page.statistics.best')}"
        yield from (_hand(hand, words) for hand in player["best"])


def _of(some: int, of_all: int, words: Phrases) -> str:
    return words.say("page.statistics.of", n=some, all=of_all)


def _tally(player: Mapping[str, Any], words: Phrases) -> Iterator[tuple[str, object]]:
    """Yield the code and value of each tally.

    Zero counts are left out, except points left and big hands."""
    for what in ("given", "taken"):
        skunks, doubles = player["skunks"][what], player["doubles"][what]
        if skunks:
            yield what, words.say("page.statistics.doubles", n=skunks, doubles=doubles) if doubles else skunks
    if left := player["left"]:
        a_deal = _number(_rounded(left["average"]), words)
        yield "left", words.say("page.statistics.a_deal", average=a_deal, points=left["points"])
        if left["mugged"]:
            yield "mugged", left["mugged"]
    if hands := player["hands"]:
        yield "big", _of(hands["big"], hands["counted"], words)
        if hands["perfect"]:
            yield "perfect", hands["perfect"]


def _kind(deals: Mapping[str, Any], words: Phrases) -> str:
    kind = words.say("page.statistics.kind", players=deals["players"], cards=deals["cards"])
    house = (deals["players"], deals["cards"], deals["par"]) == (2, 6, False)
    return words.say("page.statistics.house", kind=kind) if house else kind


def _deals(deals: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    heads = ("average", "par", "difference", "times") if deals["par"] else ("average", "times")
    titles = "".join(f"{words.say(f'page.statistics.head.{head}'):>{_COLUMN}}" for head in heads)
    role = words.say(f"page.statistics.role.{deals['role']}")
    yield f"    {role:<{_NAME}}{titles}"
    for part in deals["parts"]:
        average = _rounded(part["average"])
        values = [_number(average, words), str(part["times"])]
        if deals["par"]:
            par = _rounded(part["par"])
            values[1:1] = _number(par, words), _number(average - par, words, "+")
        columns = "".join(f"{value:>{_COLUMN}}" for value in values)
        name = words.say(f"page.statistics.part.{part['part']}")
        yield f"      {name:<{_NAME - 2}}{columns}"


def _hand(hand: Mapping[str, Any], words: Phrases) -> str:
    cards = " ".join(words.card(Card.parse(card)) for card in hand["cards"])
    starter = words.card(Card.parse(hand["starter"]))
    of = ", ".join(filter(None, (words.say(f"page.statistics.of.{hand['of']}"), hand["date"])))
    return f"    {hand['points']:>2}  {cards} + {starter}  {of}"


def _rounded(value: float) -> Decimal:
    """Round a value to one decimal, as on the statistics page.

    Differences are made from rounded values, so that the printed numbers add up."""
    return Decimal(repr(value)).quantize(Decimal("0.1"), ROUND_HALF_UP)


def _number(value: Decimal, words: Phrases, sign: str = "-") -> str:
    return f"{value:{sign if value else '-'}}".replace(".", words.say("audit.statistics.decimal")).replace("-", "−")
