"""The club's list of players, kept between competitions.

It serves to complete typed names, and to register all members at once. Two names that differ by case, accents,
ligatures or spaces alone are one member. The list is shown only behind the organiser's PIN.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from unicodedata import normalize

from cribboard.competition import RefusedAction
from cribboard.competition.actions import CheckIn, CompetitionAction, Register
from cribboard.competition.checks import must_be_text
from cribboard.competition.names import MOST_IN_NAME, looks_like, spaced
from cribboard.competition.terms import EntrantStatus
from cribd.competition.action_json import AllowedClause, NotAnAction, known_fields
from cribd.competition.refusals import RefusedRequest, refused_unless_saved
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.storage.journal import Journal

#: The most names in the list.
MOST_MEMBERS = 2000
#: The acts on the list, and the fields of each beside `do`.
_ACTS: Mapping[str, tuple[str, ...]] = {
    "add": ("names",),
    "add_players": (),
    "correct": ("member", "name"),
    "remove": ("member",),
}


def read_members(journal: Journal) -> list[str]:
    """Read the names of the club's members, in alphabetical order. Raises `JournalDamaged`."""
    return sorted(journal.members.all().values(), key=looks_like)


def change_members(journal: Journal, payload: object, state: State) -> list[str]:
    """Change the club's list of players and return the new names.

    A request is `{"do": "add", "names": ["Odile Roy"]}` for example; `add_players` adds the players of the current
    competition. Raises `NotAnAction`, `RefusedAction`, `RefusedRequest`."""
    fields = _read_fields(payload)
    with refused_unless_saved():
        known = journal.members.all()
        match fields["do"]:
            case "add":
                return _add(journal, known, [_clean_name(name) for name in fields["names"]])
            case "add_players":
                if not isinstance(state, CompetitionSnapshot):
                    raise RefusedRequest("no_competition")
                return _add(journal, known, [name for entrant in state.organiser.entrants for name in entrant.players])
            case "correct":
                number, name = _find(known, fields["member"]), _clean_name(fields["name"])
                others = [other for other_number, other in known.items() if other_number != number]
                if looks_like(name) in map(looks_like, others):
                    raise RefusedRequest("member_taken", name=name)
                journal.members.correct(number, name)
                return [name]
        journal.members.remove(_find(known, fields["member"]))
    return []


def registrations(
    journal: Journal, payload: Mapping[str, Any], snapshot: CompetitionSnapshot
) -> tuple[CompetitionAction, ...]:
    """Make the actions that register and check in members.

    `{"names": ["Odile Roy"]}` means these members, and `{}` all. Members who are no entrants yet register; those who
    left stay away. Raises `NotAnAction`, `RefusedRequest`."""
    if other := next((key for key in payload if key != "names"), None):
        raise NotAnAction(str(other), payload[other], known_fields(("names",)))
    if snapshot.heading.format.team_size != 1:
        raise RefusedRequest("members_in_teams")
    with refused_unless_saved():
        known = journal.members.all()
    everybody = sorted(known.values(), key=looks_like)
    chosen = [known[_find(known, name)] for name in _names(payload["names"])] if "names" in payload else everybody
    entrants = snapshot.organiser.entrants
    known_as = (
        (name, entrant) for entrant in entrants for name in (entrant.name, entrant.shown_as, *entrant.players) if name
    )
    by_name = {looks_like(name): entrant for name, entrant in known_as}
    actions, registered = list[CompetitionAction](), len(entrants)
    for key, name in _by_normalised_name(chosen).items():
        if (entrant := by_name.get(key)) is None:
            registered += 1
            actions += [Register(name=name), CheckIn(registered)]
        elif entrant.status in (EntrantStatus.REGISTERED, EntrantStatus.ABSENT):
            actions.append(CheckIn(entrant.number, entrant.captain))
    return tuple(actions)


def _add(journal: Journal, known: Mapping[int, str], names: Sequence[str]) -> list[str]:
    """Add those names that are not in the list yet.

    If the only name is in the list already, it is refused."""
    taken = {looks_like(name) for name in known.values()}
    new = [name for key, name in _by_normalised_name(names).items() if key not in taken]
    if names and not new and len(names) == 1:
        raise RefusedRequest("member_taken", name=names[0])
    if len(known) + len(new) > MOST_MEMBERS:
        raise RefusedRequest("too_many_members", most=MOST_MEMBERS)
    if new:
        journal.members.add(new)
    return new


def _by_normalised_name(names: Iterable[str]) -> Mapping[str, str]:
    """Map each normalised name to its first spelling."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(looks_like(name), name)
    return found


def _find(known: Mapping[int, str], name: str) -> int:
    """Find the number of the member with this name. Raises `RefusedRequest`."""
    for number, other in known.items():
        if looks_like(other) == looks_like(name):
            return number
    raise RefusedRequest("no_such_member", name=name[:MOST_IN_NAME])


def _clean_name(name: str) -> str:
    """Normalise and check a name. Raises `RefusedAction`."""
    name = spaced(normalize("NFC", name)).strip()
    if not name:
        raise RefusedAction("name_empty")
    must_be_text(name, most=MOST_IN_NAME)
    return name


def _read_fields(payload: object) -> Mapping[str, Any]:
    """Check the fields of a request and return them. Raises `NotAnAction`."""
    if not isinstance(payload, Mapping):
        raise NotAnAction("request", payload, AllowedClause("object_with_do"))
    act = payload.get("do")
    if not isinstance(act, str) or act not in _ACTS:
        raise NotAnAction("do", act, AllowedClause("one_of", {"names": tuple(_ACTS)}))
    for key, value in payload.items():
        if key not in ("do", *_ACTS[act]):
            raise NotAnAction(str(key), value, known_fields(_ACTS[act]))
    for field in _ACTS[act]:
        if field == "names":
            _names(payload.get(field))
        elif not isinstance(payload.get(field), str):
            raise NotAnAction(field, payload.get(field), AllowedClause("text"))
    return payload


def _names(payload: object) -> Iterable[str]:
    """Check a list of names, and return it. Raises `NotAnAction`."""
    if not isinstance(payload, list) or len(payload) > MOST_MEMBERS:
        raise NotAnAction("names", payload, AllowedClause("list", {"each": AllowedClause("text")}))
    for at, name in enumerate(payload, start=1):
        if not isinstance(name, str):
            raise NotAnAction(f"names[{at}]", name, AllowedClause("text"))
    return payload
