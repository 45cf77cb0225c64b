"""The twin's wires under the real libraries: gpiozero, luma.oled and pyserial, each transfer taking its time."""

from __future__ import annotations

import os
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from gpiozero import Device, DigitalInputDevice, DigitalOutputDevice, PWMOutputDevice
from gpiozero.exc import DeviceClosed, GPIOPinInUse, PinFixedPull, SPIBadArgs
from hypothesis import given
from hypothesis import strategies as st
from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image, ImageDraw
from tests.support.places import DATA_SHEETS, ROOT

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.twin.machine import Twin
from cribd.twin.uart import SPEEDS, SerialLine, misread
from cribd.wires import Wires

TIME: dict[str, Any] = DATA_SHEETS["time"]
BOARD = load("continuous")
OLED = 0x3C


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def twin(clock: ManualClock, tmp_path: Path) -> Iterator[Twin]:
    twin = Twin(BOARD, clock, folder=tmp_path)
    yield twin
    twin.close()


@pytest.fixture
def wires(twin: Twin) -> Wires:
    return twin.wires


# gpiozero


def test_both_selects_of_spi0_are_there_with_their_own_rate_and_mode(wires: Wires) -> None:
    chain, strip = wires.spi(1, hz=1_000_000, mode=2), wires.spi(0, hz=8_000_000, mode=0)
    assert chain.transfer([0] * 32) == [0xA7, *[0xFF] * 30, 0x00]
    assert strip.transfer([0] * 4) == [0xFF] * 4  # the chain's output has no third state, and its first input is high


def test_a_transfer_takes_the_time_of_its_clocks(wires: Wires, clock: ManualClock) -> None:
    for select, hz in ((1, 1_000_000), (0, 8_000_000)):
        device = wires.spi(select, hz=hz, mode=0)
        begin = clock.now()
        device.transfer([0] * 100)
        assert clock.now() - begin == pytest.approx(100 * TIME["spi_bits_per_byte"] / hz)


def test_a_chip_select_has_one_owner_and_is_free_again_after_close(wires: Wires) -> None:
    first = wires.spi(1, hz=1_000_000, mode=2)
    with pytest.raises(GPIOPinInUse):
        wires.spi(1, hz=1_000_000, mode=2)
    first.close()
    with pytest.raises(DeviceClosed):
        first.transfer([0])
    assert wires.spi(1, hz=1_000_000, mode=2).transfer([0]) == [0xA7]


@pytest.mark.filterwarnings("ignore::gpiozero.exc.SPISoftwareFallback")
def test_gpiozero_never_falls_back_to_software_spi(wires: Wires) -> None:
    with pytest.raises(SPIBadArgs):
        wires.pin_factory.spi(port=1, device=0)


def test_a_key_reads_its_pull_up_until_it_is_grounded(wires: Wires) -> None:
    factory = wires.pin_factory
    edges = []
    key = DigitalInputDevice(17, pull_up=True, pin_factory=factory)
    key.when_activated = lambda: edges.append("down")
    key.when_deactivated = lambda: edges.append("up")
    factory.ground(17)
    assert key.is_active
    factory.let_go(17)
    assert not key.is_active
    assert edges == ["down", "up"]


def test_a_key_held_before_the_driver_starts_is_read_as_down(wires: Wires) -> None:
    wires.pin_factory.ground(17)
    assert DigitalInputDevice(17, pull_up=True, pin_factory=wires.pin_factory).is_active


def test_an_output_is_not_moved_by_a_finger_and_has_no_pull(wires: Wires) -> None:
    output = DigitalOutputDevice(17, initial_value=True, pin_factory=wires.pin_factory)
    wires.pin_factory.ground(17)
    wires.pin_factory.let_go(17)
    assert output.value == 1
    with pytest.raises(PinFixedPull):
        output.pin.pull = "up"


def test_a_pin_keeps_no_history(wires: Wires) -> None:
    key = DigitalInputDevice(17, pull_up=True, pin_factory=wires.pin_factory)
    for _ in range(1000):
        wires.pin_factory.ground(17)
        wires.pin_factory.let_go(17)
    assert len(key.pin.states) == 0


def test_the_held_time_of_a_key_follows_the_given_clock(wires: Wires, clock: ManualClock) -> None:
    key = DigitalInputDevice(17, pull_up=True, pin_factory=wires.pin_factory)
    wires.pin_factory.ground(17)
    assert key.is_active
    clock.wait(7.0)
    assert key.active_time == pytest.approx(7.0)


def test_the_global_factory_of_gpiozero_is_never_touched(wires: Wires) -> None:
    wires.spi(1, hz=1_000_000, mode=2)
    DigitalInputDevice(17, pull_up=True, pin_factory=wires.pin_factory)
    assert Device.pin_factory is None


def test_a_pwm_pin_carries_a_tone(twin: Twin) -> None:
    buzzer = PWMOutputDevice(BOARD.buzzer_gpio, frequency=440, pin_factory=twin.wires.pin_factory)
    assert (twin.buzzer_hz(), twin.buzzer.state) == (0.0, 0.0)
    buzzer.value = 0.5
    assert (twin.buzzer_hz(), twin.buzzer.state) == (440.0, 0.5)
    buzzer.frequency = 880
    assert twin.buzzer_hz() == 880.0
    buzzer.close()
    assert (twin.buzzer_hz(), twin.buzzer.state) == (0.0, 0.0)


# luma.oled


def drawing(width: int = 128, height: int = 64) -> Image.Image:
    image = Image.new("1", (width, height))
    draw = ImageDraw.Draw(image)
    draw.text((3, 5), "29!", fill=1)
    draw.rectangle((40, 10, 120, height - 1), outline=1)
    return image


def screen(bus: Any, height: int = 64) -> Any:
    device = ssd1306(i2c(bus=bus, address=OLED), width=128, height=height)
    device.persist = True
    return device


def test_the_simulated_screen_shows_what_luma_draws_dot_for_dot(twin: Twin) -> None:
    device, image = screen(twin.wires.i2c(1)), drawing()
    assert not any(twin.oled().pixels)
    device.display(image)
    seen = twin.oled()
    assert (seen.width, seen.height, seen.on, seen.contrast, seen.inverse) == (128, 64, True, 0xCF, False)
    assert seen.pixels == image.tobytes()
    device.hide()
    assert not twin.oled().on
    assert not any(twin.oled().pixels)


def test_a_frame_of_luma_takes_25_ms_at_400_khz(twin: Twin, clock: ManualClock) -> None:
    device = screen(twin.wires.i2c(1))
    begin = clock.now()
    device.display(drawing())
    blocks, commands = 1024 // 32, 6
    clocks = (blocks * (2 + 32) + 2 + commands) * TIME["i2c_bits_per_byte"] + 2 * (blocks + 1)
    assert clock.now() - begin == pytest.approx(clocks / 400_000)
    assert 0.024 < clock.now() - begin < 0.026


def test_the_end_of_the_last_write_that_changed_the_screen_is_known(twin: Twin, clock: ManualClock) -> None:
    device = screen(twin.wires.i2c(1))
    device.display(drawing())
    assert twin.screen.changed_at == pytest.approx(clock.now())
    before = twin.screen.changed_at, twin.version
    device.display(drawing())
    assert (twin.screen.changed_at, twin.version) == before


def test_an_unplugged_screen_acknowledges_nothing_and_comes_back_with_a_reset_and_noise(twin: Twin) -> None:
    device, image = screen(twin.wires.i2c(1)), drawing()
    device.display(image)
    twin.unplug("screen")
    assert not twin.oled().on
    with pytest.raises(OSError, match="0x3C") as nack:
        twin.wires.i2c(1).write_byte(OLED, 0)
    assert nack.value.errno == TIME["i2c_nack_errno"]
    with pytest.raises(DeviceNotFoundError):
        device.contrast(10)
    twin.plug("screen")
    assert not twin.oled().on
    device.show()
    assert not twin.oled().on  # the charge pump is off: it needs its whole start again
    device.command(0x8D, 0x14)
    assert twin.oled().pixels != image.tobytes()
    assert any(twin.oled().pixels)
    screen(twin.wires.i2c(1)).display(image)
    assert twin.oled().pixels == image.tobytes()


def test_no_other_address_answers_and_there_is_no_other_port(wires: Wires) -> None:
    with pytest.raises(OSError, match="0x3D"):
        wires.i2c(1).write_byte(0x3D, 0)
    with pytest.raises(FileNotFoundError):
        wires.i2c(2)


def test_the_bus_reads_and_writes_as_smbus_does(wires: Wires) -> None:
    bus = wires.i2c(1)
    assert bus.read_byte(OLED) == 0x40
    bus.write_byte_data(OLED, 0x00, 0xAF)
    assert bus.read_byte(OLED) == 0x00
    bus.write_word_data(OLED, 0x80, 0x00AE)
    assert bus.read_byte_data(OLED, 0x00) == 0x40
    assert bus.read_word_data(OLED, 0x00) == 0x4040
    assert bus.read_i2c_block_data(OLED, 0x00, 3) == [0x40] * 3
    with pytest.raises(ValueError, match="32"):
        bus.write_i2c_block_data(OLED, 0x40, [0] * 33)


def test_fake_rpi_is_imported_without_numpy_and_prints_nothing() -> None:
    program = """if True:
        import sys
        from cribd.twin.i2c import I2cPort, open_bus
        from cribd.clock import ManualClock
        bus = open_bus(I2cPort(ManualClock(), hz=400_000, devices={}), 1)
        bus.open(1)
        bus.close()
        assert type(bus).__mro__[1].__module__ == "fake_rpi.smbus.smbus"
        assert not {"numpy", "fake_rpi", "fake_rpi.Adafruit"} & set(sys.modules), sorted(sys.modules)
    """
    path = os.pathsep.join([str(ROOT / "firmware"), str(ROOT / "board")])
    ran = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


# pyserial


def test_pyserial_reads_what_the_scanner_sends(twin: Twin, clock: ManualClock) -> None:
    with serial.Serial(twin.wires.serial("reader"), 9600, timeout=5) as port:
        begin = clock.now()
        twin.scan(b"5H\r\n")
        assert port.read(4) == b"5H\r\n"
        assert twin.scanned_at == clock.now()
        assert clock.now() - begin == pytest.approx(4 * TIME["uart_bits_per_byte"] / 9600)


def test_a_new_serial_wire_is_raw(tmp_path: Path, clock: ManualClock) -> None:
    line = SerialLine(tmp_path / "reader", clock, baud=38400)
    line.plug()
    with open(line.path, "rb", buffering=0) as end:
        raw = bytes((0x03, 0x04, 0x0A, 0x0D, 0x11, 0x13, 0x7F, 0xFF))
        line.send(raw)
        assert b"".join(end.read(1) for _ in raw) == raw
    line.unplug()


def test_sent_bytes_need_no_settling(tmp_path: Path, clock: ManualClock) -> None:
    line = SerialLine(tmp_path / "reader", clock, baud=9600)
    line.plug()
    with serial.Serial(str(line.path), 9600, timeout=0) as port:
        for _ in range(200):
            line.send(b"5H\r")
            assert port.read(10) == b"5H\r"
            assert not line.settle()
            port.write(b"\x55")
            assert line.settle()
            assert line.receive() == b"\x55"
    line.unplug()
    assert not line.settle()


def test_bytes_sent_after_unread_ones_arrive_too(tmp_path: Path, clock: ManualClock) -> None:
    line = SerialLine(tmp_path / "reader", clock, baud=9600)
    line.plug()
    with serial.Serial(str(line.path), 9600, timeout=0) as port:
        for _ in range(200):
            line.send(b"5H\r")
            line.send(b"6H\r")
            assert port.read(10) == b"5H\r6H\r"
    line.unplug()


def test_an_unplugged_reader_ends_the_port_and_a_new_plug_is_found_at_the_same_path(twin: Twin) -> None:
    path = twin.wires.serial("reader")
    with serial.Serial(path, 9600, timeout=5) as port:
        twin.unplug("reader")
        with pytest.raises(serial.SerialException):
            port.read(1)
        with pytest.raises(OSError, match=r"."):
            _ = port.in_waiting
    with pytest.raises(serial.SerialException):
        serial.Serial(path, 9600)
    twin.scan(b"lost\r\n")
    twin.plug("reader")
    with serial.Serial(path, 9600, timeout=5) as port:
        twin.scan(b"JD\r\n")
        assert port.read(4) == b"JD\r\n"


def test_the_wrong_speed_reads_garbage(twin: Twin) -> None:
    with serial.Serial(twin.wires.serial("reader"), 19200, timeout=5) as port:
        twin.scan(b"5H\r\n")
        garbage = misread(b"5H\r\n", sent_baud=9600, read_baud=19200)
        assert b"5H" not in garbage
        assert port.read(len(garbage)) == garbage
        port.baudrate = 9600
        twin.scan(b"5H\r\n")
        assert port.read(4) == b"5H\r\n"


def test_an_unread_port_does_not_block_the_scanner(twin: Twin) -> None:
    twin.wires.serial("reader")
    twin.scan(b"x" * 20_000)


def test_two_readers_have_two_wires(twin: Twin) -> None:
    assert twin.wires.serial("left") != twin.wires.serial("right")
    with serial.Serial(twin.wires.serial("left"), 9600, timeout=0) as left:
        twin.scan(b"AS\r\n", reader="right")
        assert left.read(10) == b""


def test_closing_the_wires_takes_their_paths_away_and_may_be_done_twice(twin: Twin) -> None:
    path = Path(twin.wires.serial("reader"))
    assert path.is_symlink()
    twin.close()
    twin.close()
    assert not path.is_symlink()


@given(data=st.binary(max_size=12))
def test_a_receiver_at_the_right_speed_misreads_nothing(data: bytes) -> None:
    assert misread(data, sent_baud=9600, read_baud=9600) == data


# Worked out with a pencil: start bit, eight bits with the lowest first, stop bit, then the line at rest.
@pytest.mark.parametrize(
    ("sent", "read_baud", "read"),
    [("aa", 4800, "f8"), ("55", 4800, "ff"), ("00", 19200, "00"), ("ff", 19200, "fe"), ("0f", 19200, "fe80")],
)
def test_a_receiver_at_another_speed_looks_at_the_wrong_bits(sent: str, read_baud: int, read: str) -> None:
    assert misread(bytes.fromhex(sent), sent_baud=9600, read_baud=read_baud) == bytes.fromhex(read)


def test_every_speed_that_termios_names_is_known() -> None:
    assert SPEEDS[termios.B9600] == 9600
    assert SPEEDS[termios.B115200] == 115200
    assert 0 not in SPEEDS.values()
