"""`cribboard event`: organises the competition of a board from the command line.

Each change goes to the running board with the PIN; where none runs, the store is opened. `do` takes any action as JSON,
and the most usual ones have a word of their own. Exit codes: 0 done, 1 refused, 2 it cannot be asked.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from cribd.cli.errors import Exit, refuse
from cribd.cli.options import add_language
from cribd.cli.pin import add_pin_file, given_pin, pins

if TYPE_CHECKING:
    from cribd.cli.event_access import Access
    from cribd.config.config import Config
    from cribd.text import Phrases

#: The actions with a word of their own: their name in JSON, their arguments in order, and help. `?` ends an argument
#: that may be left out, `*` one that takes the rest.
_ACTIONS: Mapping[str, tuple[str, str, str]] = {
    "register": ("register", "name players*", "register an entrant; a team with its players"),
    "rename": ("rename", "entrant name", "give an entrant another name"),
    "show-as": ("show_as", "entrant name?", "show an entrant in public by a shorter name, as it asks"),
    "check-in": ("check_in", "entrant captain?", "an entrant is here"),
    "depart": ("depart", "entrant status reason?", "an entrant is absent, left or disqualified"),
    "penalise": ("penalise", "entrant points reason", "take points from an entrant"),
    "substitute": ("substitute", "entrant player name reason", "somebody plays instead of player 0 or 1"),
    "seed": ("seed_entrants", "entrants*", "all entrants, the strongest first"),
    "hand": ("note_hand", "entrant points", "a hand of 28 or 29"),
    "tables": ("set_tables", "tables", "the number of tables"),
    "games": ("set_games", "games", "the number of games of each entrant"),
    "missing": ("count_missing", "missing", "what a missing game counts: zero or average"),
    "play": ("begin", "choice?", "play begins; with a choice: one_short or round_robin"),
    "pause": ("pause", "reason", "pause play"),
    "resume": ("resume", "", "end the pause"),
    "announce": ("announce_start", "time", "the hall counts down to this time: 2026-03-01T14:30-05:00"),
    "end": ("end_play", "", "no more rounds are drawn"),
    "start": ("start_round", "", "the round that was drawn begins"),
    "cancel": ("cancel_round", "reason", "the round that was drawn is not played"),
    "result": ("enter_result", "at scores ending?", "a result: 2/4/1 121:98"),
    "correct": ("correct_result", "at scores reason ending?", "correct a result, with a reason"),
    "dispute": ("dispute_result", "at entrant reason", "an entrant disagrees with a result"),
    "check": ("check_result", "at", "a result is as its slip says"),
    "answer": ("answer_call", "entrant", "the official was with an entrant"),
    "share": ("share_medal", "entrants*", "level entrants share their place"),
    "open": ("open_place", "place reason?", "open a place; a reason overrides what blocks it"),
    "undo": ("undo", "", "take back the last act"),
}
_SHEETS = ("event", "tables", "slips", "cards", "blank-cards", "standings", "certificates")
_EXPORTS = ("record.txt", "entrants.csv", "results.csv", "standings.csv", "event.json", "event.html")
_NUMBERS = frozenset({"entrant", "captain", "points", "player", "tables", "games", "place", "entrants"})


def add_to(commands: Any) -> None:
    """Add the command to the command line."""
    top = commands.add_parser("event", help="organise a competition: entrants, rounds, results, standings")
    _add_options(top, default=None)
    top.set_defaults(command=run)
    what = top.add_subparsers(dest="what", metavar="WHAT", required=True)
    each = [what.add_parser("list", help="the competitions in the journal")]
    begin = what.add_parser("begin", help="begin a competition")
    begin.add_argument("format", metavar="FORMAT", help="a preset, or a file of a club's own format")
    begin.add_argument("--name", default="")
    begin.add_argument("--date", help="its first day; else today")
    begin.add_argument("--tables", type=int, default=0, metavar="N")
    begin.add_argument("--instead", action="store_true", help="of one that is not over")
    each += [begin, what.add_parser("show", help="the seating and the standings")]
    each += [what.add_parser("log", help="all that was done"), what.add_parser("draw", help="draw the next round")]
    for word, (_, arguments, says) in _ACTIONS.items():
        one = what.add_parser(word, help=says)
        for argument in arguments.split():
            name = argument.rstrip("?*")
            nargs = {"?": "?", "*": "*"}.get(argument[-1])
            one.add_argument(name, nargs=nargs, type=int if name in _NUMBERS else str, metavar=name.upper())
        each.append(one)
    board = what.add_parser("board", help="the table at which this board stands; without one, say which it is")
    board.add_argument("table", nargs="?", metavar="TABLE", help="a number from 1, or none")
    each.append(board)
    do = what.add_parser("do", help="any action, as JSON")
    do.add_argument("action", metavar="JSON")
    read = what.add_parser("import", help="register the entrants of a CSV file, after a look at them")
    read.add_argument("file", type=Path, metavar="FILE")
    read.add_argument("--yes", action="store_true", help="take them without asking")
    written = what.add_parser("export", help="a file to keep")
    written.add_argument("name", metavar="NAME", choices=_EXPORTS, help=", ".join(_EXPORTS))
    printed = what.add_parser("print", help="a sheet for a printer, as HTML that any browser prints")
    printed.add_argument("name", metavar="SHEET", choices=_SHEETS, help=", ".join(_SHEETS))
    printed.add_argument("--round", type=int, default=0, metavar="N", help="the round of slips; else the last one")
    for one in (written, printed):
        one.add_argument("--public", action="store_true", help="what everybody may see, with public names")
    ranked = what.add_parser("season", help="the ranking of all competitions whose results are open")
    ranked.add_argument("name", metavar="FILE", choices=("season.html", "season.csv"), help="season.html, season.csv")
    ranked.add_argument("--title", default="")
    ranked.add_argument("--rule", action="append", default=[], metavar="FIELD=VALUE", help="as counting=8")
    for one in (written, printed, ranked):
        one.add_argument("--to", type=Path, metavar="FILE", help="else it is printed")
    copied = what.add_parser("backup", help="copy all games and competitions of this machine, as to a USB stick")
    copied.add_argument("to", type=Path, metavar="FOLDER", help="a folder, or a new file")
    for one in (*each, do, read, written, printed, ranked, copied):
        _add_options(one, default=argparse.SUPPRESS)


def _add_options(parser: argparse.ArgumentParser, *, default: Any) -> None:
    parser.add_argument("--journal", metavar="FILE", default=default, help="where competitions are kept")
    parser.add_argument("--config", type=Path, metavar="FILE", default=default)
    parser.add_argument("--address", metavar="URL", default=default, help="the address of the running board")
    add_pin_file(parser, default=default)
    parser.add_argument("--json", action="store_true", default=False if default is None else default)
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Ask the board, or the store. Returns the exit code."""
    from cribd.cli.event_access import Unreachable, WrongPin
    from cribd.config.config import ConfigError, load_config
    from cribd.storage.archive import ArchiveAway
    from cribd.storage.journal import JournalBusy, JournalDamaged, NotKept
    from cribd.storage.lock import NoJournal
    from cribd.text import load

    words = load(options.language)
    try:
        config = load_config(options.config)
        if options.what == "backup":
            return _back_up(options, config, words)
        access = _access(options, config, words)
        try:
            return _run(options, access, words)
        finally:
            access.close()
    except ConfigError as wrong:
        return refuse(*wrong.problems)
    except WrongPin as wrong:
        return refuse(words.say("command.event.wait" if wrong.status == 429 else "command.event.wrong_pin"))
    except Unreachable as wrong:
        return refuse(words.say("command.event.unreachable", why=wrong))
    except NoJournal as none:
        return refuse(words.say("command.event.no_journal", file=none.path))
    except JournalDamaged as damaged:
        return refuse(words.say("command.event.damaged", file=damaged.where, why=damaged.reason))
    except ArchiveAway as away:
        return refuse(words.say("command.event.damaged", file=_journal(options, config), why=away))
    except (NotKept, JournalBusy, OSError) as wrong:
        return refuse(f"{wrong}.")


def _access(options: argparse.Namespace, config: Config, words: Phrases) -> Access:
    """The running board, or the store where none runs; both want the PIN, where one is set. Only `begin` makes a store.
    Raises `WrongPin`, `Unreachable`, OSError, and what `Store` raises."""
    from cribd.cli.event_access import RunningBoard, Store
    from cribd.storage.lock import is_played_on
    from cribd.text import languages, load

    path = _journal(options, config)
    if options.address or is_played_on(path):
        host = "127.0.0.1" if config.page.host in ("0.0.0.0", "::", "localhost") else config.page.host
        return RunningBoard(options.address or f"http://{host}:{config.page.port}", given_pin(options, words))
    _must_know_pin(options, config, words)
    return Store(path, {language: load(language) for language in languages()}, make=options.what == "begin")


def _must_know_pin(options: argparse.Namespace, config: Config, words: Phrases) -> None:
    """Ask for the PIN, where one is set. Raises `WrongPin`, OSError."""
    from cribd.cli.event_access import WrongPin

    allowed = pins(config)
    if allowed and given_pin(options, words) not in allowed:
        raise WrongPin(403)


def _journal(options: argparse.Namespace, config: Config) -> Path:
    return Path(options.journal) if options.journal else config.journal_path


def _run(options: argparse.Namespace, access: Access, words: Phrases) -> int:
    done = partial(_done, access, options.language)
    match options.what:
        case "show":
            return _tell(access.get("state"), options, words, _shown)
        case "list":
            return _tell(access.get("competitions"), options, words, _listed)
        case "log":
            return _tell(access.get("log"), options, words, partial(_logged, options.language))
        case "board":
            stands = access.get("board") if options.table is None else access.post("board", _table(options.table))
            return _tell(stands, options, words, _standing)
        case "export" if options.name == "record.txt":
            return _written(access.get("record"), options, words)
        case "export" | "print" | "season":
            return _written(access.get(f"{options.what}/{options.name}?{_query(options)}"), options, words)
        case "import":
            return _import(access, options, words)
        case "begin":
            return _tell(access.post("begin", _heading(options)), options, words, done)
        case "draw":
            return _tell(access.post("draw", {}), options, words, done)
        case "do":
            try:
                told = json.loads(options.action)
            except (ValueError, RecursionError):
                return refuse(words.say("command.event.no_json", text=options.action))
            return _tell(access.post("do", told), options, words, done)
    return _tell(access.post("do", _action(options)), options, words, done)


def _table(word: str) -> dict[str, Any]:
    """What is no table is sent as it is, and the board says what is allowed."""
    return {"table": None if word == "none" else int(word) if re.fullmatch(r"[0-9]{1,9}", word) else word}


def _standing(told: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """Where the board stands."""
    table = told["table"]
    yield words.say("command.event.no_table") if table is None else words.say("command.event.at_table", table=table)


def _heading(options: argparse.Namespace) -> dict[str, Any]:
    """Raises OSError if the file of a format cannot be read."""
    path = Path(options.format)
    form = path.read_text(encoding="utf-8") if path.suffix == ".toml" else options.format
    heading = {"format": form, "name": options.name, "tables": options.tables, "instead": options.instead}
    return heading | ({"date": options.date} if options.date else {})


def _action(options: argparse.Namespace) -> dict[str, Any]:
    """The action of a word, as JSON. What is no game or score is sent as it is, and the board says what is allowed."""
    name, arguments, _ = _ACTIONS[options.what]
    told: dict[str, Any] = {"do": name}
    for argument in arguments.split():
        value = getattr(options, argument.rstrip("?*"))
        if value is None:
            continue
        told[argument.rstrip("?*")] = value
    if re.fullmatch(r"\d{1,9}/\d{1,9}(/\d{1,9})?", told.get("at", "")):
        told["at"] = dict(zip(("round", "table", "game"), map(int, told["at"].split("/")), strict=False))
    if re.fullmatch(r"\d{1,9}:\d{1,9}", told.get("scores", "")):
        told["scores"] = [int(score) for score in told["scores"].split(":")]
    return told


def _tell(
    answer: tuple[int, Any], options: argparse.Namespace, words: Phrases, lines: Callable[[Any, Phrases], Iterable[str]]
) -> int:
    """Print the `lines` of an answer, or why the request was refused."""
    status, told = answer
    if options.json:
        print(json.dumps(told if isinstance(told, dict | list) else {"status": status}, ensure_ascii=False))
    elif status == 200:
        from cribd.terminal import say

        for line in lines(told, words):
            say(line)
    if status == 200:
        return Exit.DONE
    if not options.json:
        text = told["refused"]["text"][options.language] if isinstance(told, dict) else ""
        refuse(text or words.say("command.event.none"))
    return Exit.CANNOT if status == 400 else Exit.PROBLEM


def _done(access: Access, language: str, told: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """What was done last, as the log has it."""
    _, log = access.get("log")
    yield str(log[-1]["text"][language]) if log else words.say("command.event.begun", number=told["competition"])


def _shown(told: Mapping[str, Any], words: Phrases) -> Iterator[str]:
    """The seating of the current round, what is outstanding, and the standings."""
    from cribd.terminal import table

    if told["competition"] is None:
        yield words.say("command.event.none")
        return
    names = {each["number"]: each["name"] for each in told["entrants"]}
    phase = words.say(f"competition.phase.{told['phase']}")
    yield words.say("command.event.title", name=told["name"] or told["format"], phase=phase)
    if told["round"]:
        yield words.say("command.event.round", round=told["round"])
        for each in told["tables"]:
            scores = ", ".join(f"{one}:{other}" for one, other in (result["scores"] for result in each["results"]))
            first, second = (names[number] for number in each["entrants"])
            yield f"  {each['table']:>3}  {first} – {second}  {scores}".rstrip()
    yield words.say("command.event.standings")
    if told["standings"]:
        compared = list(dict.fromkeys(each for row in told["standings"] for each in row["amounts"]))
        heads = [words.say(f"competition.criterion.{each}") for each in compared]
        rows = [
            [row["place"] or "", names[row["entrant"]], *(row["amounts"].get(each, "") for each in compared)]
            for row in told["standings"]
        ]
        yield from table([["", "", *heads], *rows])


def _listed(told: Any, words: Phrases) -> Iterator[str]:
    for each in told:
        yield f"{each['competition']:>4}  {each['date']}  {each['name']}  {each['format']}".rstrip()
    if not told:
        yield words.say("command.event.none")


def _logged(language: str, told: Any, _: Phrases) -> Iterator[str]:
    for each in told:
        mark = "×" if each["undone"] else " "
        at = datetime.fromisoformat(each["at"]).astimezone()
        yield f"{each['number']:>4} {mark} {at:%Y-%m-%d %H:%M}  {each['text'][language]}"


def _import(access: Access, options: argparse.Namespace, words: Phrases) -> int:
    """Show what a file would register, and take it if somebody says so."""
    file = options.file.read_bytes()
    status, told = access.post("csv", file)
    if status != 200:
        return _tell((status, told), options, words, _listed)
    if told["problems"]:
        if options.json:
            print(json.dumps(told, ensure_ascii=False))
            return Exit.PROBLEM
        return refuse(*(each["text"][options.language] for each in told["problems"]), code=Exit.PROBLEM)
    if not options.yes:
        from cribd.terminal import say

        for row in told["rows"]:
            say(f"  {row['name']}  {', '.join(row['players'])}".rstrip())
        if options.json or not sys.stdin.isatty():
            return refuse(words.say("command.event.not_taken"))
        if input(words.say("command.event.take", entrants=len(told["rows"]))).strip().casefold()[:1] not in ("y", "o"):
            return refuse(words.say("command.event.not_taken"))
    return _tell(access.post("csv/confirm", file), options, words, partial(_done, access, options.language))


def _back_up(options: argparse.Namespace, config: Config, words: Phrases) -> int:
    """Copy the store of this machine, whether a board plays on it or not, and only read it. Raises `WrongPin`,
    `NoJournal`, `ArchiveAway`, OSError."""
    from cribd.cli.errors import unwritable
    from cribd.clock import SystemClock
    from cribd.storage.backup import back_up, file_name
    from cribd.storage.lock import NoJournal
    from cribd.terminal import say

    if options.address:
        return refuse(words.say("command.event.backup_here"))
    _must_know_pin(options, config, words)
    if not (journal := _journal(options, config)).exists():
        raise NoJournal(journal)
    to = options.to / file_name(SystemClock().wall().astimezone()) if options.to.is_dir() else options.to
    try:
        back_up(journal, to)
    except OSError as wrong:
        return refuse(unwritable(to, wrong, words))
    say(str(to))
    return Exit.DONE


def _query(options: argparse.Namespace) -> str:
    """What a file is asked with."""
    if options.what == "season":
        fields = dict(each.partition("=")[::2] for each in options.rule) | {"title": options.title}
    else:
        fields = {"round": str(getattr(options, "round", 0)), "public": str(int(options.public))}
    return urlencode(fields | {"language": options.language})


def _written(answer: tuple[int, Any], options: argparse.Namespace, words: Phrases) -> int:
    """Write a file where it is wanted, or print it; say why there is none."""
    status, text = answer
    if status != 200:
        return refuse(str(text) or words.say("command.event.none"), code=Exit.PROBLEM)
    if options.to is None:
        print(text, end="")
        return Exit.DONE
    try:
        options.to.write_bytes(str(text).encode())
    except OSError as wrong:
        from cribd.cli.errors import unwritable

        return refuse(unwritable(options.to, wrong, words))
    return Exit.DONE
