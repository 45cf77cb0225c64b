"""`cribboard run`: runs the board on real or simulated wires."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from cribd.boards import Board
from cribd.cli.broker import add_broker, refused_unless_hub_starts, with_desk
from cribd.cli.errors import CommandRefused, Exit, why
from cribd.cli.options import add_language
from cribd.clock import SystemClock
from cribd.config.config import Config, ReaderConfig, configure
from cribd.daemon import serve
from cribd.storage.journal import JournalAway, JournalBusy
from cribd.terminal import plain_output
from cribd.text import Phrases
from cribd.wires import Wires

if TYPE_CHECKING:
    from cribd.twin.machine import Twin

T = TypeVar("T")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--twin", action="store_true")
    parser.add_argument("--board", metavar="NAME")
    parser.add_argument("--journal", metavar="FILE")
    parser.add_argument("--port", type=int, metavar="N")
    add_broker(parser)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME[:VALUE]")
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--keep-journal-version", action="store_true")
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Run the board until a signal stops it. Returns the exit code."""
    if options.demo and not options.twin:
        raise CommandRefused(words.say("command.run.demo_on_twin"))
    config, board = configure(options.config, settings(options))
    notes: Sequence[str] = ()
    if options.broker is not None:
        config, notes = with_desk(config, words)
    if not options.twin:
        if options.fault:
            raise CommandRefused(words.say("command.run.fault_on_twin"))
        return _start_pi(config, board, options, words, notes)
    own = TemporaryDirectory(prefix="cribboard-demo-") if options.demo and not options.journal else nullcontext("")
    with own as demo_folder:
        if demo_folder:
            config = replace(config, journal=f"{demo_folder}/journal.db")
        return _start_twin(config, board, options, words, notes)


def _start_pi(config: Config, board: Board, options: argparse.Namespace, words: Phrases, notes: Sequence[str]) -> int:
    """Run the board on the wires of a Pi. Returns the exit code."""
    from cribd.wires.pi import PiWires

    wires = PiWires({reader.name: reader.port for reader in config.readers})
    try:
        _ = wires.pin_factory
    except OSError as wrong:
        no_pins = words.say("command.run.no_pins", why=wrong)
        raise CommandRefused(no_pins, words.say("command.run.with_twin")) from wrong
    return _serve(config, board, wires, None, announcer(words, config.page.host, notes=notes), options, words)


def _start_twin(config: Config, board: Board, options: argparse.Namespace, words: Phrases, notes: Sequence[str]) -> int:
    """Run the board on simulated wires. Returns the exit code."""
    from cribd.robots.fingers import teach_twin
    from cribd.twin.faults import read_fault
    from cribd.twin.machine import Twin

    folder = config.journal_path.parent / "twin"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise CommandRefused(words.say("command.unmakeable", file=folder, why=why(wrong, words))) from wrong
    config = replace(config, readers=config.readers or (ReaderConfig(port="twin"),))
    try:
        teach_twin(config)
    except OSError as wrong:
        raise CommandRefused(words.say("command.run.twin_deck", why=why(wrong, words))) from wrong
    wires = [reader.wire for reader in config.readers]
    try:
        faults = [read_fault(text, board) for text in options.fault]
        twin = Twin(board, SystemClock(), folder=folder, readers=wires, faults=faults)
    except ValueError as wrong:
        raise CommandRefused(words.problem(wrong)) from wrong
    opened = ("", *(("/", "/table") if options.demo else ()))
    announce = announcer(words, config.page.host, opens=() if options.no_browser else opened, notes=notes)
    try:
        return _serve(config, board, twin.wires, twin, announce, options, words)
    finally:
        twin.close()


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the command line gives.

    Each key is a key of the configuration file, and overrides the value there."""
    table = {"board": options.board, "language": options.lang and options.language}
    given = {
        "table": {key: value for key, value in table.items() if value},
        "journal": options.journal,
        "page": {} if options.port is None else {"port": options.port},
    }
    return {key: value for key, value in given.items() if value}


def _serve(
    config: Config,
    board: Board,
    wires: Wires,
    twin: Twin | None,
    announce: Callable[[str], None],
    options: argparse.Namespace,
    words: Phrases,
) -> int:
    """Run the daemon until SIGTERM or SIGINT."""
    upgrade = not options.keep_journal_version
    with refused_unless_hub_starts(options, words):
        board_runs = serve(
            config,
            board,
            wires,
            twin=twin,
            announce=announce,
            demo=options.demo,
            config_file=options.config,
            upgrade_journal=upgrade,
            first_light=options.first_light if twin is None else None,  # it knows the wires of a Pi alone
            broker_port=options.broker,
        )
        run_daemon(board_runs, words)
    return Exit.DONE


def run_daemon(work: Coroutine[Any, Any, T], words: Phrases) -> T:
    """Run a daemon until it ends, and return its result. Raises `CommandRefused` if its journal cannot be used."""
    with plain_output(required=False):
        try:
            return asyncio.run(work)
        except (JournalBusy, JournalAway) as wrong:
            raise CommandRefused(f"{words.problem(wrong)}.") from wrong


def announcer(
    words: Phrases, host: str, *, is_hub: bool = False, opens: Sequence[str] = (), notes: Sequence[str] = ()
) -> Callable[[str], None]:
    """Return a function that prints the addresses and the `notes`.

    If there is a screen, the function also opens the pages of the paths in `opens`, "" for the first one.

    The board, or the hub, listens on `host`. stdout gets one line for programs, its address; people's lines go to
    stderr.
    """

    def announce(address: str) -> None:
        from cribd.web.http.addresses import addresses
        from cribd.web.kiosk.pages import HUB_PAGES, PAGES

        print(words.say("command.hub.at" if is_hub else "command.run.at", address=address), flush=True)
        board = urlsplit(address)
        here = board.netloc.rpartition(":")[0]
        pages = [page for page in (HUB_PAGES if is_hub else PAGES) if page.link]
        lines = [(words.say(page.link), f"http://{board.netloc}{page.paths[0]}") for page in pages]
        others = (address for address in addresses(host) if address != here)
        lines += [(words.say("command.run.network"), f"http://{address}:{board.port}/") for address in others]
        wide = max(len(name) for name, _ in lines)
        rows = [f"  {name:<{wide}}  {where}" for name, where in lines]
        stop = words.say("command.hub.stop" if is_hub else "command.run.stop")
        print(*rows, stop, *notes, sep="\n", file=sys.stderr, flush=True)
        if opens and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            import webbrowser

            opened = [f"http://{board.netloc}{path}" if path else address for path in opens]
            threading.Thread(target=lambda: [webbrowser.open(page) for page in opened], daemon=True).start()

    return announce
