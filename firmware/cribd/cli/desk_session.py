"""The requests and the printed answers of `cribboard event`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from cribboard.competition.names import looks_like
from cribd.cli.competition_access import Access
from cribd.cli.errors import CommandRefused, Exit, unwritable
from cribd.terminal import complain, say, table, write_file
from cribd.text import Phrases
from cribd.text.competitions import round_name


class DeskSession:
    """Sends requests to the desk, and prints the answers.

    Each answer gives an exit code."""

    def __init__(self, access: Access, options: argparse.Namespace, words: Phrases) -> None:
        self.access = access
        self.options = options
        self.words = words

    def print_answer(self, answer: tuple[int, Any], lines: Callable[[Any, Phrases], Iterable[str]]) -> int:
        """Print an answer or a refusal. Returns the exit code."""
        status, body = answer
        if self.options.json:
            print(json.dumps(body if isinstance(body, dict | list) else {"status": status}, ensure_ascii=False))
        elif status == 200:
            say(*lines(body, self.words))
        elif status == 404:
            complain(self._nothing())
        else:
            refused = body["refused"]
            complain(refused["text"][self.options.language], *self._next_step(refused["code"], refused["values"]))
        if status == 200:
            return Exit.DONE
        return Exit.CANNOT if status == 400 else Exit.PROBLEM

    def _next_step(self, code: str, values: Mapping[str, Any]) -> Iterator[str]:
        """Yield the command that helps after this refusal, if any."""
        phrase = f"command.event.next.{code}" + (f".{values['phase']}" if "phase" in values else "")
        if (step := self.words.say(phrase, **values)) != phrase:
            yield step

    def print_state(self) -> int:
        """Print the competition's state. Returns the exit code. Raises `CommandRefused`."""
        answer = self.access.get("state")
        if answer[1]["damaged"] is None:
            return self.print_answer(answer, self._state)
        if not self.options.json:
            raise CommandRefused(self._nothing(), code=Exit.PROBLEM)
        self.print_answer(answer, self._state)
        return Exit.PROBLEM

    def print_switched(self, answer: tuple[int, Any]) -> int:
        """Print the competition that is the current one now, or a refusal."""
        return self.print_answer(answer, lambda _, words: self._state(self.access.get("state")[1], words))

    def _state(self, state: Mapping[str, Any], words: Phrases) -> Iterator[str]:
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
        yield from _medals(state, words, self.options.language)

    def print_done(self, answer: tuple[int, Any]) -> int:
        """Print what a request has done, or the refusal."""
        return self.print_answer(answer, self._done)

    def _done(self, done: Mapping[str, Any], words: Phrases) -> Iterator[str]:
        _, log = self.access.get("log")
        if log:
            yield str(log[-1]["text"][self.options.language])
            if self.options.what == "open":
                yield from _medal(self.access.get("state")[1], self.options.place, words)
        else:
            yield words.say("command.event.begun", number=done["competition"])

    def print_log(self) -> int:
        """Print the whole log of the competition."""
        return self.print_answer(self.access.get("log"), self._logged)

    def _logged(self, log: Any, _: Phrases) -> Iterator[str]:
        """Yield a line for each event of the log."""
        for event in log:
            mark = "×" if event["undone"] else " "
            at = datetime.fromisoformat(event["at"]).astimezone()
            yield f"{event['number']:>4} {mark} {at:%Y-%m-%d %H:%M}  {event['text'][self.options.language]}"

    def write(self, answer: tuple[int, Any]) -> int:
        """Write the desk's file to a path or to stdout.

        Raises `CommandRefused` if the answer has no file, or if the file cannot be written."""
        status, text = answer
        if status != 200:
            is_there = self.access.get("state")[1]["competition"] is not None or self.options.what == "season"
            raise CommandRefused(str(text) if is_there else self._nothing(), code=Exit.PROBLEM)
        if self.options.to is None or str(self.options.to) == "-":
            write_file(text)
            return Exit.DONE
        try:
            self.options.to.write_bytes(str(text).encode())
        except OSError as wrong:
            raise CommandRefused(unwritable(self.options.to, wrong, self.words)) from wrong
        return Exit.DONE

    def _nothing(self) -> str:
        """Return the sentence for a missing or damaged competition."""
        damaged = self.access.get("state")[1]["damaged"]
        if damaged is None:
            return self.words.say("command.event.none")
        return self.words.say("competition.refused.competition_damaged", **damaged)

    def find_competition(self, word: str) -> int:
        """Return a competition's number, found by number or name. Raises `CommandRefused`."""
        _, competitions = self.access.get("competitions")
        numbers = [found["competition"] for found in competitions]
        if word.isascii() and word.isdecimal():
            matching = [int(word)] if len(word) < 10 and int(word) in numbers else []
        else:
            named = (found for found in competitions if found["name"])
            matching = [int(found["competition"]) for found in named if looks_like(found["name"]) == looks_like(word)]
        if len(matching) == 1:
            return matching[0]
        code = "command.event.several_events" if matching else "command.event.no_such_event"
        listed = ", ".join(map(str, matching or numbers)) or "–"
        raise CommandRefused(self.words.say(code, event=word[:60], numbers=listed))


def standing(body: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """Yield a line with the number of the board's table."""
    number = body["table"]
    yield words.say("command.event.no_table") if number is None else words.say("command.event.at_table", table=number)


def listed(competitions: Sequence[Mapping[str, Any]], words: Phrases) -> Iterator[str]:
    """Yield a line for each competition; `*` marks the current one."""
    if not competitions:
        yield words.say("command.event.none")
        return
    rows = [
        [
            "*" if found["current"] else "",
            *(found[key] for key in ("competition", "date", "name", "format")),
            words.say(f"competition.phase.{found['phase']}" if found["phase"] else "command.event.is_damaged"),
        ]
        for found in competitions
    ]
    yield from table(rows, wrapping=(3, 5))


def _round(state: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """Yield the lines of the current round."""
    names = _numbered(state)
    if state["round"]:
        play_offs = [round_["number"] for round_ in state["rounds"] if round_["play_off"]]
        title = round_name(state["round"], play_offs, words)
        drawn = state["stage"] == "drawn"
        yield words.say("command.event.round_drawn", round=title) if drawn else title
        for seated in state["tables"]:
            scores = ", ".join(f"{one}:{other}" for one, other in (result["scores"] for result in seated["results"]))
            first, second = (names[number] for number in seated["entrants"])
            yield f"  {seated['table']:>3}  {first} – {second}  {scores}".rstrip()
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
    """Yield the lines about the entrants."""
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
    """Yield the lines of the medal places."""
    for place in state["opened"]:
        yield from _medal(state, place, words)
    names = _numbered(state)
    for group in state["level"]:
        level = ", ".join(names[number] for number in group["entrants"])
        yield words.say("command.event.level", place=group["place"], of=level)
    if state["next_place"] is not None:
        yield words.say("command.event.next_place", place=state["next_place"])
        yield from dict.fromkeys(f"  {obstacle['text'][language]}" for obstacle in state["obstacles"])


def _medal(state: Mapping[str, Any], place: int, words: Phrases) -> Iterator[str]:
    """Yield a line for each entrant in this medal place."""
    names = _numbered(state)
    for row in state["standings"]:
        if row["place"] == place:
            entrant = state["entrants"][row["entrant"] - 1]
            players = f" ({', '.join(entrant['players'])})" if len(entrant["players"]) > 1 else ""
            yield words.say("command.event.medal", place=place, who=names[row["entrant"]] + players)


def _numbered(state: Mapping[str, Any]) -> Mapping[int, str]:
    return {entrant["number"]: f"{entrant['number']} {entrant['name']}" for entrant in state["entrants"]}
