"""Why the organiser's desk refuses a request, beside what the engine refuses (`cribboard.competition.refusals`)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: The English sentence of each code.
REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "no_competition": "no competition has been begun",
        "competition_damaged": "competition {number} is damaged: {reason}",
        "competition_unfinished": "competition {number} is not over: its results are not open",
        "another_competition": "this was meant for competition {meant}; number {number} is held now",
        "changed_meanwhile": "somebody else changed this meanwhile: look at it again",
        "nobody_to_seat": "there is no pair to seat now",
        "not_kept": "the journal cannot be written: {reason}",
        "csv_has_problems": "the file has problems: nothing of it was taken",
    }
)


class RefusedRequest(Exception):  # noqa: N818 (as `cribboard.competition.RefusedAction`)
    """The request is not done, and nothing changed. `code` is a key of `REFUSALS`, `values` fill its sentence."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(REFUSALS[code].format(**values))
