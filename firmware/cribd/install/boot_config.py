"""The boot configuration of a Pi for this board.

It sets I²C (400 kHz), SPI0 and the UART of a reader. Without strip and chain, LEDs may be on the pins of SPI0.

The files are changed here, and not by raspi-config: it changes lines of the owner, so it cannot be undone, and its
`do_serial` asks questions. A setting that is already in force is not written again, so that nobody is asked to reboot
for nothing.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence

from cribboard.validation import Message
from cribd.install.changes import Block, Change, WordsOut, without_block
from cribd.install.machine import InstallRefused, Machine

FOLDERS = ("/boot/firmware", "/boot")
SPI, NO_SPI = "dtparam=spi=on", "dtparam=spi=off"
I2C = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
#: The serial port of the pins, under the names that Raspberry Pi OS gives it.
UARTS = ("/dev/serial0", "/dev/serial1", "/dev/ttyAMA*", "/dev/ttyS*")
#: Filters after which a line is in force on some Pis only; `[all]` ends them.
_SECTION = re.compile(r"\s*\[([^\]]+)\]\s*$")


def model(machine: Machine) -> str:
    """Return the model of this Pi; "" for another machine."""
    text = (machine.read("/proc/device-tree/model") or "").strip("\0\n ")
    return text if text.startswith("Raspberry Pi") else ""


def is_uart(port: str) -> bool:
    """Whether this serial port is on the pins of a Pi."""
    return any(fnmatch.fnmatchcase(port, pattern) for pattern in UARTS)


def boot_changes(machine: Machine, *, uart: bool, spi: bool = True) -> list[Change]:
    """Return the boot configuration changes that this board needs.

    A machine that is no Pi needs none. Raises `InstallRefused` if a Pi has no boot configuration."""
    pi = model(machine)
    if not pi:
        return []
    folder = next((folder for folder in FOLDERS if machine.path(f"{folder}/config.txt").is_file()), None)
    if folder is None:
        missing = Message(
            "install.no_boot_config",
            "There is no config.txt in {folders}: is the boot partition mounted?",
            folders=" or ".join(FOLDERS),
        )
        raise InstallRefused(missing)
    config = f"{folder}/config.txt"
    text = without_block(machine.read(config) or "")
    off = [NO_SPI] if _in_force(SPI, text) else []  # it is off where no line says otherwise
    wanted = [*([SPI] if spi else off), I2C, *([_uart_line(pi)] if uart else ())]
    lines = [line for line in wanted if not _in_force(line, text)]
    changes: list[Change] = [Block(config, ("[all]", *lines))] if lines else []
    if uart and (words := _console_words(machine.read(f"{folder}/cmdline.txt") or "")):
        changes.append(WordsOut(f"{folder}/cmdline.txt", words))
    return changes


def _uart_line(pi: str) -> str:
    return "dtparam=uart0=on" if pi.startswith("Raspberry Pi 5") else "enable_uart=1"


def _console_words(command_line: str) -> tuple[str, ...]:
    """Return the words that make the serial port a console."""
    serial = re.compile(r"(console=(serial0|ttyAMA\d+|ttyS\d+)(,\S*)?|kgdboc=\S+)$")
    return tuple(word for word in command_line.split() if serial.match(word))


def _in_force(wanted: str, text: str) -> bool:
    """Whether `text` makes every setting of `wanted`, on every model.

    >>> _in_force("dtparam=spi=on", "[pi5]\\ndtparam=spi=on\\n")
    False
    """
    values = _settings([wanted])
    return all(_settings(_lines_for_all(text)).get(name) == value for name, value in values.items())


def _lines_for_all(text: str) -> list[str]:
    """Return the lines of this boot configuration, for comparison.

    A value that is only for certain models becomes "?"."""
    lines, for_all = [], True
    for line in text.splitlines():
        if section := _SECTION.match(line):
            for_all = section[1].strip() == "all"
        else:
            lines.append(line if for_all else re.sub(r"=(on|off|\d+)\b", "=?", line))
    return lines


def _settings(lines: Sequence[str]) -> dict[str, str]:
    """Return the settings in these lines. The last value counts."""
    found: dict[str, str] = {}
    for line in lines:
        key, equals, rest = line.partition("#")[0].strip().partition("=")
        if key == "dtparam":
            for parameter in rest.split(","):
                name, _, value = parameter.strip().partition("=")
                name = {"i2c": "i2c_arm", "i2c_baudrate": "i2c_arm_baudrate"}.get(name, name)
                found[f"dtparam {name}"] = value or "on"
        elif equals:
            found[key.strip()] = rest.strip()
    return found
