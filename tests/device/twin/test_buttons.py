"""The simulated 74HC165 chain, against the data sheet's examples and against a model that goes edge by edge."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.places import DATA_SHEETS

from cribd.twin.chips.hc165 import Hc165Chain

SHEET: dict[str, Any] = DATA_SHEETS["hc165"]


class SlowChip:
    """One 74HC165, as its function table says: eight registers, four inputs, an edge at a time."""

    def __init__(self, inputs_h_to_a: str) -> None:
        self.inputs = [int(level) for level in inputs_h_to_a]
        self.registers = [0] * 8  # H first
        self.sh_ld, self.clk, self.clk_inh = 1, 0, 0

    @property
    def qh(self) -> int:
        return self.registers[0]

    def set(self, *, sh_ld: int | None = None, clk: int | None = None, clk_inh: int | None = None, ser: int = 0) -> str:
        was = self.clk, self.clk_inh
        self.sh_ld = self.sh_ld if sh_ld is None else sh_ld
        self.clk = self.clk if clk is None else clk
        self.clk_inh = self.clk_inh if clk_inh is None else clk_inh
        if self.sh_ld == 0:
            self.registers = list(self.inputs)
            return "load"
        if (was, (self.clk, self.clk_inh)) in (((0, 0), (1, 0)), ((0, 0), (0, 1))):
            self.registers = [*self.registers[1:], ser]
            return "shift"
        return "nothing"


class SlowBoard:
    """Chips in a chain on SPI with CE1, and a master that clocks them an edge at a time."""

    def __init__(self, near_to_far: list[str], far_level: int) -> None:
        self.chips = [SlowChip(inputs) for inputs in near_to_far]
        self.far_level = far_level
        self.set(sh_ld=0)

    def set(self, *, sh_ld: int | None = None, clk: int | None = None) -> None:
        sers = [*(chip.qh for chip in self.chips[1:]), self.far_level]
        for chip, ser in zip(self.chips, sers, strict=True):
            chip.set(sh_ld=sh_ld, clk=clk, ser=ser)

    def clock(self, count: int, *, mode: int, late: bool = False) -> list[int]:
        rest, phase = mode >> 1, mode & 1
        self.set(clk=1 - rest if late else rest)
        self.set(sh_ld=1)
        self.set(clk=rest)
        read = []
        for _ in range(8 * count):
            for edge, level in enumerate((1 - rest, rest)):
                samples = edge == phase
                if samples and level == 0:
                    read.append(self.chips[0].qh)
                self.set(clk=level)
                if samples and level == 1:  # it samples on the edge that shifts, and loses the race
                    read.append(self.chips[0].qh)
        self.set(sh_ld=0)
        bits = "".join(map(str, read))
        return [int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)]


def quick_chain(near_to_far: list[str], far_level: int) -> Hc165Chain:
    chain = Hc165Chain(len(near_to_far), far_level=far_level)
    for place, level in enumerate("".join(near_to_far)):
        chain.set(place, int(level))
    return chain


def said(text: str) -> list[int]:
    return list(bytes.fromhex(text))


@pytest.mark.parametrize("row", SHEET["table"], ids=lambda row: "-".join(map(str, row.values())))
def test_the_slow_chip_does_what_the_function_table_says(row: dict[str, str]) -> None:
    levels = {"L": (0,), "H": (1,), "X": (0, 1), "up": (1,)}
    for clk in levels[row["clk"]]:
        for clk_inh in levels[row["clk_inh"]]:
            chip = SlowChip("10110010")
            chip.sh_ld = 1
            chip.clk = 0 if row["clk"] == "up" else clk
            chip.clk_inh = 0 if row["clk_inh"] == "up" else clk_inh
            assert chip.set(sh_ld=levels[row["sh_ld"]][0], clk=clk, clk_inh=clk_inh) == row["does"]


@pytest.mark.parametrize("example", SHEET["shift"], ids=lambda e: e["inputs_h_to_a"] + str(e["ser"]))
def test_input_h_is_on_the_output_before_the_first_clock_and_the_others_follow(example: dict[str, Any]) -> None:
    chain = quick_chain([example["inputs_h_to_a"]], example["ser"])
    bits = "".join(f"{byte:08b}" for byte in chain.shift(2, mode=2))
    assert bits[:9] == example["qh"]


@pytest.mark.parametrize("example", SHEET["transfer"], ids=lambda e: e["why"])
def test_a_transfer_reads_what_the_data_sheet_says_in_this_mode(example: dict[str, Any]) -> None:
    chain = quick_chain(example["near_to_far"], example["far_level"])
    assert chain.shift(example["bytes_clocked"], mode=example["mode"]) == said(example["received"])


@pytest.mark.parametrize("mode", SHEET["race"]["modes"])
def test_a_mode_that_samples_on_the_shifting_edge_loses_the_race_and_the_near_pattern_tells(mode: int) -> None:
    race = SHEET["race"]
    chain = quick_chain([race["near_pattern"] + "11"], 0)
    read = f"{chain.shift(1, mode=mode)[0]:08b}"
    assert read.startswith(race["near_pattern_if_the_race_is_lost"])
    assert not read.startswith(race["near_pattern"])


def test_clocks_that_are_meant_for_the_strip_change_nothing_in_the_next_scan() -> None:
    deaf = SHEET["deaf"]
    chain = quick_chain(deaf["near_to_far"], 0)
    chain.rest(deaf["clocks_meant_for_the_strip"] // 8)
    assert chain.shift(2, mode=2) == said(deaf["next_transfer_in_mode_2"])


def test_while_the_chain_loads_its_output_follows_the_first_input() -> None:
    chain = quick_chain(["10000000"], 0)
    assert chain.rest(3) == [0xFF] * 3
    chain.set(0, 0)
    assert chain.rest(3) == [0x00] * 3


def test_setting_an_input_beyond_the_chain_is_refused() -> None:
    with pytest.raises(ValueError, match="input 8"):
        Hc165Chain(1, far_level=0).set(8, 1)


@given(
    near_to_far=st.lists(st.text("01", min_size=8, max_size=8), min_size=1, max_size=5),
    far_level=st.integers(0, 1),
    mode=st.integers(0, 3),
    count=st.integers(0, 8),
    touched=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1)), max_size=3),
    late=st.booleans(),
)
def test_the_quick_chain_reads_what_a_chain_of_chips_reads_edge_by_edge(
    near_to_far: list[str], far_level: int, mode: int, count: int, touched: list[tuple[int, int]], late: bool
) -> None:
    quick, slow = quick_chain(near_to_far, far_level), SlowBoard(near_to_far, far_level)
    assert quick.shift(count, mode=mode, late=late) == slow.clock(count, mode=mode, late=late)
    for place, level in touched:
        quick.set(place, level)
        slow.chips[0].inputs[place] = level
    slow.set(sh_ld=0)
    assert quick.shift(count, mode=mode) == slow.clock(count, mode=mode)
