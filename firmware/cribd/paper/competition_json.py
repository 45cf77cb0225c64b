"""A competition as JSON, for programs (docs/competition.md).

No language is in it, and nothing of the moment: who waits for an official, what may be done next.
"""

from __future__ import annotations

import json

from cribboard.competition.formats import FIELDS, spelled
from cribd.competition.action_json import as_json
from cribd.paper.printout import Printout

#: The fields of a view that are exported as they are.
_OF_VIEW = ("phase", "games", "table_count", "is_sealed", "entrants", "rounds")


def competition_json(out: Printout) -> bytes:
    """Return the view of a competition as UTF-8 JSON."""
    values = {name: getattr(out.format, name) for name in FIELDS}
    payload = {
        "form": "cribboard-competition/1",
        "name": out.heading.name,
        "date": out.heading.date,
        "format": out.format.label,
        "values": {name: value if isinstance(value, int) else spelled(value) for name, value in values.items()},
        **{name: as_json(getattr(out.view, name)) for name in _OF_VIEW},
        "standings": [as_json(row) | {"amounts": dict(as_json(row.amounts))} for row in out.view.standings],
    }
    return (json.dumps(payload, ensure_ascii=False, indent=1) + "\n").encode()
