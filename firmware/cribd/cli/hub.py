"""`cribboard hub`: organises a competition on a machine without a board."""

from __future__ import annotations

import argparse
import secrets
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from cribd.cli.errors import CommandRefused, Exit
from cribd.cli.options import add_language
from cribd.cli.pin import pins
from cribd.cli.run import announcer, run_daemon, settings
from cribd.config.config import configure
from cribd.text import Phrases
from cribd.web.http.addresses import reached_by

#: The registered port of MQTT over TLS.
BROKER_PORT = 8883


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--journal", metavar="FILE")
    parser.add_argument("--port", type=int, metavar="N")
    parser.add_argument("--broker", type=int, nargs="?", const=BROKER_PORT, metavar="N")
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--keep-journal-version", action="store_true")
    add_language(parser)
    parser.set_defaults(board=None)  # it is the configuration's


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Run the hub until a signal stops it. Returns the exit code."""
    from cribd.daemon.hub import serve_hub  # with it comes aiohttp, which `--help` does not need

    config, board = configure(options.config, settings(options))
    if config.page.port is None:
        raise CommandRefused(words.say("command.hub.no_page"))
    if options.broker is not None and not all(find_spec(name) for name in ("aiomqtt", "cryptography")):
        raise CommandRefused(words.say("command.hub.no_club"))
    notes: list[str] = []
    if not pins(config):
        pin = f"{secrets.randbelow(1_000_000):06}"
        config = replace(config, page=replace(config.page, organiser_pin=pin))
        notes.append(words.say("command.hub.pin", pin=pin))
    if reached_by(config.page.host) is None:
        notes.append(words.say("command.hub.alone"))
    opens = () if options.no_browser else ("",)
    announce = announcer(words, config.page.host, is_hub=True, opens=opens, notes=notes)
    hub = serve_hub(
        config,
        board,
        announce=announce,
        config_file=options.config,
        upgrade_journal=not options.keep_journal_version,
        broker_port=options.broker,
    )
    try:
        is_served = run_daemon(hub, words)
    except Exception as wrong:
        if options.broker is None or (why := _why_no_club(wrong, words)) is None:
            raise
        raise CommandRefused(why) from wrong
    if not is_served:
        raise CommandRefused(words.say("command.hub.not_served", host=config.page.host))
    return Exit.DONE


def _why_no_club(wrong: Exception, words: Phrases) -> str | None:
    """Why the hub cannot have a club; None for any other error."""
    from cribd.club.broker import NoBroker
    from cribd.club.keys import KeyDamaged

    return words.problem(wrong) if isinstance(wrong, NoBroker | KeyDamaged) else None
