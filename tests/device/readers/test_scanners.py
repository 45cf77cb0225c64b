"""A scanner: lines become cards, through a port that may be unplugged."""

import asyncio
import os
import termios
import tty
from collections.abc import AsyncIterator
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.no_wires import NoWires

from cribd.clock import Clock, ManualClock, SystemClock
from cribd.inputs import CardRead, Fault, FaultCleared, FaultKind, Input, ReadFailed
from cribd.readers.barcode import BarcodeScanner
from cribd.readers.ports import Ports
from cribd.readers.serial_reader import SerialReader


def read(*data: bytes, lines: BarcodeScanner | None = None) -> list[str]:
    lines = BarcodeScanner() if lines is None else lines
    return [
        given_input.text for piece in data for given_input in lines.feed(piece) if isinstance(given_input, CardRead)
    ]


@pytest.mark.parametrize("ending", [b"\r", b"\n", b"\r\n"])
def test_a_line_may_end_as_the_scanner_is_set(ending: bytes) -> None:
    assert read(b"5H" + ending + b"10S" + ending) == ["5H", "10S"]


def test_a_line_is_read_at_its_end_of_line() -> None:
    lines = BarcodeScanner()
    assert read(b"5", b"H", lines=lines) == []
    assert read(b"\r", lines=lines) == ["5H"]
    assert read(b"\n", lines=lines) == []


def test_a_line_that_does_not_end_is_dropped_and_the_next_is_read_by_itself() -> None:
    scanner = BarcodeScanner("south")
    assert scanner.due == inf
    assert scanner.feed(b"5", 10.0) == []
    assert (scanner.due, scanner.tick(10.9)) == (11.0, [])
    assert scanner.tick(11.0) == [ReadFailed("south")]
    assert scanner.due == inf
    assert scanner.feed(b"5D\r", 12.0) == [CardRead("5D", "south")]


def test_a_card_has_the_name_of_its_reader() -> None:
    assert BarcodeScanner("north").feed(b"JD\n") == [CardRead("JD", "north")]


def test_empty_lines_and_blanks_are_ignored() -> None:
    assert read(b"\r\n\r\n  \n\t\n 5H \n") == ["5H"]


def test_prefix_and_suffix_are_taken_off() -> None:
    assert read(b"]C05H#\r\n]C0JD#\r\n", lines=BarcodeScanner(prefix="]C0", suffix="#")) == ["5H", "JD"]
    assert read(b"\x025H\x03\r", lines=BarcodeScanner(prefix="\x02", suffix="\x03")) == ["5H"]


def test_a_line_without_the_prefix_is_passed_on_unchanged() -> None:
    assert read(b"5H\n", lines=BarcodeScanner(prefix="]C0", suffix="#")) == ["5H"]


def test_garbage_is_passed_on_and_the_next_line_is_read() -> None:
    assert read(b"\xff\x00\x80H\n5H\n") == ["\ufffd\x00\ufffdH", "5H"]
    assert read(b"https://example.org\n5H\n") == ["https://example.org", "5H"]


def test_an_overlong_line_is_cut_and_marked_as_cut() -> None:
    assert read(b"5" * 100 + b"\n5H\n") == ["5" * 64 + "…", "5H"]
    assert read(b"5H" + b" " * 100 + b"\n", lines=BarcodeScanner(longest=10)) == ["5H…"]
    assert read(b"12345678#0\n", lines=BarcodeScanner(suffix="#", longest=9)) == ["12345678#…"]


def test_an_endless_line_fills_no_memory() -> None:
    lines = BarcodeScanner()
    for _ in range(1000):
        assert lines.feed(b"x" * 4096) == []
    assert len(lines._line) <= 64


@given(st.binary(max_size=200), st.data())
def test_any_split_of_the_bytes_reads_the_same(data: bytes, choices: st.DataObject) -> None:
    cuts = sorted(choices.draw(st.sets(st.integers(0, len(data)), max_size=20)))
    pieces = [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    one, many = BarcodeScanner(prefix="]C", suffix="#", longest=8), BarcodeScanner(prefix="]C", suffix="#", longest=8)
    assert one.feed(data) == [given_input for piece in pieces for given_input in many.feed(piece)]


cards = st.lists(st.text("A23456789TJQKCDHS", min_size=1, max_size=3), max_size=10)


@given(cards, st.sampled_from([b"\r", b"\n", b"\r\n"]))
def test_every_line_comes_out_once_and_in_order(texts: list[str], ending: bytes) -> None:
    assert read(b"".join(text.encode() + ending for text in texts)) == texts


class Bench(NoWires):
    """A scanner on a pseudo-terminal, raw from birth, that can be plugged in and pulled out."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.clock = clock
        self.link = folder / "scanner"
        self.inputs: list[Input] = []
        self.reader = SerialReader(
            "scanner", Ports(self), decoder=lambda: BarcodeScanner("scanner"), clock=clock, report=self.tell
        )
        self.has_input = asyncio.Event()
        self._ends: tuple[int, int] | None = None

    def tell(self, inputs: list[Input]) -> None:
        self.inputs += inputs
        self.has_input.set()

    async def next_input(self) -> Input:
        """The next input, which real bytes on a real port take their own time to become."""
        for _ in range(10_000):
            if self.inputs:
                return self.inputs.pop(0)
            await asyncio.sleep(0.001)
        raise AssertionError("no input came")

    def plug(self) -> None:
        scanner, port = os.openpty()
        tty.setraw(port)
        self._ends = scanner, port
        self.link.symlink_to(os.ttyname(port))

    def unplug(self) -> None:
        assert self._ends is not None
        for end in self._ends:
            os.close(end)
        self._ends = None
        self.link.unlink()

    def scan(self, data: bytes) -> None:
        assert self._ends is not None
        os.write(self._ends[0], data)

    @property
    def speed(self) -> int:
        assert self._ends is not None
        return int(termios.tcgetattr(self._ends[1])[4])

    def serial(self, name: str) -> str:
        assert name == "scanner"
        return str(self.link)

    def close(self) -> None:
        if self._ends is not None:
            self.unplug()


@pytest.fixture(params=[ManualClock, SystemClock])
def clock(request: pytest.FixtureRequest) -> Clock:
    clock: Clock = request.param()
    return clock


@pytest.fixture
async def bench(tmp_path: Path, clock: Clock) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path, clock)
    bench.reader.retry_s = 0.01 if isinstance(clock, SystemClock) else 1.0
    yield bench
    bench.close()


async def later(clock: Clock) -> None:
    """Let the time for another try come."""
    if isinstance(clock, ManualClock):
        await clock.advance(1.0)


async def begun(bench: Bench) -> "asyncio.Task[None]":
    """The reader at work with its port open."""
    task = asyncio.create_task(bench.reader.run())
    await later(bench.clock)
    assert await bench.next_input() == Fault(FaultKind.READER_SILENT, "scanner")
    bench.plug()
    await later(bench.clock)
    assert await bench.next_input() == FaultCleared(FaultKind.READER_SILENT, "scanner")
    return task


async def ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_scan_on_the_port_becomes_a_card(bench: Bench) -> None:
    task = await begun(bench)
    bench.scan(b"5H\r\nJ")
    assert await bench.next_input() == CardRead("5H", "scanner")
    bench.scan(b"D\r\n")
    assert await bench.next_input() == CardRead("JD", "scanner")
    await ended(task)


async def test_a_reader_that_is_there_from_the_start_is_no_fault(bench: Bench) -> None:
    bench.plug()
    task = asyncio.create_task(bench.reader.run())
    for _ in range(200):
        await later(bench.clock)
        bench.scan(b"5H\n")
        await asyncio.sleep(0.001)
        if bench.inputs:
            break
    assert await bench.next_input() == CardRead("5H", "scanner")
    await ended(task)


async def test_a_reader_that_is_pulled_out_is_a_fault_once_and_is_found_again(bench: Bench) -> None:
    task = await begun(bench)
    for _ in range(3):
        bench.scan(b"half a li")
        await asyncio.sleep(0.005)
        bench.unplug()
        assert await bench.next_input() == Fault(FaultKind.READER_SILENT, "scanner")
        for _ in range(5):
            await later(bench.clock)
            await asyncio.sleep(0.002)
        assert bench.inputs == []
        bench.plug()
        await later(bench.clock)
        assert await bench.next_input() == FaultCleared(FaultKind.READER_SILENT, "scanner")
        bench.scan(b"5H\n")
        assert await bench.next_input() == CardRead("5H", "scanner")
    await ended(task)


async def test_the_port_is_set_to_the_speed_of_the_reader(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ManualClock())
    bench.reader.baud = 115200
    bench.plug()
    task = asyncio.create_task(bench.reader.run())
    await later(bench.clock)
    assert bench.speed == termios.B115200
    await ended(task)
    bench.close()


async def test_a_port_has_one_reader(tmp_path: Path) -> None:
    one = Bench(tmp_path, ManualClock())
    one.plug()
    two = SerialReader("scanner", Ports(one), decoder=BarcodeScanner, clock=one.clock, report=one.tell)
    tasks = [asyncio.create_task(one.reader.run())]
    await later(one.clock)
    tasks.append(asyncio.create_task(two.run()))
    await later(one.clock)
    assert await one.next_input() == Fault(FaultKind.READER_SILENT, "scanner")
    for task in tasks:
        await ended(task)
    one.close()


async def test_cancelling_closes_the_port(bench: Bench) -> None:
    before = set(os.listdir("/proc/self/fd"))
    task = await begun(bench)
    await ended(task)
    bench.unplug()
    assert set(os.listdir("/proc/self/fd")) <= before
