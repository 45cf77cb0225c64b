"""The ranking of a season, on a sheet or as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from cribboard.competition.season import SeasonOutcome, SeasonResult, SeasonRow, SeasonRule
from cribd.paper import csv_files
from cribd.paper.html import Child, document, element, table
from cribd.paper.layout import header, name_head, number_cells, place_cell
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
    """Return the ranking of a season as an HTML document."""
    say, counting = out.words.say, out.rule.counting
    title = say("paper.title.season")
    head: list[Child] = [
        say("paper.head.place"),
        name_head(say("paper.head.name")),
        *(element("th", number, scope="col", class_="number") for number in range(1, len(out.outcomes) + 1)),
        say("paper.head.total"),
    ]
    rule = say("paper.season.all") if counting is None else out.words.count("paper.season.best", counting)
    competitions = [
        " — ".join(filter(None, (outcome.name, date_in_words(outcome.date, out.words)))) for outcome in out.outcomes
    ]
    return document(
        out.language,
        "season standings",
        f"{out.name} — {title}",
        element(
            "main",
            header(title, out.name, rule),
            table(head, [_row(out, row) for row in out.rows], class_="standings-table wide"),
            element("div", [element("p", note) for note in _notes(out)], class_="notes"),
            element("ol", [element("li", competition) for competition in competitions], class_="events"),
        ),
    )


def season_csv(out: SeasonPrintout) -> bytes:
    """Return the ranking as CSV, with a column for each competition."""
    place, name, total = (out.words.say(f"paper.csv.{column}") for column in ("place", "name", "total"))
    headers = [place, name, *(outcome.name or outcome.date for outcome in out.outcomes), total]
    rows = (
        [row.place, row.name, *(result.points if result else None for result in _results(out, row)), row.total]
        for row in out.rows
    )
    return csv_files.table(out.words, headers, rows)


def _results(out: SeasonPrintout, row: SeasonRow) -> list[SeasonResult | None]:
    """Return the player's result in each competition; None if absent."""
    found = {result.event: result for result in row.results}
    return [found.get(number) for number in range(len(out.outcomes))]


def _notes(out: SeasonPrintout) -> Iterator[str]:
    if out.rule.counting is not None:
        yield out.words.say("paper.note.season")
    if any(row.level_with for row in out.rows):
        yield out.words.say("paper.note.level")
    if any(row.place is None for row in out.rows):
        yield out.words.count("paper.note.too_few", out.rule.min_events)


def _row(out: SeasonPrintout, row: SeasonRow) -> Element:
    results: list[Child] = []
    for result in _results(out, row):
        points = amount_in_words(result.points, out.words) if result else ""
        results.append(element("b", points) if result and result.counts else points and f"({points})")
    return element(
        "tr",
        place_cell(row),
        element("td", element("span", row.name, class_="name")),
        number_cells(*results, element("b", amount_in_words(row.total, out.words))),
    )
