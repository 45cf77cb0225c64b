"""The files of a competition, to print or to download.

Pure but for the journal, which it only reads; the routes of the desk and `cribboard event` ask it. Blocks: call it in a
thread. The organiser's eye is the default; `public` makes what the hall may see, with public names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from cribboard.competition.record import CompetitionRecord, write
from cribboard.competition.season import SeasonError, SeasonOutcome, outcome, ranking, read_rule
from cribboard.competition.view import CompetitionEye, CompetitionView, see
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.languages import known_as
from cribd.paper import (
    EXPORTS,
    NothingToPrint,
    Printout,
    SeasonPrintout,
    export,
    file_name,
    print_sheet,
    season_csv,
    season_sheet,
)
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal, JournalDamaged
from cribd.text import load
from cribd.text.words import Words

_HTML = "text/html; charset=utf-8"
_SEASON = ("season.html", "season.csv")
#: The values of a season's query that do not belong to the rule.
_NOT_OF_THE_RULE = ("language", "title", "events")


@dataclass(frozen=True, slots=True)
class CompetitionFile:
    """A file of a competition.

    `is_attachment`: whether a browser saves the file instead of showing it."""

    name: str
    content_type: str
    body: bytes
    is_attachment: bool = True


@dataclass(frozen=True, slots=True)
class NoFile(Exception):  # noqa: N818 (as `NothingToPrint`)
    """The file does not exist now. `reason` says why, in words."""

    reason: str


def sheet(
    name: str, query: Mapping[str, str], snapshot: CompetitionSnapshot, *, address: Callable[[int], str] | None = None
) -> CompetitionFile:
    """Make the sheet `name` of a competition, to print.

    Query: `language`, `round` for slips, `public=1` for the hall's version. `address` gives the address of a table's
    page for phones, to print on its card. Raises `NoFile`."""
    out = replace(_printout(query, snapshot), address=address)
    with _reason_in(out.words):
        body = print_sheet(name, out).encode()
    return CompetitionFile(file_name(f"{name}.html", snapshot.number), _HTML, body, is_attachment=False)


def exported(name: str, query: Mapping[str, str], snapshot: CompetitionSnapshot, journal: Journal) -> CompetitionFile:
    """Make the export `name` of a competition, as a file. Raises `NoFile`.

    The query has `language` and `public`, as for a sheet."""
    out = _printout(query, snapshot, _records(_view(query, snapshot), journal))
    with _reason_in(out.words):
        body = export(name, out)
    return CompetitionFile(file_name(name, snapshot.number), EXPORTS[name].content_type, body)


def record(snapshot: CompetitionSnapshot) -> CompetitionFile:
    """Write the record of the competition as a file."""
    text = write(CompetitionRecord(snapshot.heading, snapshot.log))
    return CompetitionFile(f"cribboard-competition-{snapshot.number}.txt", "text/plain; charset=utf-8", text.encode())


def season(name: str, query: Mapping[str, str], journal: Journal) -> CompetitionFile:
    """Make the file `name`, with the ranking over several competitions.

    Raises `NoFile`. They are those with open results, or those whose numbers `events` lists, as in `1,3`. The query has
    the fields of its rule, and `title`."""
    language = _language(query)
    words = load(language)
    with _reason_in(words):
        if name not in _SEASON:
            raise NothingToPrint("no_such_file", file=name, allowed=", ".join(_SEASON))
        outcomes = _chosen(query["events"], journal) if query.get("events") else _outcomes(journal)
        rule = read_rule({field: _value(text) for field, text in query.items() if field not in _NOT_OF_THE_RULE})
        rows = ranking(rule, outcomes)
    out = SeasonPrintout(
        name=query.get("title", ""), rule=rule, outcomes=outcomes, rows=rows, words=words, language=language
    )
    if name == "season.csv":
        return CompetitionFile("cribboard-season.csv", "text/csv; charset=utf-8", season_csv(out))
    return CompetitionFile("cribboard-season.html", _HTML, season_sheet(out).encode(), is_attachment=False)


@contextmanager
def _reason_in(words: Words) -> Iterator[None]:
    """Raise `NoFile` if the `with` block cannot make a file.

    The reason is in the language of `words`."""
    try:
        yield
    except NothingToPrint as why:
        raise NoFile(why.in_words(words)) from why
    except SeasonError as why:
        raise NoFile(" ".join(map(words.problem, why.problems))) from why


def _printout(
    query: Mapping[str, str], snapshot: CompetitionSnapshot, records: Mapping[str, str] | None = None
) -> Printout:
    language, number = _language(query), _value(query.get("round", ""))
    return Printout(
        heading=snapshot.heading,
        view=_view(query, snapshot),
        words=load(language),
        language=language,
        round=number if isinstance(number, int) else 0,
        records=records or {},
    )


def _view(query: Mapping[str, str], snapshot: CompetitionSnapshot) -> CompetitionView:
    return snapshot.hall if query.get("public") == "1" else snapshot.organiser


def _language(query: Mapping[str, str]) -> str:
    return known_as(query.get("language", "")) or "en"


def _value(text: str) -> object:
    """Parse a query's value as a number, a list or text."""
    if "," in text:
        return [_value(word) for word in text.split(",")]
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text


def _records(view: CompetitionView, journal: Journal) -> Mapping[str, str]:
    """Return the records of the games, by their last hashes."""
    results = (result for round_ in view.rounds for table in round_.tables for result in table.results)
    return Archive(journal.path).texts({result.record for result in results if result.record})


def _outcomes(journal: Journal) -> list[SeasonOutcome]:
    """Return the outcome of each readable competition with open results."""
    outcomes = []
    for begun in journal.competitions.begun():
        with suppress(JournalDamaged, SeasonError):
            outcomes.append(_outcome(begun.id, journal))
    return outcomes


def _chosen(numbers: str, journal: Journal) -> list[SeasonOutcome]:
    """Return the outcomes of these competitions, by ascending number.

    Raises `NothingToPrint` for one that does not exist, is damaged, or has no open results."""
    newest = journal.competitions.newest()
    wrong = next((number for number in numbers.split(",") if not re.fullmatch("[0-9]{1,9}", number)), None)
    if wrong is not None:
        raise NothingToPrint("no_such_event", event=wrong, newest=newest)
    outcomes = []
    for number in sorted({*map(int, numbers.split(","))}):
        try:
            outcomes.append(_outcome(number, journal))
        except KeyError:
            raise NothingToPrint("no_such_event", event=number, newest=newest) from None
        except JournalDamaged:
            raise NothingToPrint("event_damaged", event=number) from None
        except SeasonError:
            raise NothingToPrint("event_not_open", event=number) from None
    return outcomes


def _outcome(number: int, journal: Journal) -> SeasonOutcome:
    """Return the `SeasonOutcome` of the competition with this number.

    Raises KeyError, `JournalDamaged`, or `SeasonError` if its results are not open yet."""
    past = journal.competitions.past(number)
    return outcome(past.heading, see(past.competition.position, CompetitionEye.ORGANISER))
