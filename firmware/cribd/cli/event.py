"""`cribboard event`: manages the competition of a board from the command line.

Each change goes to the running board with the PIN; where none runs, the store is opened. `do` takes any action as JSON,
and the most usual ones have a word of their own. Exit codes: 0 done, 1 refused, 2 it cannot be asked.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

from cribd.cli import event_copies, event_members
from cribd.cli.errors import Exit, UnreadableFile, not_read, read_file, read_text, refuse, refuse_problems, why
from cribd.cli.event_acts import (
    ACTS,
    TYPED,
    NotTyped,
    action,
    add_arguments,
    arrivals,
    captain_number,
    entrant_numbers,
    names_of,
    round_number,
    typed_value,
)
from cribd.cli.options import add_language
from cribd.cli.parser import Parser
from cribd.cli.pin import add_pin_file, given_pin, pins
from cribd.terminal import complain

if TYPE_CHECKING:
    from cribd.cli.event_access import Access
    from cribd.cli.event_answers import Answers
    from cribd.config.config import Config
    from cribd.text import Phrases

#: The words of which some have consequences: somebody is asked before.
_ASKED = ("depart", "games")
_EXPORTS = ("record.txt", "entrants.csv", "results.csv", "standings.csv", "event.json", "event.html")
#: The phrase of a PIN that is refused, by the status of the answer; of all others that it is wrong.
_PINS = {400: "no_pin", 429: "wait"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    _add_shared(parser, default=None)
    parser.set_defaults(command=run)
    shared = argparse.ArgumentParser(add_help=False)
    _add_shared(shared, default=argparse.SUPPRESS)
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)

    def add(word: str) -> Parser:
        return cast(Parser, what.add_parser(word, parents=[shared]))

    add("list")
    switched = add("switch")
    switched.add_argument("competition", metavar="COMPETITION")
    seeded = add("seeds")
    seeded.add_argument("competition", metavar="COMPETITION")
    begin = add("begin")
    begin.add_argument("format", metavar="FORMAT")
    begin.add_argument("--name", default="")
    begin.add_argument("--date")
    begin.add_argument("--tables", type=int, default=0, metavar="N")
    begin.add_argument("--instead", action="store_true")
    add("show")
    add("log")
    drawn = add("draw")
    arrive = add("check-in")
    arrive.add_argument("entrants", nargs="*", type=entrant_numbers, metavar="ENTRANTS")
    arrive.add_argument("--all", action="store_true")
    arrive.add_argument("--captain", type=captain_number, metavar="N")
    for word, (_, arguments) in ACTS.items():
        add_arguments(one := add(word), arguments)
        if word in _ASKED:
            one.add_argument("--yes", action="store_true")
    board = add("board")
    board.add_argument("table", nargs="?", metavar="TABLE")
    event_members.add_options(add("members"))
    done = add("do")
    done.add_argument("action", metavar="JSON")
    for one in (drawn, arrive, done):
        one.add_argument("--yes", action="store_true")
    read = add("import")
    read.add_argument("file", type=Path, metavar="FILE")
    read.add_argument("--yes", action="store_true")
    written = add("export")
    written.add_argument("name", metavar="NAME", choices=_EXPORTS)
    printed = add("print")
    printed.add_argument("name", metavar="SHEET")
    printed.add_argument("--round", type=round_number, metavar="N")
    for one in (written, printed):
        one.add_argument("--public", action="store_true")
    ranked = add("season")
    ranked.add_argument("name", metavar="FILE", choices=("season.html", "season.csv"))
    ranked.add_argument("--title", default="")
    ranked.add_argument("--rule", action="append", default=[], metavar="FIELD=VALUE")
    ranked.add_argument("--event", action="append", default=[], metavar="COMPETITION")
    for one in (written, printed, ranked):
        one.add_argument("--to", type=Path, metavar="FILE")
    begin.details, read.details, printed.details = formats, columns, sheets
    event_copies.add_options(add("backup"), add("restore"))


def formats(words: Phrases) -> Iterator[str]:
    """The formats, a line each."""
    from cribboard.competition import FORMATS

    yield words.say("command.help.formats")
    for name in FORMATS:
        title, about = words.say(f"competition.format.{name}"), words.say(f"command.format.{name}".replace("-", "_"))
        yield f"  {name:<19} {title} – {about}"


def columns(words: Phrases) -> Iterator[str]:
    """The columns of a file of entrants, a line each."""
    yield words.say("command.help.columns")
    for name in ("name", "player_1", "player_2", "captain", "seed", "guest"):
        yield f"  {words.say(f'command.column.{name}')}"


def sheets(words: Phrases) -> Iterator[str]:
    """The sheets, a line each."""
    yield words.say("command.help.sheets")
    for name in TYPED["sheet"]:
        yield f"  {', '.join(dict.fromkeys([name, *names_of('sheet', name, words)]))}"


def _add_shared(parser: argparse.ArgumentParser, *, default: Any) -> None:
    """Add the options of the command. Each of its parts has them too, with `SUPPRESS` as `default`."""
    parser.add_argument("--journal", metavar="FILE", default=default)
    parser.add_argument("--config", type=Path, metavar="FILE", default=default)
    parser.add_argument("--address", metavar="URL", default=default)
    add_pin_file(parser, default=default)
    parser.add_argument("--json", action="store_true", default=False if default is None else default)
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Send the command to the running board or to the store. Returns the exit code."""
    from cribd.cli.event_access import NoAddress, Unreachable, WrongPin
    from cribd.config.config import ConfigError, load_config
    from cribd.storage.archive import ArchiveAway
    from cribd.storage.journal import JournalBusy, JournalDamaged, NotKept
    from cribd.storage.lock import NoJournal
    from cribd.text import load

    words = load(options.language)
    try:
        if options.what == "print":
            options.name = typed_value("sheet", options.name, _every_language().values())
        config = load_config(options.config)
        if options.what in ("backup", "restore"):
            if options.address:
                return refuse(words.say(f"command.event.{options.what}_here"))
            _must_know_pin(options, config, words)
            return event_copies.run(options, _journal(options, config), words)
        heading = _heading(options) if options.what == "begin" else {}  # before a store is made for it
        access = _access(options, config, words)
        try:
            return _run(options, access, words, heading)
        finally:
            access.close()
    except ConfigError as wrong:
        return refuse_problems(wrong.problems, words)
    except NotTyped as wrong:
        allowed = (names_of(wrong.argument, value, words)[0] for value in TYPED[wrong.argument])
        return refuse(words.say("command.event.not_typed", text=wrong.text, allowed=", ".join(allowed)))
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
        return refuse(words.say("command.event.damaged", file=_journal(options, config), why=away.args[0]))
    except JournalBusy as busy:
        return refuse(words.say("command.event.busy", file=busy.path))
    except UnreadableFile as named:
        return refuse(not_read(named, words))
    except NotKept as wrong:
        return refuse(f"{words.problem(wrong)}.")


def _access(options: argparse.Namespace, config: Config, words: Phrases) -> Access:
    """Access to the running board, or to the store if no board runs. If a PIN is set, both require it. Only `begin`
    makes a store. Raises `UnreadableFile`, and what `RunningBoard` and `Store` raise."""
    from cribd.cli.event_access import RunningBoard, Store
    from cribd.storage.lock import is_played_on

    path = _journal(options, config)
    if options.address or is_played_on(path):
        return RunningBoard(options.address or _address(config), given_pin(options, words))
    _must_know_pin(options, config, words)
    return Store(path, make=options.what == "begin")


def _address(config: Config) -> str:
    """The address of this machine's board. Raises `Unreachable` if it serves no pages."""
    from cribd.cli.event_access import Unreachable

    if config.page.port is None:
        raise Unreachable('page.port = "off"')
    host = "127.0.0.1" if config.page.host in ("0.0.0.0", "::", "localhost") else config.page.host
    return f"http://{f'[{host}]' if ':' in host else host}:{config.page.port}"


def _must_know_pin(options: argparse.Namespace, config: Config, words: Phrases) -> None:
    """Ask for the PIN, if one is set. Raises `WrongPin`, `UnreadableFile`."""
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
            events = [find_competition(word, all_) for word in named]
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
        case "check-in":
            return _check_in(access, options, words, answers)
        case "draw":
            return _post_confirmed(access, "draw", {}, options, words, answers)
        case "do":
            try:
                payload = json.loads(options.action)
            except (ValueError, RecursionError):
                return refuse(words.say("command.event.no_json", text=options.action))
            return _post_confirmed(access, "do", payload, options, words, answers)
    return _post_confirmed(access, "do", action(options, _every_language().values()), options, words, answers)


def _post_confirmed(
    access: Access, what: str, payload: Any, options: argparse.Namespace, words: Phrases, answers: Answers
) -> int:
    """Do this request. If it has consequences, print them and do it only after a yes."""
    if not isinstance(payload, dict) or getattr(options, "yes", True):
        return answers.done(access.post(what, payload))
    status, said = access.post(what, payload | {"ask": True})
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
    return answers.done(access.post(what, payload))


def _every_language() -> dict[str, Phrases]:
    """The phrases of every language, because a value may be typed in any of them."""
    from cribd.text import languages, load

    return {language: load(language) for language in languages()}


def _table(word: str) -> dict[str, Any]:
    """Parse a table number. Other text is sent unchanged, and the board answers what is allowed."""
    if re.fullmatch(r"[0-9]{1,9}", word):
        return {"table": int(word)}
    try:
        typed_value("table", word, _every_language().values())
    except NotTyped:
        return {"table": word}
    return {"table": None}


def _check_in(access: Access, options: argparse.Namespace, words: Phrases, answers: Answers) -> int:
    """Check in each entrant. If one is refused, the others are still checked in."""
    _, state = access.get("state")
    acts = arrivals(options, state)
    if acts is None:
        (first,), (second,) = options.entrants
        return refuse(words.say("command.event.captain_or_entrant", first=first, second=second))
    if not acts or (options.captain is not None and len(acts) > 1):
        return refuse(words.say("command.event.nobody_to_check_in" if options.all else "command.event.check_in_whom"))
    return max([_post_confirmed(access, "do", act, options, words, answers) for act in acts])


def _heading(options: argparse.Namespace) -> dict[str, Any]:
    """The heading of a new competition. Raises `UnreadableFile` if the file of a format cannot be read."""
    path = Path(options.format)
    form = read_text(path) if path.suffix == ".toml" else _format_named(options.format)
    heading = {"format": form, "name": options.name, "tables": options.tables, "instead": options.instead}
    return heading | ({"date": options.date} if options.date else {})


def _format_named(text: str) -> str:
    """The preset with this name, or with this title in any language; other text unchanged."""
    from cribboard.competition import FORMATS
    from cribboard.competition.names import looks_like

    if text in FORMATS:
        return text
    spoken = _every_language().values()
    titles = {looks_like(words.say(f"competition.format.{name}")): name for words in spoken for name in FORMATS}
    wanted = looks_like(text)
    return next((name for name in FORMATS if looks_like(name) == wanted), titles.get(wanted, text))


def _import(access: Access, options: argparse.Namespace, words: Phrases, answers: Answers) -> int:
    """Show what a file would register, and import it after a yes. Raises `UnreadableFile`."""
    from cribd.competition.registration import MOST_BYTES

    file = read_file(options.file)
    if len(file) > MOST_BYTES:
        return refuse(words.say("competition.csv.file_too_long", most=MOST_BYTES // 1024), code=Exit.PROBLEM)
    status, preview = access.post("csv", file)
    if status != 200:
        return answers.done((status, preview))
    if preview["left_out"] and not options.json:
        complain(words.say("page.desk.csv.left_out", columns=", ".join(preview["left_out"])))
    if preview["problems"]:
        if options.json:
            print(json.dumps(preview, ensure_ascii=False))
            return Exit.PROBLEM
        return refuse(*(problem["text"][options.language] for problem in preview["problems"]), code=Exit.PROBLEM)
    if not options.yes:
        from cribd.terminal import say

        for row in preview["rows"]:
            say(f"  {row['name']}  {', '.join(row['players'])}".rstrip())
        if options.json or not sys.stdin.isatty():
            return refuse(words.say("command.event.not_taken"))
        if not _says_yes(words.say("command.event.take", entrants=len(preview["rows"]))):
            return refuse(words.say("command.event.not_taken"))
    return answers.done(access.post("csv/confirm", file))


def _says_yes(question: str) -> bool:
    try:
        return input(question).strip().casefold()[:1] in ("y", "o")
    except EOFError:
        return False


def _query(options: argparse.Namespace, events: Sequence[int]) -> str:
    """The query of a request for a file."""
    if options.what == "season":
        fields = dict(rule.partition("=")[::2] for rule in options.rule) | {"title": options.title}
        fields |= {"events": ",".join(map(str, events))} if events else {}
    else:
        fields = {"round": str(getattr(options, "round", None) or 0), "public": str(int(options.public))}
    return urlencode(fields | {"language": options.language})
