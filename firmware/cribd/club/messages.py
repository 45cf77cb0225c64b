"""The messages between a board and the hub.

A message is the whole present state of its sender, for one board or from one board. JSON has the fields by their names.
A field that is not known is ignored, since the sender may be newer; a missing one has its default, since it may be
older. Pure.
"""

from __future__ import annotations

import binascii
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, NoReturn, TypeVar, get_args, get_origin, get_type_hints
from uuid import UUID

from cribd.club.board_status import GameShown
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import UNKNOWN_MEETING, Meeting, TakenGame

#: The version of these messages. It rises when an older program would understand one wrongly.
PROTOCOL = 2
#: A board of this version and later ends a game that the desk takes from it.
ENDS_GAMES = 2
#: The longest message, in bytes.
MOST_BYTES = 64 * 1024
#: The length of every message about a sealed event, in bytes.
SEALED_SIZE = 4 * 1024
#: How often both sides send in a sealed event, in seconds.
BEAT_S = 2.0
#: The most outcomes in a message, and so the most answers.
MOST_OUTCOMES = 16
#: The longest text, and the longest list.
_LONGEST_TEXT, _MOST_ENTRIES = 500, 256
#: The greatest whole number: JavaScript can read it too.
_MOST = 2**53 - 1

#: No-break spaces, which French texts have and Python does not count as printable.
_SPACES = {0xA0: " ", 0x202F: " "}

T = TypeVar("T")


class NotUnderstood(ValueError):  # noqa: N818 (a message that is refused)
    """A message is invalid or too long.

    The text of the error says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class ReportedFault:
    """A fault of a board (`cribd.inputs.Fault`).

    The receiver may not know this kind of fault."""

    kind: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedStatus:
    """The state of a board."""

    release: str = ""
    protocol: int = PROTOCOL
    journal: int = 0
    """The version of its journal."""
    faults: tuple[ReportedFault, ...] = ()
    reader: str = ""
    """The kind of its card reader; "" if it has none."""
    backlog: int = 0
    """How many outcomes the hub has not answered yet."""
    table: int = 0
    """The table of the hall that it shows; 0 if none."""
    rehearsal: int = 0
    """The number of the last rehearsal that was confirmed at the board."""
    plays: PlayedFor | None = None
    """The game of an event that is under way; None also from an older release."""
    not_begun: tuple[PlayedFor, ...] = ()
    """Of the games that the order takes, those that were never begun here."""
    start: int = 0
    """Another number at each start of its program; 0 from a board that does not say it."""


@dataclass(frozen=True, slots=True)
class OfficialCall:
    """A call for an official at a board.

    `number` is the same as long as this call is open."""

    number: int
    place: PlayedFor
    side: int


@dataclass(frozen=True, slots=True)
class SignedOutcome:
    """An outcome with the board's signature.

    `number` counts the board's outcomes for this club, from 1."""

    number: int
    outcome: Outcome
    signature: bytes


@dataclass(frozen=True, slots=True)
class RecordPart:
    """A part of a compressed record.

    `number` is the number of its outcome."""

    number: int
    link: str
    """The last link of the record."""
    offset: int
    size: int
    """The length of the whole record, compressed."""
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardToHub:
    """A message from a board to the hub."""

    status: ReportedStatus = ReportedStatus()
    calls: tuple[OfficialCall, ...] = ()
    outcomes: tuple[SignedOutcome, ...] = ()
    """Those that the hub has not committed, oldest first, as many as have room."""
    part: RecordPart | None = None
    """What the hub needs next of the oldest record that it lacks."""
    game: GameShown | None = None
    """What the hall may see of the running game; None for a sealed game."""


@dataclass(frozen=True, slots=True)
class OutcomeAnswer:
    """The desk's answer to an outcome.

    The number and the last hash of the record identify the outcome, since two games may be alike."""

    number: int
    link: str
    entered: OutcomeStatus


@dataclass(frozen=True, slots=True)
class CommittedUpTo:
    """The last outcome or record that the hub has committed.

    The fields are the number of the outcome, and the last hash of the game's record."""

    number: int = 0
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSummary:
    """What the hub has received from a board."""

    outcomes: CommittedUpTo = CommittedUpTo()
    records: CommittedUpTo = CommittedUpTo()
    part_of: str = ""
    """The last link of the record of which it has a part; "" if it has none."""
    got: int = 0
    """How many bytes of that record it has."""
    answers: tuple[OutcomeAnswer, ...] = ()
    """The answers to the newest outcomes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueGame:
    """A game for a board, with the label of its rules."""

    place: PlayedFor
    names: tuple[str, ...]
    entrants: tuple[int, ...]
    rules: str
    captains: tuple[str, ...] = ()
    is_play_off: bool = False
    meeting: Meeting = UNKNOWN_MEETING
    is_sealed: bool = True


@dataclass(frozen=True, slots=True)
class TableMove:
    """The next table of an entrant who sat at the board."""

    name: str
    table: int


@dataclass(frozen=True, slots=True)
class AwaitedRound:
    """The round for which a board waits."""

    round: int
    moves: tuple[TableMove, ...] = ()
    resting: tuple[str, ...] = ()
    """Who sat at the board's table in the round before, and sits at none in the next round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The hub's instructions to a board."""

    release: str = ""
    protocol: int = PROTOCOL
    table: int = 0
    """The table of the hall at which the board stands; 0 if it has none."""
    due: DueGame | None = None
    waits: AwaitedRound | None = None
    is_paused: bool = False
    word: str = ""
    """A sentence of the organiser, for the screen."""
    word_number: int = 0
    """Another one for each word."""
    rehearsal: int = 0
    """The number of the rehearsal that the board must confirm; 0 if none."""
    takes: tuple[TakenGame, ...] = ()
    """The games that the desk has taken from this board. A board of protocol 1 does not know them."""


@dataclass(frozen=True, slots=True)
class EventSeal:
    """A competition, and whether its results are open."""

    event: UUID
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HubToBoard:
    """A message from the hub to a board."""

    have: ReceivedSummary | None = None
    """None: the hub does not know yet."""
    order: Order = Order()
    events: tuple[EventSeal, ...] = ()
    """The newest events, the current one first."""
    rulings: tuple[int, ...] = ()
    """The numbers of the board's open calls that the desk has answered."""

    @property
    def is_sealed(self) -> bool:
        """Whether the current competition is sealed."""
        return is_current_sealed(self.events)

    @property
    def open_events(self) -> frozenset[UUID]:
        """The competitions whose games and results the hall may see."""
        return open_events(self.events)


def is_current_sealed(events: Sequence[EventSeal]) -> bool:
    """Whether the current competition, the first of these, is sealed."""
    return not all(event.is_open for event in events[:1])


def open_events(events: Iterable[EventSeal]) -> frozenset[UUID]:
    """Return the ids of the open competitions among these."""
    return frozenset(event.event for event in events if event.is_open)


def write(message: BoardToHub | HubToBoard, size: int = 0) -> bytes:
    """Write a message as JSON, padded to `size` bytes. Raises `NotUnderstood`."""
    text = json.dumps(_as_json(message), ensure_ascii=False, separators=(",", ":")).encode()
    if len(text) > (size or MOST_BYTES):
        raise NotUnderstood(f"a message has at most {size or MOST_BYTES} bytes, not {len(text)}")
    return text.ljust(size)


def length(value: object) -> int:
    """Return how many bytes this part of a message takes as JSON."""
    return len(json.dumps(_as_json(value), ensure_ascii=False, separators=(",", ":")).encode())


def read_up(payload: bytes) -> BoardToHub:
    """Read a message from a board. Raises `NotUnderstood`."""
    return _read_message(BoardToHub, payload)


def read_down(payload: bytes) -> HubToBoard:
    """Read a message from the hub. Raises `NotUnderstood`."""
    return _read_message(HubToBoard, payload)


def _read_message(kind: type[T], payload: bytes) -> T:
    if len(payload) > MOST_BYTES:
        raise NotUnderstood(f"a message has at most {MOST_BYTES} bytes, not {len(payload)}")
    try:
        values = json.loads(payload.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise NotUnderstood("a message is an object in JSON") from None
    return _read_object(kind, values, "the message")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _as_json(value: object) -> object:
    match value:
        case StrEnum() | UUID():
            return str(value)
        case bytes():
            return b64encode(value).decode()
        case tuple():
            return [_as_json(entry) for entry in value]
        case _ if is_dataclass(value):
            return {field.name: _as_json(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value


def _read_object(kind: type[T], value: object, name: str) -> T:
    if not isinstance(value, dict):
        raise NotUnderstood(f"{name} is an object")
    hints, given = _hints(kind), {}  # type: ignore[arg-type]
    for field in fields(kind):  # type: ignore[arg-type]
        if field.name in value:
            given[field.name] = _read(hints[field.name], value[field.name], field.name)
        elif field.default is MISSING:
            raise NotUnderstood(f"{name} lacks {field.name}")
    return kind(**given)


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: object, name: str) -> Any:
    """Read a value of this type. Raises `NotUnderstood`."""
    match kind, value:
        case _ if isinstance(kind, UnionType):
            return None if value is None else _read(get_args(kind)[0], value, name)
        case _, list() if get_origin(kind) is tuple and len(value) <= _MOST_ENTRIES:
            return tuple(_read(get_args(kind)[0], entry, f"an entry of {name}") for entry in value)
        case _ if is_dataclass(kind):
            return _read_object(kind, value, name)  # type: ignore[arg-type]
        case _, bool() if kind is bool:
            return value
        case _, int() if kind is int and not isinstance(value, bool) and 0 <= value <= _MOST:
            return value
        case _, str() if len(value) <= _LONGEST_TEXT and _is_text(value) and kind is not bytes:
            if kind is str:
                return value
            if kind is UUID or issubclass(kind, StrEnum):
                return _or_refuse(kind, value, name)
        case _, str() if kind is bytes:
            return _or_refuse(_base64, value, name)
    raise NotUnderstood(f"{name} cannot be {_shortened(value)}")


def _is_text(value: str) -> bool:
    return value.translate(_SPACES).isprintable()


def _or_refuse(kind: Any, value: str, name: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise NotUnderstood(f"{name} cannot be {_shortened(value)}") from None


def _base64(text: str) -> bytes:
    return binascii.a2b_base64(text.encode("ascii"), strict_mode=True)


def _shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
