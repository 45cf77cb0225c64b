"""Finds sheets and files of a competition by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cribd.paper.certificates import certificates
from cribd.paper.check_list import check_list
from cribd.paper.competition_json import competition_json
from cribd.paper.competition_sheet import competition_sheet
from cribd.paper.csv_files import entrants_csv, results_csv, standings_csv
from cribd.paper.keepsake import keepsake
from cribd.paper.printout import NothingToPrint, Printout
from cribd.paper.score_cards import blank_cards, score_cards
from cribd.paper.slips import slips
from cribd.paper.standings_sheet import standings_sheet
from cribd.paper.table_cards import table_cards

#: The sheets, each an HTML document for a printer. They raise `NothingToPrint`.
SHEETS: Mapping[str, Callable[[Printout], str]] = MappingProxyType(
    {
        "event": competition_sheet,
        "tables": table_cards,
        "slips": slips,
        "check-list": check_list,
        "cards": score_cards,
        "blank-cards": blank_cards,
        "standings": standings_sheet,
        "certificates": certificates,
    }
)


@dataclass(frozen=True, slots=True)
class Export:
    """A kind of file to export."""

    content_type: str
    make: Callable[[Printout], bytes]


#: The files to keep, by their names.
EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "entrants.csv": Export("text/csv; charset=utf-8", entrants_csv),
        "results.csv": Export("text/csv; charset=utf-8", results_csv),
        "standings.csv": Export("text/csv; charset=utf-8", standings_csv),
        "event.json": Export("application/json", competition_json),
        "event.html": Export("text/html; charset=utf-8", keepsake),
    }
)


def print_sheet(name: str, out: Printout) -> str:
    """Make the sheet of this name.

    Raises `NothingToPrint` if no sheet has this name, or if it cannot be printed now."""
    if name not in SHEETS:
        raise NothingToPrint("no_such_sheet", sheet=name, allowed=", ".join(SHEETS))
    return SHEETS[name](out)


def export(name: str, out: Printout) -> bytes:
    """Make the file with this name. Raises `NothingToPrint` if this name is unknown."""
    if name not in EXPORTS:
        raise NothingToPrint("no_such_file", file=name, allowed=", ".join(EXPORTS))
    return EXPORTS[name].make(out)


def file_name(name: str, competition: int) -> str:
    """Return the file name of the export `name`.

    The file name tells no result.
    >>> file_name("standings.csv", 3)
    'cribboard-event-3-standings.csv'
    """
    return f"cribboard-event-{competition}-{name}"
