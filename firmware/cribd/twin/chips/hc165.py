"""The buttons' chain of 74HC165 or 74HCS165 shift registers.

The chain is stored as one long number. It follows TI SCLS116 (function table) and SCEA117.

Wiring: SH/LD is CE inverted and CLK INH is low. CE high loads all inputs, again and again, and no clock matters; CE low
holds them and shifts at each rising SCLK. QH of the chip at the Pi is MISO. SER of the far chip is tied to a level.
"""

from __future__ import annotations


class Hc165Chain:
    """A chain of shift registers, with the level of each input.

    The inputs are in the order of reading: H…A of the near chip first, A of the far chip last. `chips` of eight inputs
    each; `far_level` is what SER of the far chip is tied to. All inputs read 1 until set: they have pull-ups.
    """

    def __init__(self, chips: int, *, far_level: int) -> None:
        self._bits = chips * 8
        self._far = far_level
        self._inputs = (1 << self._bits) - 1
        self._read: dict[tuple[int, int, bool], tuple[int, ...]] = {}

    def set(self, place: int, level: int) -> None:
        """Set the input at `place` to 0 or 1."""
        if not 0 <= place < self._bits:
            raise ValueError(f"input {place}: the chain has 0 to {self._bits - 1}")
        mask = 1 << (self._bits - 1 - place)
        self._inputs = self._inputs | mask if level else self._inputs & ~mask
        self._read = {}

    def level(self, place: int) -> int:
        """Return the present level of the input at `place`."""
        return self._inputs >> (self._bits - 1 - place) & 1

    def shift(self, count: int, *, mode: int, late: bool = False) -> list[int]:
        """Return the bytes that the master reads while CE is low.

        `late`: the clock took its resting level after CE had fallen. If it rests high, that is a rising edge more.

        The chips shift on the rising edge and QH shows the first bit before any edge. So mode 2, where the clock rests
        high, falls to sample and rises to shift, reads the truth. Mode 1 shifts first and samples then: the first bit
        is lost. Modes 0 and 3 sample on the very edge that shifts. That is a race without a right answer; the twin
        always loses it, so that nothing can depend on it.
        """
        read = self._read
        if (answer := read.get((count, mode, late))) is None:
            first = (0 if mode == 2 else 1) + (late and mode >= 2)
            beyond = first + 8 * count - self._bits  # so many bits of SER of the far chip arrive too
            if beyond <= 0:
                bits = self._inputs >> -beyond
            else:
                bits = self._inputs << beyond | ((1 << beyond) - 1 if self._far else 0)
            answer = read[count, mode, late] = tuple((bits & ((1 << 8 * count) - 1)).to_bytes(count, "big"))
        return list(answer)

    def rest(self, count: int) -> list[int]:
        """Return the bytes on the output QH while CE is high.

        QH shows the level of the first input."""
        return [0xFF if self.level(0) else 0x00] * count
