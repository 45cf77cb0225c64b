"""The simulated SSD1306 and its panel, against the data sheet's examples and a model that goes dot by dot."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.places import DATA_SHEETS

from cribd.twin.chips.ssd1306 import Registers, Ssd1306
from cribd.twin.parts import OledView, oled_view

SHEET: dict[str, Any] = DATA_SHEETS["ssd1306"]


def new_chip() -> Ssd1306:
    return Ssd1306(noise=bytes)


def numbered(count: int) -> bytes:
    return bytes(i * 37 % 251 for i in range(count))


def command(chip: Ssd1306, text: str) -> None:
    chip.write(b"\x00" + bytes.fromhex(text))


def lit(picture: OledView) -> set[tuple[int, int]]:
    """The lit dots, by column and row: (0, 0) is the left one at the top."""
    row = picture.width // 8
    return {
        (8 * (byte % row) + bit, byte // row)
        for byte, dots in enumerate(picture.pixels)
        for bit in range(8)
        if dots & 0x80 >> bit
    }


def test_after_a_reset_the_registers_are_as_the_data_sheet_says() -> None:
    assert asdict(new_chip().registers) == SHEET["reset"]


@pytest.mark.parametrize("example", SHEET["command"], ids=lambda e: e["bytes"])
def test_a_command_sets_what_the_data_sheet_says_and_nothing_else(example: dict[str, Any]) -> None:
    chip = new_chip()
    windowed = "column_start" in example["sets"] or "page_start" in example["sets"]
    if windowed:  # only for horizontal and vertical addressing (table 9-1)
        command(chip, "20 00")
    command(chip, example["bytes"])
    changed = {"addressing": "horizontal"} if windowed else {}
    assert asdict(chip.registers) == SHEET["reset"] | changed | example["sets"]
    command(chip, "81 55")  # no argument is still missing
    assert chip.registers.contrast == 0x55


def test_windows_are_for_the_modes_that_have_them_and_page_commands_for_page_mode() -> None:
    chip = new_chip()
    command(chip, "21 05 7A 22 01 06")
    assert asdict(chip.registers) == SHEET["reset"]
    command(chip, "20 00 B3 05 12")
    assert (chip.registers.page, chip.registers.column) == (0, 0)


@pytest.mark.parametrize("example", SHEET["write"], ids=lambda e: e["why"])
def test_bytes_go_where_the_data_sheet_says(example: dict[str, Any]) -> None:
    chip = new_chip()
    for transfer in example["transfers"]:
        chip.write(bytes.fromhex(transfer))
    for page, column, byte in example["ram"]:
        assert chip.ram[page * 128 + column] == byte
    assert sum(map(bool, chip.ram)) == len({(p, c) for p, c, _ in example["ram"]}) or "page mode" in example["why"]
    assert (chip.registers.column, chip.registers.page) == (example["column"], example["page"])


@pytest.mark.parametrize("example", SHEET["rows"], ids=lambda e: "-".join(map(str, e.values()))[:24])
def test_rows_stand_where_the_tables_say(example: dict[str, Any]) -> None:
    """Each row of the RAM holds its number and one more, and the pins are in sequence: pin N shows ROWN."""
    chip = new_chip()
    for row in range(64):
        for column in range(7):
            chip.ram[row // 8 * 128 + column] |= ((row + 1) >> column & 1) << row % 8
    scan = "C8" if example["com_remap"] else "C0"
    command(chip, f"A8 {example['multiplex'] - 1:02X} {scan} D3 {example['offset']:02X}")
    command(chip, f"{0x40 | example['start_line']:02X}")
    command(chip, "DA 02 8D 14 AF")
    shown = chip.lines()
    assert [[hardware, shown[hardware] - 1] for hardware, _ in example["rows"]] == example["rows"]


@pytest.mark.parametrize("control", SHEET["control"], ids=lambda c: SHEET["control"][c])
def test_a_control_byte_tells_commands_from_data(control: str) -> None:
    chip = new_chip()
    chip.write(bytes.fromhex(control) + bytes((0xA7, 0x00, 0xA5)))
    data = "data" in SHEET["control"][control]
    follows = 0xA5 if "control byte" in SHEET["control"][control] else None
    assert chip.ram[0] == (0xA7 if data else 0)
    assert chip.registers.inverse is not data
    assert chip.registers.all_on is (follows == 0xA5 or not data)


def test_the_status_says_whether_the_display_is_on() -> None:
    chip = new_chip()
    assert chip.read() == SHEET["status_on_read"]["display_off"]
    command(chip, "AF")
    assert chip.read() == SHEET["status_on_read"]["display_on"]


def test_a_reset_keeps_the_ram_and_a_power_loss_does_not() -> None:
    fill = iter((bytes(1024), numbered(1024)))
    chip = Ssd1306(noise=lambda count: next(fill)[:count])
    command(chip, "AF 20 00 81")
    chip.write(b"\x40\x55")
    chip.reset()
    assert chip.ram[0] == 0x55
    assert chip.registers == Registers()
    command(chip, "A7")  # it does not complete the contrast that was begun before the reset
    assert chip.registers.inverse
    chip.power_on()
    assert chip.ram == numbered(1024)
    assert chip.registers == Registers()


def start(chip: Ssd1306) -> None:
    command(chip, SHEET["start"]["bytes"])


def test_the_start_sequence_of_the_data_sheet_lights_the_glass_and_a_dark_pump_does_not() -> None:
    chip = Ssd1306(noise=lambda count: b"\xff" * count)
    command(chip, SHEET["start"]["bytes"].replace("8D 14 ", ""))
    assert not oled_view(chip, width=128, height=64).on
    assert not any(oled_view(chip, width=128, height=64).pixels)
    command(chip, "8D 14")
    assert oled_view(chip, width=128, height=64).on
    assert oled_view(chip, width=128, height=64).pixels == b"\xff" * 1024


def test_column_0_and_the_lowest_bit_are_the_top_left_dot_of_a_common_module() -> None:
    chip = new_chip()
    start(chip)
    command(chip, "20 00")
    chip.write(b"\x40\x01\x80")
    assert lit(oled_view(chip, width=128, height=64)) == {(0, 0), (1, 7)}


def test_rows_turn_at_once_but_columns_only_for_what_is_written_afterwards() -> None:
    chip = new_chip()
    start(chip)
    command(chip, "20 00")
    chip.write(b"\x40\x01")
    command(chip, "C0 A0")
    assert lit(oled_view(chip, width=128, height=64)) == {(0, 63)}
    chip.write(b"\x40\x01")
    assert (126, 63) in lit(oled_view(chip, width=128, height=64))


def test_inverse_and_all_on_change_the_glass_and_not_the_ram() -> None:
    chip = new_chip()
    start(chip)
    command(chip, "A7")
    assert oled_view(chip, width=128, height=64).pixels == b"\xff" * 1024
    command(chip, "A6 A5")
    assert oled_view(chip, width=128, height=64).pixels == b"\xff" * 1024
    command(chip, "A4")
    assert not any(oled_view(chip, width=128, height=64).pixels)
    assert not any(chip.ram)


def test_a_glass_of_64_rows_is_scrambled_by_com_pins_in_sequence() -> None:
    chip = new_chip()
    start(chip)
    command(chip, "20 00")
    chip.write(b"\x40\x03")
    command(chip, "DA 02")
    assert lit(oled_view(chip, width=128, height=64)) == {(0, 0), (0, 2)}


def test_an_unknown_glass_is_refused() -> None:
    with pytest.raises(ValueError, match="96 x 16"):
        oled_view(new_chip(), width=96, height=16)


class SlowController:
    """The pointers and the glass, a byte and a dot at a time."""

    def __init__(self) -> None:
        self.dots: set[tuple[int, int]] = set()  # (segment, RAM row) that hold a one
        self.mode, self.column, self.page = 2, 0, 0
        self.window = [0, 127, 0, 7]
        self.remap = False

    def put(self, byte: int) -> None:
        segment = 127 - self.column if self.remap else self.column
        for bit in range(8):
            dot = segment, self.page * 8 + bit
            self.dots = self.dots | {dot} if byte >> bit & 1 else self.dots - {dot}
        left, right, top, bottom = self.window
        at_right, at_bottom = self.column == right, self.page == bottom
        match self.mode:
            case 2:
                self.column = (self.column + 1) % 128
            case 0:
                self.column = left if at_right else (self.column + 1) % 128
                if at_right:
                    self.page = top if at_bottom else (self.page + 1) % 8
            case 1:
                self.page = top if at_bottom else (self.page + 1) % 8
                if at_bottom:
                    self.column = left if at_right else (self.column + 1) % 128

    def set(self, name: str, *values: int) -> bytes:
        match name, values:
            case "mode", (mode,):
                self.mode = mode
                return bytes((0x20, mode))
            case "columns", (left, right):
                if self.mode != 2:
                    self.window[:2] = left, right
                    self.column = left
                return bytes((0x21, left, right))
            case "pages", (top, bottom):
                if self.mode != 2:
                    self.window[2:] = top, bottom
                    self.page = top
                return bytes((0x22, top, bottom))
            case "page", (page,):
                if self.mode == 2:
                    self.page = page
                return bytes((0xB0 | page,))
            case "column", (column,):
                if self.mode == 2:
                    self.column = column
                return bytes((column & 15, 0x10 | column >> 4))
            case "remap", (remap,):
                self.remap = bool(remap)
                return bytes((0xA0 | remap,))
        raise AssertionError(name)


COLUMN, PAGE = st.integers(0, 127), st.integers(0, 7)
STEPS = st.one_of(
    st.tuples(st.just("mode"), st.integers(0, 2)),
    st.tuples(st.just("columns"), COLUMN, COLUMN),
    st.tuples(st.just("pages"), PAGE, PAGE),
    st.tuples(st.just("page"), PAGE),
    st.tuples(st.just("column"), COLUMN),
    st.tuples(st.just("remap"), st.integers(0, 1)),
    st.binary(min_size=1, max_size=32),
    st.binary(min_size=1, max_size=300),
)


@settings(max_examples=200, deadline=None)
@given(steps=st.lists(STEPS, max_size=12))
def test_the_quick_controller_fills_its_ram_as_one_that_goes_byte_by_byte(steps: list[Any]) -> None:
    quick, slow = new_chip(), SlowController()
    for step in steps:
        if isinstance(step, bytes):
            quick.write(b"\x40" + step)
            for byte in step:
                slow.put(byte)
        else:
            quick.write(b"\x00" + slow.set(*step))
    held = {(i % 128, i // 128 * 8 + bit) for i, byte in enumerate(quick.ram) for bit in range(8) if byte >> bit & 1}
    assert held == slow.dots
    assert (quick.registers.column, quick.registers.page) == (slow.column, slow.page)


@settings(max_examples=60, deadline=None)
@given(
    ram=st.binary(min_size=1024, max_size=1024),
    rows=st.integers(16, 64),
    com_remap=st.booleans(),
    offset=st.integers(0, 63),
    start_line=st.integers(0, 63),
    height=st.sampled_from([64, 32]),
    inverse=st.booleans(),
)
def test_the_glass_shows_each_dot_that_the_tables_put_there(
    ram: bytes, rows: int, com_remap: bool, offset: int, start_line: int, height: int, inverse: bool
) -> None:
    chip = Ssd1306(noise=lambda _: ram)
    command(chip, f"AF 8D 14 {'C8' if com_remap else 'C0'} A8 {rows - 1:02X} D3 {offset:02X} {0x40 | start_line:02X}")
    command(chip, f"DA {'12' if height == 64 else '02'} {'A7' if inverse else 'A6'}")
    shown = lit(oled_view(chip, width=128, height=height))
    for y in range(height):
        com = height - 1 - y
        scan = ((rows - 1 - com if com_remap else com) + offset) % 64
        row = (scan + start_line) % 64
        for x in (0, 1, 63, 127):
            bit = ram[row // 8 * 128 + 127 - x] >> row % 8 & 1
            assert ((x, y) in shown) is (scan < rows and bool(bit) is not inverse)


@given(cut=st.lists(st.integers(0, 40), max_size=4), stream=st.binary(max_size=40))
def test_commands_read_the_same_however_they_are_cut_into_writes(cut: list[int], stream: bytes) -> None:
    whole, parts = new_chip(), new_chip()
    whole.write(b"\x00" + stream)
    edges = [0, *sorted(min(at, len(stream)) for at in cut), len(stream)]
    for begin, end in pairwise(edges):
        parts.write(b"\x00" + stream[begin:end])
    assert parts.registers == whole.registers
