"""`cribboard event`: organises the competition of a board from the command line.

Each change goes to the running board with the PIN; where none runs, the store is opened. `do` takes any action as JSON,
and the most usual ones have a word of their own. Exit codes: 0 done, 1 refused, 2 it cannot be asked.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from cribd.cli import event_members
from cribd.cli.errors import Exit, UnreadableFile, not_read, read_file, read_text, refuse, unwritable, why
from cribd.cli.options import add_language
from cribd.cli.pin import add_pin_file, given_pin, pins
from cribd.terminal import complain

if TYPE_CHECKING:
    from cribd.cli.event_access import Access
    from cribd.cli.event_answers import Answers
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
    "check": ("check_result", "at scores?", "a result is as its slip says: 2/4/1, or 2/4/1 121:98"),
    "answer": ("answer_call", "entrant", "the official was with an entrant"),
    "share": ("share_medal", "entrants*", "level entrants share their place"),
    "open": ("open_place", "place reason?", "open a place; a reason overrides what blocks it"),
    "undo": ("undo", "", "take back the last act"),
}
#: Of these, those that may have consequences of which somebody is asked before.
_ASKED = ("check-in", "depart", "games")
_SHEETS = ("event", "tables", "slips", "cards", "blank-cards", "standings", "certificates")
_EXPORTS = ("record.txt", "entrants.csv", "results.csv", "standings.csv", "event.json", "event.html")
#: The phrase of a PIN that is refused, by the status of the answer; of all others that it is wrong.
_PINS = {400: "no_pin", 429: "wait"}
_NUMBERS = frozenset({"entrant", "captain", "points", "player", "tables", "games", "place", "entrants"})


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    _add_shared(parser, default=None)
    parser.set_defaults(command=run)
    shared = argparse.ArgumentParser(add_help=False)
    _add_shared(shared, default=argparse.SUPPRESS)
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)

    def add(word: str, says: str) -> argparse.ArgumentParser:
        return what.add_parser(word, help=says, parents=[shared])

    add("list", "the competitions in the journal, and how each stands")
    switched = add("switch", "another competition becomes the current one; none ends")
    switched.add_argument("competition", metavar="COMPETITION", help="its number in the list, or its name")
    seeded = add("seeds", "the seeds are the places of another competition; entrants without one come last")
    seeded.add_argument("competition", metavar="COMPETITION", help="its number in the list, or its name")
    begin = add("begin", "begin a competition")
    begin.add_argument("format", metavar="FORMAT", help="a preset, or a file of a club's own format")
    begin.add_argument("--name", default="")
    begin.add_argument("--date", help="its first day; else today")
    begin.add_argument("--tables", type=int, default=0, metavar="N")
    begin.add_argument("--instead", action="store_true", help="changes nothing: no competition ends another")
    add("show", "the seating and the standings")
    add("log", "all that was done")
    drawn = add("draw", "draw the next round")
    for word, (_, arguments, says) in _ACTIONS.items():
        one = add(word, says)
        if word in _ASKED:
            _add_yes(one)
        for argument in arguments.split():
            name = argument.rstrip("?*")
            nargs = {"?": "?", "*": "*"}.get(argument[-1])
            one.add_argument(name, nargs=nargs, type=int if name in _NUMBERS else str, metavar=name.upper())
    board = add("board", "the table at which this board stands; without one, say which it is")
    board.add_argument("table", nargs="?", metavar="TABLE", help="a number from 1, or none")
    event_members.add_options(add("members", event_members.HELP))
    done = add("do", "any action, as JSON")
    done.add_argument("action", metavar="JSON")
    for one in (drawn, done):
        _add_yes(one)
    read = add("import", "register the entrants of a CSV file, after a look at them")
    read.add_argument("file", type=Path, metavar="FILE")
    read.add_argument("--yes", action="store_true", help="take them without asking")
    written = add("export", "a file to keep")
    written.add_argument("name", metavar="NAME", choices=_EXPORTS, help=", ".join(_EXPORTS))
    printed = add("print", "a sheet for a printer, as HTML that any browser prints")
    printed.add_argument("name", metavar="SHEET", choices=_SHEETS, help=", ".join(_SHEETS))
    printed.add_argument("--round", type=_round, metavar="N", help="the round of slips; else the last one")
    for one in (written, printed):
        one.add_argument("--public", action="store_true", help="what everybody may see, with public names")
    ranked = add("season", "the ranking of the competitions whose results are open")
    ranked.add_argument("name", metavar="FILE", choices=("season.html", "season.csv"), help="season.html, season.csv")
    ranked.add_argument("--title", default="")
    ranked.add_argument("--rule", action="append", default=[], metavar="FIELD=VALUE", help="as counting=8")
    ranked.add_argument(
        "--event", action="append", default=[], metavar="COMPETITION", help="its number or name; else all that are open"
    )
    for one in (written, printed, ranked):
        one.add_argument("--to", type=Path, metavar="FILE", help="else it is printed")
    copied = add("backup", "copy all games and competitions of this machine, as to a USB stick")
    copied.add_argument("to", type=Path, metavar="FOLDER", help="a folder, or a new file that ends in .db")


def _add_yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do it without asking, whatever its consequences")


def _add_shared(parser: argparse.ArgumentParser, *, default: Any) -> None:
    """The options of every part of the command; with `default` of the whole."""
    parser.add_argument("--journal", metavar="FILE", default=default, help="where competitions are kept")
    parser.add_argument("--config", type=Path, metavar="FILE", default=default)
    parser.add_argument("--address", metavar="URL", default=default, help="the address of the running board")
    add_pin_file(parser, default=default)
    parser.add_argument("--json", action="store_true", default=False if default is None else default)
    add_language(parser)


def _round(word: str) -> int:
    """The number of a round, for argparse."""
    if not re.fullmatch(r"[1-9][0-9]{0,8}", word):
        raise argparse.ArgumentTypeError(f"{word!r}: allowed is a whole number from 1")
    return int(word)


def run(options: argparse.Namespace) -> int:
    """Ask the board, or the store. Returns the exit code."""
    from cribd.cli.event_access import NoAddress, Unreachable, WrongPin
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
        heading = _heading(options) if options.what == "begin" else {}  # before a store is made for it
        access = _access(options, config, words)
        try:
            return _run(options, access, words, heading)
        finally:
            access.close()
    except ConfigError as wrong:
        return refuse(*wrong.problems)
    except WrongPin as wrong:
        return refuse(words.say(f"command.event.{_PINS.get(wrong.status, 'wrong_pin')}"))
    except NoAddress as wrong:
        return refuse(words.say("command.event.no_address", address=wrong))
    except Unreachable as wrong:
        reason = why(wrong.__cause__, words) if isinstance(wrong.__cause__, OSError) else wrong
        return refuse(words.say("command.event.unreachable", why=reason))
    except NoJournal as none:
        return refuse(words.say("command.event.no_journal", file=none.path))
    except JournalDamaged as damaged:
        return refuse(words.say("command.event.damaged", file=damaged.where, why=damaged.reason))
    except ArchiveAway as away:
        return refuse(words.say("command.event.damaged", file=_journal(options, config), why=away))
    except JournalBusy as busy:
        return refuse(words.say("command.event.busy", file=busy.path))
    except UnreadableFile as named:
        return refuse(not_read(named, words))
    except NotKept as wrong:
        return refuse(f"{wrong}.")


def _access(options: argparse.Namespace, config: Config, words: Phrases) -> Access:
    """The running board, or the store where none runs; both want the PIN, where one is set. Only `begin` makes a store.
    Raises `UnreadableFile`, and what `RunningBoard` and `Store` raise."""
    from cribd.cli.event_access import RunningBoard, Store
    from cribd.storage.lock import is_played_on
    from cribd.text import languages, load

    path = _journal(options, config)
    if options.address or is_played_on(path):
        return RunningBoard(options.address or _address(config), given_pin(options, words))
    _must_know_pin(options, config, words)
    return Store(path, {language: load(language) for language in languages()}, make=options.what == "begin")


def _address(config: Config) -> str:
    """The address of the board of this machine. Raises `Unreachable` if it serves no page."""
    from cribd.cli.event_access import Unreachable

    if config.page.port is None:
        raise Unreachable('page.port = "off"')
    host = "127.0.0.1" if config.page.host in ("0.0.0.0", "::", "localhost") else config.page.host
    return f"http://{f'[{host}]' if ':' in host else host}:{config.page.port}"


def _must_know_pin(options: argparse.Namespace, config: Config, words: Phrases) -> None:
    """Ask for the PIN, where one is set. Raises `WrongPin`, `UnreadableFile`."""
    from cribd.cli.event_access import WrongPin

    allowed = pins(config)
    if allowed and given_pin(options, words) not in allowed:
        raise WrongPin(403)


def _journal(options: argparse.Namespace, config: Config) -> Path:
    return Path(options.journal) if options.journal else config.journal_path


def _run(options: argparse.Namespace, access: Access, words: Phrases, heading: Mapping[str, Any]) -> int:
    from cribd.cli.event_answers import Answers, NoSuchEvent, find_competition, listed, standing

    answers = Answers(access, options, words)
    events: list[int] = []
    try:
        if named := [options.competition] if options.what in ("switch", "seeds") else getattr(options, "event", []):
            _, all_ = access.get("competitions")
            events = [find_competition(each, all_) for each in named]
    except NoSuchEvent as none:
        return refuse(words.say(f"command.event.{none.code}", event=none.word, numbers=none.numbers))
    match options.what:
        case "switch":
            return answers.tell(access.post("switch", {"competition": events[0]}), answers.switched)
        case "seeds":
            status, found = access.get(f"seeds?from={events[0]}")
            if status != 200:
                return answers.done((status, found))
            return answers.done(access.post("do", {"do": "seed_entrants", "entrants": [*found["entrants"]]}))
        case "show":
            return answers.show()
        case "list":
            return answers.tell(access.get("competitions"), listed)
        case "log":
            return answers.log()
        case "board":
            stands = access.get("board") if options.table is None else access.post("board", _table(options.table))
            return answers.tell(stands, standing)
        case "members":
            return event_members.run(options, access, answers)
        case "export" if options.name == "record.txt" and options.public:
            return refuse(words.say("command.event.no_public", file=options.name))
        case "export" if options.name == "record.txt":
            return answers.write(access.get("record"))
        case "season" if wrong := next((rule for rule in options.rule if "=" not in rule), None):
            return refuse(words.say("command.event.no_rule", rule=wrong))
        case "export" | "print" | "season":
            return answers.write(access.get(f"{options.what}/{options.name}?{_query(options, events)}"))
        case "import":
            return _import(access, options, words, answers)
        case "begin":
            return answers.done(access.post("begin", heading))
        case "draw":
            return _asked(access, "draw", {}, options, words, answers)
        case "do":
            try:
                told = json.loads(options.action)
            except (ValueError, RecursionError):
                return refuse(words.say("command.event.no_json", text=options.action))
            return _asked(access, "do", told, options, words, answers)
    return _asked(access, "do", _action(options), options, words, answers)


def _asked(access: Access, what: str, told: Any, options: argparse.Namespace, words: Phrases, answers: Answers) -> int:
    """Do it; where it has consequences, say them and do it if somebody says so."""
    if not isinstance(told, dict) or getattr(options, "yes", True):
        return answers.done(access.post(what, told))
    status, said = access.post(what, told | {"ask": True})
    if status != 409 or said["refused"]["code"] != "asked":
        return answers.done((status, said))
    if options.json or not sys.stdin.isatty():
        code = answers.done((status, said))
        complain(words.say("command.event.asked"))
        return code
    from cribd.terminal import say

    say(said["refused"]["text"][options.language])
    if not _says_yes(words.say("command.event.sure")):
        return refuse(words.say("command.event.not_done"), code=Exit.PROBLEM)
    return answers.done(access.post(what, told))


def _table(word: str) -> dict[str, Any]:
    """What is no table is sent as it is, and the board says what is allowed."""
    return {"table": None if word == "none" else int(word) if re.fullmatch(r"[0-9]{1,9}", word) else word}


def _heading(options: argparse.Namespace) -> dict[str, Any]:
    """Raises `UnreadableFile` if the file of a format cannot be read."""
    path = Path(options.format)
    form = read_text(path) if path.suffix == ".toml" else options.format
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


def _import(access: Access, options: argparse.Namespace, words: Phrases, answers: Answers) -> int:
    """Show what a file would register, and take it if somebody says so. Raises `UnreadableFile`."""
    from cribd.competition.registration import MOST_BYTES

    file = read_file(options.file)
    if len(file) > MOST_BYTES:
        return refuse(words.say("competition.csv.file_too_long", most=MOST_BYTES // 1024), code=Exit.PROBLEM)
    status, told = access.post("csv", file)
    if status != 200:
        return answers.done((status, told))
    if told["left_out"] and not options.json:
        complain(words.say("page.desk.csv.left_out", columns=", ".join(told["left_out"])))
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
        if not _says_yes(words.say("command.event.take", entrants=len(told["rows"]))):
            return refuse(words.say("command.event.not_taken"))
    return answers.done(access.post("csv/confirm", file))


def _says_yes(question: str) -> bool:
    try:
        return input(question).strip().casefold()[:1] in ("y", "o")
    except EOFError:
        return False


def _back_up(options: argparse.Namespace, config: Config, words: Phrases) -> int:
    """Copy the store of this machine, whether a board plays on it or not, and only read it. Raises `WrongPin`,
    `NoJournal`, `ArchiveAway`, `UnreadableFile`."""
    from cribd.clock import SystemClock
    from cribd.storage.backup import back_up, copy_at
    from cribd.storage.lock import NoJournal
    from cribd.terminal import say

    if options.address:
        return refuse(words.say("command.event.backup_here"))
    _must_know_pin(options, config, words)
    if not os.path.exists(journal := _journal(options, config)):
        raise NoJournal(journal)
    to = options.to
    try:
        to = copy_at(to, SystemClock().wall().astimezone())
        back_up(journal, to)
    except NotADirectoryError:
        return refuse(words.say("command.event.no_folder", folder=options.to))
    except OSError as wrong:
        return refuse(unwritable(to, wrong, words))
    say(str(to))
    return Exit.DONE


def _query(options: argparse.Namespace, events: Sequence[int]) -> str:
    """What a file is asked with."""
    if options.what == "season":
        fields = dict(each.partition("=")[::2] for each in options.rule) | {"title": options.title}
        fields |= {"events": ",".join(map(str, events))} if events else {}
    else:
        fields = {"round": str(getattr(options, "round", None) or 0), "public": str(int(options.public))}
    return urlencode(fields | {"language": options.language})
