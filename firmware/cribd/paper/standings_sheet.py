"""The standings: every amount that was compared, and which one separates a row from that above (3.11, 3.12, 3.30).

Of a sealed competition the hall's sheet has the places that were opened, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cribboard.competition.standings import StandingsRow
from cribboard.competition.tally import Amount
from cribboard.competition.terms import Criterion, EntrantKind, Status
from cribd.paper.html import Child, document, element, table
from cribd.paper.layout import confidential, heading, name_cell
from cribd.paper.printout import Printout


def standings_sheet(out: Printout) -> str:
    """Make the standings sheet."""
    title = out.say("title.standings")
    return document(
        out.language,
        "standings",
        f"{out.name} — {title}",
        element("main", heading(out, title), confidential(out), standings(out)),
    )


def standings(out: Printout) -> Element:
    """Make the table of the standings, and explain its marks."""
    if not out.view.standings:
        return element("p", out.say("sealed" if out.view.is_sealed else "no_standings"), class_="none")
    rows = out.view.standings
    compared = columns(rows)
    shows = _Columns(byes=any(row.byes for row in rows), penalties=any(row.penalty for row in rows))
    head: list[Child] = [
        out.say("head.place"),
        element("th", out.say(out.sized("head.name")), scope="col", class_="who"),
    ]
    head += [out.say("head.games"), *(out.criterion(criterion) for criterion in compared)]
    head += [out.say(f"head.{name}") for name in shows.names]
    body = [_row(out, row, compared, shows) for row in rows]
    notes = [element("p", note) for note in _notes(out, rows)]
    return element(
        "section",
        table(head, body, class_="standings-table wide" if len(head) > 8 else "standings-table"),
        element("div", notes, class_="notes"),
    )


def columns(rows: tuple[StandingsRow, ...]) -> list[Criterion]:
    """List every amount that any row was compared by, in the order of comparison."""
    found = {criterion: None for row in rows for criterion, _ in row.amounts}
    return [*found]


class _Columns:
    """The columns that are shown only if a row needs them."""

    def __init__(self, *, byes: bool, penalties: bool) -> None:
        self.names = [name for name, shown in (("byes", byes), ("penalty", penalties)) if shown]

    def cells(self, row: StandingsRow) -> Iterator[Element]:
        values = {"byes": row.byes or "", "penalty": f"−{row.penalty}" if row.penalty else ""}
        for name in self.names:
            yield element("td", values[name], class_="number")


def _row(out: Printout, row: StandingsRow, compared: list[Criterion], shows: _Columns) -> Element:
    amounts: dict[Criterion, Amount] = dict(row.amounts)
    cells = [
        element(
            "td",
            out.amount(amounts[criterion]) if criterion in amounts else "",
            class_="number separates" if criterion is row.separated_by and len(compared) > 1 else "number",
        )
        for criterion in compared
    ]
    place = "–" if row.place is None else f"{row.place}{'=' if row.level_with else ''}"
    medal = " medal" if row.place is not None and row.place <= out.format.medals else ""
    return element(
        "tr",
        element("th", place, scope="row"),
        name_cell(out, row.entrant, *_marks(out, row)),
        element("td", row.played, "*" if row.missing else None, class_="number"),
        cells,
        shows.cells(row),
        class_=f"row{medal}",
    )


def _marks(out: Printout, row: StandingsRow) -> Iterator[str]:
    """Say why an entrant has no place."""
    if row.part is EntrantKind.GUEST:
        yield out.term(row.part)
    if row.status is not Status.PRESENT:
        yield out.term(row.status)


def _notes(out: Printout, rows: tuple[StandingsRow, ...]) -> Iterator[str]:
    if any(row.separated_by for row in rows) and len(columns(rows)) > 1:
        yield out.say("note.separates")
    if any(row.level_with for row in rows):
        yield out.say("note.level")
    if any(row.missing for row in rows):
        yield out.say("note.missing")
    if out.view.is_sealed:
        yield out.say("sealed")
