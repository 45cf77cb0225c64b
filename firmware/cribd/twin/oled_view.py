"""The OLED as a person sees it: a panel wired to its controller as in common modules.

Only the controller's rows and columns decide what it shows. On these modules SEG127 is the left column and the highest
COM is the top row, which is why drivers remap both. A panel of 64 rows has its even rows on one side of the chip and
its odd rows on the other (com pins 0x12); one of 32 rows has them in sequence (0x02).
"""

from __future__ import annotations

from dataclasses import dataclass

from cribd.twin.chips.ssd1306 import COLUMNS, ROWS, Ssd1306

SIZES = ((128, 64), (128, 32))


@dataclass(frozen=True, slots=True)
class OledView:
    """What the panel shows. `pixels` are the lit pixels as seen, also when inverse: row after row from the top, eight
    pixels a byte, the leftmost in the highest bit (Pillow's mode "1"). `contrast` is 0 to 255."""

    width: int
    height: int
    on: bool
    contrast: int
    inverse: bool
    pixels: bytes


def dark(width: int, height: int) -> OledView:
    """A panel without power."""
    return OledView(width, height, on=False, contrast=0, inverse=False, pixels=bytes(width * height // 8))


def oled_view(chip: Ssd1306, width: int, height: int) -> OledView:
    """What a panel of this size shows now. ValueError if there is no such module."""
    if (width, height) not in SIZES:
        raise ValueError(f"a glass of {width} x {height}: known are {SIZES}")
    pins = chip.lines()
    if height == ROWS:
        lines = [pins[line // 2 + (ROWS // 2 if line % 2 else 0)] for line in range(ROWS)]
    else:
        lines = pins[:height]
    registers = chip.registers
    return OledView(
        width,
        height,
        on=registers.on and registers.charge_pump,
        contrast=registers.contrast,
        inverse=registers.inverse,
        pixels=b"".join([line.to_bytes(COLUMNS // 8, "big") for line in reversed(lines)]),
    )
