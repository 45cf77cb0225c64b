"""`cribboard enroll`: registers the tags of a deck.

The reader's port and protocol are the board's own, so the board can play with any deck that was taught. Each card is on
disk before the command asks for the next: run it again to go on after an interruption. It cannot run beside the board,
which holds its readers. Exit codes: 0 the deck is whole, 1 it is not yet, 2 the command cannot do it.
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
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cribboard import Card, Rank
from cribd.cli.decks import deck_folder, name_problem
from cribd.cli.errors import CommandRefused, Exit, unwritable
from cribd.cli.options import add_json, add_language
from cribd.clock import SystemClock
from cribd.config.config import Config, ReaderConfig, load_config
from cribd.inputs import Input
from cribd.readers.decks import NEW_PACK, Deck, DecksBusy, load_decks, only_writer, save_deck
from cribd.readers.enrolment import CardRefused, CardTakenBack, CardTaught, Enrolment, EnrolmentAnswer, EnrolmentNotice
from cribd.readers.ports import Ports
from cribd.readers.serial_reader import attach
from cribd.terminal import complain, control, single_keys
from cribd.text import Phrases
from cribd.wires import ReaderKind
from cribd.wires.pi import PiWires

_ALL = len(NEW_PACK)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deck", required=True, metavar="NAME")
    parser.add_argument("--reader", metavar="NAME")
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--journal", metavar="FILE")
    add_json(parser)
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Enroll a deck. Returns the exit code."""
    reader = reader_of(load_config(options.config), options.reader, words)
    folder = deck_folder(options)
    if problem := name_problem(options.deck, words) or port_problem(reader, words):
        raise CommandRefused(problem)
    try:
        with only_writer(folder):
            decks = load_decks(folder)
            if own := [problem for problem in decks.problems if problem.startswith(f"{folder / options.deck}.toml")]:
                sentences = map(words.problem, own)
                raise CommandRefused(*sentences, words.say("command.enroll.mend", deck=options.deck))
            complain(*map(words.problem, decks.problems))  # its tags are not known: they cannot be refused
            enrolment = Enrolment(decks.named(options.deck) or Deck(options.deck), decks)
            reporter = _JsonReporter() if options.json else _TextReporter(words, terminal=sys.stdout.isatty())
            return asyncio.run(teach(enrolment, reader, folder, reporter))
    except DecksBusy as wrong:
        raise CommandRefused(words.say("command.decks.busy", folder=folder)) from wrong
    except OSError as wrong:
        raise CommandRefused(unwritable(folder, wrong, words)) from wrong


def reader_of(config: Config, name: str | None, words: Phrases) -> ReaderConfig:
    """Find the named reader, or the only tag reader. Raises `CommandRefused`."""
    by_name = {reader.name: reader for reader in config.readers}
    tags = [reader for reader in config.readers if ReaderKind(reader.kind).reads_tags]
    names = ", ".join(reader.name for reader in tags)
    if name is None and len(tags) == 1:
        return tags[0]
    if not tags:
        kinds = words.one_of([kind for kind in ReaderKind if kind.reads_tags])
        raise CommandRefused(words.say("command.enroll.no_reader", kinds=kinds))
    if name is None:
        raise CommandRefused(words.say("command.enroll.which_reader", readers=names))
    if name not in by_name:
        raise CommandRefused(words.say("command.enroll.no_such_reader", reader=name, readers=names))
    if by_name[name] not in tags:
        raise CommandRefused(words.say("command.enroll.scanner", reader=name))
    return by_name[name]


def port_problem(reader: ReaderConfig, words: Phrases) -> str | None:
    """Return why the reader's port cannot be opened, or None.

    None if the port can be opened, or if no reader is plugged in yet."""
    try:
        port = os.open(reader.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as wrong:
        if wrong.errno in (errno.EACCES, errno.EPERM):
            return words.say("command.enroll.forbidden", port=reader.port)
        if wrong.errno == errno.EBUSY:
            return words.say("command.enroll.held", port=reader.port)
        return None
    try:
        fcntl.flock(port, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as pyserial does
    except BlockingIOError:
        return words.say("command.enroll.held", port=reader.port)
    finally:
        os.close(port)
    return None


# At the reader


async def teach(
    enrolment: Enrolment, reader: ReaderConfig, folder: Path, reporter: _TextReporter | _JsonReporter
) -> int:
    """Ask for the missing cards. Returns the exit code. Raises OSError."""
    clock = SystemClock()
    received: asyncio.Queue[Input | str] = asyncio.Queue()

    def report(inputs: list[Input]) -> None:
        for found in inputs:
            received.put_nowait(found)

    ports = Ports(PiWires({reader.name: reader.port}))
    reading = asyncio.create_task(attach(reader.wire, ports, clock=clock, report=report).run(), name="reader")
    reporter.report_start(enrolment)
    try:
        async with typed_keys(received.put_nowait):
            while enrolment.wanted is not None:
                given = await received.get()
                match given:
                    case "u":
                        answer: EnrolmentAnswer | None = enrolment.take_back()
                    case "q":
                        break
                    case str():
                        continue
                    case _:
                        answer = enrolment.take(given, clock.now())
                if answer is None:
                    continue
                if isinstance(answer, CardTaught | CardTakenBack):
                    save_deck(folder, enrolment.deck)
                reporter.report_answer(answer, enrolment)
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        reporter.report_end(enrolment)
    return Exit.DONE if enrolment.wanted is None else Exit.PROBLEM


@contextlib.asynccontextmanager
async def typed_keys(on_key: Callable[[str], None]) -> AsyncIterator[None]:
    """Call `on_key` with each character from stdin."""
    loop, number = asyncio.get_running_loop(), sys.stdin.fileno()

    def readable() -> None:
        pressed = os.read(number, 64).decode("ascii", "replace")
        if not pressed:
            loop.remove_reader(number)
        for key in pressed:
            on_key(key)

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


class _TextReporter:
    """Prints the enrolment in sentences."""

    _BAR = 26

    def __init__(self, words: Phrases, *, terminal: bool) -> None:
        self._words = words
        self._terminal = terminal

    def report_start(self, enrolment: Enrolment) -> None:
        print(self._words.say("command.enroll.begin", deck=enrolment.deck.name))
        print(self._words.say("command.enroll.keys"))
        self._ask(enrolment)

    def report_answer(self, answer: EnrolmentAnswer, enrolment: Enrolment) -> None:
        if self._terminal:
            control("\r\x1b[K", sys.stdout)
        print(sentence(answer, self._words))
        self._ask(enrolment)

    def report_end(self, enrolment: Enrolment) -> None:
        deck = enrolment.deck
        if self._terminal:
            control("\r\x1b[K", sys.stdout)
        if enrolment.wanted is None:
            print(self._words.say("command.enroll.whole", deck=deck.name, all=_ALL))
        else:
            print(self._words.count("command.enroll.kept", len(deck.cards), all=_ALL))
        sys.stdout.flush()

    def _ask(self, enrolment: Enrolment) -> None:
        if enrolment.wanted is None:
            return
        card = in_words(enrolment.wanted, self._words)
        line = self._words.say("command.enroll.put", number=enrolment.number, all=_ALL, card=card)
        if not self._terminal:
            print(line, flush=True)
            return
        full = len(enrolment.deck.cards) * self._BAR // _ALL
        print(f"[{'#' * full:-<{self._BAR}}] {line}", end="", flush=True)


class _JsonReporter:
    """Prints the enrolment as lines of JSON."""

    def report_start(self, enrolment: Enrolment) -> None:
        self._print({"event": "begins"}, enrolment)

    def report_answer(self, answer: EnrolmentAnswer, enrolment: Enrolment) -> None:
        self._print(_fields(answer), enrolment)

    def report_end(self, enrolment: Enrolment) -> None:
        self._print({"event": "ends"}, enrolment)

    def _print(self, payload: dict[str, Any], enrolment: Enrolment) -> None:
        now = {"deck": enrolment.deck.name, "taught": len(enrolment.deck.cards), "of": _ALL, "wanted": enrolment.wanted}
        print(json.dumps(payload | now), flush=True)


def _fields(answer: EnrolmentAnswer) -> dict[str, Any]:
    match answer:
        case CardTaught():
            return {"event": "taught", **asdict(answer)}
        case CardTakenBack():
            return {"event": "taken_back", **asdict(answer)}
        case CardRefused(why, tag, deck, card):
            return {"event": "refused", "why": why, "tag": tag, "known_in": deck, "known_as": card}
        case EnrolmentNotice():
            return {"event": answer.value}


def sentence(answer: EnrolmentAnswer, words: Phrases) -> str:
    """Return the answer as a sentence."""
    match answer:
        case CardTaught(card):
            return words.say("command.enroll.taught", card=in_words(card, words))
        case CardTakenBack(card):
            return words.say("command.enroll.taken_back", card=in_words(card, words))
        case CardRefused(why, _, deck, card):
            named = in_words(card, words) if card else ""
            return words.say(f"command.enroll.refused.{why.value}", deck=deck, card=named)
        case EnrolmentNotice():
            return words.say(f"command.enroll.{answer.value}")


def in_words(card: str, words: Phrases) -> str:
    """Return the name of a card in words."""
    rank, suit = Card.parse(card).rank, Card.parse(card).suit
    named = "rank" if Rank.TWO <= rank <= Rank.TEN else "voice.rank"
    return words.say("voice.card", rank=words.say(f"{named}.{rank.value}"), suit=words.say(f"voice.suit.{suit}"))
