"""The allowed text values of the configuration."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from ipaddress import ip_address

from cribboard.rules import RULES
from cribboard.validation import Message, any_of, or_else
from cribd.boards import NAMES
from cribd.config.quiet_hours import QuietHours
from cribd.readers.labels import LONGEST_NAME, is_deck_name
from cribd.toml import NAME, text


def _is_toml_file(name: str) -> bool:
    return name.endswith(".toml") and name.isprintable()


def _can(read: Callable[[str], object], value: str) -> bool:
    """Whether the function `read` accepts this value."""
    try:
        read(value)
    except ValueError:
        return False
    return True


SIDES = ("blue", "red", "green")
BOARDS = or_else(any_of(NAMES), Message("config.board_file", "the path of a board file, which ends in .toml"))
DEVICE = Message("config.device", "the path of a device under /dev")
_RULES_FILE = Message("config.rules_file", "the path of a house rules file, which ends in .toml")

BOARD = text(BOARDS, lambda name: name in NAMES or _is_toml_file(name))
RULE_SET = text(or_else(any_of(RULES), _RULES_FILE), lambda name: name in RULES or _is_toml_file(name))
RULES_FILE = text(_RULES_FILE, _is_toml_file)
DECK = text(
    Message("config.deck", "the name of a deck, up to {most} small letters and digits, or nothing", most=LONGEST_NAME),
    lambda name: not name or is_deck_name(name),
)
READER_NAME = text(
    Message("config.reader_name", "a name of up to 20 small letters, digits and hyphens"),
    lambda name: re.fullmatch("[a-z0-9-]{1,20}", name) is not None,
)
PORT = text(DEVICE, lambda path: not path or (path.startswith("/dev/") and path.isprintable()))
SENT = text(
    Message("config.sent", "ASCII characters of one line"), lambda sent: sent.isascii() and not set(sent) & {"\r", "\n"}
)
SIDE = text(or_else(any_of(SIDES), Message("nothing", "nothing")), lambda side: side in ("", *SIDES))
HOST = text(
    Message("config.host", "an IP address of this machine, or localhost"),
    lambda host: host == "localhost" or _can(ip_address, host),
)
PIN = text(
    Message("config.pin", "4 to 12 digits, or nothing"), lambda pin: re.fullmatch("([0-9]{4,12})?", pin) is not None
)
HUB = text(
    Message("config.hub", "the address of a hub, as in 192.168.1.20 or hub.local:8121, or nothing"),
    lambda hub: re.fullmatch(r"((\[[0-9A-Fa-f:]+\]|[0-9A-Za-z.-]+)(:[0-9]{1,5})?)?", hub) is not None,
)
CLUB_NAME = text(
    Message("config.club_name", "a name of up to 40 characters on one line, without a space at its ends, or nothing"),
    lambda name: NAME.fits(name) and len(name) <= 40,
)
LABEL = text(
    Message("config.label", "a label of 1 to 11 letters, digits, hyphens and underscores"),
    lambda label: re.fullmatch("[A-Za-z0-9_-]{1,11}", label) is not None,
)
QUIET_HOURS = text(
    Message("config.hours", "two times of day, as in 22:00-08:00, or nothing"),
    lambda hours: not hours or _can(QuietHours.parse, hours),
)
COMMAND = text(
    Message("config.command", "a command line"), lambda line: _can(shlex.split, line) and bool(shlex.split(line))
)
