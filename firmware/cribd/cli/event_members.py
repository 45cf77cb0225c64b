"""`cribboard event members`: the club's list of players, from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cribd.cli.event_access import Access
    from cribd.cli.event_answers import Answers
    from cribd.text import Phrases

_ACTS = ("list", "add", "add-players", "correct", "remove", "here")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("act", nargs="?", default="list", choices=_ACTS, metavar="ACT")
    parser.add_argument("names", nargs="*", metavar="NAME")


def run(options: argparse.Namespace, access: Access, answers: Answers) -> int:
    """Print the list, or change it. Returns the exit code."""
    names: list[str] = options.names
    match options.act:
        case "list":
            return answers.tell(access.get("members"), listed)
        case "here":
            return answers.done(access.post("members/here", {"names": names} if names else {}))
        case "add":
            payload: dict[str, Any] = {"do": "add", "names": names}
        case "add-players":
            payload = {"do": "add_players"}
        case "correct":
            payload = {"do": "correct", **dict(zip(("member", "name"), names, strict=False))}
        case _:
            payload = {"do": "remove", **dict(zip(("member",), names, strict=False))}
    return answers.tell(access.post("members", payload), changed)


def listed(payload: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """The members, one line each."""
    yield from payload["members"]
    if not payload["members"]:
        yield words.say("command.event.no_members")


def changed(payload: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """The new names, and how many members there are now."""
    yield from payload["new"]
    yield words.say("command.event.members", members=len(payload["members"]))
