"""Checks of the buses SPI0 and I²C."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from cribboard.validation import all_of, listed
from cribd.boards.checks import SPI0_PINS
from cribd.causes import Message, cause
from cribd.doctor.findings import Finding, Installation, as_root, fault, not_looked_at, ok, warning


def spi(at: Installation) -> Iterator[Finding]:
    """Check SPI0 and its pins."""
    used = SPI0_PINS & {*(key.gpio for key in at.board.keys), *(led.gpio for led in at.board.leds)}
    if used and (at.root / "dev/spidev0.0").exists():
        yield warning(
            Message("doctor.spi.takes", "SPI is on, and takes pins that this board uses: {pins}",
                    pins=listed(f"GPIO {gpio}" for gpio in sorted(used))),
            Message("doctor.spi.takes.remedy",
                    "Switch SPI off in `sudo raspi-config`, Interface Options, and start the Pi again."),
        )  # fmt: skip
    for wired in at.board.on_spi:
        try:
            at.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode).close()
        except OSError as error:
            yield fault(
                Message("doctor.spi.closed", "SPI0 does not open with CE{select}: {why}",
                        select=wired.spi_select, why=cause(error)),
                remedy_of(error),
            )  # fmt: skip
            return
    if at.board.on_spi:
        selects = all_of(f"CE{wired.spi_select}" for wired in at.board.on_spi)
        yield ok(Message("doctor.spi.open", "SPI0 opens with {selects}", selects=selects))


def i2c(at: Installation) -> Iterator[Finding]:
    """Check that the I²C port of the OLED opens."""
    port = at.board.oled.i2c_port
    try:
        at.wires.i2c(port)
    except OSError as error:
        yield fault(
            Message("doctor.i2c.closed", "I²C {port} does not open: {why}", port=port, why=cause(error)),
            remedy_of(error),
        )
        return
    yield ok(Message("doctor.i2c.open", "I²C {port} opens", port=port))


def speed(at: Installation) -> Iterator[Finding]:
    """Check that I²C is as fast as the board file says.

    A picture takes 25 ms at 400 kHz, and 99 ms at 100 kHz."""
    oled = at.board.oled
    node = at.root / f"sys/bus/i2c/devices/i2c-{oled.i2c_port}/of_node/clock-frequency"
    try:
        khz = int.from_bytes(node.read_bytes()[:4]) // 1000
    except (FileNotFoundError, NotADirectoryError):
        yield not_looked_at(Message("doctor.speed.unknown", "the system does not say how fast I²C {port} is",
                                    port=oled.i2c_port))  # fmt: skip
        return
    wanted = oled.i2c_hz // 1000
    if khz >= wanted:
        yield ok(Message("doctor.speed.right", "I²C {port} runs at {khz} kHz", port=oled.i2c_port, khz=khz))
        return
    yield warning(
        Message("doctor.speed.slow", "I²C {port} runs at {khz} kHz instead of {wanted} kHz: the screen is slow",
                port=oled.i2c_port, khz=khz, wanted=wanted),
        Message("doctor.speed.remedy",
                "Put dtparam=i2c_arm_baudrate={hz} below [all] in /boot/firmware/config.txt, and start the Pi again.",
                hz=oled.i2c_hz),
    )  # fmt: skip


def programs(at: Installation) -> Iterator[Finding]:
    """Check that no other program has a bus open.

    The kernel allows it, and the programs disturb each other."""
    nodes = [f"/dev/spidev0.{wired.spi_select}" for wired in at.board.on_spi]
    found, hidden = holders(at, [*nodes, f"/dev/i2c-{at.board.oled.i2c_port}"])
    for program, node in found:
        yield warning(
            Message("doctor.programs.other", "{program} has {node} open too", program=program, node=node),
            Message("doctor.programs.remedy",
                    "If it is cribboard: `sudo systemctl stop cribd`. Else `systemctl status {pid}` names its service, "
                    "and `sudo systemctl disable --now SERVICE` ends that for good; without one, `sudo kill {pid}`.",
                    pid=program.rpartition("(")[2].rstrip(")")),
        )  # fmt: skip
    if hidden and not found:
        yield not_looked_at(Message("doctor.programs.hidden", "only root sees what other users' programs have open"),
                            as_root())  # fmt: skip
    elif not found:
        yield ok(Message("doctor.programs.none", "no other program has a bus of the board open"))


def holders(at: Installation, nodes: Collection[str]) -> tuple[list[tuple[str, str]], bool]:
    """Find the other programs that use these device nodes.

    Returns pairs of a program and a node, and whether the system hides what some processes have open."""
    found, hidden = [], False
    for process in sorted((at.root / "proc").glob("[0-9]*")):
        if process.name == str(os.getpid()):
            continue
        try:
            opened = {os.readlink(link) for link in (process / "fd").iterdir()}
        except PermissionError:
            hidden = True
            continue
        except OSError:  # it has just ended
            continue
        name = at.read(f"proc/{process.name}/comm") or "?"
        found += [(f"{name} ({process.name})", node) for node in nodes if node in opened]
    return found, hidden


def remedy_of(error: OSError) -> Message:
    """Return the remedy for a device that does not open."""
    why = error.args[0] if error.args else None
    match why.code if isinstance(why, Message) else None:
        case "wires.no_node":
            return Message(
                "doctor.remedy.switch_on",
                "Switch the bus on in `sudo raspi-config`, Interface Options, and start the Pi again.",
            )
        case "wires.forbidden":
            return Message(
                "doctor.remedy.group",
                "Run the doctor with sudo, or add yourself to the groups (`sudo usermod -aG gpio,spi,i2c,dialout "
                "$USER`) and log in again. The board's service has them from its unit: if it is refused too, type "
                "`sudo make install` once more.",
            )
        case "wires.no_package" if isinstance(why, Message):
            return Message("doctor.remedy.package", "Type `sudo apt install python3-{name}`.", name=why.values["name"])
        case "wires.no_pi" | "wires.no_chip":
            return Message(
                "doctor.remedy.pi", "Run the board on a Raspberry Pi, or simulate it: `cribboard run --twin`."
            )
        case "wires.pin_busy":
            return Message(
                "doctor.remedy.pin",
                "`sudo fuser -v /dev/gpiochip*` names the programs that have pins. End the one that holds this: `sudo "
                "systemctl stop cribd` if it is cribboard, else `sudo kill PID`. If there is none, a dtoverlay line in "
                "/boot/firmware/config.txt takes the pin: put # before the one that was added for other hardware, and "
                "start the Pi again.",
            )
    return Message(
        "doctor.remedy.kernel",
        "Start the Pi again. If it stays, update it (`sudo apt update`, `sudo apt full-upgrade`). If it still stays, "
        "report it to the makers of Cribboard with the lines of `sudo dmesg | grep -i -e spi -e i2c -e gpio`.",
    )
