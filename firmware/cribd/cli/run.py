"""`cribboard run`: runs the board on the wires of a Pi, or on simulated wires (`--twin`)."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from cribd.cli.errors import Exit, refuse, refuse_problems
from cribd.cli.options import add_language
from cribd.terminal import plain_output

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cribd.boards import Board
    from cribd.config.config import Config
    from cribd.text import Phrases
    from cribd.twin.machine import Twin
    from cribd.wires import Wires


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--twin", action="store_true")
    parser.add_argument("--board", metavar="NAME")
    parser.add_argument("--journal", metavar="FILE")
    parser.add_argument("--port", type=int, metavar="N")
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--no-browser", action="store_true")
    add_language(parser)
    parser.set_defaults(command=start)


def start(options: argparse.Namespace) -> int:
    """Run the board until a signal stops it. Returns the exit code."""
    from cribd.config.config import ConfigError, configure
    from cribd.text import load

    words = load(options.language)
    if options.demo and not options.twin:
        return refuse(words.say("command.run.demo_on_twin"))
    try:
        config, board = configure(options.config, settings(options))
    except ConfigError as wrong:
        return refuse_problems(wrong.problems, words)
    if not options.twin:
        from cribd.wires.pi import PiWires

        wires = PiWires({reader.name: reader.port for reader in config.readers})
        try:
            _ = wires.pin_factory
        except OSError as wrong:
            no_pins = words.say("command.run.no_pins", why=wrong)
            return refuse(no_pins, words.say("command.run.with_twin"))
        return _serve(config, board, wires, None, _announcer(words, config.page.host), words)

    own = TemporaryDirectory(prefix="cribboard-demo-") if options.demo and not options.journal else nullcontext("")
    with own as demo_folder:
        if demo_folder:
            config = replace(config, journal=f"{demo_folder}/journal.db")
        return _start_twin(config, board, options, words)


def _start_twin(config: Config, board: Board, options: argparse.Namespace, words: Phrases) -> int:
    """Run the board on simulated wires. Returns the exit code."""
    from cribd.cli.errors import why
    from cribd.clock import SystemClock
    from cribd.config.config import ReaderConfig
    from cribd.daemon import twin_folder
    from cribd.robots.hand import teach_twin
    from cribd.twin.machine import Twin

    folder = twin_folder(config.journal_path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        return refuse(words.say("command.unmakeable", file=folder, why=why(wrong, words)))
    config = replace(config, readers=config.readers or (ReaderConfig(port="twin"),))
    try:
        teach_twin(config)
    except OSError as wrong:
        return refuse(words.say("command.run.twin_deck", why=why(wrong, words)))
    twin = Twin(board, SystemClock(), folder=folder, readers=[reader.wire for reader in config.readers])
    opened = ("", *(("/", "/table") if options.demo else ()))
    announce = _announcer(words, config.page.host, opens=() if options.no_browser else opened)
    try:
        return _serve(config, board, twin.wires, twin, announce, words, demo=options.demo)
    finally:
        twin.close()


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings of the command line by the keys of the configuration file. They override the file."""
    given: dict[str, Any] = {}
    table = {"board": options.board, "language": options.lang and options.language}
    if any(table.values()):
        given["table"] = {key: value for key, value in table.items() if value}
    if options.journal:
        given["journal"] = options.journal
    if options.port is not None:
        given["page"] = {"port": options.port}
    return given


def _serve(
    config: Config,
    board: Board,
    wires: Wires,
    twin: Twin | None,
    announce: Callable[[str], None],
    words: Phrases,
    *,
    demo: bool = False,
) -> int:
    """Run the daemon until SIGTERM or SIGINT."""
    from cribd.daemon import serve
    from cribd.storage.journal import JournalBusy, NotKept

    with plain_output(required=False):
        try:
            asyncio.run(serve(config, board, wires, twin=twin, announce=announce, demo=demo))
        except (JournalBusy, NotKept) as wrong:
            return refuse(f"{words.problem(wrong)}.")
    return Exit.DONE


def _announcer(words: Phrases, host: str, *, opens: Sequence[str] = ()) -> Callable[[str], None]:
    """Return a function that prints the address of every page and how to stop, and opens pages if there is a screen:
    the paths in `opens`, "" for the board's own.

    The board listens on `host`. stdout gets one line for programs, the board's address; people's lines go to stderr.
    """

    def announce(address: str) -> None:
        import os
        import threading
        import webbrowser
        from urllib.parse import urlsplit

        from cribd.web.http.addresses import addresses
        from cribd.web.kiosk.pages import PAGES

        print(words.say("command.run.at", address=address), flush=True)
        board = urlsplit(address)
        here = board.netloc.rpartition(":")[0]
        lines = [(words.say(page.link), f"http://{board.netloc}{page.paths[0]}") for page in PAGES if page.link]
        others = (address for address in addresses(host) if address != here)
        lines += [(words.say("command.run.network"), f"http://{address}:{board.port}/") for address in others]
        wide = max(len(name) for name, _ in lines)
        rows = [f"  {name:<{wide}}  {where}" for name, where in lines]
        print(*rows, words.say("command.run.stop"), sep="\n", file=sys.stderr, flush=True)
        if opens and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            pages = [f"http://{board.netloc}{path}" if path else address for path in opens]
            threading.Thread(target=lambda: [webbrowser.open(page) for page in pages], daemon=True).start()

    return announce
