"""The allowed text values of the configuration."""

from __future__ import annotations

import re
from ipaddress import ip_address

from cribboard.rules import RULES
from cribboard.validation import Message, any_of, or_else
from cribd.boards import NAMES
from cribd.readers.labels import LONGEST_NAME, is_deck_name
from cribd.toml import text


def _is_board(name: str) -> bool:
    return name in NAMES or (name.endswith(".toml") and name.isprintable())


def _is_rules(name: str) -> bool:
    return name in RULES or _is_rules_file(name)


def _is_rules_file(name: str) -> bool:
    return name.endswith(".toml") and name.isprintable()


def _is_port(name: str) -> bool:
    return not name or (name.startswith("/dev/") and name.isprintable())


def _is_reader_name(name: str) -> bool:
    return re.fullmatch("[a-z0-9-]{1,20}", name) is not None


def _is_deck(name: str) -> bool:
    return not name or is_deck_name(name)


def _is_sent(text: str) -> bool:
    return text.isascii() and not set(text) & {"\r", "\n"}


def _is_pin(text: str) -> bool:
    return re.fullmatch("([0-9]{4,12})?", text) is not None


def _is_address(host: str) -> bool:
    try:
        return host == "localhost" or bool(ip_address(host))
    except ValueError:
        return False


BOARDS = or_else(any_of(NAMES), Message("config.board_file", "the path of a board file, which ends in .toml"))
_RULES_FILE = Message("config.rules_file", "the path of a house rules file, which ends in .toml")
_RULES = or_else(any_of(RULES), _RULES_FILE)
_READER_NAME = Message("config.reader_name", "a name of up to 20 small letters, digits and hyphens")
_DECK = Message(
    "config.deck", "the name of a deck, up to {most} small letters and digits, or nothing", most=LONGEST_NAME
)
SIDES = ("blue", "red", "green")
_SENT = Message("config.sent", "ASCII characters of one line")
DEVICE = Message("config.device", "the path of a device under /dev")
_NOTHING = Message("nothing", "nothing")
_PIN = Message("config.pin", "4 to 12 digits, or nothing")
_HOST = Message("config.host", "an IP address of this machine, or localhost")

BOARD = text(BOARDS, _is_board)
RULE_SET = text(_RULES, _is_rules)
RULES_FILE = text(_RULES_FILE, _is_rules_file)
DECK = text(_DECK, _is_deck)
READER_NAME = text(_READER_NAME, _is_reader_name)
PORT = text(DEVICE, _is_port)
SENT = text(_SENT, _is_sent)
SIDE = text(or_else(any_of(SIDES), _NOTHING), lambda side: side in ("", *SIDES))
HOST = text(_HOST, _is_address)
PIN = text(_PIN, _is_pin)
