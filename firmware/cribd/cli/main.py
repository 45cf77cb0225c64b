"""What each command of the command line does.

Each prints for a person, or with `--json` for a program. Nothing heavy is imported before the command that needs it
is called.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cribd.languages import add_language, of_environment, spellings
from cribd.terminal import complain, plain_output

if TYPE_CHECKING:
    from collections.abc import Callable

    from cribd.config.config import Config
    from cribd.text import Phrases


def parser() -> argparse.ArgumentParser:
    """The command line as argparse reads it; each command has its function in `command`."""
    top = argparse.ArgumentParser(prog="cribboard", description="An electronic cribbage board.")
    top.add_argument("--version", action=_Version, nargs=0, help="print the version")
    add_language(top, default=None)
    top.set_defaults(command=lambda _: _bare(top), json=False)
    commands = top.add_subparsers(metavar="COMMAND")

    run = commands.add_parser("run", help="run the board")
    run.add_argument("--config", type=Path, metavar="FILE", help="a TOML file; everything has a default")
    run.add_argument("--twin", action="store_true", help="simulate the hardware, with a page in the browser")
    run.add_argument("--board", metavar="NAME", help="continuous, classic, triple, or the path of a board file")
    run.add_argument("--journal", metavar="FILE", help="where the games are kept")
    run.add_argument("--port", type=int, metavar="N", help="the port of the page; 0 takes any that is free")
    run.add_argument("--no-browser", action="store_true", help="print the page's address, and open nothing")
    add_language(run)
    run.set_defaults(command=_run)

    count = commands.add_parser("count", help="count a hand, the starter last: count 5H 5C 5S JD 5D")
    count.add_argument("cards", nargs="+", metavar="CARD")
    count.add_argument("--crib", action="store_true", help="count it as a crib")
    count.add_argument("--rules", default="six-card", metavar="NAME", help="a preset, or a house rules file")
    count.add_argument("--called", type=int, metavar="N", help="is N right? with cards missing: what makes it N")
    add_language(count)
    count.add_argument("--journal", type=Path, metavar="FILE", help="of a board that plays here now")
    count.add_argument("--config", type=Path, metavar="FILE")
    count.add_argument("--json", action="store_true")
    count.set_defaults(command=_count)

    rules = commands.add_parser("rules", help="list the rules there are, show all of one, or check house rules")
    rules.add_argument("--json", action="store_true")
    rules.set_defaults(command=_rules)
    what = rules.add_subparsers(dest="what", metavar="WHAT")
    lists = what.add_parser("list", help="the presets, one line each")
    show = what.add_parser("show", help="every value of one, and where it is said")
    show.add_argument("rules", metavar="NAME", help="a preset, or a house rules file")
    check = what.add_parser("check", help="whether house rules files can be played")
    check.add_argument("files", nargs="+", metavar="FILE")
    add_language(rules)
    for each in (lists, show, check):
        add_language(each)
        each.add_argument("--json", action="store_true", default=argparse.SUPPRESS)

    from cribd.cli import decks, enroll, record, statistics

    record.add_to(commands)
    enroll.add_to(commands)
    decks.add_to(commands)
    statistics.add_to(commands)

    replay = commands.add_parser("replay", help="judge a record again, and show the game act by act")
    replay.add_argument("record", type=Path, metavar="FILE", help="a record; - reads from the terminal")
    add_language(replay, "--language")
    replay.add_argument("--json", action="store_true")
    replay.set_defaults(command=_replay)

    demo = commands.add_parser("demo", help="let robots play on the simulated board")
    demo.add_argument("--games", type=int, default=1, metavar="N")
    demo.add_argument("--way", choices=("trust", "verify", "auto"), default="verify")
    demo.add_argument("--rules", default="six-card", metavar="NAME", help="a preset, or a house rules file")
    demo.add_argument("--board", metavar="NAME", help="continuous; where three sides play, triple")
    demo.add_argument("--speed", type=float, default=0, metavar="N", help="times as fast as people; 0: all it can")
    demo.add_argument("--slips", type=float, default=0, metavar="SHARE", help="how often a finger slips, 0 to 1")
    demo.add_argument("--wrong", type=float, default=0, metavar="SHARE", help="how often a call is wrong, 0 to 1")
    demo.add_argument("--noise", type=float, default=0, metavar="SHARE", help="how often a reading fails, 0 to 1")
    demo.add_argument(
        "--reader", choices=("scanner", "rdm6300", "pn532"), default="scanner", help="what reads the cards"
    )
    demo.add_argument("--journal", type=Path, metavar="FILE", help="keep the games there")
    demo.add_argument("--diary", type=Path, metavar="FILE", help="write down every press, scan, call and light")
    demo.add_argument("--seed", type=int, default=1, metavar="N")
    add_language(demo, "--language")
    demo.add_argument("--json", action="store_true")
    demo.set_defaults(command=_demo)
    return top


class _Version(argparse.Action):
    """Prints the version. It is looked up here, so that no other command waits for it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"cribboard {version('cribboard')}")
        parser.exit()


def _bare(top: argparse.ArgumentParser) -> int:
    """No command was named: say which there are."""
    top.print_help(sys.stderr)
    return 2


def spoken(options: argparse.Namespace) -> str:
    """The language of what a command prints: as `--lang` says, else as the environment does. What a program reads is
    the same in every environment."""
    if options.lang is not None:
        return spellings()[options.lang]
    return "en" if options.json else of_environment()


def _complain(*problems: str) -> int:
    complain(*problems)
    return 2


def _run(options: argparse.Namespace) -> int:
    from cribd.cli.errors import why
    from cribd.config.config import ConfigError, settle
    from cribd.text import load

    words = load(options.language)
    try:
        config, board = settle(options.config, _said(options))
    except ConfigError as wrong:
        return _complain(*wrong.problems)
    if not options.twin:
        from cribd.wires.pi import PiWires

        wires = PiWires({reader.name: reader.port for reader in config.readers})
        try:
            _ = wires.pin_factory
        except OSError as wrong:
            no_pins = words.say("command.run.no_pins", why=wrong)
            return _complain(no_pins, words.say("command.run.with_twin"))
        return _play(config, board, wires, None, _announcer(words, config.page.host))

    from cribd.clock import SystemClock
    from cribd.config.config import ReaderConfig
    from cribd.daemon import twin_folder
    from cribd.robots.hand import teach_twin
    from cribd.twin.machine import Twin

    folder = twin_folder(config.journal_path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        return _complain(words.say("command.unmakeable", file=folder, why=why(wrong, words)))
    config = replace(config, readers=config.readers or (ReaderConfig(port="twin"),))
    try:
        teach_twin(config)
    except OSError as wrong:
        return _complain(words.say("command.run.twin_deck", why=why(wrong, words)))
    twin = Twin(board, SystemClock(), folder=folder, readers=[reader.wire for reader in config.readers])
    try:
        return _play(config, board, twin.wires, twin, _announcer(words, config.page.host, opens=not options.no_browser))
    finally:
        twin.close()


def _play(config: Config, board: Any, wires: Any, twin: Any, announce: Any) -> int:
    from cribd.storage.journal import JournalBusy, NotKept

    with plain_output(must_be_heard=False):
        try:
            return asyncio.run(_until_told(config, board, wires, twin, announce))
        except (JournalBusy, NotKept) as wrong:
            return _complain(f"{wrong}.")


def _said(options: argparse.Namespace) -> dict[str, Any]:
    """What the command line says, spelled as in the file: it goes before what the file says."""
    said: dict[str, Any] = {}
    table = {"board": options.board, "language": options.lang and options.language}
    if any(table.values()):
        said["table"] = {key: value for key, value in table.items() if value}
    if options.journal:
        said["journal"] = options.journal
    if options.port is not None:
        said["page"] = {"port": options.port}
    return said


async def _until_told(config: Config, board: Any, wires: Any, twin: Any, announce: Any) -> int:
    import signal

    from cribd.daemon import serve

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for told in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(told, stop.set)
    await serve(config, board, wires, twin=twin, stop=stop, announce=announce)
    return 0


def _announcer(words: Phrases, host: str, *, opens: bool = False) -> Callable[[str], None]:
    """What says where the pages are, each by an address that works, and how to stop; and opens one where there is a
    screen. The board listens on `host`.

    A program that reads the output gets one line, the board's address; what is for people goes where errors go.
    """

    def announce(address: str) -> None:
        import os
        import threading
        import webbrowser
        from urllib.parse import urlsplit

        from cribd.web.http.addresses import addresses

        print(words.say("command.run.at", address=address), flush=True)
        board = urlsplit(address)
        here = board.netloc.rpartition(":")[0]
        lines = [(words.say(name), f"http://{board.netloc}{path}") for path, name in _PAGES.items()]
        others = (each for each in addresses(host) if each != here)
        lines += [(words.say("command.run.network"), f"http://{each}:{board.port}/") for each in others]
        wide = max(len(name) for name, _ in lines)
        told = [f"  {name:<{wide}}  {where}" for name, where in lines]
        print(*told, words.say("command.run.stop"), sep="\n", file=sys.stderr, flush=True)
        if opens and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    return announce


#: The pages that every board has, by what a link to each says.
_PAGES = {"/": "page.to.board", "/table": "page.to.table", "/games": "page.to.games", "/verify": "page.to.verify"}


def _count(options: argparse.Namespace) -> int:
    from cribd.cli import count

    return count.run(options)


def _rules(options: argparse.Namespace) -> int:
    from cribd.cli import rules
    from cribd.text import load

    words = load(options.language)
    match options.what:
        case "show":
            return rules.show(options.rules, words, as_json=options.json)
        case "check":
            return rules.check(options.files, words, as_json=options.json)
    return rules.list_presets(words, as_json=options.json)


def _replay(options: argparse.Namespace) -> int:
    from cribd.cli.record_check import Break, broken, examine, unreadable
    from cribd.text import load

    phrases = load(options.language)
    try:
        text = sys.stdin.read() if str(options.record) == "-" else options.record.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        return _complain(unreadable(str(options.record), wrong, phrases))
    examined = examine(text)
    if isinstance(examined, Break):
        return _complain(*broken(examined, str(options.record), phrases))
    heading = examined.record.heading
    acts = [(number, examined.view(number)) for number in examined.ends[1:]]
    if options.json:
        shown = [{"number": n, "scores": [s.score for s in v.sides], "said": list(phrases.said(v))} for n, v in acts]
        print(json.dumps({"rules": heading.rules.label, "way": heading.way, "acts": shown}))
        return 0
    for number, view in acts:
        scores = " – ".join(str(side.score) for side in view.sides)
        print(f"{number:>5}  {heading.spelling.write(view.said[0]):<26}{scores:>10}  {' · '.join(phrases.said(view))}")
    return 0


def _demo(options: argparse.Namespace) -> int:
    from cribboard.rules import RulesError
    from cribd.boards import BoardError
    from cribd.cli import demo
    from cribd.cli.errors import unwritable
    from cribd.storage.journal import JournalBusy, NotKept
    from cribd.text import load

    words = load(options.language)
    for name in ("slips", "wrong", "noise"):
        if not 0 <= getattr(options, name) <= 1:
            return _complain(words.say("command.demo.share", name=name, value=getattr(options, name)))
    if options.games < 1 or options.speed < 0:
        return _complain(words.say("command.demo.amounts"))
    if options.journal and options.journal.exists():
        return _complain(words.say("command.demo.journal_there", file=options.journal))
    try:
        return demo.run(options)
    except RulesError as wrong:
        return _complain(*(f"--rules {problem}" for problem in wrong.problems))
    except OSError as wrong:
        return _complain(unwritable(wrong.filename, wrong, words) if wrong.filename else str(wrong))
    except BoardError as wrong:
        return _complain(*wrong.lines)
    except (JournalBusy, NotKept) as wrong:
        return _complain(str(wrong))
