"""The faults that the twin can make below the drivers.

A fault has a name and a value: `stuck:blue 14`. Drivers and table meet it as on a real board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from cribd.boards import Board
from cribd.causes import Message

#: Contacts of good buttons bounce for 1 to 5 ms; poor ones for 20.
_MOST_BOUNCE_MS = 20


class FaultName(StrEnum):
    """The simulated faults. A comment explains the value of each."""

    BOUNCE = "bounce"  # milliseconds in which a contact closes and opens at random
    STUCK = "stuck"  # a hole whose button stays down: "blue 14"
    DEAD = "dead"  # a hole whose button makes no contact
    SWAPPED = "swapped"  # a hole whose wire is exchanged with that of the next hole
    JOINED = "joined"  # a hole whose wire touches that of the next hole
    CHAIN_LOW = "chain-low"  # the chip from which on the button chain reads zeros; 1 is nearest the Pi
    CHAIN_HIGH = "chain-high"  # the same with ones
    STRIP_CUT = "strip-cut"  # the LED from which on nothing arrives; 0 is nearest the Pi
    HALF_FRAMES = "half-frames"  # the percentage of each message of a reader that arrives
    DISK_FULL = "disk-full"  # no value
    READ_ONLY = "read-only"  # no value
    SLOW_FSYNC = "slow-fsync"  # seconds that the disk takes to keep what is written
    CLOCK_JUMP = (
        "clock-jump"  # years by which the clock is behind; when the fault ends, it jumps as at the first network time
    )
    UNDERVOLTAGE = "undervoltage"  # no value
    READER_MOVES = "reader-moves"  # no value
    OLED_RESETS = "oled-resets"  # seconds between two moments in which the OLED has no power


#: The faults of one hole.
OF_A_HOLE = frozenset({FaultName.STUCK, FaultName.DEAD, FaultName.SWAPPED, FaultName.JOINED})
#: The faults that take no value.
WITHOUT_VALUE = frozenset({FaultName.DISK_FULL, FaultName.READ_ONLY, FaultName.UNDERVOLTAGE, FaultName.READER_MOVES})
#: The faults of the disk below the journal.
OF_THE_DISK = frozenset({FaultName.DISK_FULL, FaultName.READ_ONLY, FaultName.SLOW_FSYNC})


@dataclass(frozen=True, slots=True)
class TwinFault:
    """A fault with its value.

    The value is a number, `(side, hole)` for a fault of a hole, or 0 for a fault in `WITHOUT_VALUE`."""

    name: FaultName
    value: int | tuple[int, int] = 0


def default(name: FaultName, board: Board) -> TwinFault:
    """Return the fault `name` with a default value."""
    match name:
        case FaultName.BOUNCE:
            return TwinFault(name, _MOST_BOUNCE_MS)
        case FaultName.STUCK | FaultName.DEAD | FaultName.SWAPPED | FaultName.JOINED:
            return TwinFault(name, (0, 14))
        case FaultName.CHAIN_LOW | FaultName.CHAIN_HIGH:
            return TwinFault(name, (board.chain.chips + 1) // 2)
        case FaultName.STRIP_CUT:
            return TwinFault(name, board.strip.count // 2)
        case FaultName.HALF_FRAMES:
            return TwinFault(name, 50)
        case FaultName.SLOW_FSYNC:
            return TwinFault(name, 2)
        case FaultName.CLOCK_JUMP | FaultName.OLED_RESETS:
            return TwinFault(name, 10)
        case FaultName.DISK_FULL | FaultName.READ_ONLY | FaultName.UNDERVOLTAGE | FaultName.READER_MOVES:
            return TwinFault(name)


def read_fault(text: str, board: Board) -> TwinFault:
    """Parse a fault from the text `NAME` or `NAME:VALUE`. Raises `ValueError` with a `Message` that says why."""
    word, colon, value = text.partition(":")
    if word not in set(FaultName):
        names = ", ".join(sorted(FaultName))
        raise ValueError(Message("fault.unknown", "{text} is not a fault; allowed are {names}", text=text, names=names))
    name = FaultName(word)
    if (missing := missing_part(name, board)) is not None:
        raise ValueError(missing)
    if not colon:
        return default(name, board)
    if name in WITHOUT_VALUE:
        raise ValueError(Message("fault.no_value", "{text}: {name} takes no value", text=text, name=name))
    if name in OF_A_HOLE:
        return TwinFault(name, _hole(value, text, board))
    low, high = _bounds(name, board)
    if not value.isascii() or not value.isdigit() or len(value) > 4 or not low <= int(value) <= high:
        raise ValueError(
            Message(
                "fault.value", "{text}: allowed is a whole number from {low} to {high}", text=text, low=low, high=high
            )
        )
    return TwinFault(name, int(value))


def missing_part(name: FaultName, board: Board) -> Message | None:
    """Say which needed part this board lacks, or return None."""
    if (name in OF_A_HOLE or name in (FaultName.CHAIN_LOW, FaultName.CHAIN_HIGH)) and not board.chain.chips:
        return Message("fault.no_chain", "{name}: this board has no button chain", name=name)
    if name is FaultName.STRIP_CUT and not board.strip.count:
        return Message("fault.no_strip", "{name}: this board has no LED strip", name=name)
    return None


def inputs_of(board: Board, faults: Mapping[FaultName, TwinFault], track: int, hole: int) -> list[int]:
    """Return the chain inputs that a hole's button sets.

    It is the hole's own input alone, unless a fault is in its wires. Raises ValueError if there is no such button."""
    holes = board.tracks[track].holes
    if not 1 <= hole <= len(holes):
        raise ValueError(f"hole {hole}: track {track} has 1 to {len(holes)}")
    place = holes[hole - 1].input
    if place is None:
        raise ValueError(f"hole {hole} of track {track} has no button")
    for name in (FaultName.DEAD, FaultName.SWAPPED, FaultName.JOINED):
        fault = faults.get(name)
        if fault is None or not isinstance(fault.value, tuple) or fault.value[0] != track:
            continue
        first = fault.value[1]
        pair = first, next_hole(board, track, first)
        if name is FaultName.DEAD and hole == first:
            return []
        if name is FaultName.DEAD or hole not in pair:
            continue
        other = holes[pair[1 - pair.index(hole)] - 1].input
        if other is not None:
            return [other] if name is FaultName.SWAPPED else [place, other]
    return [place]


def next_hole(board: Board, track: int, hole: int) -> int:
    """Return the hole with the neighbouring wire.

    It is the next hole; at the end of the track, the hole before."""
    return hole + 1 if hole < len(board.tracks[track].holes) else hole - 1


def _bounds(name: FaultName, board: Board) -> tuple[int, int]:
    match name:
        case FaultName.BOUNCE:
            return 1, _MOST_BOUNCE_MS
        case FaultName.STRIP_CUT:
            return 0, board.strip.count - 1
        case FaultName.HALF_FRAMES:
            return 0, 99
        case FaultName.SLOW_FSYNC:
            return 1, 10
        case FaultName.CLOCK_JUMP:
            return 1, 50
        case FaultName.OLED_RESETS:
            return 2, 60
    return 1, board.chain.chips


def _hole(value: str, text: str, board: Board) -> tuple[int, int]:
    colour, _, number = value.partition(" ")
    for track in board.tracks:
        with_button = [at for at, hole in enumerate(track.holes, 1) if hole.input is not None]
        if track.name == colour and number.isascii() and number.isdigit() and int(number[:4]) in with_button:
            return track.side, int(number)
    names = ", ".join(f"{track.name} 1" for track in board.tracks)
    raise ValueError(
        Message("fault.hole", "{text}: allowed is a hole with a button, such as {names}", text=text, names=names)
    )
