"""The worker of the bus SPI0, for LEDs and buttons.

It moves bytes: `ButtonChain` decodes a scan, `StripEncoder` makes a frame. Nothing else may touch the bus. A device
that fails (OSError) is a fault and is opened again, for ever (design law 6).

Scans are most of what a board at rest takes from the processor. So they are farther apart while nothing changes, and
closer together once something has changed. A press needs two equal scans: it is found within twice `scan_ms` of its
edge, as with scans at even intervals, and earlier on average.

A frame that waits goes first, and of several only the newest: a press is answered before the next scan. Whoever shows a
frame waits until the bus's thread has it. Else that thread would wait for Python's lock, while the loop goes on with
what nobody sees yet.

A transfer is 4,096 bytes at the most: spidev takes no more. Some kernels of a Pi 5 time out above 64 bytes (errno 110,
raspberrypi/linux#6020); after the first such error the strip gets pieces of 64 bytes. So a strip of more than some
1,000 LEDs gets its frame in several transfers, with no scan between them. Between two of them CE0 goes high and shuts
the 74AHCT125: the pull-downs behind it hold the strip's data and clock low, where mode 0 rests the clock too. That is
no edge, and the LEDs go on with the next bit when the gate opens (APA102 and SK9822 sheets: they have a clock and no
select, and no pause is too long). A scan of the button chain cannot be cut, because CE1 high loads the chips anew:
`boards.loader` holds the chain to 64 chips, which is far below.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from errno import ETIMEDOUT
from threading import get_ident
from typing import TYPE_CHECKING

from cribd.boards import Board
from cribd.causes import Message, cause
from cribd.clock import Clock
from cribd.drivers.button_chain import ButtonChain
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.wires import Spi, Wires

if TYPE_CHECKING:
    from cribd.first_light import EarlyScans

TRANSFER, SHORT_TRANSFER = 4096, 64  # bytes
#: The time between two scans, in `scan_ms`: while nothing changes, and after a change. A press takes one of each.
_AT_REST, _AFTER_CHANGE = 1.8, 0.2
_CLOSE_SCANS = 5  # after a change; if changes go on, the next scans are `scan_ms` apart
#: How long `show` waits for the bus's thread at most: for a transfer that is under way.
_HANDOVER_S = 0.01
STRIP = "strip"  # where the fault is when the LEDs cannot be reached; the chain's own faults are named by `ButtonChain`


class SpiBus:
    """The bus SPI0, which sends frames, and scans every `scan_ms` milliseconds.

    Wiring: SPI0, MISO from the button chain, MOSI to the LEDs; CE0 opens the gate to the LEDs, CE1 loads and shifts.

    `report` gets the inputs of a scan, all in one list, in the thread of `run`. In virtual time `drive` does the same
    on the loop, and a test may call `tick` itself. The last frame is sent again every `again_s` seconds, so that a
    strip that was unplugged shows it; a failed device is opened again then. Any thread may call `take_over` and `stop`.
    """

    def __init__(
        self,
        board: Board,
        wires: Wires,
        *,
        clock: Clock,
        report: Callable[[list[Input]], None],
        holes: ButtonChain,
        scan_ms: float = 5.0,
        again_s: float = 1.0,
    ) -> None:
        self._holes = holes
        strip, chain = board.strip, board.chain
        self._strip = _SpiDevice(lambda: wires.spi(strip.spi_select, hz=strip.hz, mode=strip.spi_mode))
        self._chain = _SpiDevice(lambda: wires.spi(chain.spi_select, hz=chain.hz, mode=chain.spi_mode))
        self._clock = clock
        self._report = report
        self._scans = chain.chips > 0
        self._period = scan_ms / 1000
        self._changing = 0  # scans since something changed; 0 at rest
        self._again = again_s
        self._wakeup, self._taken = clock.wakeup(), clock.wakeup()
        self._thread: int | None = None  # the thread of `run`
        self._wake: Callable[[], object] = self._wakeup.set
        self._waiting: deque[bytes] = deque(maxlen=1)
        self._nothing = bytes(self._holes.scan_bytes)  # not a list: spidev writes the answer into a list it was given
        self._shown: bytes | None = None
        self._piece = TRANSFER
        self._strip_away = False
        #: The time of the next scan, by the clock.
        self.due = self._show_again = self._scan_again = clock.now()
        self._running = True
        self._early: EarlyScans | None = None
        self._takes_over = False

    def show(self, frame: bytes) -> None:
        """Send this frame as soon as possible.

        A waiting frame is dropped. Any thread may call this. It returns once the bus's thread has the new frame."""
        self._taken.wait(0)
        self._waiting.append(frame)
        self._wake()
        if self._thread not in (None, get_ident()):
            self._taken.wait(_HANDOVER_S)

    @property
    def is_changing(self) -> bool:
        """Whether a button has just changed. Any thread may ask."""
        return self._changing > 0

    def follow(self, early: EarlyScans) -> None:
        """Use the scans of a child process until `take_over`.

        Call this before the bus runs."""
        self._early = early

    def take_over(self) -> None:
        """Let the bus itself scan the buttons from now on."""
        self._takes_over = True

    def stop(self) -> None:
        """Send a frame that still waits, then end `run` or `drive`."""
        self._running = False
        self._wake()

    def tick(self) -> bool:
        """Do what is due: send a frame, and make a scan.

        Returns whether it sent or reported anything."""
        now, sends = self._clock.now(), False
        if self._waiting or now >= self._show_again:
            sends = self._send_if_due(now)
            now = self._clock.now()
        if now < self.due:
            return sends
        reports = self._scan(now)
        self.due = self._next_due(now)
        return reports or sends

    def run(self) -> None:
        """Run the bus until `stop` is called, in a thread of its own."""
        clock, wakeup, self._thread = self._clock, self._wakeup, get_ident()
        try:
            while self._running:
                self.tick()
                wakeup.wait(self.due - clock.now())
        finally:
            self._thread = None
            self.close()

    def close(self) -> None:
        """Send a frame that still waits, and close both devices."""
        if self._early is not None:
            self._early.end()
        if self._waiting:
            self._shown = self._waiting.popleft()
            self._send()
        self._strip.close()
        self._chain.close()

    async def drive(self) -> None:
        """Run the bus on the loop, for a clock in virtual time.

        It wakes no task for each scan, because that would take longer than the scan itself."""
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()

        def work() -> bool:
            if over.done():
                return False
            try:
                moved = self.tick()
            except Exception as failure:
                over.set_exception(failure)
            else:
                if self._running:
                    return moved
                over.set_result(None)
            return True

        def scan() -> bool:
            moved = work()
            if not over.done():
                self._clock.call_later(self.due - self._clock.now(), scan)
            return moved

        self._wake = lambda: loop.call_soon(work)
        scan()
        try:
            await over
        finally:
            self.close()

    def _send_if_due(self, now: float) -> bool:
        """Send the newest frame and return True, if one is due.

        If the strip has failed, a new frame waits until the next attempt is due."""
        is_new = bool(self._waiting)
        if is_new:
            self._shown = self._waiting.popleft()
            self._taken.set()
        is_due = self._shown is not None and (now >= self._show_again or (is_new and not self._strip_away))
        if is_due:
            self._send()
        return is_due

    def _send(self) -> None:
        """Send the newest frame.

        If the strip fails, try it again later, so that scans go on."""
        frame, wait = self._shown or b"", self._again
        try:
            for at in range(0, len(frame), self._piece):
                self._strip.transfer(frame[at : at + self._piece])
        except OSError as error:
            why = cause(error)
            if error.errno == ETIMEDOUT and self._piece > SHORT_TRANSFER:
                self._piece, wait = SHORT_TRANSFER, 0.0
                count = self._piece
                why = Message("spi.pieces", "{why}; it goes on in pieces of {count} bytes", why=why, count=count)
            if not self._strip_away:
                self._strip_away = True
                self._report([Fault(FaultKind.LIGHTS_AWAY, STRIP, why)])
        else:
            if self._strip_away:
                self._strip_away = False
                self._report([FaultCleared(FaultKind.LIGHTS_AWAY, STRIP)])
        self._show_again = self._clock.now() + wait

    def _next_due(self, now: float) -> float:
        """Return the time of the scan that follows the scan at `now`."""
        if not self._scans:
            return now + self._again
        still_close = 0 < self._changing < _CLOSE_SCANS
        self._changing = 0 if self._holes.at_rest and not still_close else self._changing + 1
        if 0 < self._changing <= _CLOSE_SCANS:
            return now + _AFTER_CHANGE * self._period
        period = self._period if self._changing else _AT_REST * self._period
        late = (now - self.due) // period  # whole periods that a long frame, or a busy machine, has cost
        return self.due + (late + 1) * period

    def _scan(self, now: float) -> bool:
        if self._early is not None:
            return self._read_early(self._early)
        if now < self._scan_again or not self._scans:
            return False
        try:
            inputs = self._holes.feed(bytes(self._chain.transfer(self._nothing)), now)
        except OSError as error:
            inputs = self._holes.no_answer(cause(error))
            self._scan_again = now + self._again
        if inputs:
            self._report(inputs)
        return bool(inputs)

    def _read_early(self, early: EarlyScans) -> bool:
        scans = None if self._takes_over else early.read()
        if scans is None:
            scans, self._early = early.end(), None
        reports = [inputs for data, at in scans if (inputs := self._holes.feed(data, at))]
        for inputs in reports:  # the presses of one scan belong together
            self._report(inputs)
        return bool(reports)


class _SpiDevice:
    """A device on the bus, opened again after a failure."""

    def __init__(self, opened: Callable[[], Spi]) -> None:
        self._open = opened
        self._spi: Spi | None = None

    def transfer(self, data: bytes) -> list[int]:
        if self._spi is None:
            self._spi = self._open()
        try:
            return self._spi.transfer(data)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        spi, self._spi = self._spi, None
        if spi is not None:
            with contextlib.suppress(OSError):  # it has failed: nothing is left to close
                spi.close()
