"""The actions with their own subcommand in `cribboard event`.

Values are typed as people write them, in any language of the board: `121-98`, `2/4/1`, `5-9`, `absent`, `forfait`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from typing import Any

from cribboard.competition.names import looks_like
from cribd.cli.errors import CommandRefused
from cribd.text import Phrases, load_all

#: For each subcommand: the name of its action in JSON, and its arguments in order. `?` ends an argument that may be
#: left out, `*` one that takes the rest.
ACTIONS: Mapping[str, tuple[str, str]] = {
    "register": ("register", "name players*"),
    "rename": ("rename", "entrant name"),
    "rename-player": ("rename_player", "entrant player name"),
    "show-as": ("show_as", "entrant name?"),
    "depart": ("depart", "entrant status reason?"),
    "penalise": ("penalise", "entrant points reason"),
    "substitute": ("substitute", "entrant player name reason"),
    "seed": ("seed_entrants", "entrants*"),
    "hand": ("note_hand", "entrant points"),
    "tables": ("set_tables", "tables"),
    "games": ("set_games", "games"),
    "missing": ("count_missing", "missing"),
    "play": ("begin", "choice?"),
    "pause": ("pause", "reason"),
    "resume": ("resume", ""),
    "announce": ("announce_start", "time"),
    "end": ("end_play", ""),
    "start": ("start_round", ""),
    "cancel": ("cancel_round", "reason"),
    "result": ("enter_result", "at scores ending?"),
    "correct": ("correct_result", "at scores reason ending?"),
    "dispute": ("dispute_result", "at entrant reason"),
    "check": ("check_result", "at scores?"),
    "answer": ("answer_call", "entrant"),
    "share": ("share_medal", "entrants*"),
    "open": ("open_place", "place reason?"),
    "undo": ("undo", ""),
}
_NUMBERS = frozenset({"entrant", "points", "player", "tables", "games", "place", "entrants"})
#: The values that have words in each language (`command.typed.ARGUMENT.VALUE`, several with commas), by argument.
TYPED: Mapping[str, tuple[str, ...]] = {
    "status": ("absent", "left", "disqualified"),
    "missing": ("zero", "average"),
    "choice": ("as_set", "one_short", "round_robin"),
    "ending": ("finished", "broken-off"),
    "table": ("none",),
    "sheet": ("event", "tables", "slips", "check-list", "cards", "blank-cards", "standings", "certificates"),
}


def add_arguments(parser: argparse.ArgumentParser, arguments: str) -> None:
    """Add the arguments of a subcommand."""
    for argument in arguments.split():
        name = argument.rstrip("?*")
        nargs = argument[-1] if argument[-1] in "?*" else None
        parser.add_argument(name, nargs=nargs, type=int if name in _NUMBERS else str, metavar=name.upper())


def action(options: argparse.Namespace, words: Phrases) -> dict[str, Any]:
    """Return the action of a subcommand, as JSON.

    Games and scores are sent as typed, and the board answers what is allowed. Raises `CommandRefused`."""
    name, arguments = ACTIONS[options.what]
    payload: dict[str, Any] = {"do": name}
    for argument in (word.rstrip("?*") for word in arguments.split()):
        if (value := getattr(options, argument)) is not None:
            payload[argument] = typed_value(argument, value, words) if argument in TYPED else value
    return payload


def typed_value(argument: str, text: str, words: Phrases) -> str:
    """Find the value that this text names, in any language. Raises `CommandRefused` if there is none."""
    if (found := find_value(argument, text)) is not None:
        return found
    allowed = ", ".join(names_of(argument, value, words)[0] for value in TYPED[argument])
    raise CommandRefused(words.say("command.event.not_typed", text=text, allowed=allowed))


def find_value(argument: str, text: str) -> str | None:
    """Return the value that this text names, or None."""
    wanted = _plain(text)
    for value in TYPED[argument]:
        names = {value, *(name for words in load_all().values() for name in names_of(argument, value, words))}
        if wanted in map(_plain, names):
            return value
    return None


def names_of(argument: str, value: str, words: Phrases) -> list[str]:
    """List the words for this value, the usual word first."""
    return words.say(f"command.typed.{argument}.{value}".replace("-", "_")).split(", ")


def _plain(text: str) -> str:
    return looks_like(re.sub("[-_]", " ", text))


def entrant_numbers(word: str) -> tuple[int, ...]:
    """Parse the numbers of entrants: `7`, or `5-9`."""
    found = re.fullmatch(r"(\d{1,4})(?:[-–](\d{1,4}))?", word)
    numbers = tuple(range(int(found[1]), int(found[2] or found[1]) + 1)) if found else ()
    if not numbers:
        raise ValueError
    return numbers


def round_number(word: str) -> int:
    """Parse the number of a round for argparse."""
    if not re.fullmatch(r"[1-9][0-9]{0,8}", word):
        raise ValueError
    return int(word)


def captain_number(word: str) -> int:
    """Parse the number of a team's captain: 1 or 2."""
    if word not in ("1", "2"):
        raise ValueError
    return int(word)


def arrivals(options: argparse.Namespace, state: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return a check-in action for each entrant that the options name.

    `--all` adds every entrant who is still expected. The registered captain stays. None if a number could be a captain
    or an entrant."""
    numbers = list(dict.fromkeys(number for word in options.entrants for number in word))
    captains = {entrant["number"]: entrant["captain"] for entrant in state.get("entrants", ())}
    if options.all:
        numbers += [entrant["number"] for entrant in state.get("entrants", ()) if entrant["status"] == "registered"]
    captain = None if options.captain is None else options.captain - 1
    if len(options.entrants) == 2 and options.entrants[1] in ((0,), (1,)) and captain is None:
        first, (index,) = options.entrants
        if index == 1 and len(first) == 1 and state.get("values", {}).get("team_size") == 2:
            return None
        if index == 0:
            numbers, captain = list(first), 0
    return [
        {"do": "check_in", "entrant": number, "captain": captains.get(number, 0) if captain is None else captain}
        for number in dict.fromkeys(numbers)
    ]
