"""`cribboard event members`: shows or changes the club's list of players."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from cribd.cli.desk_session import DeskSession
from cribd.text import Phrases

_ACTIONS = ("list", "add", "add-players", "correct", "remove", "here")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("act", nargs="?", default="list", choices=_ACTIONS, metavar="ACT")
    parser.add_argument("names", nargs="*", metavar="NAME")


def run(session: DeskSession) -> int:
    """Print the list of players, or change it. Returns the exit code."""
    names: list[str] = session.options.names
    access = session.access
    match session.options.act:
        case "list":
            return session.print_answer(access.get("members"), _listed)
        case "here":
            return session.print_done(access.post("members/here", {"names": names} if names else {}))
        case "add":
            payload: dict[str, Any] = {"do": "add", "names": names}
        case "add-players":
            payload = {"do": "add_players"}
        case "correct":
            payload = {"do": "correct", **dict(zip(("member", "name"), names, strict=False))}
        case _:
            payload = {"do": "remove", **dict(zip(("member",), names, strict=False))}
    return session.print_answer(access.post("members", payload), _changed)


def _listed(payload: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    yield from payload["members"]
    if not payload["members"]:
        yield words.say("command.event.no_members")


def _changed(payload: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    yield from payload["new"]
    yield words.say("command.event.members", members=len(payload["members"]))
