"""Checks of the card readers and their ports."""

from __future__ import annotations

import re
import termios
from collections.abc import Iterator
from errno import EACCES, EAGAIN, EBUSY, ENOENT
from pathlib import Path
from typing import Any

from cribd.causes import Message, cause
from cribd.clock import Clock
from cribd.config.config import ReaderConfig
from cribd.doctor.buses import holders, remedy_of
from cribd.doctor.findings import Finding, Installation, fault, not_looked_at, ok, power_off, warning
from cribd.inputs import TagRead
from cribd.readers import LinkState
from cribd.readers.serial_reader import decoder_of
from cribd.wires import ReaderKind, ReaderWire
from cribd.wires.pi import forbidden

#: Speeds that are tried when nothing can be read at the configured one.
_SPEEDS = (9600, 19200, 38400, 57600, 115200, 230400)
#: How long a reader is listened to at one speed.
_LISTEN_S, _PAUSE_S = 0.6, 0.01
#: Words in the names of scanners that type as keyboards.
_SCANNER = re.compile(r"(?i)scan|bar ?code|honeywell|datalogic|symbol|zebra|newland|netum|hidkeyboard|usbkey|rfid")
#: The kinds of events of a keyboard, as the kernel prints them.
_KEYBOARD = "EV=120013"


def ports(at: Installation) -> Iterator[Finding]:
    """Check the ports and the answers of the readers."""
    if not at.config.readers:
        yield ok(Message("doctor.readers.none", "no reader is configured"))
    for reader in at.config.readers:
        yield from _examine_port(at, reader)


def _examine_port(at: Installation, reader: ReaderConfig) -> Iterator[Finding]:
    from serial import Serial

    wire, path = reader.wire, at.wires.serial(reader.name)
    try:
        port = Serial(path, wire.baud, timeout=0, exclusive=True)
    except (OSError, termios.error) as error:
        yield _closed_port_finding(at, reader, path, error)
        return
    with port:
        match wire.kind:
            case ReaderKind.PN532:
                yield _probe_reader(port, wire, at.clock)
            case ReaderKind.RDM6300:
                yield _listen_to_reader(port, wire, at.clock)
            case ReaderKind.SCANNER:
                yield ok(Message("doctor.readers.open", "{reader}: {port} opens; a scanner sends only what it reads",
                                 reader=reader.name, port=path))  # fmt: skip


def _closed_port_finding(at: Installation, reader: ReaderConfig, path: str, error: Exception) -> Finding:
    """Return the finding for a port that does not open."""
    name, number = reader.name, getattr(error, "errno", None)
    if number in (EAGAIN, EBUSY):
        found, _ = holders(at, {path, str(Path(path).resolve())})
        return fault(
            Message("doctor.readers.held", "{reader}: another program holds {port} ({program})",
                    reader=name, port=path, program=", ".join(program for program, _ in found) or "?"),
            Message("doctor.readers.held.remedy",
                    "`sudo fuser -v {port}` names it and its PID. If it is cribboard: `sudo systemctl stop cribd`. If "
                    "it is ModemManager: `sudo make install` once more (a rule of udev then keeps it away), or `sudo "
                    "systemctl disable --now ModemManager`. Else: `sudo kill PID`.", port=path),
        )  # fmt: skip
    if number == EACCES:
        why = forbidden(path, "dialout")
        return fault(Message("doctor.readers.closed", "{reader}: the port does not open: {why}", reader=name, why=why),
                     remedy_of(OSError(why)))  # fmt: skip
    if Path(path).is_file():
        return fault(
            Message("doctor.readers.file", "{reader}: {port} is an ordinary file, not a port", reader=name, port=path),
            Message("doctor.readers.file.remedy",
                    "If it is in /dev, type `sudo rm {port}`, and plug the reader in again. Else correct its port in "
                    "the configuration ([[readers]], port).", port=path),
        )  # fmt: skip
    links = {port.name for root in (at.root, at.wires.root) for port in (root / "dev/serial/by-id").glob("*")}
    there = [f"/dev/serial/by-id/{link}" for link in sorted(links)]
    remedy = Message(
        "doctor.readers.missing.remedy",
        "Plug the reader in, or write its port into the configuration ([[readers]], port). Ports that are there: "
        "{ports}.",
        ports=", ".join(there) or "–",
    )
    if number == ENOENT:
        return fault(Message("doctor.readers.missing", "{reader}: there is no {port}", reader=name, port=path), remedy)
    return fault(
        Message("doctor.readers.closed", "{reader}: the port does not open: {why}", reader=name, why=cause(error)),
        remedy,
    )


def _probe_reader(port: Any, wire: ReaderWire, clock: Clock) -> Finding:
    """Ask a reader at each speed, and return the finding."""
    for baud in (wire.baud, *(speed for speed in _SPEEDS if speed != wire.baud)):
        if _is_read_at(port, wire, baud, clock):
            return _baud_finding(wire, baud)
    return fault(
        Message("doctor.readers.silent", "{reader}: the port opens, but nothing answers at any speed",
                reader=wire.name),
        Message("doctor.readers.silent.remedy",
                "{off} Then check its power, and that TX of each end goes to RX of the other. On a PN532 both switches "
                "stand for HSU (off, off).", off=power_off()),
    )  # fmt: skip


def _listen_to_reader(port: Any, wire: ReaderWire, clock: Clock) -> Finding:
    """Listen to a reader that only sends. Returns the finding.

    Unreadable bytes may mean another speed."""
    if _is_read_at(port, wire, wire.baud, clock):
        return _baud_finding(wire, wire.baud)
    clock.wait(_LISTEN_S)
    if not port.read(4096):
        return ok(Message("doctor.readers.quiet", "{reader}: the port opens; to see it read, leave a tag on the reader "
                          "and run the doctor again", reader=wire.name))  # fmt: skip
    for baud in _SPEEDS:
        if baud != wire.baud and _is_read_at(port, wire, baud, clock):
            return _baud_finding(wire, baud)
    return fault(
        Message("doctor.readers.garbled", "{reader}: what it sends can be read at no speed", reader=wire.name),
        Message("doctor.readers.garbled.remedy",
                "Check that `kind` is this reader's ([[readers]]), and its ground and power; only one tag may lie on "
                "it."),
    )  # fmt: skip


def _baud_finding(wire: ReaderWire, baud: int) -> Finding:
    if baud == wire.baud:
        return ok(Message("doctor.readers.answers", "{reader} answers at {baud} baud", reader=wire.name, baud=baud))
    return fault(
        Message("doctor.readers.speed", "{reader} answers at {baud} baud, and the configuration says {configured}",
                reader=wire.name, baud=baud, configured=wire.baud),
        Message("doctor.readers.speed.remedy", "Write baud = {baud} into its section [[readers]].", baud=baud),
    )  # fmt: skip


def _is_read_at(port: Any, wire: ReaderWire, baud: int, clock: Clock) -> bool:
    """Whether this reader answers, or sends a tag, at this speed (baud)."""
    port.baudrate = baud
    port.reset_input_buffer()
    decoder = decoder_of(wire)
    end = clock.now() + _LISTEN_S
    while (now := clock.now()) < end:
        inputs = [*decoder.tick(now), *decoder.feed(port.read(4096), now)]
        port.write(decoder.to_send())
        if any(isinstance(read, TagRead) for read in inputs):
            return True
        if wire.kind is ReaderKind.PN532 and decoder.link is not LinkState.UNKNOWN:
            return decoder.link is LinkState.ANSWERING
        clock.wait(_PAUSE_S)
    return False


def keyboard(at: Installation) -> Iterator[Finding]:
    """Check for scanners set up as keyboards.

    They are known by their names. If a port is missing, any USB keyboard may be one."""
    listed = at.read("proc/bus/input/devices")
    if listed is None:
        yield not_looked_at(Message("doctor.keyboard.unknown", "the system does not list its keyboards"))
        return
    missing = any(not Path(at.wires.serial(reader.name)).exists() for reader in at.config.readers)
    devices = [device for device in listed.split("\n\n") if "Bus=0003" in device and _KEYBOARD in device]
    names = [found[1] for device in devices if (found := re.search(r'N: Name="(.*)"', device))]
    suspects = [name for name in names if missing or _SCANNER.search(name)]
    if not suspects:
        yield ok(Message("doctor.keyboard.none", "no reader types as a keyboard"))
        return
    yield warning(
        Message("doctor.keyboard.types", "this may be a reader that types as a keyboard: {names}",
                names=", ".join(suspects)),
        Message("doctor.keyboard.remedy",
                "If it is one, set it to serial: scan the code for USB COM (CDC, virtual COM port) in its manual. Then "
                "it has a port, /dev/ttyACM0."),
    )  # fmt: skip


def console(at: Installation) -> Iterator[Finding]:
    """Check that no console uses the port of a reader.

    Both would read the same bytes."""
    words = (at.read("proc/cmdline") or "").split()
    configured = [word.removeprefix("console=").partition(",")[0] for word in words if word.startswith("console=")]
    active = [line.split()[0] for line in (at.read("proc/consoles") or "").splitlines() if line.strip()]
    consoles = {_device(at, f"/dev/{name}") for name in (*configured, *active)}
    found = [reader for reader in at.config.readers if _device(at, reader.port) in consoles]
    for reader in found:
        yield fault(
            Message("doctor.console.there", "{reader}: the system has a console on {port}",
                    reader=reader.name, port=reader.port),
            Message("doctor.console.remedy",
                    "Type `sudo raspi-config nonint do_serial_cons 1`, and start the Pi again."),
        )  # fmt: skip
    if not found:
        yield ok(Message("doctor.console.none", "no console is on the port of a reader"))


def _device(at: Installation, port: str) -> str:
    """Return the name of the device behind a port."""
    return (at.root / port.lstrip("/")).resolve().name
