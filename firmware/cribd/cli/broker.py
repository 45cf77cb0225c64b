"""The option `--broker` of `run` and `hub`.

The option makes the machine the hub of a club, which starts mosquitto for the boards of the club.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec

from cribd.cli.errors import CommandRefused
from cribd.config.config import Config
from cribd.text import Phrases

#: The registered port of MQTT over TLS.
BROKER_PORT = 8883


def add_broker(parser: argparse.ArgumentParser) -> None:
    """Add the option `--broker` to a command."""
    parser.add_argument("--broker", type=int, nargs="?", const=BROKER_PORT, metavar="N")


def with_desk(config: Config, words: Phrases) -> tuple[Config, list[str]]:
    """Give the desk a new PIN if no PIN is set.

    Returns the changed configuration, and notes for the user. Raises `CommandRefused` where no page is served."""
    import secrets  # the board starts without these

    from cribd.cli.pin import pins
    from cribd.web.http.addresses import reached_by

    if config.page.port is None:
        raise CommandRefused(words.say("command.hub.no_page"))
    notes: list[str] = []
    if not pins(config):
        pin = f"{secrets.randbelow(1_000_000):06}"
        config = replace(config, page=replace(config.page, organiser_pin=pin))
        notes.append(words.say("command.hub.pin", pin=pin))
    if reached_by(config.page.host) is None:
        notes.append(words.say("command.hub.alone"))
    return config, notes


@contextmanager
def refused_unless_hub_starts(options: argparse.Namespace, words: Phrases) -> Iterator[None]:
    """Raise `CommandRefused` if the hub in the `with` block cannot start.

    Does nothing without the option `--broker`."""
    if options.broker is None:
        yield
        return
    if not all(find_spec(name) for name in ("aiomqtt", "cryptography")):
        raise CommandRefused(words.say("command.hub.no_club"))
    try:
        yield
    except Exception as wrong:
        from cribd.club.broker import NoBroker
        from cribd.club.keys import KeyDamaged
        from cribd.club.membership import OtherClub

        if isinstance(wrong, NoBroker | KeyDamaged | OtherClub):
            raise CommandRefused(words.problem(wrong)) from wrong
        raise
