"""`cribboard enroll --deck NAME`: teaches a deck of tagged cards, card by card, at a real reader.

Speaks to the reader by the same port and the same protocol as the board does, so what can be taught can be played. Each
card is on disk before the next is asked for: whoever is interrupted goes on with the same command. Never runs beside
the board, which holds its readers. Exit codes: 0 the deck is whole, 1 it is not yet, 2 what was asked cannot be done.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import fcntl
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cribd.config import Config, ReaderConfig
    from cribd.facts import Fact
    from cribd.workshop.enrol import Answer, Enrolment

WHOLE, NOT_YET, CANNOT = 0, 1, 2

_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}


def add_to(commands: Any) -> None:
    """Add the command to the command line."""
    enroll = commands.add_parser("enroll", help="teach a deck of tagged cards, card by card")
    enroll.add_argument("--deck", required=True, metavar="NAME", help="what the deck is called")
    enroll.add_argument("--reader", metavar="NAME", help="which reader, if the configuration has several for tags")
    enroll.add_argument("--config", type=Path, metavar="FILE")
    enroll.add_argument("--journal", metavar="FILE", help="where the games are kept: the decks are beside it")
    enroll.add_argument("--json", action="store_true", help="one line of JSON for everything that happens")
    enroll.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Teach the deck that the command line names."""
    from cribd.config import ConfigError, load_config
    from cribd.decks_command import deck_folder, name_problem
    from cribd.readers.decks import Deck, DecksBusy, load_decks, only_writer
    from cribd.workshop.enrol import Enrolment

    try:
        config = load_config(options.config)
        reader = reader_of(config, options.reader)
        folder = deck_folder(options)
    except ConfigError as wrong:
        return _complain(*wrong.problems)
    if problem := name_problem(options.deck) or port_problem(reader):
        return _complain(problem)
    try:
        with only_writer(folder):
            decks = load_decks(folder)
            own = [problem for problem in decks.problems if problem.startswith(f"{folder / options.deck}.toml")]
            if own:
                return _complain(*own, f"Mend it, or forget the deck: cribboard decks forget {options.deck}.")
            for problem in decks.problems:  # its tags are not known: they cannot be refused
                print(problem, file=sys.stderr)
            enrolment = Enrolment(decks.named(options.deck) or Deck(options.deck), decks)
            teller = _Lines() if options.json else _Person(sys.stdout.isatty())
            return asyncio.run(teach(enrolment, reader, folder, teller))
    except DecksBusy as busy:
        return _complain(f"{busy}.")
    except OSError as wrong:
        return _complain(f"{folder} cannot be written: {wrong.strerror}.")


def _complain(*problems: str) -> int:
    for problem in problems:
        print(problem, file=sys.stderr)
    return CANNOT


def reader_of(config: Config, name: str | None) -> ReaderConfig:
    """The reader to teach at: the one that is named, or else the only one that reads tags. Raises `ConfigError`."""
    from cribd.config import ConfigError
    from cribd.wires import ReaderKind

    tags = [reader for reader in config.readers if reader.kind != ReaderKind.SCANNER]
    names = ", ".join(reader.name for reader in tags)
    if name is None and len(tags) == 1:
        return tags[0]
    if not tags:
        raise ConfigError(
            ["No reader of tags is configured: [[readers]] with kind rdm6300 or pn532 (docs/configuration.md)."]
        )
    if name is None:
        raise ConfigError([f"There are several readers of tags: which one? --reader with one of {names}."])
    for reader in config.readers:
        if reader.name == name and reader in tags:
            return reader
        if reader.name == name:
            raise ConfigError([f"--reader {name}: it is a scanner. Printed labels need no teaching (docs/decks.md)."])
    raise ConfigError([f"--reader {name}: there is no such reader; those of tags are {names}."])


def port_problem(reader: ReaderConfig) -> str | None:
    """Why the port cannot be had now, where waiting would not help; one that is not plugged in is waited for."""
    try:
        port = os.open(reader.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as wrong:
        if wrong.errno in (errno.EACCES, errno.EPERM):
            return f"{reader.port} may not be opened: is the user in the group dialout?"
        if wrong.errno == errno.EBUSY:
            return _held(reader)
        return None
    try:
        fcntl.flock(port, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as pyserial does, for whoever opens a port for himself
    except BlockingIOError:
        return _held(reader)
    finally:
        os.close(port)
    return None


def _held(reader: ReaderConfig) -> str:
    return (
        f"{reader.port} is held by another program: the board is running. Stop it first (sudo systemctl stop cribd, or "
        "Ctrl-C where it runs), teach the deck, and start it again."
    )


# At the reader


async def teach(enrolment: Enrolment, reader: ReaderConfig, folder: Path, teller: Teller) -> int:
    """Ask for one card after the other until the deck is whole, or the person leaves. Raises OSError of the disk."""
    from cribd.clock import SystemClock
    from cribd.readers.attach import attach
    from cribd.readers.decks import keep
    from cribd.wires.pi import PiWires
    from cribd.workshop.enrol import TakenBack, Taught

    clock = SystemClock()
    heard: asyncio.Queue[Fact | str] = asyncio.Queue()

    def tell(facts: list[Fact]) -> None:
        for fact in facts:
            heard.put_nowait(fact)

    wires = PiWires({reader.name: reader.port})
    reading = asyncio.create_task(attach(reader.wire, wires, clock=clock, tell=tell).run(), name="reader")
    teller.begins(enrolment)
    try:
        async with _keys(heard.put_nowait):
            while enrolment.wanted is not None:
                fact = await heard.get()
                match fact:
                    case "u":
                        answer: Answer | None = enrolment.take_back()
                    case "q":
                        break
                    case str():
                        continue
                    case _:
                        answer = enrolment.hear(fact, clock.now())
                if answer is None:
                    continue
                if isinstance(answer, Taught | TakenBack):
                    keep(folder, enrolment.deck)
                teller.tells(answer, enrolment)
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        teller.ends(enrolment)
    return WHOLE if enrolment.wanted is None else NOT_YET


@contextlib.asynccontextmanager
async def _keys(hear: Callable[[str], None]) -> AsyncIterator[None]:
    """Keys that are pressed meanwhile are heard: one by one at a terminal, and from a pipe as they come."""
    from cribd.terminal import single_keys

    loop, number = asyncio.get_running_loop(), sys.stdin.fileno()

    def readable() -> None:
        pressed = os.read(number, 64).decode("ascii", "replace")
        if not pressed:
            loop.remove_reader(number)
        for key in pressed:
            hear(key)

    with contextlib.ExitStack() as stack:
        if sys.stdin.isatty():
            stack.enter_context(single_keys())
        try:
            loop.add_reader(number, readable)
        except PermissionError:  # a plain file, or nothing: there are no keys
            yield
            return
        try:
            yield
        finally:
            loop.remove_reader(number)


# What is said


class Teller:
    """Says what happens, to a person or to a program."""

    def begins(self, enrolment: Enrolment) -> None:
        """Say what will be done."""
        raise NotImplementedError

    def tells(self, answer: Answer, enrolment: Enrolment) -> None:
        """Say what came of a card or of a key, and which card is wanted now."""
        raise NotImplementedError

    def ends(self, enrolment: Enrolment) -> None:
        """Say how far it has come."""
        raise NotImplementedError


class _Person(Teller):
    """In sentences; at a terminal with a bar that fills."""

    _BAR = 26

    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal

    def begins(self, enrolment: Enrolment) -> None:
        print(
            f"Deck {enrolment.deck.name}: in the order of a new pack, faces up: spades and diamonds from ace to king, "
            "clubs and hearts from king to ace.\nu takes back the last card, q ends; what was taught is kept."
        )
        self._ask(enrolment)

    def tells(self, answer: Answer, enrolment: Enrolment) -> None:
        if self._terminal:
            print("\r\x1b[K", end="")
        print(sentence(answer))
        self._ask(enrolment)

    def ends(self, enrolment: Enrolment) -> None:
        deck = enrolment.deck
        if self._terminal:
            print("\r\x1b[K", end="")
        if enrolment.wanted is None:
            print(f"The deck {deck.name} is whole: 52 of 52. One card again: cribboard decks forget {deck.name} 5H.")
        else:
            print(f"{len(deck.cards)} of 52 are taught and kept. The same command goes on from there.")
        sys.stdout.flush()

    def _ask(self, enrolment: Enrolment) -> None:
        if enrolment.wanted is None:
            return
        line = f"{enrolment.number} of 52: put the {in_words(enrolment.wanted)} on the reader"
        if not self._terminal:
            print(line, flush=True)
            return
        full = len(enrolment.deck.cards) * self._BAR // 52
        print(f"[{'#' * full:-<{self._BAR}}] {line}", end="", flush=True)


class _Lines(Teller):
    """One line of JSON for everything that happens."""

    def begins(self, enrolment: Enrolment) -> None:
        self._print({"event": "begins"}, enrolment)

    def tells(self, answer: Answer, enrolment: Enrolment) -> None:
        self._print(dict(_fields(answer)), enrolment)

    def ends(self, enrolment: Enrolment) -> None:
        self._print({"event": "ends"}, enrolment)

    def _print(self, said: dict[str, Any], enrolment: Enrolment) -> None:
        now = {"deck": enrolment.deck.name, "taught": len(enrolment.deck.cards), "of": 52, "wanted": enrolment.wanted}
        print(json.dumps(said | now), flush=True)


def _fields(answer: Answer) -> Iterator[tuple[str, str]]:
    from cribd.workshop.enrol import NothingToTakeBack, ReaderAway, ReaderBack, Refused, TakenBack, Taught

    match answer:
        case Taught(card, tag):
            yield from (("event", "taught"), ("card", card), ("tag", tag))
        case TakenBack(card, tag):
            yield from (("event", "taken_back"), ("card", card), ("tag", tag))
        case NothingToTakeBack():
            yield "event", "nothing_to_take_back"
        case Refused(why, tag, deck, card):
            yield from (("event", "refused"), ("why", str(why)), ("tag", tag), ("known_in", deck), ("known_as", card))
        case ReaderAway():
            yield "event", "reader_away"
        case ReaderBack():
            yield "event", "reader_back"


def sentence(answer: Answer) -> str:
    """What came of a card or of a key, for a person."""
    from cribd.workshop.enrol import NothingToTakeBack, ReaderAway, ReaderBack, Refused, TakenBack, Taught, Why

    match answer:
        case Taught(card):
            return f"This is the {in_words(card)}."
        case TakenBack(card):
            return f"The {in_words(card)} is forgotten."
        case NothingToTakeBack():
            return "Nothing was taught since you began. One card of a deck: cribboard decks forget NAME CARD."
        case Refused(Why.KNOWN, _, deck, card):
            return f"Not taken: this is the {in_words(card)} of the deck {deck} already."
        case Refused(Why.CHANGING):
            return "Not taken: this tag has another number each time, and can be no card."
        case Refused(Why.TWO):
            return "Not taken: two cards are on the reader. Lift both, and put down one."
        case Refused(Why.UNREAD):
            return "It could not be read. Lift it, and put it down again."
        case Refused():
            return "Not taken: this is no tag."
        case ReaderAway():
            return "The reader cannot be had: is it plugged in? It is waited for."
        case ReaderBack():
            return "The reader is back."


def in_words(card: str) -> str:
    """A card by its name: 5H is the 5 of hearts."""
    return f"{_RANKS.get(card[0], card[0])} of {_SUITS[card[1]]}"
