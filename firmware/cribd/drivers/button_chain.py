"""The driver of the button chain.

It follows TI's SN74HCS165 sheet (H leaves first) and the chain of `hardware/`: spare inputs with a fixed pattern at the
near end, the serial input of the farthest chip tied to a level, and one byte more read than the chain holds.

The first bit may be lost
    On a Pi 5 the clock may go to its level of mode 2 only after the select has fallen, if the strip got a frame in mode
    0 just before. That is a rising edge, on which the chips shift, and the first bit is gone before the Pi samples. It
    is a spare input whose level the board file names. So a scan that begins with the second bit of the pattern and has
    one bit more of the far level is read as if it were whole.

When a scan is valid
    The near pattern proves which bit came first, and the extra byte that no bit came late. The far serial input should
    be tied to the level of a pressed button. Then a chain that has lost its far end reads as a whole chip pressed, and
    no finger covers the eight holes of the last chip. A scan that is not valid presses nothing. One such scan is noise;
    two in a row, or every other one, are a fault.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from enum import Enum, auto

from cribd.boards import Board
from cribd.causes import Message
from cribd.inputs import ChipPlace, Fault, FaultCleared, FaultKind, HolePlace, HolePressed, Input

_BAD_SCAN = 2  # what an invalid scan adds to the doubt; a valid one takes 1 away
_BROKEN = 4  # the doubt at which the chain is broken, until the doubt is 0

#: Holes of one track that go down within this time were pressed by fingers that meant one of them.
_TOGETHER_S = 0.060

_NEVER = float("inf")

_NEAR_END, _FAR_END = "near end", "far end"


class _ScanState(Enum):
    """The state of the scans, which decides what is a press."""

    FIRST = auto()  # it was down before the first scan: stuck, until it is seen up
    AFTER_FAULT = auto()  # it went down while the chain was broken: no press, and not yet stuck
    STEADY = auto()


class ButtonChain:
    """Turns scans of the chain into presses and faults.

    Wiring: a button from each hole's input to ground, a pull-up to 3.3 V; the chain of 74HCS165s on CE1, SPI mode 2.

    A press is accepted at the second equal scan and then locked out for `debounce_ms`; so is a release. A button that
    is down from the start, or longer than `stuck_s` seconds, gives `Fault(BUTTON_STUCK)` and is ignored until it has
    been seen up, which gives `FaultCleared`. Invalid scans give `Fault(CHAIN_BROKEN)`, where being "near end" (nothing
    is right from the first chip on), a `ChipPlace` (the first that does not answer) or "far end"
    (something else than the tied level follows the last chip); nothing is pressed until `FaultCleared`.
    """

    def __init__(self, board: Board, *, debounce_ms: float, stuck_s: float = 10.0) -> None:
        chain = board.chain
        self._bounce_s = debounce_ms / 1000
        self._stuck_s = stuck_s
        #: How many bytes a scan reads: the chain, and one more.
        self.scan_bytes = chain.chips + 1
        bits = 8 * self.scan_bytes
        self._near = int(chain.near_pattern or "0", 2)
        self._near_shift = bits - len(chain.near_pattern)
        # How a scan begins whose first bit is lost; None if that looks like a whole one.
        self._rest = int(chain.near_pattern[1:], 2) if len(set(chain.near_pattern)) == 2 else None
        self._far = 0xFF if chain.far_level else 0x00
        self._all_pressed = 0xFF if chain.pressed_level else 0x00
        self._places = {
            1 << (bits - 1 - spot.input): (track.side, number)
            for track in board.tracks
            for number, spot in enumerate(track.holes, 1)
            if spot.input is not None
        }
        self._used = sum(self._places)
        self._idle = 0 if chain.pressed_level else self._used  # the used bits while no button is pressed

        self._scan_state = _ScanState.FIRST
        self._last: int | None = None  # the buttons that were down in the last scan; None if it was invalid
        self._down = 0  # the buttons that are down, as accepted
        self._locked = 0
        self._locks: deque[tuple[float, int]] = deque()
        self._since: dict[int, float] = {}  # the accepted presses, oldest first
        self._stuck = 0
        self._doubt = 0
        self._broken: ChipPlace | str | None = None
        self._settled: bytes | None = None  # a scan that changes nothing if it comes again before `_due`
        self._due = _NEVER

    def feed(self, data: bytes, at: float) -> list[Input]:
        """Process a scan made at `at` seconds. Returns its inputs.

        All holes pressed in one scan are in one list.
        A hole that goes down within 60 ms of another one of its track comes with that one, which is reported a second
        time, so that the table can refuse both.

        `data` may be of any length.
        """
        if data == self._settled and at < self._due:
            return []
        self._settled = None
        whole = self._with_the_first_bit(data)
        where = self._where_scan_is_invalid(whole)
        inputs = self._read(whole, at) if where is None else self._count_invalid(whole, where)
        if self.at_rest:
            self._settled = data  # as it comes, so that an equal one is not even decoded
        return inputs

    @property
    def at_rest(self) -> bool:
        """Whether another scan with the same bits would change nothing."""
        return self._settled is not None

    def no_answer(self, cause: str) -> list[Input]:
        """Return the new fault of a bus that did not answer."""
        return self._count_invalid(b"", _NEAR_END, cause)

    def _with_the_first_bit(self, data: bytes) -> bytes:
        """Restore the first bit of a scan if it was lost."""
        bits = int.from_bytes(data)
        lost = bits >> (self._near_shift + 1) == self._rest and not (bits ^ self._far) & 1
        if not lost or len(data) != self.scan_bytes:
            return data
        return (self._near << self._near_shift | bits >> 1).to_bytes(self.scan_bytes)

    # What is wrong with a scan

    def _where_scan_is_invalid(self, data: bytes) -> ChipPlace | str | None:
        if len(data) != self.scan_bytes or int.from_bytes(data) >> self._near_shift != self._near:
            return _NEAR_END
        if data[-1] == self._all_pressed and data[-2] == self._all_pressed:
            return ChipPlace(len(data.rstrip(data[-1:])) + 1)
        return None if data[-1] == self._far else _FAR_END

    def _count_invalid(self, data: bytes, where: ChipPlace | str, cause: str = "") -> list[Input]:
        self._last = None
        self._doubt = min(_BROKEN, self._doubt + _BAD_SCAN) if len(data) == self.scan_bytes else _BROKEN
        if self._doubt < _BROKEN:
            return []
        self._settled, self._due = data, _NEVER
        if self._broken is not None:
            return []
        self._broken = where
        return [Fault(FaultKind.CHAIN_BROKEN, where, cause or self._why_invalid(data, where))]

    def _why_invalid(self, data: bytes, where: ChipPlace | str) -> Message:
        """Return the message that says how a scan is invalid."""
        if len(data) != self.scan_bytes:
            size = self.scan_bytes
            return Message("chain.size", "a scan has {count} bytes instead of {size}", count=len(data), size=size)
        if where == _NEAR_END:
            return Message("chain.near_end", "the first chip sends {bits}, not its pattern", bits=f"{data[0]:08b}")
        if isinstance(where, ChipPlace):
            return Message("chain.chip", "from chip {chip} on all inputs read as pressed", chip=where.number)
        return Message("chain.far_end", "after the last chip comes {bits}, not its level", bits=f"{data[-1]:08b}")

    # What a valid scan says

    def _read(self, data: bytes, at: float) -> list[Input]:
        down = (int.from_bytes(data) ^ self._idle) & self._used
        last, self._last = self._last, down
        self._doubt = max(0, self._doubt - 1)
        inputs: list[Input] = []
        if self._broken is not None:
            if self._doubt:
                return inputs
            inputs.append(FaultCleared(FaultKind.CHAIN_BROKEN, self._broken))
            self._broken = None
            if self._scan_state is _ScanState.STEADY:
                self._scan_state = _ScanState.AFTER_FAULT
        if last is None:
            return inputs

        while self._locks and self._locks[0][0] <= at:
            self._locked &= ~self._locks.popleft()[1]
        changed = (down ^ self._down) & ~(down ^ last) & ~self._locked
        if changed:
            self._down ^= changed
            self._locked |= changed
            self._locks.append((at + self._bounce_s, changed))
            inputs += self._released(changed & ~self._down)
            inputs += self._pressed(changed & self._down, at)
        self._scan_state = _ScanState.STEADY
        inputs += self._find_stuck(at)

        if down == self._down and not self._doubt:
            self._settled, self._due = data, next(iter(self._since.values()), _NEVER) + self._stuck_s
        return inputs

    def _pressed(self, buttons: int, at: float) -> list[Input]:
        inputs: list[Input] = []
        if self._scan_state is _ScanState.STEADY:
            tracks = {self._places[button][0] for button in _single_bits(buttons)}
            just_before = [self._places[button] for button, since in self._since.items() if at - since < _TOGETHER_S]
            inputs += [HolePressed(track, hole) for track, hole in just_before if track in tracks]
        for button in _single_bits(buttons):
            track, hole = self._places[button]
            if self._scan_state is _ScanState.FIRST:
                self._stuck |= button
                inputs.append(Fault(FaultKind.BUTTON_STUCK, HolePlace(track, hole)))
                continue
            self._since[button] = at
            if self._scan_state is _ScanState.STEADY:
                inputs.append(HolePressed(track, hole))
        return inputs

    def _released(self, buttons: int) -> list[Input]:
        inputs: list[Input] = []
        for button in _single_bits(buttons):
            self._since.pop(button, None)
            if self._stuck & button:
                self._stuck ^= button
                inputs.append(FaultCleared(FaultKind.BUTTON_STUCK, HolePlace(*self._places[button])))
        return inputs

    def _find_stuck(self, at: float) -> list[Input]:
        inputs: list[Input] = []
        while self._since:
            button, since = next(iter(self._since.items()))
            if since + self._stuck_s > at:
                break
            del self._since[button]
            self._stuck |= button
            inputs.append(Fault(FaultKind.BUTTON_STUCK, HolePlace(*self._places[button])))
        return inputs


def _single_bits(buttons: int) -> Iterator[int]:
    """Yield each set bit of `buttons` as a number, highest first."""
    while buttons:
        first = 1 << (buttons.bit_length() - 1)
        yield first
        buttons ^= first
