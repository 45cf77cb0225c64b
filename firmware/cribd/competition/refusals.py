"""Refusals of the organiser's desk, besides those of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from cribd.storage.journal import JournalAway, JournalDamaged

#: The English sentence of each code.
REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "no_competition": "no competition has been begun",
        "competition_damaged": "competition {number} is damaged: {reason}",
        "no_such_competition": "there is no competition {number}: the last one is {newest}",
        "no_such_event": "there is no event {event} here",
        "another_competition": "this was meant for competition {meant}; number {number} is held now",
        "event_not_open": "the results of competition {number} are not open: open its first place before",
        "asked": "{consequences}: it is done once somebody says yes",
        "changed_meanwhile": "somebody else changed this meanwhile: look at it again",
        "nobody_to_seat": "there is no pair to seat now",
        "not_kept": "the journal cannot be written: {reason}",
        "body_too_long": "this is too long: at most {most} kB are taken",
        "csv_has_problems": "the file has problems: nothing of it was taken",
        "no_board": "this machine is no board, so it stands at no table",
        # the members of the club
        "member_taken": "{name} is in the list of members already",
        "no_such_member": "{name} is not in the list of members",
        "too_many_members": "the list has at most {most} members",
        "members_in_teams": "members register one by one; of a team, type the players",
        # the boards of the club
        "no_such_board": "the club has no board {board}",
        "own_board": "{board} is the hub itself: it cannot be removed from its own club",
        "board_left": "the board has left: refuse it, and it may ask again",
        "too_many_boards": "the club has {most} boards, as many as it can have: remove one that is gone",
        "board_without_table": "{board} stands at no table, so no board can take its place",
        "no_late_result": "there is no such late result any more",
        "its_own_place": "{board} cannot take its own place: choose another board",
        # phones at the tables
        "wrong_key": "this is not the key of table {table}: scan the card that lies there",
        "wrong_code": "no captain has this code",
        "not_seated_here": "{entrant} does not sit at table {table}",
        "phone_unknown": "this phone speaks for nobody: scan the card of the table",
        "not_your_entrant": "this phone speaks for {entrant} alone",
        "not_your_game": "game {game} at table {table} in round {round} is not under way at your table",
    }
)


class RefusedRequest(Exception):  # noqa: N818 (as `cribboard.competition.RefusedAction`)
    """The request was refused, and nothing changed.

    `code` is a key of `REFUSALS`, and `values` fill its sentence."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(REFUSALS[code].format(**values))


@contextmanager
def refused_unless_saved() -> Iterator[None]:
    """Raise `RefusedRequest` if the journal fails inside the `with` block."""
    try:
        yield
    except (JournalAway, JournalDamaged) as away:
        raise RefusedRequest("not_kept", reason=away.args[0]) from away
