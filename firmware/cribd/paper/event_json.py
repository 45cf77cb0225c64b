"""A competition as JSON, for programs: the view of the hall or of the desk (docs/competition.md).

No language is in it, and nothing of the moment: who waits for an official, what may be done next.
"""

from __future__ import annotations

import json
from typing import Any

from cribboard.competition.formats import FIELDS, spelled
from cribd.competition.action_json import as_json
from cribd.paper.printout import Printout

FORM = "cribboard-competition/1"

#: The fields of a view that are exported.
_KEPT = ("phase", "games", "table_count", "is_sealed", "entrants", "rounds", "standings")


def event_json(out: Printout) -> bytes:
    """Write the competition as this eye sees it, in UTF-8."""
    return (json.dumps(competition(out), ensure_ascii=False, indent=1) + "\n").encode()


def competition(out: Printout) -> dict[str, Any]:
    """Convert a competition to JSON values."""
    values = {name: getattr(out.format, name) for name in FIELDS}
    return {
        "form": FORM,
        "name": out.heading.name,
        "date": out.heading.date,
        "format": out.format.label,
        "values": {name: value if isinstance(value, int) else spelled(value) for name, value in values.items()},
        **{name: as_json(getattr(out.view, name)) for name in _KEPT},
        "standings": [as_json(row) | {"amounts": dict(as_json(row.amounts))} for row in out.view.standings],
    }
