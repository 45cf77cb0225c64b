"""A simulated SSD1306, the controller of the screen.

It follows Solomon Systech SSD1306 rev. 1.1 (clause numbers are of that sheet). It holds registers and RAM, and says
which dots of the panel are lit. Scroll commands are read and have no effect.

Wiring: I2C with SA0 to ground (0x3C) or high (0x3D); the panel's supply from the charge pump; RES# optional.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

COLUMNS = 128
PAGES = 8
ROWS = 64

# Table 9-1: how many argument bytes follow a command. All others have none.
ARGUMENTS = {
    **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
    **dict.fromkeys((0x21, 0x22, 0xA3), 2),
    **dict.fromkeys((0x29, 0x2A), 5),
    **dict.fromkeys((0x26, 0x27), 6),
}
ADDRESSING = ("horizontal", "vertical", "page")

# For each of the 8 bits of a RAM byte: every byte to the digit of that bit.
BIT = [bytes(b"01"[value >> bit & 1] for value in range(256)) for bit in range(8)]


@dataclass(slots=True)
class Registers:
    """The registers and their reset values (8.5, table 9-1)."""

    on: bool = False
    all_on: bool = False
    inverse: bool = False
    contrast: int = 0x7F
    addressing: str = "page"
    column: int = 0
    column_start: int = 0
    column_end: int = COLUMNS - 1
    page: int = 0
    page_start: int = 0
    page_end: int = PAGES - 1
    start_line: int = 0
    offset: int = 0
    multiplex: int = ROWS - 1
    segment_remap: bool = False
    com_remap: bool = False
    com_pins: int = 0x12
    charge_pump: bool = False


class Ssd1306:
    """One SSD1306 controller.

    `noise(n)` returns the n random bytes of the RAM at power-on.
    `ram` is page after page, each a byte for SEG0 to SEG127, bit 0 on top (8.7). `registers` is what holds now.
    """

    def __init__(self, *, noise: Callable[[int], bytes]) -> None:
        self._noise = noise
        self.power_on()

    def power_on(self) -> None:
        """Reset the registers, and fill the RAM with noise."""
        self.ram = bytearray(self._noise(COLUMNS * PAGES))
        self.reset()

    def reset(self) -> None:
        """Reset the registers, but not the RAM (8.5)."""
        self.registers = Registers()
        self._pending: list[int] = []

    def write(self, payload: bytes) -> None:
        """Accept control bytes with their commands and data (8.1.5.2)."""
        at = 0
        while at < len(payload):
            control = payload[at]
            more = control & 0x80
            end = at + 2 if more else len(payload)
            part = payload[at + 1 : end]
            if control & 0x40:
                self._data(part)
            else:
                for byte in part:
                    self._command(byte)
            at = end

    def read(self) -> int:
        """Return the status byte; bit 6 means off (table 9-2)."""
        return 0x00 if self.registers.on else 0x40

    def _command(self, byte: int) -> None:
        pending = self._pending
        pending.append(byte)
        if len(pending) <= ARGUMENTS.get(pending[0], 0):
            return
        self._pending = []
        command, *arguments = pending
        r = self.registers
        match command, arguments:
            case 0x20, [mode] if mode & 3 < 3:
                r.addressing = ADDRESSING[mode & 3]
            case 0x21, [start, end] if r.addressing != "page":
                r.column = r.column_start = start & 0x7F
                r.column_end = end & 0x7F
            case 0x22, [start, end] if r.addressing != "page":
                r.page = r.page_start = start & 7
                r.page_end = end & 7
            case 0x81, [level]:
                r.contrast = level
            case 0x8D, [pump]:
                r.charge_pump = bool(pump & 0x04)
            case 0xA8, [ratio] if ratio & 0x3F >= 15:
                r.multiplex = ratio & 0x3F
            case 0xD3, [rows]:
                r.offset = rows & 0x3F
            case 0xDA, [pins]:
                r.com_pins = pins & 0x32
            case ((0xA0 | 0xA1), _):
                r.segment_remap = command == 0xA1
            case ((0xA4 | 0xA5), _):
                r.all_on = command == 0xA5
            case ((0xA6 | 0xA7), _):
                r.inverse = command == 0xA7
            case ((0xAE | 0xAF), _):
                r.on = command == 0xAF
            case low, _ if low <= 0x0F and r.addressing == "page":
                r.column = r.column & 0x70 | low
            case high, _ if 0x10 <= high <= 0x1F and r.addressing == "page":
                r.column = (high & 0x07) << 4 | r.column & 0x0F
            case line, _ if 0x40 <= line <= 0x7F:
                r.start_line = line & 0x3F
            case page, _ if 0xB0 <= page <= 0xB7 and r.addressing == "page":
                r.page = page & 7
            case scan, _ if 0xC0 <= scan <= 0xCF:
                r.com_remap = bool(scan & 0x08)

    def _data(self, data: bytes) -> None:
        r = self.registers
        if r.addressing == "vertical":
            for byte in data:
                self.ram[r.page * COLUMNS + (COLUMNS - 1 - r.column if r.segment_remap else r.column)] = byte
                if r.page == r.page_end:
                    r.page = r.page_start
                    r.column = r.column_start if r.column == r.column_end else (r.column + 1) % COLUMNS
                else:
                    r.page = (r.page + 1) % PAGES
            return
        while data:
            end = r.column_end if r.addressing == "horizontal" and r.column <= r.column_end else COLUMNS - 1
            run = data[: end - r.column + 1]
            data = data[len(run) :]
            row = r.page * COLUMNS
            if r.segment_remap:
                right = row + COLUMNS - r.column
                self.ram[right - len(run) : right] = run[::-1]
            else:
                self.ram[row + r.column : row + r.column + len(run)] = run
            r.column += len(run) - 1
            if r.addressing == "page" or r.column != r.column_end:
                r.column = (r.column + 1) % COLUMNS
            else:  # in horizontal mode it carries into the page (10.1.3)
                r.column = r.column_start
                r.page = r.page_start if r.page == r.page_end else (r.page + 1) % PAGES

    def looks(self) -> tuple[object, ...]:
        """Return all values that affect the visible picture."""
        r = self.registers
        rows = (r.start_line, r.offset, r.multiplex, r.com_remap, r.com_pins)
        return bytes(self.ram), r.on, r.charge_pump, r.all_on, r.inverse, r.contrast, rows

    def lines(self) -> list[int]:
        """Return the pixels of each COM pin as a number.

        COM0 is first; SEG0 is the lowest bit. All pixels are dark while the display or the charge pump is off."""
        r = self.registers
        shown = [0] * ROWS
        if not (r.on and r.charge_pump):
            return shown
        every = (1 << COLUMNS) - 1
        rows = [row for at in range(0, len(self.ram), COLUMNS) for row in _rows(bytes(self.ram[at : at + COLUMNS]))]
        if r.inverse:
            rows = [row ^ every for row in rows]
        driven = _driven(r.multiplex, r.offset, r.start_line, com_remap=r.com_remap, com_pins=r.com_pins)
        for row, pin in driven:
            shown[pin] = every if r.all_on else rows[row]
        return shown


@lru_cache(maxsize=16)
def _driven(
    multiplex: int, offset: int, start_line: int, *, com_remap: bool, com_pins: int
) -> tuple[tuple[int, int], ...]:
    """Return the RAM row and COM pin of each driven row.

    COM pins are in sequence, or even rows on one side and odd rows on the other (tables 10-1 to 10-3)."""
    driven = []
    for output in range(ROWS):
        scan = ((multiplex - output if com_remap else output) + offset) % ROWS
        pin = output
        if com_pins & 0x10:
            pin = output // 2 + (ROWS // 2 if output % 2 else 0)
        if com_pins & 0x20:
            pin = (pin + ROWS // 2) % ROWS
        if scan <= multiplex:
            driven.append(((scan + start_line) % ROWS, pin))
    return tuple(driven)


@lru_cache(maxsize=16)
def _rows(page: bytes) -> tuple[int, ...]:
    """Return the eight RAM rows of a page.

    SEG0 is the lowest bit. Cached, because most writes change only one of eight pages."""
    return tuple(int(page[::-1].translate(bit), 2) for bit in BIT)
