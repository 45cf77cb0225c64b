"""The first light of a service that starts again: its last frame, and the scans of the holes meanwhile.

`spidev` is a stand-in over the buses of the simulated board. On spidev itself it is tried in `tests/wires`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from cribd.boards import load
from cribd.boards.loader import file_of
from cribd.clock import SystemClock
from cribd.display.screen import starting
from cribd.drivers.button_chain import ButtonChain
from cribd.drivers.oled import messages_to_show
from cribd.drivers.spi_bus import SpiBus
from cribd.drivers.strip_encoder import LedColour, StripEncoder
from cribd.first_light import EarlyInputs, EarlyScans, FirstLight, first_light
from cribd.inputs import HolePressed, Input
from cribd.text import load as words_of
from cribd.twin.machine import Twin
from cribd.wires.line_events import Pull

BOARD = load("classic")
FRAME = StripEncoder(BOARD.strip).encode({3: LedColour(255, 0, 0)})
STARTING = messages_to_show(BOARD.oled, starting(words_of("en")))
ARGUMENTS = ["run", "--config", "board.toml"]
NO_INPUTS = EarlyInputs(None, {})


class SpiDev:
    """What spidev has of a device, for this process and its children: the wires of a twin are at `address`."""

    address: str | tuple[str, int]
    mode = 0
    max_speed_hz = 0

    def open(self, _bus: int, chip_select: int) -> None:
        self._chip_select, self._line = chip_select, Client(self.address)

    def xfer2(self, data: Sequence[int]) -> list[int]:
        self._line.send((self._chip_select, self.max_speed_hz, self.mode, data))
        answer: list[int] = self._line.recv()
        return answer

    def close(self) -> None:
        self._line.close()


def carry(twin: Twin, calls: Listener) -> None:
    """Answer the transfers of every `SpiDev`, until nobody can call."""
    with suppress(OSError):
        while True:
            Thread(target=answer, args=(twin, calls.accept()), daemon=True).start()


def answer(twin: Twin, line: Connection) -> None:
    with suppress(EOFError):
        while True:
            chip_select, hz, mode, data = line.recv()
            spi = twin.wires.spi(chip_select, hz=hz, mode=mode)
            received = spi.transfer(data)
            spi.close()  # before the answer: whoever has it may open the bus
            line.send(received)


@pytest.fixture
def twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Twin]:
    twin = Twin(BOARD, SystemClock(), folder=tmp_path / "twin")
    with Listener() as calls:
        Thread(target=carry, args=(twin, calls), daemon=True).start()
        monkeypatch.setattr(SpiDev, "address", calls.address, raising=False)
        monkeypatch.setitem(sys.modules, "spidev", SimpleNamespace(SpiDev=SpiDev))
        yield twin
    twin.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a board that has kept `FRAME`."""
    (tmp_path / "board.toml").write_text("[table]\n", encoding="utf-8")
    (tmp_path / "journal.db").touch()
    board_file = tmp_path / "classic.toml"
    board_file.write_bytes(file_of("classic").read_bytes())
    light = FirstLight(ARGUMENTS, tmp_path)
    files = [tmp_path / "board.toml", board_file]
    light.describe(BOARD, files=files, journal=tmp_path / "journal.db", chip="/dev/null")
    light.starting = STARTING
    light.keep(FRAME)
    return tmp_path


@pytest.fixture
def panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file to which the messages to the OLED go."""
    file = tmp_path / "panel"
    file.touch()
    monkeypatch.setattr("cribd.first_light._open_i2c", lambda _port, _address: os.open(file, os.O_WRONLY | os.O_APPEND))
    return file


def started(folder: Path, arguments: Sequence[str] = ARGUMENTS, **environment: str) -> FirstLight | None:
    systemd = {"STATE_DIRECTORY": str(folder), "NOTIFY_SOCKET": "/run/systemd/notify"}
    return first_light(arguments, systemd | environment)


def children() -> list[str]:
    """The processes that this one has started."""
    return [child for task in Path("/proc/self/task").iterdir() for child in (task / "children").read_text().split()]


def lit(twin: Twin) -> list[int]:
    return [number for number, led in enumerate(twin.leds()) if led.red or led.green or led.blue]


def test_the_first_light_waits_for_no_import_that_is_long() -> None:
    code = (
        "import sys, cribd.__main__, cribd.first_light; print(*{'asyncio', 'dataclasses', 'shutil'} & {*sys.modules})"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_the_leds_show_the_last_frame_again(folder: Path, twin: Twin) -> None:
    light = started(folder)
    assert light is not None
    end(light)
    assert lit(twin) == [3]


def test_the_messages_of_starting_begin_the_panel_and_show_that_picture(twin: Twin) -> None:
    for message in STARTING:
        twin.wires.i2c_ports[1].write(BOARD.oled.address, message)
    oled = twin.oled()
    assert oled.on
    assert oled.pixels == starting(words_of("en")).tobytes()


def test_the_oled_is_sent_the_messages_that_were_kept_and_they_are_kept_again(
    folder: Path, twin: Twin, panel: Path
) -> None:
    light = started(folder)
    assert light is not None
    until = SystemClock().now() + 5
    while panel.read_bytes() != b"".join(STARTING) and SystemClock().now() < until:
        SystemClock().wait(0.001)
    end(light)
    assert panel.read_bytes() == b"".join(STARTING)
    assert light.starting == STARTING


def test_a_bus_of_the_oled_that_hangs_is_left_to_the_board(
    folder: Path, twin: Twin, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = children()
    reads, hangs = os.pipe()  # a pipe that nobody reads is full at some time, and then holds who writes
    os.set_blocking(hangs, False)
    with suppress(BlockingIOError):
        while True:
            os.write(hangs, bytes(4096))
    os.set_blocking(hangs, True)
    monkeypatch.setattr("cribd.first_light._open_i2c", lambda _port, _address: hangs)
    light = started(folder)
    assert light is not None
    end(light)
    for file in (reads, hangs):
        os.close(file)
    assert lit(twin) == [3]
    assert children() == before


@pytest.mark.parametrize("gpios", [None, ["x"], [-1], 5, [1 << 40]], ids=repr)
@pytest.mark.parametrize("part", ["keys", "lit"])
def test_pins_that_cannot_be_read_are_left_to_the_board(
    part: str, gpios: object, folder: Path, twin: Twin, panel: Path
) -> None:
    file = folder / "last-frame.json"
    last = json.loads(file.read_bytes())
    file.write_text(json.dumps(last | {"keys": [], part: gpios}), encoding="utf-8")
    light = started(folder)
    assert light is not None
    assert light.end().keys == {}
    end(light)
    assert lit(twin) == [3]


@pytest.mark.parametrize("stored", [None, ["xy"], [7], "00", 5], ids=repr)
def test_messages_that_cannot_be_read_are_not_sent_and_the_leds_show_their_frame(
    stored: object, folder: Path, twin: Twin, panel: Path
) -> None:
    file = folder / "last-frame.json"
    last = json.loads(file.read_bytes())
    file.write_text(json.dumps(last | {"starting": stored, "oled": None}), encoding="utf-8")
    light = started(folder)
    assert light is not None
    end(light)
    assert (lit(twin), panel.read_bytes()) == ([3], b"")


def test_a_panel_with_a_reset_pin_is_left_to_its_driver() -> None:
    assert messages_to_show(replace(BOARD.oled, reset_gpio=4), starting(words_of("en"))) == []


def end(light: FirstLight) -> None:
    scans = light.end().scans
    assert scans is not None
    scans.end()


def scanned(twin: Twin) -> None:
    """Wait until a contact that has just changed has been read often enough."""
    enough = twin.buttons.scans + 6
    while twin.buttons.scans < enough:
        SystemClock().wait(0.001)


def test_holes_that_are_pressed_while_the_board_is_loaded_count_each_by_itself(folder: Path, twin: Twin) -> None:
    reports: list[list[Input]] = []
    bus = SpiBus(
        BOARD, twin.wires, clock=SystemClock(), report=reports.append, holes=ButtonChain(BOARD, debounce_ms=10)
    )
    light = started(folder)
    assert light is not None
    scanned(twin)
    for track, hole in ((0, 7), (1, 3)):
        twin.press(track, hole)
        scanned(twin)
        twin.release(track, hole)
        scanned(twin)
    scans = light.end().scans
    assert scans is not None
    bus.follow(scans)
    bus.tick()
    assert reports == [[HolePressed(0, 7)], [HolePressed(1, 3)]]
    for number, act in enumerate((bus.tick, bus.take_over), 3):  # the child scans still; then the bus itself
        act()
        twin.press(0, number)
        while len(reports) < number:
            bus.tick()
        twin.release(0, number)
        end = SystemClock().now() + 0.1
        while SystemClock().now() < end:
            bus.tick()
    assert reports[2:] == [[HolePressed(0, 3)], [HolePressed(0, 4)]]


def test_a_press_that_ends_before_the_next_scan_is_due_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    hole = BOARD.tracks[0].holes[6]
    assert hole.input is not None
    idle = bytes([0b10100111]) + b"\xff" * 15 + b"\0"
    down = (int.from_bytes(idle) ^ 1 << (8 * len(idle) - 1 - hole.input)).to_bytes(len(idle))
    scans: list[float] = []

    def scan(_: Sequence[int]) -> bytes:
        """Every sixth scan finds the hole down, and for 5 ms the next ones."""
        scans.append(SystemClock().now())
        begun = scans[5::6]
        return down if begun and scans[-1] - begun[-1] < 0.005 else idle

    spi = SimpleNamespace(open=lambda *_: None, xfer2=scan)
    monkeypatch.setitem(sys.modules, "spidev", SimpleNamespace(SpiDev=lambda: spi))
    child, holes = EarlyScans((1, 1_000_000, 2), idle), ButtonChain(BOARD, debounce_ms=10)
    SystemClock().wait(1)
    inputs = [pressed for data, at in child.end() for pressed in holes.feed(data, at)]
    assert len(inputs) > 3
    assert {*inputs} == {HolePressed(0, 7)}


def test_a_board_without_strip_and_chain_lights_its_pins_and_notes_its_keys_and_opens_no_spi(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starter = load("starter")
    light = FirstLight(ARGUMENTS, folder)
    light.describe(starter, files=[folder / "board.toml"], journal=folder / "journal.db", chip="/dev/gpiochip0")
    light.keep(b"", {17, 4})
    noted: list[int] = []
    lit: list[int] = []

    def line(chip: str, gpio: int, _pull: Pull) -> SimpleNamespace:
        noted.append(gpio)
        return SimpleNamespace(level=lambda: int(gpio != noted[0]), read=lambda: [(7.0 + gpio, 0)])

    def high(chip: str, gpio: int) -> SimpleNamespace:
        lit.append(gpio)
        return SimpleNamespace(close=lambda: lit.remove(gpio))

    monkeypatch.setattr("cribd.first_light.LineEvents", line)
    monkeypatch.setattr("cribd.first_light.HighLine", high)
    monkeypatch.setitem(sys.modules, "spidev", None)
    begun = started(folder)
    assert begun is not None
    assert noted == [key.gpio for key in starter.keys]
    assert lit == [4, 17]
    early = begun.end()
    assert early.scans is None
    assert lit == [4, 17]
    begun.release_leds()
    assert lit == []
    assert {gpio: key.line.read() for gpio, key in early.keys.items()} == {gpio: [(7.0 + gpio, 0)] for gpio in noted}
    assert [gpio for gpio, key in early.keys.items() if key.was_down] == noted[:1]


def cut(folder: Path) -> None:
    file = folder / "last-frame.json"
    file.write_bytes(file.read_bytes()[:100])


def other_json(folder: Path) -> None:
    (folder / "last-frame.json").write_text('["no frame"]', encoding="utf-8")


def other_configuration(folder: Path) -> None:
    (folder / "board.toml").write_text("[table]\nboard = 'triple'\n", encoding="utf-8")


def other_board_file(folder: Path) -> None:
    file = folder / "classic.toml"
    file.write_text(file.read_text(encoding="utf-8") + "# limit_ma = 900\n", encoding="utf-8")


def no_board_file(folder: Path) -> None:
    (folder / "classic.toml").unlink()


def no_configuration(folder: Path) -> None:
    (folder / "board.toml").unlink()


def newer_journal(folder: Path) -> None:
    later = (folder / "last-frame.json").stat().st_mtime + 20
    (folder / "journal.db-wal").touch()
    os.utime(folder / "journal.db-wal", (later, later))


def no_journal(folder: Path) -> None:
    (folder / "journal.db").unlink()


def no_frame(folder: Path) -> None:
    (folder / "last-frame.json").unlink()


BROKEN = [
    cut,
    other_json,
    other_configuration,
    no_configuration,
    other_board_file,
    no_board_file,
    newer_journal,
    no_journal,
    no_frame,
]


@pytest.mark.parametrize("breaks", BROKEN, ids=lambda breaks: breaks.__name__)
def test_a_frame_that_may_be_wrong_is_not_shown(
    breaks: Callable[[Path], None], folder: Path, twin: Twin, panel: Path
) -> None:
    breaks(folder)
    light = started(folder)
    assert light is not None
    assert (lit(twin), light.end(), light.starting) == ([], NO_INPUTS, ())
    assert panel.read_bytes() == b"", "nor is anything sent to the OLED"


def test_a_frame_of_another_command_line_is_not_shown(folder: Path, twin: Twin) -> None:
    light = started(folder, [*ARGUMENTS, "--board", "triple"])
    assert light is not None
    assert (lit(twin), light.end()) == ([], NO_INPUTS)


def test_without_spidev_the_board_starts_dark(folder: Path, twin: Twin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    light = started(folder)
    assert light is not None
    assert (lit(twin), light.end()) == ([], NO_INPUTS)


def test_a_failing_spi_bus_ends_first_light_without_an_error(
    folder: Path, twin: Twin, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> list[int]:
        raise OSError(110, "Connection timed out")

    monkeypatch.setattr(SpiDev, "xfer2", fails)
    light = started(folder)
    assert light is not None
    assert (lit(twin), light.end()) == ([], NO_INPUTS)


@pytest.mark.parametrize("command", [["count", "5H"], ["demo"], []])
def test_only_a_board_that_runs_as_a_service_has_a_first_light(command: list[str], folder: Path, twin: Twin) -> None:
    assert started(folder, command) is None
    assert started(folder, STATE_DIRECTORY="") is None
    assert first_light(ARGUMENTS, {"STATE_DIRECTORY": str(folder)}) is None
    assert lit(twin) == []
