"""The worker of SPI0: frames out, scans in, in the right order and at the right time."""

import asyncio
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from tests.support.catalogues import phrase
from tests.support.no_wires import NoWires

from cribd.boards import load
from cribd.clock import Clock, ManualClock, SystemClock
from cribd.drivers.button_chain import ButtonChain
from cribd.drivers.spi_bus import SpiBus
from cribd.drivers.strip_encoder import LedColour, StripEncoder
from cribd.inputs import Fault, FaultCleared, FaultKind, HolePressed, Input

BOARD = load("classic")
IDLE = bytes([0b10100111]) + b"\xff" * 15 + b"\0"
ENCODER = StripEncoder(BOARD.strip)
RED, BLUE = (ENCODER.encode({0: light}) for light in (LedColour(255, 0, 0), LedColour(0, 0, 255)))


def down(track: int, hole: int) -> bytes:
    place = BOARD.tracks[track].holes[hole - 1].input
    assert place is not None
    return (int.from_bytes(IDLE) ^ 1 << (8 * len(IDLE) - 1 - place)).to_bytes(len(IDLE))


@dataclass
class Bench(NoWires):
    """The far end of SPI0, and the wires to it: it writes down what it is sent, and answers scans as it is told."""

    clock: Clock
    chain: bytes = IDLE
    scan_takes: float = 0.000_136
    away: set[int] = field(default_factory=set)
    frames: list[tuple[float, bytes]] = field(default_factory=list)
    scans: list[float] = field(default_factory=list)
    asked: int = 0
    opened: list[tuple[int, int, int]] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    inputs: list[Input] = field(default_factory=list)
    at_each_scan: Callable[[], None] = lambda: None
    most: int = 4096  # a longer transfer times out

    def bus(self, *, scan_ms: float = 5, again_s: float = 1) -> SpiBus:
        return SpiBus(
            BOARD,
            self,
            clock=self.clock,
            report=self.inputs.extend,
            holes=ButtonChain(BOARD, debounce_ms=10),
            scan_ms=scan_ms,
            again_s=again_s,
        )

    def spi(self, select: int, *, hz: int, mode: int) -> "Wire":
        self.asked += 1
        if select in self.away:
            raise FileNotFoundError(2, "no such device")
        self.opened.append((select, hz, mode))
        return Wire(self, select)


@dataclass
class Wire:
    bench: Bench
    select: int

    def transfer(self, data: Sequence[int]) -> list[int]:
        bench = self.bench
        if self.select in bench.away:
            raise OSError(5, "input/output error")
        if self.select == BOARD.chain.spi_select:
            assert len(data) == len(IDLE)
            bench.scans.append(bench.clock.now())
            bench.at_each_scan()
            bench.clock.wait(bench.scan_takes)
            return list(bench.chain)
        if len(data) > bench.most:
            bench.clock.wait(0.1)
            raise OSError(110, "Connection timed out")
        bench.frames.append((bench.clock.now(), bytes(data)))
        bench.clock.wait(len(data) * 8 / BOARD.strip.hz)
        return [0] * len(data)

    def close(self) -> None:
        self.bench.closed.append(self.select)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def bench(clock: ManualClock) -> Bench:
    return Bench(clock)


def sent(bench: Bench) -> list[bytes]:
    return [frame for _, frame in bench.frames]


def test_both_devices_are_opened_as_the_board_file_says(bench: Bench) -> None:
    bus = bench.bus()
    assert bench.opened == []
    bus.show(RED)
    bus.tick()
    assert bench.opened == [(0, 8_000_000, 0), (1, 1_000_000, 2)]


def test_presses_of_one_scan_are_reported_together(bench: Bench, clock: ManualClock) -> None:
    reports: list[list[Input]] = []
    bus = SpiBus(BOARD, bench, clock=clock, report=reports.append, holes=ButtonChain(BOARD, debounce_ms=10))
    for chain in (IDLE, IDLE, down(0, 7), down(0, 7), down(0, 7)):
        bench.chain = chain
        bus.tick()
        clock.wait(0.005)
    assert reports == [[HolePressed(0, 7)]]


def test_a_scan_is_read_when_it_is_due_and_not_before(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus()
    bus.tick()
    bus.tick()
    assert len(bench.scans) == 1
    clock.wait(bus.due - clock.now())
    bus.tick()
    assert len(bench.scans) == 2


def test_a_frame_goes_before_a_scan_and_the_newest_wins(bench: Bench) -> None:
    bus = bench.bus()
    bus.show(RED)
    bus.show(BLUE)
    bus.tick()
    bus.tick()
    assert sent(bench) == [BLUE]
    assert bench.frames[0][0] < bench.scans[0]


def test_the_period_does_not_drift_though_the_wires_take_their_time(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus(scan_ms=4)

    def at_each_scan() -> None:
        match len(bench.scans):
            case 50:
                bus.show(RED)
            case 100:
                bus.stop()

    bench.at_each_scan = at_each_scan
    bus.run()
    assert len(bench.scans) == 100
    at_rest = bench.scans[6:]
    late = [at - at_rest[0] - number * 0.0072 for number, at in enumerate(at_rest)]
    assert max(late) < 0.001
    assert late[-1] == pytest.approx(0, abs=1e-6)
    assert sent(bench) == [RED]


def test_a_period_that_was_missed_is_left_out_and_the_beat_is_kept(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus()
    while len(bench.scans) < 8:  # it is at rest
        bus.tick()
        clock.wait(bus.due - clock.now())
    due = bus.due
    clock.wait(0.012)
    bus.tick()
    assert bus.due == pytest.approx(due + 0.018)


@pytest.mark.parametrize("after_ms", range(0, 40, 3))
async def test_a_press_is_found_within_two_periods_though_scans_at_rest_are_fewer(
    bench: Bench, clock: ManualClock, after_ms: int
) -> None:
    bench.scan_takes = 0
    driving = asyncio.create_task(bench.bus(scan_ms=5).drive())
    await clock.advance(1)
    assert len(bench.scans) == pytest.approx(1000 / 9, abs=6)
    await clock.advance(after_ms / 5000)
    bench.chain, pressed = down(0, 7), clock.now()
    while not bench.inputs:
        await clock.advance(0.0001)
    assert bench.inputs == [HolePressed(0, 7)]
    assert clock.now() - pressed <= 0.0101
    driving.cancel()


@pytest.mark.parametrize("bounces_ms", range(1, 6))
async def test_a_contact_that_bounces_is_found_within_12_ms_and_only_once(
    bench: Bench, clock: ManualClock, bounces_ms: int
) -> None:
    bench.scan_takes = 0
    driving = asyncio.create_task(bench.bus(scan_ms=5).drive())
    await clock.advance(1)
    pressed = clock.now()
    for half_ms in range(2 * bounces_ms):
        bench.chain = IDLE if half_ms % 2 else down(0, 7)
        await clock.advance(0.0005)
    bench.chain = down(0, 7)
    await clock.advance(pressed + 0.012 - clock.now())
    assert bench.inputs == [HolePressed(0, 7)]
    await clock.advance(1)
    assert bench.inputs == [HolePressed(0, 7)]
    driving.cancel()


async def test_a_button_that_never_settles_is_scanned_once_a_period(bench: Bench, clock: ManualClock) -> None:
    def toggle() -> None:
        bench.chain = down(0, 1 + len(bench.scans) % 2)

    bench.at_each_scan = toggle
    driving = asyncio.create_task(bench.bus(scan_ms=5).drive())
    await clock.advance(1)
    assert len(bench.scans) == pytest.approx(1000 / 5, abs=6)
    driving.cancel()


def test_the_last_frame_is_sent_again_for_a_strip_that_was_unplugged(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus(again_s=1)
    bus.show(RED)
    for _ in range(500):
        bus.tick()
        clock.wait(0.005)
    assert sent(bench) == [RED] * 3


def test_without_a_picture_nothing_is_sent(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus()
    for _ in range(500):
        bus.tick()
        clock.wait(0.005)
    assert sent(bench) == []


def test_a_strip_that_goes_away_is_a_fault_once_and_comes_back_with_the_newest_frame(
    bench: Bench, clock: ManualClock
) -> None:
    bus = bench.bus(again_s=1)
    bus.show(RED)
    bus.tick()
    bench.away = {0}
    bus.show(BLUE)
    for _ in range(700):
        bus.tick()
        clock.wait(0.005)
    assert bench.inputs == [Fault(FaultKind.LIGHTS_AWAY, "strip")]
    assert len(bench.scans) > 380  # the buttons are still read, every 9 ms
    bench.away = set()
    for _ in range(250):
        bus.tick()
        clock.wait(0.005)
    assert bench.inputs == [Fault(FaultKind.LIGHTS_AWAY, "strip"), FaultCleared(FaultKind.LIGHTS_AWAY, "strip")]
    assert sent(bench)[:2] == [RED, BLUE]


def test_a_chain_that_goes_away_is_a_fault_once_and_the_lights_go_on(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus(again_s=1)
    bus.tick()
    bench.away = {1}
    for _ in range(700):
        clock.wait(0.005)
        bus.tick()
    bus.show(RED)
    bus.tick()
    assert bench.inputs == [Fault(FaultKind.CHAIN_BROKEN, "near end")]
    assert sent(bench) == [RED]
    bench.away = set()
    for _ in range(250):
        bus.tick()
        clock.wait(0.005)
    assert bench.inputs == [Fault(FaultKind.CHAIN_BROKEN, "near end"), FaultCleared(FaultKind.CHAIN_BROKEN, "near end")]
    assert [select for select, _, _ in bench.opened] == [1, 0, 1]


def test_a_missing_spi_bus_is_reported_once_for_each_device(bench: Bench, clock: ManualClock) -> None:
    bench.away = {0, 1}
    bus = bench.bus()
    bus.show(RED)
    for _ in range(700):
        bus.tick()
        clock.wait(0.005)
    assert bench.inputs == [Fault(FaultKind.LIGHTS_AWAY, "strip"), Fault(FaultKind.CHAIN_BROKEN, "near end")]
    assert [fault.cause for fault in bench.inputs if isinstance(fault, Fault)] == [
        phrase("problem.device.why", why="no such device", errno=2)
    ] * 2
    assert bench.asked == 8  # both once a second


def test_after_a_timeout_the_frame_goes_on_in_pieces_of_64_bytes(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus()
    bench.most = 64
    for frame in (RED, BLUE):
        bus.show(frame)
        bus.tick()
        bus.tick()
    assert bench.inputs == [Fault(FaultKind.LIGHTS_AWAY, "strip"), FaultCleared(FaultKind.LIGHTS_AWAY, "strip")]
    timed_out = phrase("problem.device.why", why="Connection timed out", errno=110)
    assert isinstance(bench.inputs[0], Fault)
    assert bench.inputs[0].cause == phrase("problem.spi.pieces", why=timed_out, count=64)
    assert b"".join(sent(bench)) == RED + BLUE
    assert {len(piece) for piece in sent(bench)} <= set(range(1, 65))


def test_a_strip_that_fails_waits_a_second_and_the_scans_go_on(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus()
    bench.most = 0
    for _ in range(600):
        bus.show(RED)
        bus.tick()
        clock.wait(0.005)
    assert len(bench.scans) >= 310  # every 9 ms, but for the 0.1 s that each of two attempts takes
    bench.most = 4096
    for _ in range(250):
        bus.show(BLUE)
        bus.tick()
        clock.wait(0.005)
    assert sent(bench)[0][:64] == BLUE[:64]
    assert bench.inputs == [Fault(FaultKind.LIGHTS_AWAY, "strip"), FaultCleared(FaultKind.LIGHTS_AWAY, "strip")]


async def test_with_a_manual_clock_a_task_scans_and_sends_in_time(bench: Bench, clock: ManualClock) -> None:
    bus, start = bench.bus(), clock.now()
    task = asyncio.create_task(bus.drive())
    await clock.advance(0.0521)
    close, at_rest = range(6), range(14, 53, 9)  # milliseconds; the first scan is news
    assert [round(at - start, 4) for at in bench.scans] == [ms / 1000 for ms in (*close, *at_rest)]
    bus.show(RED)
    await clock.run_ready_tasks()
    assert sent(bench) == [RED]  # at once, between two scans
    bench.chain = down(1, 3)
    await clock.advance(0.011)
    assert bench.inputs == [HolePressed(1, 3)]
    bus.show(BLUE)
    bus.stop()
    await task  # and no time need pass for that
    assert sent(bench) == [RED, BLUE]
    assert bench.closed == [0, 1]


async def test_a_cancelled_drive_still_sends_the_frame_that_waits(bench: Bench, clock: ManualClock) -> None:
    bus = bench.bus()
    task = asyncio.create_task(bus.drive())
    await clock.advance(0.001)
    bus.show(ENCODER.dark_frame)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sent(bench) == [ENCODER.dark_frame]
    assert bench.closed == [0, 1]


async def test_an_error_that_ends_the_scans_ends_the_driver(bench: Bench, clock: ManualClock) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    bench.at_each_scan = fail
    with pytest.raises(ZeroDivisionError):
        await bench.bus().drive()
    assert bench.closed == [1]


def test_the_thread_sends_the_last_frame_and_closes_when_it_is_stopped() -> None:
    bench = Bench(SystemClock())
    heard = threading.Event()

    def tell(inputs: list[Input]) -> None:
        bench.inputs.extend(inputs)
        heard.set()

    bus = SpiBus(BOARD, bench, clock=bench.clock, report=tell, holes=ButtonChain(BOARD, debounce_ms=10), scan_ms=1)
    thread = threading.Thread(target=bus.run)
    thread.start()
    while len(bench.scans) < 4:
        bench.clock.wait(0.001)
    bench.chain = down(0, 1)
    assert heard.wait(10)
    bus.show(ENCODER.dark_frame)
    bus.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert bench.inputs == [HolePressed(0, 1)]
    assert sent(bench)[-1] == ENCODER.dark_frame
    assert bench.closed[-1] == 1


def test_the_thread_sends_a_frame_before_the_one_who_shows_it_goes_on() -> None:
    bench = Bench(SystemClock())
    bus = bench.bus(scan_ms=60_000)
    thread = threading.Thread(target=bus.run)
    thread.start()
    while not bench.scans:
        bench.clock.wait(0.001)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(10)  # nobody takes Python's lock from a thread that computes
    try:
        bus.show(RED)
        before = len(bench.frames)
    finally:
        sys.setswitchinterval(usual)
        bus.stop()
        thread.join(10)
    assert before == 1


def test_a_frame_that_nobody_takes_holds_the_one_who_shows_it_for_a_moment_only() -> None:
    bench, begun = Bench(SystemClock()), threading.Event()
    bus = bench.bus(scan_ms=1)

    def stall() -> None:
        begun.set()
        bench.clock.wait(0.5)

    bench.at_each_scan = stall
    thread = threading.Thread(target=bus.run)
    thread.start()
    assert begun.wait(10)
    since = bench.clock.now()
    bus.show(RED)
    waited = bench.clock.now() - since
    bus.stop()
    thread.join(10)
    assert 0.01 <= waited < 0.4
    assert sent(bench) == [RED]


def test_a_frame_wakes_the_thread_in_the_middle_of_its_rest() -> None:
    bench = Bench(SystemClock())
    bus = bench.bus(scan_ms=60_000)
    thread = threading.Thread(target=bus.run)
    thread.start()
    while not bench.scans:
        bench.clock.wait(0.001)
    bus.show(RED)
    for _ in range(5000):
        if bench.frames:
            break
        bench.clock.wait(0.001)
    bus.stop()
    thread.join(10)
    assert sent(bench) == [RED]
