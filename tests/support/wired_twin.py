"""A twin whose wires a test uses as drivers do: it reads buttons and keys, and sends LED frames and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field

from cribd.boards import Board
from cribd.clock import ManualClock
from cribd.twin.machine import Twin


@dataclass
class WiredTwin:
    """A twin of this board, in the time of this clock."""

    board: Board
    twin: Twin
    clock: ManualClock
    reads_buttons: bool = field(default=True, init=False)

    def chain(self) -> str:
        """One scan of the button chain, bit by bit."""
        wired = self.board.chain
        device = self.twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
        try:
            return "".join(f"{byte:08b}" for byte in device.transfer([0] * (wired.chips + 1)))
        finally:
            device.close()

    def read_buttons(self) -> None:
        """Scan the button chain from now on, as a driver does, while `reads_buttons`."""

        def scan() -> bool:
            if self.reads_buttons and self.board.chain.chips:
                self.chain()
            self.clock.call_later(0.01, scan)
            return False

        scan()

    def is_down(self, track: int, hole: int) -> bool:
        place = self.board.tracks[track].holes[hole - 1].input
        assert place is not None
        return self.chain()[place] == str(self.board.chain.pressed_level)

    def is_grounded(self, gpio: int) -> bool:
        return f"GPIO{gpio}" in self.twin.wires.pin_factory.grounded

    def glow(self, lights: dict[int, str]) -> None:
        """Send one LED frame: brightness byte, blue, green, red, in hexadecimal. Nothing where there is no strip."""
        wired = self.board.strip
        if not wired.count:
            return
        leds = b"".join(bytes.fromhex(lights.get(led, "E0 00 00 00")) for led in range(wired.count))
        device = self.twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
        device.transfer([*bytes(4), *leds, *bytes(4 + -(-wired.count // 16))])
        device.close()

    def draw(self, ram: bytes, *, contrast: int = 0x7F) -> None:
        """Show these bytes on the screen, from its left column and top; it is mounted as the common modules are."""
        bus = self.twin.wires.i2c(self.board.oled.i2c_port)
        address = self.board.oled.address
        setup: tuple[list[int], ...] = ([0x8D, 0x14], [0x20, 0x00], [0xA1], [0xC8], [0x81, contrast], [0x21, 0, 127])
        for command in (*setup, [0x22, 0, 7], [0xAF]):
            bus.write_i2c_block_data(address, 0x00, command)
        ram = ram.ljust(1024, b"\0")
        for at in range(0, len(ram), 16):
            bus.write_i2c_block_data(address, 0x40, list(ram[at : at + 16]))
