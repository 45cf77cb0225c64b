"""Answers the requests of the organiser's desk about a competition.

An answer has an HTTP status, with JSON values, a file or the reason of a refusal.

Knows no HTTP: the routes of `/desk` answer with it, and so does `cribboard event` where no board runs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from cribboard.competition import RefusedAction
from cribd.competition import desk_requests
from cribd.competition.action_json import NotAnAction, with_plain_spaces, write_action
from cribd.competition.desk_requests import query_number
from cribd.competition.members import read_members
from cribd.competition.organiser import Organiser
from cribd.competition.refusals import RefusedRequest
from cribd.competition.registration import Preview
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.web.kiosk.desk import competition_files
from cribd.web.kiosk.shared import competition_json

#: The statuses of refusals; of all others it is 409.
_STATUSES = {"not_kept": 503, "wrong_key": 403, "wrong_code": 403, "phone_unknown": 403}

DeskAnswer = tuple[int, Any]
"""A status; and JSON values, a file (`competition_files.CompetitionFile`), or the text of 404."""


async def answered(
    work: Callable[[], Awaitable[Any]], state: Callable[[], State], *, public: bool = False
) -> DeskAnswer:
    """Return the answer or refusal of `work`, with an HTTP status.

    400 is not understood, 403 not allowed for this browser, 404 not found now, 409 refused, 503 not stored. `public`:
    with the names shown in the hall."""
    try:
        return 200, await work()
    except NotAnAction as wrong:
        return 400, competition_json.not_understood(wrong)
    except competition_files.NoFile as none:
        return 404, none.reason
    except (RefusedAction, RefusedRequest) as refused:
        body = competition_json.refusal(refused.code, refused.values, state(), public=public)
        return _STATUSES.get(refused.code, 409), body


@dataclass(frozen=True, slots=True)
class DeskAnswers:
    """Answers the desk's requests by means of the `organiser`.

    `has_board`: whether the machine is a board, which may stand at a table of the hall."""

    organiser: Organiser
    has_board: bool = True

    async def get(
        self, what: str, query: Mapping[str, str], *, address: Callable[[int], str] | None = None
    ) -> DeskAnswer:
        """Answer a GET request for `what`: for example "state" or "log".

        `address` gives the address of each table's page for phones.

        Raises `ArchiveAway`, `JournalDamaged`, `JournalAway`.
        """
        return await answered(partial(self._get, what, query, address), lambda: self.organiser.state)

    async def post(self, what: str, payload: object, query: Mapping[str, str]) -> DeskAnswer:
        """Carry out this request of the desk, and return the answer. Raises the same errors as `get`."""
        return await answered(partial(self._post, what, payload, query), lambda: self.organiser.state)

    async def _get(self, what: str, query: Mapping[str, str], address: Callable[[int], str] | None) -> Any:
        organiser, state = self.organiser, self.organiser.state
        kind, _, name = what.partition("/")
        self._must_be_there(what)
        match kind:
            case "board":
                return {"table": organiser.board_table}
            case "competitions":
                return competition_json.listed(await organiser.listed(), state)
            case "draw":
                return write_action(await organiser.propose())
            case "seeds":
                entrants, placed = await organiser.seeds_from(query_number(query, "from", default=0))
                return {"entrants": entrants, "placed": placed}
            case "state":
                make: Callable[[], Any] = partial(competition_json.desk, state)
            case "formats":
                make = competition_json.formats
            case "members":
                return {"members": await organiser.clock.run_in_thread(partial(read_members, organiser.journal))}
            case "season":
                make = partial(competition_files.season, name, query, organiser.journal)
            case "log":
                after = query_number(query, "after", default=0)
                make = partial(competition_json.log, _current(state), after=after)
            case "record":
                make = partial(competition_files.record, _current(state))
            case "print":
                make = partial(competition_files.sheet, name, query, _current(state), address=address)
            case _:
                make = partial(competition_files.exported, name, query, _current(state), organiser.journal)
        return await organiser.clock.run_in_thread(make)

    async def _post(self, what: str, payload: object, query: Mapping[str, str]) -> Any:
        self._must_be_there(what)
        if what.startswith("csv"):
            _current(self.organiser.state)
        match await desk_requests.REQUESTS[what](self.organiser, with_plain_spaces(payload), query):
            case CompetitionSnapshot() as after:
                return {"competition": after.number, "events": len(after.log)}
            case Preview() as found:
                make = partial(competition_json.preview_of, found)
                return await self.organiser.clock.run_in_thread(make)
            case values:
                return values

    def _must_be_there(self, what: str) -> None:
        """Raise `RefusedRequest` if `what` needs a board, but none is here."""
        if what in ("board", "board/say") and not self.has_board:
            raise RefusedRequest("no_board")


def _current(state: State) -> CompetitionSnapshot:
    """Return the current competition. Raises `NoFile` if there is none."""
    if not isinstance(state, CompetitionSnapshot):
        raise competition_files.NoFile("No competition has been begun.\n")
    return state
