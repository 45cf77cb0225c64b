"""A simulated LED strip of APA102 or SK9822 chips.

It follows the two data sheets, and where they are silent measurements of the chips (cpldcpu.com): an LED passes on all
bits, half a clock later. After 32 zero bits the next one bit begins its frame; it eats the 32 bits of that
frame and passes on zeros instead, which are the start frame of the next LED. An APA102 shows its frame at once, an
SK9822 on the first clock after the next 32 zero bits. A bit that
was not clocked through to its LED does not show.

Wiring: SCLK and MOSI through a buffer (74AHCT125) that is open while CE is low, with pull-downs behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

FRAME_BITS = 32
START = "0" * FRAME_BITS
HEADER = 0b111 << 29
DARK = HEADER.to_bytes(4, "big")


class Chip(Enum):
    """The type of LED on the strip."""

    APA102 = "apa102"
    SK9822 = "sk9822"


class FramePhase(Enum):
    """The phase of an LED in its protocol."""

    PASSING = "passes bits on and counts zeros"
    READY = "has had its start frame and waits for a one"
    TAKING = "is inside its own frame"


@dataclass(slots=True)
class Led:
    """One LED of the strip.

    `shows` and `holds` are frames of four bytes: first the bits 111 with the brightness, then blue, green, red.

    Only the first one of a header is needed (measured), so all headers are stored alike.
    """

    chip: Chip
    phase: FramePhase = FramePhase.PASSING
    zeros: int = 0
    taken: str = ""
    shows: bytes = DARK
    holds: bytes | None = None
    changed_at: int | None = None

    def receive(self, bits: str) -> str:
        """Accept bits, and return the data output after each bit.

        `changed_at` is then the index of the last bit that changed the colour, None if none did.
        """
        self.changed_at = None
        passed = []
        at = 0
        while at < len(bits):
            begin = at
            match self.phase:
                case FramePhase.PASSING:
                    received = "0" * self.zeros + bits[at:]
                    found = received.find(START)
                    if found < 0:
                        self.zeros = len(received) - len(received.rstrip("0"))
                        at = len(bits)
                    else:
                        at += found + FRAME_BITS - self.zeros
                        self.phase = FramePhase.READY
                    passed.append(bits[begin:at])
                case FramePhase.READY:
                    self._show(at)
                    one = bits.find("1", at)
                    if one < 0:
                        at = len(bits)
                    else:
                        at = one
                        self.phase, self.taken = FramePhase.TAKING, ""
                    passed.append(bits[begin:at])
                case FramePhase.TAKING:
                    at = min(len(bits), at + FRAME_BITS - len(self.taken))
                    self.taken += bits[begin:at]
                    passed.append("0" * (at - begin))
                    if len(self.taken) == FRAME_BITS:
                        self.holds = (int(self.taken, 2) | HEADER).to_bytes(4, "big")
                        self.phase, self.zeros = FramePhase.PASSING, 0
                        if self.chip is Chip.APA102:
                            self._show(at - 1)
        return "".join(passed)

    def _show(self, at: int) -> None:
        if self.holds is not None:
            if self.holds != self.shows:
                self.changed_at = at
            self.shows, self.holds = self.holds, None


class LedStrip:
    """A strip of `count` LEDs.

    `shown` has four bytes for each LED: first the bits 111 with the level, then blue, green, red."""

    def __init__(self, chip: Chip, *, count: int) -> None:
        self._chip = chip
        self._count = count
        self.power_on()

    def power_on(self) -> None:
        """Turn the power on; all LEDs are dark."""
        self.shown = DARK * self._count
        self._leds = [Led(self._chip) for _ in range(self._count)]
        self._waiting = ["0"] * self._count
        self._settled = True

    def receive(self, data: bytes, *, mode: int, late: int | None = None) -> float | None:
        """Accept bytes in this SPI mode while CE is low.

        `late` is the level of the data if the clock fell to its rest only after CE had opened the buffer, so that the
        opening was a rising edge, else None.

        Returns when the last change is visible, in clocks from the begin of the first bit; None if nothing changed. In
        modes 2 and 3 the clock rests high, so the opening buffer is one rising edge too many. In modes 1 and 2 the data
        changes on the edge that samples it: a race, which the twin always loses.
        """
        if not data:
            return None
        if mode == 0 and not late and self._settled and self._plain(data):
            return self._at_once(data)  # a zero before a start frame is one zero more
        bits = f"{int.from_bytes(data, 'big'):0{len(data) * 8}b}"
        match mode:
            case 0 if late is not None:
                bits = str(late) + bits
            case 1:
                bits = "0" + bits[:-1]
            case 2:
                bits = "0" + bits[1:] + bits[-1]
            case 3:
                bits = "0" + bits
        return self._bit_by_bit(bits)

    def _plain(self, data: bytes) -> bool:
        """Whether the bytes are one ordinary message for all LEDs.

        That is a start frame, a frame for each LED, and enough zeros to reach the last LED."""
        end = 4 + 4 * self._count
        return (
            (len(data) - end) * 8 >= FRAME_BITS + (self._count + 1) // 2
            and not any(data[:4])
            and not any(data[end:])
            and min(data[4:end:4]) >= 0xE0
        )

    def _at_once(self, data: bytes) -> float | None:
        """Set all LEDs at once from one ordinary message."""
        before, shown = self.shown, data[4 : 4 + 4 * self._count]
        if self._leds:
            self._leds = []
        if shown == before:
            return None
        self.shown = shown
        changed = int.from_bytes(shown, "big") ^ int.from_bytes(before, "big")
        last = self._count - 1 - _lowest_bit(changed) // FRAME_BITS
        bit = FRAME_BITS * (last + 2) - 1
        if self._chip is Chip.SK9822:
            bit = FRAME_BITS * (self._count + 2)
            if last < self._count - 1:
                tail = int.from_bytes(shown[-4:], "big")
                bit -= _lowest_bit(tail)
        return bit + 0.5 + last / 2

    def _bit_by_bit(self, bits: str) -> float | None:
        """Pass the bits through one LED after the other.

        An LED samples half a clock after the one before it. Two steps make a clock: at every second LED the first bit
        is the one that was waiting on the line, and the last one stays waiting there until the clock runs again.
        """
        if not self._leds:
            frames = [self.shown[i : i + 4] for i in range(0, len(self.shown), 4)]
            self._leds = [Led(self._chip, FramePhase.READY, shows=frame) for frame in frames]
        last: float | None = None
        for place, led in enumerate(self._leds):
            if place and place % 2 == 0:
                bits, self._waiting[place] = self._waiting[place] + bits[:-1], bits[-1]
            bits = led.receive(bits)
            if led.changed_at is not None:
                last = max(last or 0.0, led.changed_at + 0.5 + place % 2 / 2)
        self.shown = b"".join(led.shows for led in self._leds)
        idle = all(led.phase is not FramePhase.TAKING and led.holds is None for led in self._leds)
        self._settled = idle and "1" not in self._waiting
        return last


def _lowest_bit(number: int) -> int:
    """Return the position of the lowest bit that is set."""
    return (number & -number).bit_length() - 1
