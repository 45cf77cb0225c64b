"""What the frozen outputs use of the product. No other module of `tests/frozen` imports the product.

So a module of the product may move, and only an import here changes. Most outputs need no module by name: they come
from the command line, HTTP, the WebSocket and the SQLite file.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

from aiohttp import web

from cribboard import RULES, record
from cribboard.actions import Action, Agree, Ask, LayCard, LetLieDead, Question
from cribboard.competition import record as competition_record
from cribboard.competition import standings
from cribboard.competition.event_notation import write as event_line
from cribboard.competition.medals import level_at_medals
from cribboard.events import Acted, Event
from cribboard.record import Heading, Record
from cribboard.rules import Rules, Way, changed, read_label
from cribd.__main__ import main
from cribd.boards import load as load_board
from cribd.cli.demo import play
from cribd.clock import Clock, ManualClock
from cribd.config.config import Config, PageConfig, ReaderConfig, TableConfig, configure, rules_of
from cribd.daemon import open_device
from cribd.daemon.serve_pages import serve_pages
from cribd.inputs import (
    CardRead,
    FaultCleared,
    FaultKind,
    HolePressed,
    Input,
    Key,
    KeyHeld,
    KeyPressed,
    KeysTogether,
    MultipleCards,
    NamesGiven,
    NewGameAsked,
    NewMatchAsked,
    OtherDeck,
    ReadFailed,
    RulesGiven,
    UndoAsked,
    UnknownTag,
    read_fault,
)
from cribd.languages import CATALOGUES
from cribd.storage.archive import Archive
from cribd.table.rule_sets import PRESETS
from cribd.table.settings import Policy
from cribd.text import languages
from cribd.text import load as load_phrases
from cribd.text.catalogue import own_name
from cribd.twin.machine import Twin
from cribd.twin.web import TwinPage
from cribd.voice.announcement_text import announcement
from cribd.web.kiosk.site import Site

__all__ = [
    "CATALOGUES",
    "RULES",
    "Acted",
    "Action",
    "Agree",
    "Ask",
    "Event",
    "Heading",
    "Input",
    "LayCard",
    "LetLieDead",
    "ManualClock",
    "Policy",
    "Question",
    "Record",
    "Rules",
    "Way",
    "changed",
    "forget_phrases",
    "input_of",
    "load_board",
    "main",
    "mount_kiosk",
    "mount_twin",
    "places_of",
    "play",
    "read_label",
    "record",
    "settled",
    "spoken",
    "switched_on",
]

#: Every key of the configuration, and where today's code keeps its value. A key stays; the place may be renamed.
_KEPT_IN = {
    "journal": "journal",
    "table.board": "table.board",
    "table.rules": "table.rules",
    "table.house_rules": "table.house_rules",
    "table.way": "table.way",
    "table.language": "table.language",
    "table.release_after_ms": "table.release_after_ms",
    "table.deck": "table.deck",
    "table.blue": "table.blue",
    "table.red": "table.red",
    "table.green": "table.green",
    "buttons.scan_ms": "buttons.scan_ms",
    "buttons.debounce_ms": "buttons.debounce_ms",
    "buttons.stuck_s": "buttons.stuck_s",
    "buttons.hold_s": "buttons.hold_s",
    "lights.brightness": "lights.brightness",
    "lights.gamma": "lights.gamma",
    "screen.faces": "screen.faces",
    "sound.volume": "sound.volume",
    "voice.on": "voice.on",
    "voice.volume": "voice.volume",
    "voice.speed": "voice.speed",
    "voice.quiet": "voice.quiet",
    "voice.command": "voice.command",
    "page.host": "page.host",
    "page.port": "page.port",
    "page.pin": "page.pin",
}
_KEPT_IN_A_READER = {key: key for key in ("name", "kind", "port", "baud", "prefix", "suffix", "side")}


def settled(path: Path | None) -> Iterator[tuple[str, Any]]:
    """The values of a valid configuration file, key by key, and its board and rules."""
    config, board = configure(path, {})
    for key, place in _KEPT_IN.items():
        yield key, attrgetter(place)(config)
    for number, reader in enumerate(config.readers, start=1):
        for key, place in _KEPT_IN_A_READER.items():
            yield f"readers[{number}].{key}", getattr(reader, place)
        yield f"readers[{number}] baud in use", reader.wire.baud
    yield "journal in use", str(config.journal_path)
    rules, house = rules_of(config, board)
    yield "board in use", board.name
    yield "rules in use", f"{rules.title}: {rules.rules.label}"
    for each in house:
        yield "house rules in use", f"{each.title}: {each.rules.label}"


def input_of(line: str) -> Input:
    """The input of a line of a script: "hole 0 25", "ok 1", "scan 5H"."""
    word, _, rest = line.partition(" ")
    match word:
        case "scan":
            return CardRead(rest)
        case "scans":
            return MultipleCards(tuple(rest.split()))
        case "unknown-tag":
            return UnknownTag(rest)
        case "other-deck":
            return OtherDeck(rest)
        case "unreadable":
            return ReadFailed()
        case "hole":
            return HolePressed(*map(int, rest.split()))
        case "hold":
            return _key(rest, KeyHeld)
        case "palm":
            return KeysTogether()
        case "fault" | "mended":
            kind, _, where = rest.partition(" ")
            fault = read_fault(FaultKind(kind), where)
            return fault if word == "fault" else FaultCleared(fault.kind, fault.where)
        case "names" | "same-names":
            return NamesGiven(tuple(rest.split(",")) if rest else (), same_players=word == "same-names")
        case "rules":
            return RulesGiven(rest)
        case "new-game":
            return NewGameAsked()
        case "new-match":
            return NewMatchAsked()
        case "owner-undo":
            return UndoAsked(int(rest))
    return _key(line, KeyPressed)


def _key(line: str, kind: type[KeyPressed | KeyHeld]) -> Input:
    key, _, side = line.partition(" ")
    return kind(Key(key), int(side) if side else None)


def mount_kiosk(
    app: web.Application, table: Any, *, board: str, journal: Path, clock: Clock, pin: str
) -> Callable[[Any], None]:
    """The kiosk's pages on this application, as the daemon mounts them; returns what shows them a snapshot."""
    site = Site(
        table,
        board=load_board(board),
        archive=Archive(journal),
        offered=PRESETS,
        clock=clock,
        pin=pin,
        host="127.0.0.1",
    )
    site.mount(app)
    return site.show


def mount_twin(app: web.Application, *, board: str, folder: Path, clock: ManualClock) -> tuple[Twin, TwinPage]:
    """A twin without a daemon, and its page on this application. The caller closes the twin."""
    twin = Twin(load_board(board), clock, folder=folder)
    page = TwinPage(twin, load_board(board), clock=clock)
    page.mount(app)
    return twin, page


def spoken(snapshot: Any, before: Any) -> Mapping[str, str]:
    """What the voice says when the snapshot changes, by language."""
    return {language: announcement(snapshot, before, load_phrases(language)) for language in languages()}


def places_of(text: str) -> Iterator[str]:
    """The format of a competition's record, and the standings after each act from the end of play on."""
    read = competition_record.read(text)
    competition, before = read.heading.begin(), list[str]()
    yield read.heading.format.label
    for event in read.events:
        competition.append([event])
        if competition.position.phase in ("registration", "play"):
            continue
        yield f"> {event_line(event)}"
        rows = [
            f"{row.place} entrant {row.entrant}: {' '.join(f'{name} {amount}' for name, amount in row.amounts)}"
            f"{f', by {row.separated_by}' if row.separated_by else ''}"
            for row in standings(competition.position)
            if row.place
        ]
        level = [f"level at {group.place}: {group.entrants}" for group in level_at_medals(competition.position)]
        if rows + level != before:
            yield from rows + level
        before = rows + level
    places = (f"{row.entrant} is {row.place}" for row in standings(competition.position))
    yield f"{competition.position.phase}, opened {competition.position.opened}: {', '.join(places)}"


def forget_phrases() -> None:
    """Read the catalogues again when a phrase is wanted."""
    load_phrases.cache_clear()
    own_name.cache_clear()


Touch = Callable[[str], Awaitable[None]]


@asynccontextmanager
async def switched_on(folder: Path, board: str, way: str) -> AsyncIterator[tuple[str, Touch]]:
    """A whole board on simulated wires with all its pages, as the daemon builds it: the address of its twin page, and
    a function that presses a button or scans a card."""
    config = Config(
        table=TableConfig(way=way, blue="Maude"),
        readers=(ReaderConfig(port="twin"),),
        journal=str(folder / "journal.db"),
        page=PageConfig(port=0, pin="2580"),
    )
    wood, clock, address = load_board(board), ManualClock(), asyncio.Queue[str]()
    twin = Twin(wood, clock, folder=folder / "wires")
    device, journal = open_device(config, wood, twin.wires, clock=clock, threaded=False)
    tasks = [asyncio.create_task(twin.run())]
    try:
        await device.start()
        tasks.append(asyncio.create_task(serve_pages(config, wood, device, twin, clock, address.put_nowait)))
        found = await asyncio.wait_for(address.get(), timeout=20)

        async def touch(act: str) -> None:
            match act.split():
                case ["card", card]:
                    device.table.post([CardRead(card)])
                case ["hole", track, hole]:
                    twin.press(int(track), int(hole))
                    await clock.advance(0.1)
                    twin.release(int(track), int(hole))
                case [key, *side]:
                    twin.key_down(Key(key), *map(int, side))
                    await clock.advance(0.1)
                    twin.key_up(Key(key), *map(int, side))
            await clock.advance(0.5)

        await clock.advance(0.5)  # an OK from before the first picture would not count
        yield found, touch
    finally:
        stopping = asyncio.create_task(device.stop())
        while not stopping.done():
            await clock.advance(0.01)
        for task in tasks:
            task.cancel()
        while not all(task.done() for task in tasks):
            await clock.advance(0.01)
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        journal.close()
        twin.close()
