"""CSV files that spreadsheets in the user's language open directly.

They follow RFC 4180, in UTF-8 with a byte order mark. French spreadsheets take the comma for the decimal mark, so in
French a semicolon separates. A text that a spreadsheet would take for a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from cribboard.competition.terms import EntrantKind, RankingCriterion
from cribboard.competition.view import EntrantView
from cribd.paper.printout import Printout, amount_in_words
from cribd.paper.standings_sheet import columns
from cribd.text.words import Words

Cell = str | int | Fraction | None

#: First characters that make a spreadsheet read text as a formula; and the apostrophe, so that only one is added.
_FORMULA = ("=", "+", "-", "@", "'", "\t", "\r")


def entrants_csv(out: Printout) -> bytes:
    """Return the entrants as CSV, with headers that `cribd.competition.registration` can read."""
    size = out.format.team_size
    team = ["player_1", "player_2", "captain"] if size > 1 else []
    yes, no = out.say("csv.yes"), out.say("csv.no")
    rows = (
        [entrant.name, *_team(entrant, size), yes if entrant.part is EntrantKind.GUEST else no]
        for entrant in out.view.entrants
    )
    return table(out.words, _headers(out, "name", *team, "guest"), rows)


def _team(entrant: EntrantView, size: int) -> list[Cell]:
    """Return the cells with a team's players and captain."""
    if size == 1:
        return []
    return [*entrant.players, entrant.players[entrant.captain]] if entrant.players else [None] * (size + 1)


def results_csv(out: Printout) -> bytes:
    """Return every game with a result as CSV.

    The hall gets no results of a sealed competition."""
    names = "round play_off table game first second first_score second_score winner ending state source record"
    return table(out.words, _headers(out, *names.split()), _results(out))


def _results(out: Printout) -> Iterator[list[Cell]]:
    for round_ in out.view.rounds:
        for table in round_.tables:
            sides = [out.entrant_name(number) for number in table.entrants]
            for game, result in enumerate(table.results, start=1):
                winner = None if result.winner is None else sides[result.winner]
                where: list[Cell] = [round_.number, round_.play_off or None, table.table, game]
                terms = [out.term(term) for term in (result.ending, result.state, result.source)]
                yield [*where, *sides, *result.scores, winner, *terms, result.record]


def standings_csv(out: Printout) -> bytes:
    """Return the standings as CSV.

    Of a sealed competition, the hall gets the opened places only."""
    compared = columns(out.view.standings)
    names = _headers(out, "place", "name", "part", "status", "games", "missing", "byes", "penalty")
    headers = [*names, *map(out.criterion, compared), out.say("csv.separated_by")]
    return table(out.words, headers, _standings(out, compared))


def _standings(out: Printout, compared: Sequence[RankingCriterion]) -> Iterator[list[Cell]]:
    for row in out.view.standings:
        amounts = dict(row.amounts)
        who: list[Cell] = [row.place, out.entrant_name(row.entrant), out.term(row.part), out.term(row.status)]
        counted: list[Cell] = [row.played, row.missing, row.byes, row.penalty]
        separated_by = row.separated_by and out.criterion(row.separated_by)
        yield [*who, *counted, *(amounts.get(criterion) for criterion in compared), separated_by]


def _headers(out: Printout, *names: str) -> list[str]:
    return [out.say(f"csv.{name}") for name in names]


def table(words: Words, headers: Iterable[str], rows: Iterable[Iterable[Cell]]) -> bytes:
    """Return a CSV file with these headers and rows."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=words.say("paper.csv.separator"), lineterminator="\r\n")
    for row in ([*headers], *rows):
        writer.writerow([_cell(words, cell) for cell in row])
    return BOM_UTF8 + text.getvalue().encode()


def _cell(words: Words, cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case str():
            return f"'{cell}" if cell.startswith(_FORMULA) else cell
        case int():
            return str(cell)
        case Fraction():
            return amount_in_words(cell, words).replace("−", "-")
