"""Every fault that the doctor must find: how a test makes it, and which check finds it."""

from __future__ import annotations

import grp
import os
import socket
import sqlite3
from contextlib import ExitStack, closing
from dataclasses import replace
from errno import EBUSY, ENOENT, ETIMEDOUT
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

from serial import Serial
from tests.support.journals import ACTS, begin, do
from tests.support.patients import BOARD, Case, Patient, SpoiltWires, with_chips

from cribboard.validation import Message
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.inputs import Key
from cribd.storage.open_journal import open_or_repair_journal
from cribd.twin.faults import FaultName, TwinFault, default
from cribd.wires import Spi, pi

NO_SPI = pi._why_no_node("/dev/spidev0.0", FileNotFoundError(ENOENT, "-"), "dtparam=spi=on", "spi")
NO_I2C = pi._why_no_node("/dev/i2c-1", FileNotFoundError(ENOENT, "-"), "dtparam=i2c_arm=on", "i2c")
FORBIDDEN = pi._why_no_node("/dev/spidev0.0", PermissionError(13, "-"), "dtparam=spi=on", "spi")


#: The group of what a test makes, in place of the group of a node.
OWN_GROUP = grp.getgrgid(os.getgid()).gr_name


def _spi(error: str | Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "spi_error", OSError(error)))


def _i2c(error: str | Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "i2c_error", OSError(error)))


def _pins(error: str | Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "pins_error", OSError(error)))


def _scan(scan: Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "scan", scan))


def _asked(asked: Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "asked", asked))


def _twin(check: str, fault: str, name: FaultName, value: int | None = None) -> Case:
    """A fault of the twin."""

    def make(patient: Patient) -> None:
        patient.chips_run = name is FaultName.OLED_RESETS
        patient.wires(lambda wires: setattr(wires, "own_machine", True))
        made = default(name, patient.wired) if value is None else TwinFault(name, value)
        patient.wires(lambda wires: wires.twin.make(made))

    return Case(check, fault, make, name)


def _unplugged(part: str) -> Any:
    return lambda patient: patient.wires(lambda wires: wires.twin.unplug(part))


def _longest(count: int) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "longest", count))


def _board(name: str) -> Any:
    def choose(patient: Patient) -> None:
        patient.board = patient.wired = load(name)

    return choose


def _busy(number: int) -> Any:
    """Another program holds this pin."""

    def hold(wires: SpoiltWires) -> None:
        factory = wires.twin.wires.pin_factory
        pin = factory.pin

        def refused(name: Any) -> Any:
            if factory.board_info.to_gpio(name) == f"GPIO{number}":
                raise OSError(pi._why_no_pin(f"GPIO {number}", RuntimeError("'GPIO busy'")))
            return pin(name)

        factory.pin = refused

    return lambda patient: patient.wires(hold)


def _each_word(bus: Spi, data: bytes) -> list[int]:
    """A chip select that rises after each byte: each one loads the chain anew."""
    return [byte for one in data for byte in bus.transfer([one])]


def _late(bus: Spi, data: bytes) -> list[int]:
    bits = "0110" + "".join(f"{byte:08b}" for byte in bus.transfer(data))
    return list(int(bits[: 8 * len(data)], 2).to_bytes(len(data)))


def _garbled(bus: Spi, data: bytes) -> list[int]:
    return [0b00011000, *bus.transfer(data)[1:]]


def _disturbed(patient: Patient) -> None:
    """Every tenth scan has a wrong first byte."""
    scans = count(1)
    _scan(lambda bus, data: _garbled(bus, data) if next(scans) % 10 == 0 else bus.transfer(data))(patient)


def _endless(bus: Spi, data: bytes) -> list[int]:
    """The last serial input is open, and floats high."""
    chips = BOARD.chain.chips
    return (bus.transfer(data)[:chips] + [0xFF] * len(data))[: len(data)]


def _refused(number: int, text: str) -> Any:
    def read(_address: int) -> int:
        raise OSError(number, text)

    return read


def _at_3d(patient: Patient) -> None:
    patient.wired = replace(BOARD, oled=replace(BOARD.oled, address=0x3D))


def _open_in_412(node: str) -> Any:
    def spoil(patient: Patient) -> None:
        patient.links["proc/412/fd/5"] = node
        patient.files["proc/412/comm"] = "led-demo\n"

    return spoil


def _file(name: str, text: str) -> Any:
    return lambda patient: patient.files.update({name: text})


def _without(name: str) -> Any:
    return lambda patient: patient.files.pop(name)


def _node(name: str, mode: int, groups: str) -> Any:
    """A node of the board with this mode and the group of the test, and a service in these groups."""

    def make(patient: Patient) -> None:
        patient.files[name] = ""
        patient.modes[name] = mode
        patient.answers[USER] = f"User=cribboard\nGroup=cribboard\nSupplementaryGroups={groups}"

    return make


def _answer(command: str, answer: str) -> Any:
    return lambda patient: patient.answers.update({command: answer})


def _unanswered(command: str) -> Any:
    return lambda patient: patient.answers.pop(command)


def _configured(**values: Any) -> Any:
    return lambda patient: patient.configure(**values)


def _all(*makers: Any) -> Any:
    return lambda patient: [make(patient) for make in makers]


def _reader(kind: str, *wires: Any) -> Any:
    """A reader of tags, whose chip runs; its wires are then spoilt."""

    def make(patient: Patient) -> None:
        patient.configure(readers=[{"name": kind, "kind": kind, "port": "/dev/serial0"}])
        patient.chips_run = True
        patient.spoil_wires += wires

    return make


def _at_baud(name: str, baud: int) -> Any:
    return lambda wires: setattr(wires.twin.wires.line(name), "baud", baud)


def _patched(name: str, effect: Any) -> Any:
    return lambda patient: patient.around.append(mock.patch(name, effect))


def _raises(error: OSError) -> Any:
    def refused(*_: object, **__: object) -> Any:
        raise error

    return refused


def _held(patient: Patient) -> None:
    """Another program has opened the port for itself alone."""
    patient.links["proc/412/fd/6"] = f"{patient.folder}/dev/scanner"
    patient.files["proc/412/comm"] = "ModemManager\n"
    opened: list[Serial] = []
    patient.wires(lambda wires: opened.append(Serial(wires.serial("scanner"), exclusive=True)))
    stack = ExitStack()
    stack.callback(lambda: [port.close() for port in opened])
    patient.around.append(stack)


def _plain_file(patient: Patient) -> None:
    def swap(wires: SpoiltWires) -> None:
        wires.twin.unplug("reader")
        Path(wires.serial("scanner")).write_text("", encoding="utf-8")

    patient.wires(swap)


def _port_in_use(patient: Patient) -> None:
    """Another program listens at the port. Tests that run side by side may share it."""
    patient.configure(page={"host": "127.0.0.77", "port": 8121})
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind(("127.0.0.77", 8121))
    held.listen(1)
    patient.around.append(closing(held))


def _for_a_later_version(patient: Patient) -> None:
    with closing(sqlite3.connect(patient.journal)) as db:
        db.execute("PRAGMA user_version = 9")
        db.execute("UPDATE setting SET value = 9 WHERE name = 'writer'")
        db.commit()


def _log_deleted(patient: Patient) -> None:
    """The machine of a board loses its power, and somebody deletes the log."""
    journal, _ = open_or_repair_journal(patient.journal, ManualClock())
    do(journal, begin(journal), *ACTS)
    contents = {
        file: file.read_bytes() for file in patient.journal.parent.glob("journal.db*") if file.suffix != ".db-wal"
    }
    journal.close()
    for file, content in contents.items():
        file.write_bytes(content)


def _overwritten(patient: Patient) -> None:
    patient.journal.write_bytes(b"photographs" * 99)


UNIT = "systemctl show cribd -p LoadState,ActiveState,UnitFileState,NRestarts"
USER = "systemctl show cribd -p User,Group,SupplementaryGroups"
WATCHDOG = "systemctl show -p RuntimeWatchdogUSec --value"
BROKER = "systemctl is-active cribboard-broker"
HUB = _file(
    "usr/local/lib/systemd/system/cribd.service", "ExecStart=/opt/cribboard/current/bin/cribboard hub --broker\n"
)
SPACE = "df --output=avail -B1 /var/lib/cribboard"
KEYBOARD = 'I: Bus=0003 Vendor=1a86\nN: Name="{}"\nH: Handlers=sysrq kbd event3\nB: EV=120013\n'
VOICE = _configured(voice={"on": "on"})
CARDS = " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n"

MACHINE = (
    Case("machine.model", "another computer", _file("proc/device-tree/model", "Radxa ROCK 3C\0")),
    Case("machine.system", "an older Debian",
         _file("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 11 (bullseye)"\nVERSION_ID="11"\nID=debian\n')),
    Case("machine.architecture", "a system of 32 bits", _answer("getconf LONG_BIT", "32")),
    Case("power.voltage", "the kernel's alarm is on", _file("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")),
    _twin("power.voltage", "the voltage is too low", FaultName.UNDERVOLTAGE),
    Case("power.voltage", "the firmware says that the voltage is low",
         _answer("vcgencmd get_throttled", "throttled=0x50005")),
    Case("power.voltage", "the firmware says that it was low", _answer("vcgencmd get_throttled", "throttled=0x50000")),
    Case("power.voltage", "neither can be asked", _all(
        _without("sys/class/hwmon/hwmon1/in0_lcrit_alarm"), _unanswered("vcgencmd get_throttled"))),
    Case("power.heat", "the firmware says that it was hot", _answer("vcgencmd get_throttled", "throttled=0x80000")),
    Case("power.heat", "the firmware cannot be asked", _unanswered("vcgencmd get_throttled")),
)  # fmt: skip

PARTS = (
    Case("buses.spi", "SPI is off", _spi(NO_SPI)),
    Case("buses.spi", "the user is not in the group spi", _spi(FORBIDDEN)),
    Case("buses.spi", "spidev is not installed", _spi(pi._missing_package("spidev"))),
    Case("buses.spi", "SPI is on, and LEDs are on its pins", _all(_board("starter"), _file("dev/spidev0.0", ""))),
    Case("buses.i2c", "I²C is off", _i2c(NO_I2C)),
    Case("buses.speed", "I²C runs at its default speed", lambda patient: patient.files.update(
        {"sys/bus/i2c/devices/i2c-1/of_node/clock-frequency": (100_000).to_bytes(4).decode("latin-1")})),
    Case("buses.speed", "the kernel does not tell the speed", lambda patient: patient.files.pop(
        "sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")),
    Case("buses.programs", "another program has the strip open", _open_in_412("/dev/spidev0.0")),
    Case("oled.address", "I²C is off", _i2c(NO_I2C)),
    Case("oled.address", "the plug of the OLED is out", _unplugged("screen")),
    Case("oled.address", "the OLED has the other address", _at_3d),
    Case("oled.address", "a driver of the kernel has the OLED", _asked(_refused(EBUSY, "Device or resource busy"))),
    _twin("oled.address", "the OLED loses its power every two seconds", FaultName.OLED_RESETS, 2),
    Case("oled.address", "SDA is short to ground", _asked(_refused(ETIMEDOUT, "Connection timed out"))),
    Case("strip.frame", "SPI is off", _spi(NO_SPI)),
    Case("strip.frame", "the kernel fails above 64 bytes", _longest(64)),
    Case("strip.frame", "every transfer times out", _longest(0)),
    Case("strip.pins", "another program holds the pin of an LED", _all(_board("starter"), _busy(19))),
    Case("buttons.chain", "SPI is off", _spi(NO_SPI)),
    Case("buttons.chain", "every transfer times out", _longest(0)),
    Case("buttons.chain", "the plug of the chain is out", _unplugged("buttons")),
    _twin("buttons.chain", "the chain is broken, and reads 0 from there on", FaultName.CHAIN_LOW),
    _twin("buttons.chain", "the chain is broken, and reads 1 from there on", FaultName.CHAIN_HIGH),
    Case("buttons.chain", "MISO is short to 3.3 V", _scan(lambda bus, data: [0xFF] * len(data))),
    Case("buttons.chain", "the kernel raises the chip select after each byte", _scan(_each_word)),
    Case("buttons.chain", "four bits come before the first chip", _scan(_late)),
    Case("buttons.chain", "the first chip sends something else", _scan(_garbled)),
    Case("buttons.chain", "every tenth scan is disturbed", _disturbed),
    Case("buttons.chain", "the chain has a chip less than described",
         lambda patient: setattr(patient, "wired", with_chips(BOARD, 30))),
    Case("buttons.chain", "the chain has a chip more than described",
         lambda patient: setattr(patient, "wired", with_chips(BOARD, 32))),
    Case("buttons.chain", "the serial input of the last chip is open", _scan(_endless)),
    _twin("buttons.chain", "a button sticks", FaultName.STUCK),
    Case("keys.pins", "lgpio is not installed", _pins(pi._missing_package("lgpio"))),
    Case("keys.pins", "this is no Raspberry Pi", _pins(Message(
        "wires.no_pi", "this is no Raspberry Pi ({why}): `cribboard run --twin` needs none", why="unknown revision"))),
    Case("keys.pins", "another program holds the pin of a key", _busy(17)),
    Case("keys.pins", "a key sticks",
         lambda patient: patient.wires(lambda wires: wires.twin.key_down(Key.UNDO))),
    Case("readers.ports", "the plug of the reader is out", _all(
        _unplugged("reader"), _file("dev/serial/by-id/usb-Newland_EM20-if00", ""))),
    _twin("readers.ports", "the reader has come back under another name", FaultName.READER_MOVES),
    Case("readers.ports", "another program holds the port", _held),
    Case("readers.ports", "the user is not in the group dialout",
         _patched("serial.serialposix.os.open", _raises(PermissionError(13, "Permission denied")))),
    Case("readers.ports", "the port is a plain file", _plain_file),
    Case("readers.ports", "TX and RX of a PN532 are swapped",
         _configured(readers=[{"name": "pn532", "kind": "pn532", "port": "/dev/serial0"}])),
    Case("readers.ports", "a PN532 has another speed", _reader("pn532", _at_baud("pn532", 9600))),
    Case("readers.ports", "an RDM6300 with a tag has another speed", _reader(
        "rdm6300", _at_baud("rdm6300", 19200), lambda wires: wires.twin.put_tags_in_field("rdm6300", "0102030405"))),
    Case("readers.ports", "two tags lie on an RDM6300", _reader(
        "rdm6300", lambda wires: wires.twin.put_tags_in_field("rdm6300", "0102030405", "0102030406"))),
    Case("readers.keyboard", "a scanner types as a keyboard",
         _file("proc/bus/input/devices", KEYBOARD.format("Barcode Reader Scanner"))),
    Case("readers.keyboard", "the port is missing, and an unknown keyboard is there",
         _all(_unplugged("reader"), _file("proc/bus/input/devices", KEYBOARD.format("WIT 122-UFS")))),
    Case("readers.keyboard", "the keyboards are not listed", _without("proc/bus/input/devices")),
    Case("readers.console", "the command line of the kernel has a console on the port",
         _file("proc/cmdline", "console=serial0,115200 console=tty1\n")),
    Case("readers.console", "the kernel has a console on the port",
         _file("proc/consoles", "ttyS0                -W- (EC p  )    4:64\n")),
    Case("sound.buzzer", "another program holds the pin of the buzzer", _busy(12)),
    Case("sound.voice", "espeak-ng is not installed", VOICE),
    Case("sound.voice", "there is no sound card",
         _all(VOICE, _answer("espeak-ng --version", "1.51"), _file("proc/asound/cards", "--- no soundcards ---\n"))),
)  # fmt: skip

KEPT = (
    Case("journal.mounts", "the root is an overlay in memory",
         _file("proc/mounts", "overlayroot / overlay rw,relatime 0 0\n")),
    Case("journal.mounts", "the disk of the journal is read-only", _file(
        "proc/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\n/dev/mmcblk0p3 FOLDER/var ext4 ro,noatime 0 0\n")),
    Case("journal.mounts", "Linux has made the disk read-only after an error", _file(
        "proc/mounts", "/dev/mmcblk0p2 / ext4 rw,noatime,emergency_ro 0 0\n")),
    Case("journal.mounts", "the mounts are not listed", _without("proc/mounts")),
    Case("journal.file", "a later version wrote the journal", _for_a_later_version),
    Case("journal.file", "the journal is overwritten", _overwritten),
    Case("journal.file", "the write-ahead log of the journal was deleted", _log_deleted),
    Case("journal.file", "the journal belongs to another user", _patched("os.access", lambda *_: False)),
    Case("journal.space", "150 MB are free", _answer(SPACE, "    Avail\n150000000")),
    Case("journal.space", "the disk is full", _answer(SPACE, "    Avail\n4096")),
    Case("journal.space", "df is of another kind", _answer(SPACE, "")),
    Case("journal.write", "the folder is a file", lambda patient: patient.configure(
        journal=f"{patient.journal}/journal.db")),
    _twin("journal.write", "the disk is full", FaultName.DISK_FULL),
    _twin("journal.write", "the disk is read-only", FaultName.READ_ONLY),
    Case("journal.write", "the folder belongs to another user",
         _patched("cribd.doctor.journal.TemporaryDirectory", _raises(PermissionError(13, "Permission denied")))),
    _twin("journal.write", "the disk takes two seconds", FaultName.SLOW_FSYNC),
    _twin("clock.time", "the clock is ten years behind", FaultName.CLOCK_JUMP),
    Case("clock.time", "no network since the start", _without("run/systemd/timesync/synchronized")),
)  # fmt: skip

AROUND = (
    Case("network.port", "page.host is not of this machine", _configured(page={"host": "192.0.2.1", "port": 8121})),
    Case("network.port", "another program holds the port", _port_in_use),
    Case("network.reach", "the machine is in no network",
         _all(_configured(page={"host": "0.0.0.0"}), _answer("hostname -I", ""))),
    Case("service.unit", "the service is not installed", _answer(UNIT, "LoadState=not-found\nActiveState=inactive")),
    Case("service.unit", "the service has failed", _answer(UNIT, "LoadState=loaded\nActiveState=failed")),
    Case("service.unit", "the service is disabled",
         _answer(UNIT, "LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled")),
    Case("service.unit", "the service starts again and again",
         _answer(UNIT, "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=12")),
    Case("service.unit", "systemd does not run", _answer(UNIT, "")),
    Case("service.broker", "the broker of a hub has ended", _all(HUB, _answer(BROKER, "failed"))),
    Case("service.groups", "the service is not in the group of /dev/spidev0.0",
         _node("dev/spidev0.0", 0o660, "gpio i2c dialout")),
    Case("service.groups", "a rule of udev has closed the pins to their group",
         _node("dev/gpiochip0", 0o600, f"{OWN_GROUP} gpio spi i2c dialout")),
    Case("service.groups", "the service is not installed", _answer(USER, "User=\nGroup=\nSupplementaryGroups=")),
    Case("service.watchdog", "the watchdog is off", _answer(WATCHDOG, "0")),
    Case("service.watchdog", "the watchdog is that of Raspberry Pi OS, longer than the chip can",
         _answer(WATCHDOG, "1min")),
    Case("service.watchdog", "systemd does not run", _answer(WATCHDOG, "")),
    Case("update.releases", "the link leads to a release that was removed", _all(
        _file("opt/cribboard/releases/0.1.0/pyvenv.cfg", ""),
        lambda patient: patient.links.update({"opt/cribboard/current": "/opt/cribboard/releases/0.2.0"}))),
)  # fmt: skip

#: The faults of the twin that show only when somebody presses a hole, looks at the lights or scans a card: the
#: self-test finds them. The board copes with contacts that bounce.
FOR_A_PERSON = frozenset(
    {
        *(FaultName.BOUNCE, FaultName.DEAD, FaultName.SWAPPED, FaultName.JOINED, FaultName.STRIP_CUT),
        FaultName.HALF_FRAMES,
    }
)

CASES = (*MACHINE, *PARTS, *KEPT, *AROUND)

#: What is right, but not as on the patient.
RIGHT = (
    Case("strip.pins", "LEDs on pins", _board("starter")),
    Case("service.groups", "the pins belong to a group of the service",
         _node("dev/gpiochip0", 0o660, f"{OWN_GROUP} gpio spi i2c dialout")),
    Case("readers.ports", "no reader", _configured(readers=[])),
    Case("readers.ports", "a PN532", _reader("pn532")),
    Case("readers.ports", "an RDM6300 with a tag", _reader(
        "rdm6300", lambda wires: wires.twin.put_tags_in_field("rdm6300", "0102030405"))),
    Case("readers.ports", "an RDM6300 without a tag", _reader("rdm6300")),
    Case("sound.voice", "a voice", _all(
        VOICE, _answer("espeak-ng --version", "1.51"), _file("proc/asound/cards", CARDS))),
    Case("journal.file", "no journal yet", lambda patient: patient.journal.unlink()),
    Case("clock.time", "a battery clock",
         _all(_without("run/systemd/timesync/synchronized"), _file("dev/rtc0", ""))),
    Case("clock.time", "another time service", _all(
        _without("run/systemd/timesync/synchronized"),
        _answer("timedatectl show -p NTPSynchronized --value", "yes"))),
    Case("network.port", "no pages", _configured(page={"port": "off"})),
    Case("network.reach", "no pages", _configured(page={"port": "off"})),
    Case("network.reach", "pages for the network", _configured(page={"host": "0.0.0.0"})),
    Case("network.reach", "pages for the network with a PIN", _configured(page={"host": "0.0.0.0", "pin": "482913"})),
    Case("service.broker", "a hub with its broker", _all(HUB, _answer(BROKER, "active"))),
    Case("update.releases", "two releases", _all(
        _file("opt/cribboard/releases/0.1.0/pyvenv.cfg", ""), _file("opt/cribboard/releases/0.2.0/pyvenv.cfg", ""),
        lambda patient: patient.links.update({"opt/cribboard/current": "/opt/cribboard/releases/0.2.0"}))),
)  # fmt: skip
