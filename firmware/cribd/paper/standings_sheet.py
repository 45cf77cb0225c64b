"""The standings, with an amount for each ranking criterion.

The criteria are those of the rules reference, 3.11, 3.12 and 3.30. A mark shows where an amount decides a rank.
Of a sealed competition the hall's sheet has the places that were opened, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from cribboard.competition.standings import StandingsRow
from cribboard.competition.terms import EntrantKind, EntrantStatus, RankingCriterion
from cribd.paper.html import Child, element, table
from cribd.paper.layout import confidential, heading, name_cell, name_head, number_cells, place_cell, sheet
from cribd.paper.printout import Printout, amount_in_words


def standings_sheet(out: Printout) -> str:
    return sheet(out, "standings", element("main", heading(out, "standings"), confidential(out), standings(out)))


def standings(out: Printout) -> Element:
    """Make the table of the standings, with its marks explained."""
    rows = out.view.standings
    if not rows:
        return element("p", out.say("sealed" if out.view.is_sealed else "no_standings"), class_="none")
    compared = columns(rows)
    extra = [name for name in ("byes", "penalty") if any(getattr(row, name) for row in rows)]
    head: list[Child] = [
        out.say("head.place"),
        name_head(out.say(out.sized("head.name"))),
        out.say("head.games"),
        *map(out.criterion, compared),
        *(out.say(f"head.{name}") for name in extra),
    ]
    return element(
        "section",
        table(
            head,
            [_row(out, row, compared, extra) for row in rows],
            class_="standings-table wide" if len(head) > 8 else "standings-table",
        ),
        element("div", [element("p", note) for note in _notes(out, rows)], class_="notes"),
    )


def columns(rows: Sequence[StandingsRow]) -> list[RankingCriterion]:
    """Return the criteria in these rows, in order of comparison."""
    return list(dict.fromkeys(criterion for row in rows for criterion, _ in row.amounts))


def _row(out: Printout, row: StandingsRow, compared: Sequence[RankingCriterion], extra: Sequence[str]) -> Element:
    amounts = dict(row.amounts)
    cells = [
        element(
            "td",
            amount_in_words(amounts[criterion], out.words) if criterion in amounts else "",
            class_="number separates" if criterion is row.separated_by and len(compared) > 1 else "number",
        )
        for criterion in compared
    ]
    marks = [out.term(row.part)] if row.part is EntrantKind.GUEST else []
    marks += [out.term(row.status)] if row.status is not EntrantStatus.PRESENT else []
    values = {"byes": row.byes or "", "penalty": f"−{row.penalty}" if row.penalty else ""}
    medal = " medal" if row.place is not None and row.place <= out.format.medals else ""
    return element(
        "tr",
        place_cell(row),
        name_cell(out, row.entrant, *marks),
        element("td", row.played, "*" if row.missing else None, class_="number"),
        cells,
        number_cells(*(values[name] for name in extra)),
        class_=f"row{medal}",
    )


def _notes(out: Printout, rows: Sequence[StandingsRow]) -> Iterator[str]:
    if any(row.separated_by for row in rows) and len(columns(rows)) > 1:
        yield out.say("note.separates")
    if any(row.level_with for row in rows):
        yield out.say("note.level")
    if any(row.missing for row in rows):
        yield out.say("note.missing")
    if out.view.is_sealed:
        yield out.say("sealed")
