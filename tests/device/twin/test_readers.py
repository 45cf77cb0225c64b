"""The twin's readers: chips against their data sheets, and against the drivers over real pseudo-terminals."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serial import Serial
from tests.support.places import DATA_SHEETS

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.inputs import CardRead, Fault, FaultCleared, FaultKind, Input, MultipleTags, ReadFailed, TagRead
from cribd.readers.ports import Ports
from cribd.readers.serial_reader import attach, decoder_of
from cribd.twin.chips.pn532 import Pn532Chip
from cribd.twin.chips.rdm6300 import Rdm6300Chip
from cribd.twin.machine import Twin
from cribd.twin.readers import CHIPS
from cribd.twin.tags import CARDS, tag_of, tags
from cribd.wires import ReaderKind, ReaderWire

SHEETS: dict[str, Any] = DATA_SHEETS
RDM, PN = SHEETS["rdm6300"], SHEETS["pn532"]
WAKE = bytes.fromhex(PN["wake"])
ACK, NACK, ERROR = (bytes.fromhex(PN["short"][name]) for name in ("ack", "nack", "error"))
FIRMWARE, SAM, RETRIES, LIST = PN["command"]


def ready() -> Pn532Chip:
    """A PN532 that was woken and set up."""
    chip = Pn532Chip()
    chip.receive(WAKE + bytes.fromhex(SAM["says"]))
    return chip


class TestRdm6300:
    @pytest.mark.parametrize("frame", RDM["frame"])
    def test_a_tag_in_the_field_is_a_frame_of_the_sheet_again_and_again(self, frame: dict[str, str]) -> None:
        chip = Rdm6300Chip()
        assert chip.frame() == b""
        chip.put_tags_in_field((frame["uid"],))
        assert [chip.frame(), chip.frame()] == [bytes.fromhex(frame["wire"])] * 2
        chip.put_tags_in_field(())
        assert chip.frame() == b""

    @pytest.mark.parametrize("others", [("01000734E0",), ("01000734E0", "0100073500")])
    def test_several_tags_before_an_rdm6300_give_a_wrong_checksum(self, others: tuple[str, ...]) -> None:
        chip = Rdm6300Chip()
        chip.put_tags_in_field(("62E3086CED", *others))
        frame = chip.frame()
        assert frame != bytes.fromhex(RDM["frame"][0]["wire"])
        assert (frame[:1], frame[-1:]) == (bytes.fromhex(RDM["head"]), bytes.fromhex(RDM["tail"]))


class TestPn532:
    @pytest.mark.parametrize("example", PN["command"], ids=lambda each: each["name"])
    def test_a_command_is_acknowledged_and_answered_as_in_the_manual(self, example: dict[str, str]) -> None:
        chip = ready()
        chip.receive(bytes.fromhex(RETRIES["says"]))
        assert chip.receive(bytes.fromhex(example["says"])) == [ACK, bytes.fromhex(example["answers"])]

    def test_a_pn532_answers_nothing_before_its_wake_up(self) -> None:
        chip = Pn532Chip()
        assert chip.receive(bytes.fromhex(SAM["says"]) * 3) == []
        assert chip.receive(WAKE) == []
        assert chip.receive(bytes.fromhex(SAM["says"])) == [ACK, bytes.fromhex(SAM["answers"])]

    def test_after_power_on_it_looks_for_no_tag_before_its_sam_is_configured(self) -> None:
        chip = Pn532Chip()
        chip.put_tags_in_field(("12345678",))
        assert chip.receive(WAKE + bytes.fromhex(LIST["says"])) == []
        chip.receive(bytes.fromhex(SAM["says"]))
        assert chip.receive(bytes.fromhex(LIST["says"])) == [ACK, bytes.fromhex(PN["targets"][1]["answers"])]
        chip.power_on()
        assert chip.receive(WAKE + bytes.fromhex(LIST["says"])) == []

    @pytest.mark.parametrize("wake", PN["power_down"]["wakes"])
    @pytest.mark.parametrize("first", [FIRMWARE, SAM], ids=["version first", "configured first"])
    def test_a_pn532_wakes_by_every_known_preamble_and_answers_the_first_command(
        self, wake: str, first: dict[str, str]
    ) -> None:
        for at_once in (True, False):
            chip = Pn532Chip()
            said = (
                chip.receive(bytes.fromhex(wake) + bytes.fromhex(first["says"]))
                if at_once
                else chip.receive(bytes.fromhex(wake))
            )
            assert (said or chip.receive(bytes.fromhex(first["says"]))) == [ACK, bytes.fromhex(first["answers"])]

    @pytest.mark.parametrize("wake", PN["power_down"]["too_few"])
    def test_too_few_edges_leave_it_asleep(self, wake: str) -> None:
        assert Pn532Chip().receive(bytes.fromhex(wake) + bytes.fromhex(SAM["says"])) == []

    @pytest.mark.parametrize("configured", [True, False])
    def test_a_pn532_answers_the_first_commands_of_other_drivers(self, configured: bool) -> None:
        chip = Pn532Chip()
        chip.receive(WAKE + bytes.fromhex(SAM["says"] if configured else ""))
        for example in PN["beside"]:
            assert chip.receive(bytes.fromhex(example["says"])) == [ACK, bytes.fromhex(example["answers"])], example[
                "name"
            ]

    @pytest.mark.parametrize("example", PN["beside"], ids=lambda each: each["name"])
    def test_a_command_with_a_byte_too_many_or_none_at_all_is_an_error(self, example: dict[str, str]) -> None:
        body = bytes.fromhex(example["says"])[5:-2]
        wrong = [body + b"\x00", body[:2]] if body[1] != 0x04 else []
        for said in wrong:
            frame = bytes((0, 0, 0xFF, len(said), -len(said) & 0xFF)) + said + bytes((-sum(said) & 0xFF, 0))
            assert ready().receive(frame) == [ACK, ERROR]

    def test_a_pn532_takes_a_new_speed_and_loses_it_without_power(self) -> None:
        chip, faster = ready(), PN["faster"]
        assert chip.new_baud is None
        assert chip.receive(bytes.fromhex(faster["says"])) == [ACK, bytes.fromhex(faster["answers"])]
        assert chip.new_baud == faster["baud"]
        chip.power_on()
        assert chip.new_baud is None

    def test_powered_down_it_sleeps_and_stays_configured(self) -> None:
        chip, down = ready(), PN["power_down"]
        assert chip.receive(bytes.fromhex(down["says"])) == [ACK, bytes.fromhex(down["answers"])]
        assert chip.receive(bytes.fromhex(FIRMWARE["says"])) == []
        chip.put_tags_in_field(("12345678",))
        assert chip.receive(WAKE + bytes.fromhex(LIST["says"])) == [ACK, bytes.fromhex(PN["targets"][1]["answers"])]

    @pytest.mark.parametrize("example", PN["targets"], ids=lambda each: " ".join(each["uids"]) or "none")
    def test_a_pn532_lists_the_tags_in_its_field_as_in_the_manual(self, example: dict[str, Any]) -> None:
        chip = ready()
        chip.receive(bytes.fromhex(RETRIES["says"]))
        chip.put_tags_in_field(tuple(example["uids"]))
        assert chip.receive(bytes.fromhex(LIST["says"])) == [ACK, bytes.fromhex(example["answers"])]

    def test_with_three_tags_it_reports_two(self) -> None:
        chip = ready()
        chip.put_tags_in_field(("12345678", "9ABCDEF0", "11223344"))
        assert chip.receive(bytes.fromhex(LIST["says"])) == [ACK, bytes.fromhex(PN["targets"][3]["answers"])]

    @pytest.mark.parametrize("other", [1, 2, 3, 4])
    def test_tags_of_other_types_are_not_found(self, other: int) -> None:
        chip = ready()
        chip.receive(bytes.fromhex(RETRIES["says"]))
        chip.put_tags_in_field(("12345678",))
        said = bytes((0xD4, 0x4A, 0x01, other))
        frame = bytes((0, 0, 0xFF, len(said), -len(said) & 0xFF)) + said + bytes((-sum(said) & 0xFF, 0))
        assert chip.receive(frame) == [ACK, bytes.fromhex(PN["targets"][0]["answers"])]

    @pytest.mark.parametrize("size", [1, 200, 252, 253, 254, 262])
    def test_its_line_test_echoes_the_bytes_in_a_frame_of_either_kind(self, size: int) -> None:
        said = bytes((0xD4, 0x00, 0x00)) + bytes(at % 256 for at in range(size))
        length = bytes(divmod(len(said), 256))
        begin = bytes.fromhex(PN["extended"]["begins"]) + length + bytes((-sum(length) & 0xFF,))
        ack, answer = ready().receive(begin + said + bytes((-sum(said) & 0xFF, 0)))
        assert ack == ACK
        assert answer.startswith(bytes.fromhex(PN["extended"]["begins"])) is (len(said) > 0xFF)
        assert answer[-len(said) - 2 : -2] == bytes((0xD5, 0x01)) + said[2:]

    def test_an_extended_frame_that_is_damaged_or_too_long_is_not_acknowledged(self) -> None:
        for wrong in (
            "00 00 FF FF FF 00 02 FD D4 02 2A 00",
            "00 00 FF FF FF 01 0A F5 D4 02",
            "00 00 FF FF FF 00 02 FE D4 02 2B",
        ):
            chip = ready()
            assert chip.receive(bytes.fromhex(wrong)) == []
            assert chip.receive(bytes.fromhex(FIRMWARE["says"])) == [ACK, bytes.fromhex(FIRMWARE["answers"])]

    def test_by_default_it_waits_for_a_tag_without_end(self) -> None:
        chip = ready()
        assert chip.receive(bytes.fromhex(LIST["says"])) == [ACK]
        assert chip.put_tags_in_field(("12345678",)) == [bytes.fromhex(PN["targets"][1]["answers"])]
        assert chip.put_tags_in_field(()) == []

    def test_an_ack_aborts_the_command_and_a_nack_repeats_the_answer(self) -> None:
        chip = ready()
        chip.receive(bytes.fromhex(LIST["says"]))
        assert chip.receive(ACK) == []
        assert chip.put_tags_in_field(("12345678",)) == []
        assert chip.receive(NACK) == [bytes.fromhex(SAM["answers"])]

    def test_a_damaged_command_is_not_acknowledged_and_an_unknown_one_is_an_error(self) -> None:
        chip = ready()
        wrong = bytearray(bytes.fromhex(LIST["says"]))
        wrong[8] ^= 1
        assert chip.receive(bytes(wrong)) == []
        assert chip.receive(bytes.fromhex("00 00 FF 02 FE D4 99 93 00")) == [ACK, ERROR]

    @given(
        st.lists(
            st.binary(max_size=9)
            | st.sampled_from([WAKE, ACK, NACK, *(bytes.fromhex(c["says"]) for c in PN["command"])])
        )
    )
    def test_any_bytes_leave_the_pn532_working(self, pieces: list[bytes]) -> None:
        chip = Pn532Chip()
        for piece in pieces:
            chip.receive(piece)
        assert len(chip._buffer) <= 300
        chip.receive(bytes(600))
        assert chip.receive(WAKE + bytes.fromhex(SAM["says"]))[-1] == bytes.fromhex(SAM["answers"])


@pytest.mark.parametrize("kind", list(ReaderKind))
def test_every_kind_has_its_decoder_and_a_reader_of_tags_its_simulated_chip(kind: ReaderKind) -> None:
    decoder = "barcode" if kind is ReaderKind.SCANNER else kind
    assert type(decoder_of(ReaderWire(kind=kind))).__module__ == f"cribd.readers.{decoder}"
    if kind.reads_tags:
        assert type(CHIPS[kind]()).__module__ == f"cribd.twin.chips.{kind}"


def test_every_card_of_the_twins_decks_has_a_tag_of_its_own() -> None:
    for kind in (kind for kind in ReaderKind if kind.reads_tags):
        found = tags(kind)
        assert list(found.values()) == list(CARDS)
        assert len({*found, *(tag_of(card, kind, "other") for card in CARDS)}) == 104


class Bench:
    """A twin with readers, and the drivers at the other end of its wires."""

    def __init__(self, folder: Path, *kinds: ReaderKind, **bauds: int) -> None:
        self.clock = ManualClock()
        self.wires = [ReaderWire(kind.value, kind, kind.default_baud) for kind in kinds]
        self.twin = Twin(load("continuous"), self.clock, folder=folder, readers=self.wires)
        self.inputs: list[Input] = []
        self._tasks = [asyncio.create_task(self.twin.run())]
        ports = Ports(self.twin.wires)
        for wire in self.wires:
            own = ReaderWire(wire.name, wire.kind, bauds.get(wire.name, wire.baud))
            driver = attach(own, ports, clock=self.clock, report=self.inputs.extend)
            self._tasks.append(asyncio.create_task(driver.run()))

    async def time(self, seconds: float) -> list[Input]:
        """What is reported in that time."""
        await self.clock.advance(seconds)
        reported = self.inputs[:]
        self.inputs.clear()
        return reported

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        self.twin.close()
        assert all(isinstance(how, asyncio.CancelledError) for how in ended), ended


@pytest.fixture
async def all_three(tmp_path: Path) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path, *ReaderKind)
    await bench.time(0.3)
    yield bench
    await bench.close()


TAG = {kind: tag_of("5H", kind) for kind in ReaderKind}
OTHER = {kind: tag_of("JD", kind) for kind in ReaderKind}


async def test_three_readers_of_three_kinds_read_at_once_each_under_its_name(all_three: Bench) -> None:
    assert all_three.inputs == []
    all_three.twin.put_tags_in_field("rdm6300", TAG[ReaderKind.RDM6300])
    all_three.twin.put_tags_in_field("pn532", TAG[ReaderKind.PN532])
    all_three.twin.scan(b"5H\r", "scanner")
    reported = await all_three.time(0.5)
    assert {*reported} == {
        CardRead("5H", "scanner"),
        TagRead(TAG[ReaderKind.RDM6300], "rdm6300"),
        TagRead(TAG[ReaderKind.PN532], "pn532"),
    }
    assert len(reported) > 6, "tags are told for as long as they lie there"


@pytest.mark.parametrize("kind", [ReaderKind.RDM6300, ReaderKind.PN532])
async def test_a_removed_tag_is_no_longer_reported(all_three: Bench, kind: ReaderKind) -> None:
    all_three.twin.put_tags_in_field(kind.value, TAG[kind])
    assert await all_three.time(0.3)
    all_three.twin.take_tags_from_field(kind.value)
    await all_three.time(0.15)
    assert await all_three.time(0.5) == []


async def test_a_pn532_reports_two_tags_and_an_rdm6300_none_of_two(all_three: Bench) -> None:
    for kind in (ReaderKind.RDM6300, ReaderKind.PN532):
        all_three.twin.put_tags_in_field(kind.value, TAG[kind], OTHER[kind])
    reported = await all_three.time(0.5)
    both = MultipleTags((TAG[ReaderKind.PN532], OTHER[ReaderKind.PN532]), "pn532")
    assert {*reported} == {both, ReadFailed("rdm6300")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(ReaderKind))
async def test_a_reader_that_is_pulled_out_and_put_back_goes_on(all_three: Bench, kind: ReaderKind) -> None:
    name = kind.value
    for _ in range(2):
        all_three.twin.wires.line(name).unplug()
        assert await all_three.time(0.5) == [Fault(FaultKind.READER_SILENT, name)]
        all_three.twin.wires.line(name).plug()
        assert await all_three.time(2.5) == [FaultCleared(FaultKind.READER_SILENT, name)]
        if kind is ReaderKind.SCANNER:
            all_three.twin.scan(b"5H\r", name)
            assert await all_three.time(0.1) == [CardRead("5H", name)]
        else:
            all_three.twin.put_tags_in_field(name, TAG[kind])
            assert {*await all_three.time(0.5)} == {TagRead(TAG[kind], name)}
            all_three.twin.take_tags_from_field(name)
            await all_three.time(0.3)


async def test_half_a_frame_from_before_the_unplugging_never_joins_one_from_after(all_three: Bench) -> None:
    all_three.twin.scan(b"\x0262E3086", "rdm6300")
    await all_three.time(0.05)
    all_three.twin.wires.line("rdm6300").unplug()
    await all_three.time(0.1)
    all_three.twin.wires.line("rdm6300").plug()
    await all_three.time(1.2)
    all_three.twin.scan(b"CED08\x03", "rdm6300")
    assert await all_three.time(0.2) == [ReadFailed("rdm6300")]


async def test_a_pn532_at_another_speed_is_silent(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ReaderKind.PN532, pn532=9600)
    assert await bench.time(1.5) == [Fault(FaultKind.READER_SILENT, "pn532")]
    await bench.close()


async def test_a_pn532_and_its_line_take_the_speed_that_another_driver_asks_for(tmp_path: Path) -> None:
    clock = ManualClock()
    twin = Twin(load("continuous"), clock, folder=tmp_path, readers=[ReaderWire("tags", ReaderKind.PN532, PN["baud"])])
    working = asyncio.create_task(twin.run())

    async def ask(port: Serial, said: bytes) -> bytes:
        port.write(said)
        await clock.advance(0.2)
        heard: bytes = port.read(100)
        return heard

    with Serial(twin.wires.serial("tags"), PN["baud"], timeout=0) as port:
        assert await ask(port, WAKE + bytes.fromhex(SAM["says"])) == ACK + bytes.fromhex(SAM["answers"])
        assert await ask(port, bytes.fromhex(PN["faster"]["says"])) == ACK + bytes.fromhex(PN["faster"]["answers"])
        assert await ask(port, ACK) == b""
        port.baudrate = PN["faster"]["baud"]
        assert await ask(port, bytes(4) + bytes.fromhex(FIRMWARE["says"])) == ACK + bytes.fromhex(FIRMWARE["answers"])
    twin.unplug("reader")
    twin.plug("reader")
    with Serial(twin.wires.serial("tags"), PN["baud"], timeout=0) as port:
        assert await ask(port, WAKE + bytes.fromhex(FIRMWARE["says"])) == ACK + bytes.fromhex(FIRMWARE["answers"])
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    twin.close()


async def test_a_pn532_behind_an_unopened_port_is_silent_and_fills_no_buffer(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ReaderKind.PN532)
    bench._tasks[0].cancel()
    assert await bench.time(1.5) == [Fault(FaultKind.READER_SILENT, "pn532")]
    for _ in range(300):
        await bench.clock.advance(1)
    assert bench.inputs == []
    await bench.close()


async def test_each_kind_of_reader_reads_a_card(all_three: Bench) -> None:
    for wire in all_three.wires:
        holding = asyncio.create_task(all_three.twin.present_cards("5H", reader=wire.name))
        reported = {*await all_three.time(0.5)}
        await holding
        assert reported == {
            CardRead("5H", "scanner") if wire.kind is ReaderKind.SCANNER else TagRead(TAG[wire.kind], wire.name)
        }


def test_laying_a_tag_on_a_scanner_is_refused(tmp_path: Path) -> None:
    twin = Twin(load("continuous"), ManualClock(), folder=tmp_path)
    with pytest.raises(ValueError, match="reads no tags"):
        twin.put_tags_in_field("reader", "12345678")
    twin.close()


async def test_every_file_is_closed_at_the_end(tmp_path: Path) -> None:
    before = set(os.listdir("/proc/self/fd"))
    bench = Bench(tmp_path, *ReaderKind)
    await bench.time(0.3)
    await bench.close()
    assert set(os.listdir("/proc/self/fd")) <= before
