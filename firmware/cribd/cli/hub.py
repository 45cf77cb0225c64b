"""`cribboard hub`: runs the organiser's pages on a machine without a board."""

from __future__ import annotations

import argparse
from pathlib import Path

from cribd.cli.broker import add_broker, refused_unless_hub_starts, with_desk
from cribd.cli.errors import CommandRefused, Exit
from cribd.cli.options import add_language
from cribd.cli.run import announcer, run_daemon, settings
from cribd.config.config import configure
from cribd.text import Phrases


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--journal", metavar="FILE")
    parser.add_argument("--port", type=int, metavar="N")
    add_broker(parser)
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--keep-journal-version", action="store_true")
    add_language(parser)
    parser.set_defaults(board=None)  # it is the configuration's


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Run the hub until a signal stops it. Returns the exit code."""
    from cribd.daemon.serve_hub import serve_hub  # with it comes aiohttp, which `--help` does not need

    config, board = configure(options.config, settings(options))
    config, notes = with_desk(config, words)
    opens = () if options.no_browser else ("",)
    announce = announcer(words, config.page.host, is_hub=True, opens=opens, notes=notes)
    with refused_unless_hub_starts(options, words):
        hub = serve_hub(
            config,
            board,
            announce=announce,
            config_file=options.config,
            upgrade_journal=not options.keep_journal_version,
            broker_port=options.broker,
        )
        is_served = run_daemon(hub, words)
    if not is_served:
        raise CommandRefused(words.say("command.hub.not_served", host=config.page.host))
    return Exit.DONE
