"""The ranking of a season, printed or as CSV: every result, those that count, and the sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from cribboard.competition.season import SeasonOutcome, SeasonResult, SeasonRow, SeasonRule
from cribd.paper import csv_files
from cribd.paper.html import Child, document, element, table
from cribd.paper.layout import track
from cribd.paper.printout import amount_in_words, date_in_words
from cribd.text.words import Words


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeasonPrintout:
    """A season, to print or export."""

    name: str
    rule: SeasonRule
    outcomes: Sequence[SeasonOutcome]
    rows: Sequence[SeasonRow]
    """The rows that `cribboard.competition.season.ranking` made of these."""
    words: Words
    language: str


def season_sheet(out: SeasonPrintout) -> str:
    """Make the sheet of a season."""
    say = out.words.say
    head: list[Child] = [
        say("paper.head.place"),
        element("th", say("paper.head.name"), scope="col", class_="who"),
    ]
    head += [element("th", number, scope="col", class_="number") for number in range(1, len(out.outcomes) + 1)]
    head.append(say("paper.head.total"))
    events = [
        element(
            "li", outcome.name, " — " if outcome.name and outcome.date else "", date_in_words(outcome.date, out.words)
        )
        for outcome in out.outcomes
    ]
    return document(
        out.language,
        "season standings",
        f"{out.name} — {say('paper.title.season')}",
        element(
            "main",
            element(
                "header",
                element("p", say("paper.title.season"), class_="kind"),
                element("h1", out.name),
                element("p", _rule(out), class_="when"),
                track(),
            ),
            table(head, [_row(out, row) for row in out.rows], class_="standings-table wide"),
            element("div", [element("p", note) for note in _notes(out)], class_="notes"),
            element("ol", events, class_="events"),
        ),
    )


def season_csv(out: SeasonPrintout) -> bytes:
    """Write the ranking as CSV, with a column for each competition."""
    place, name, total = (out.words.say(f"paper.csv.{column}") for column in ("place", "name", "total"))
    headers = [place, name, *(outcome.name or outcome.date for outcome in out.outcomes), total]
    return csv_files.table(out.words, headers, ([*_cells(out, row)] for row in out.rows))


def _cells(out: SeasonPrintout, row: SeasonRow) -> Iterator[csv_files.Cell]:
    yield row.place
    yield row.name
    found = {result.event: result for result in row.results}
    for event in range(len(out.outcomes)):
        yield found[event].points if event in found else None
    yield row.total


def _rule(out: SeasonPrintout) -> str:
    counting = out.rule.counting
    if counting is None:
        return out.words.say("paper.season.all")
    return out.words.count("paper.season.best", counting)


def _notes(out: SeasonPrintout) -> Iterator[str]:
    if out.rule.counting is not None:
        yield out.words.say("paper.note.season")
    if any(row.level_with for row in out.rows):
        yield out.words.say("paper.note.level")
    if any(row.place is None for row in out.rows):
        yield out.words.count("paper.note.too_few", out.rule.min_events)


def _row(out: SeasonPrintout, row: SeasonRow) -> Element:
    found = {result.event: result for result in row.results}
    place = "–" if row.place is None else f"{row.place}{'=' if row.level_with else ''}"
    return element(
        "tr",
        element("th", place, scope="row"),
        element("td", element("span", row.name, class_="name")),
        [element("td", _result(out, found.get(event)), class_="number") for event in range(len(out.outcomes))],
        element("td", element("b", amount_in_words(row.total, out.words)), class_="number"),
    )


def _result(out: SeasonPrintout, result: SeasonResult | None) -> Element | str:
    if result is None:
        return ""
    points = amount_in_words(result.points, out.words)
    return element("b", points) if result.counts else f"({points})"
