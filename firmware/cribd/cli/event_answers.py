"""Prints the desk's answers to `cribboard event`: lines, files, and reasons of refusals."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cribd.cli.errors import Exit, refuse, unwritable

if TYPE_CHECKING:
    from cribd.cli.event_access import Access
    from cribd.text import Phrases


class Answers:
    """Prints the answers of the desk behind `access`, and returns the exit code of each."""

    def __init__(self, access: Access, options: argparse.Namespace, words: Phrases) -> None:
        self._access = access
        self._options = options
        self._words = words

    def tell(self, answer: tuple[int, Any], lines: Callable[[Any, Phrases], Iterable[str]]) -> int:
        """Print the `lines` of an answer, or the reason of a refusal."""
        status, body = answer
        if self._options.json:
            print(json.dumps(body if isinstance(body, dict | list) else {"status": status}, ensure_ascii=False))
        elif status == 200:
            from cribd.terminal import say

            for line in lines(body, self._words):
                say(line)
        elif status == 404:
            refuse(self._nothing())
        else:
            refused = body["refused"]
            refuse(refused["text"][self._options.language], *self._next_step(refused["code"], refused["values"]))
        if status == 200:
            return Exit.DONE
        return Exit.CANNOT if status == 400 else Exit.PROBLEM

    def _next_step(self, code: str, values: Mapping[str, Any]) -> Iterator[str]:
        """The command that helps after a refusal. Often there is none."""
        phrase = f"command.event.next.{code}" + (f".{values['phase']}" if "phase" in values else "")
        if (step := self._words.say(phrase, **values)) != phrase:
            yield step

    def show(self) -> int:
        """Print the state of the competition. A damaged one is a problem."""
        answer = self._access.get("state")
        if answer[1]["damaged"] is None:
            return self.tell(answer, self._shown)
        if self._options.json:
            self.tell(answer, self._shown)
            return Exit.PROBLEM
        return refuse(self._nothing(), code=Exit.PROBLEM)

    def done(self, answer: tuple[int, Any]) -> int:
        """Print the last event of the log, or the reason of a refusal."""
        return self.tell(answer, self._done)

    def _done(self, done: Mapping[str, Any], words: Phrases) -> Iterator[str]:
        _, log = self._access.get("log")
        if log:
            yield str(log[-1]["text"][self._options.language])
            if self._options.what == "open":
                yield from medal(self._access.get("state")[1], self._options.place, words)
        else:
            yield words.say("command.event.begun", number=done["competition"])

    def switched(self, _: object, words: Phrases) -> Iterator[str]:
        """The state of the competition that has become the current one."""
        _, state = self._access.get("state")
        return self._shown(state, words)

    def _shown(self, state: Mapping[str, Any], words: Phrases) -> Iterator[str]:
        return shown(state, words, self._options.language)

    def log(self) -> int:
        """Print the whole log."""
        return self.tell(self._access.get("log"), lambda log, _: logged(log, self._options.language))

    def write(self, answer: tuple[int, Any]) -> int:
        """Write a file to its path or to stdout, or print why there is none."""
        status, text = answer
        if status != 200:
            is_there = self._access.get("state")[1]["competition"] is not None or self._options.what == "season"
            return refuse(str(text) if is_there else self._nothing(), code=Exit.PROBLEM)
        if self._options.to is None or str(self._options.to) == "-":
            from cribd.terminal import write_file

            write_file(text)
            return Exit.DONE
        try:
            self._options.to.write_bytes(str(text).encode())
        except OSError as wrong:
            return refuse(unwritable(self._options.to, wrong, self._words))
        return Exit.DONE

    def _nothing(self) -> str:
        """The sentence for a missing or damaged competition."""
        damaged = self._access.get("state")[1]["damaged"]
        if damaged is None:
            return self._words.say("command.event.none")
        return self._words.say("competition.refused.competition_damaged", **damaged)


def standing(body: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """The table of the hall at which the board stands."""
    table = body["table"]
    yield words.say("command.event.no_table") if table is None else words.say("command.event.at_table", table=table)


def shown(state: Mapping[str, Any], words: Phrases, language: str) -> Iterator[str]:
    """The state of the competition: current round, missing results, entrants, standings and medals."""
    if state["competition"] is None:
        yield words.say("command.event.none")
        return
    phase = words.say(f"competition.phase.{state['phase']}")
    yield words.say("command.event.title", name=state["name"] or state["format"], phase=phase)
    if state["paused"]:
        yield words.say("command.event.paused", reason=state["paused"])
    yield from _round(state, words)
    yield from _entrants(state, words)
    yield from _standings(state, words)
    yield from _medals(state, words, language)


def _round(state: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """The tables of the current round, entrants with a bye or waiting, and games without a result."""
    from cribd.text.competitions import round_name

    names = _numbered(state)
    if state["round"]:
        play_offs = [round_["number"] for round_ in state["rounds"] if round_["play_off"]]
        title = round_name(state["round"], play_offs, words)
        drawn = state["stage"] == "drawn"
        yield words.say("command.event.round_drawn", round=title) if drawn else title
        for table in state["tables"]:
            scores = ", ".join(f"{one}:{other}" for one, other in (result["scores"] for result in table["results"]))
            first, second = (names[number] for number in table["entrants"])
            yield f"  {table['table']:>3}  {first} – {second}  {scores}".rstrip()
    games = [f"{game['round']}/{game['table']}/{game['game']}" for game in state["outstanding"]]
    for code, found in (
        ("byes", [names[number] for number in state["byes"]]),
        ("waiting", [names[number] for number in state["waiting"]]),
        ("calls", [names[number] for number in state["calls"]]),
        ("outstanding", games),
    ):
        if found:
            yield words.say(f"command.event.{code}", of=", ".join(found))


def _entrants(state: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """Every entrant with the number that other commands use."""
    from cribd.terminal import table

    here = sum(entrant["status"] == "present" for entrant in state["entrants"])
    yield words.say("command.event.entrants", all=len(state["entrants"]), here=here)
    rows = []
    for entrant in state["entrants"]:
        players = [
            words.say("page.desk.captain.of", name=name) if number == entrant["captain"] else name
            for number, name in enumerate(entrant["players"])
        ]
        part = words.say("competition.part.guest") if entrant["part"] == "guest" else ""
        shown_as = words.say("page.desk.shown_as", name=entrant["shown_as"]) if entrant["shown_as"] else ""
        about = "; ".join(filter(None, (", ".join(players) if len(players) > 1 else "", part, shown_as)))
        status = words.say(f"competition.status.{entrant['status']}")
        rows.append([entrant["number"], entrant["name"], status, about])
    if rows:
        yield from table(rows)


def _standings(state: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    from cribd.terminal import table

    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    missing = [f"{names[row['entrant']]} {row['missing']}" for row in state["standings"] if row["missing"]]
    if missing:
        yield words.say("command.event.missing_games", of=", ".join(missing))
    yield words.say("command.event.standings")
    if state["standings"]:
        compared = list(dict.fromkeys(amount for row in state["standings"] for amount in row["amounts"]))
        heads = [words.say(f"competition.criterion.{criterion}") for criterion in compared]
        rows = [
            [row["place"] or "", names[row["entrant"]], *(row["amounts"].get(criterion, "") for criterion in compared)]
            for row in state["standings"]
        ]
        yield from table([["", "", *heads], *rows])


def _medals(state: Mapping[str, Any], words: Phrases, language: str) -> Iterator[str]:
    """The winner of each open place, and why the next place is still closed."""
    for place in state["opened"]:
        yield from medal(state, place, words)
    names = _numbered(state)
    for group in state["level"]:
        level = ", ".join(names[number] for number in group["entrants"])
        yield words.say("command.event.level", place=group["place"], of=level)
    if state["next_place"] is not None:
        yield words.say("command.event.next_place", place=state["next_place"])
        yield from (f"  {obstacle['text'][language]}" for obstacle in state["obstacles"])


def medal(state: Mapping[str, Any], place: int, words: Phrases) -> Iterator[str]:
    """The entrants in this place, with the players of teams."""
    names = _numbered(state)
    for row in state["standings"]:
        if row["place"] == place:
            entrant = state["entrants"][row["entrant"] - 1]
            players = f" ({', '.join(entrant['players'])})" if len(entrant["players"]) > 1 else ""
            yield words.say("command.event.medal", place=place, who=names[row["entrant"]] + players)


def _numbered(state: Mapping[str, Any]) -> Mapping[int, str]:
    return {entrant["number"]: f"{entrant['number']} {entrant['name']}" for entrant in state["entrants"]}


def listed(events: Any, words: Phrases) -> Iterator[str]:
    """The competitions of the journal with the state of each; `*` before the current one."""
    from cribd.terminal import table

    if not events:
        yield words.say("command.event.none")
        return
    rows = [
        [
            "*" if event["current"] else "",
            event["competition"],
            event["date"],
            event["name"],
            event["format"],
            words.say(f"competition.phase.{event['phase']}" if event["phase"] else "command.event.is_damaged"),
        ]
        for event in events
    ]
    yield from table(rows, wrapping=(3, 5))


class NoSuchEvent(Exception):  # noqa: N818 (what somebody typed)
    """No competition has this number or name, or several have this name. `code` is the code of a phrase."""

    def __init__(self, code: str, word: str, numbers: Iterable[int]) -> None:
        super().__init__(word)
        self.code = code
        self.word = word[:60]
        self.numbers = ", ".join(map(str, numbers)) or "–"


def find_competition(word: str, events: Sequence[Mapping[str, Any]]) -> int:
    """The number of the competition with this number or name in the journal. Raises `NoSuchEvent`."""
    from cribboard.competition.names import looks_like

    numbers = [event["competition"] for event in events]
    if word.isascii() and word.isdecimal():
        if len(word) < 10 and int(word) in numbers:
            return int(word)
        raise NoSuchEvent("no_such_event", word, numbers)
    named = [
        event["competition"] for event in events if event["name"] and looks_like(event["name"]) == looks_like(word)
    ]
    if len(named) == 1:
        return int(named[0])
    raise NoSuchEvent("several_events" if named else "no_such_event", word, named or numbers)


def logged(log: Any, language: str) -> Iterator[str]:
    """The log, one line for each event; `×` if it was undone."""
    for event in log:
        mark = "×" if event["undone"] else " "
        at = datetime.fromisoformat(event["at"]).astimezone()
        yield f"{event['number']:>4} {mark} {at:%Y-%m-%d %H:%M}  {event['text'][language]}"
