"""`cribboard event`: manages a competition.

Each change goes to the running board with the PIN; where none runs, the store is opened. `do` takes any action as JSON,
and the most frequent ones have a word of their own. Exit codes: 0 done, 1 refused, 2 it cannot be asked.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from cribboard.competition import FORMATS
from cribboard.competition.names import looks_like
from cribd.cli import club_members, event_backup_and_restore
from cribd.cli.competition_access import open_access, require_pin
from cribd.cli.competition_actions import (
    ACTIONS,
    TYPED,
    action,
    add_arguments,
    arrivals,
    captain_number,
    entrant_numbers,
    find_value,
    names_of,
    round_number,
    typed_value,
)
from cribd.cli.desk_session import DeskSession, listed, standing
from cribd.cli.errors import CommandRefused, Exit, read_file, read_text
from cribd.cli.options import add_journal, add_json, add_language
from cribd.cli.parser import Parser
from cribd.cli.pin import add_pin_file
from cribd.competition.registration import MOST_BYTES
from cribd.config.config import load_config
from cribd.storage.archive import ArchiveAway
from cribd.storage.journal import JournalAway, JournalBusy, JournalDamaged
from cribd.storage.open_journal import NoJournal
from cribd.terminal import complain, say
from cribd.text import Phrases, load_all

#: The subcommands that may have consequences. The user is asked about these first, unless `--yes` is given.
_ASKED = ("depart", "games", "draw", "check-in", "do", "import")
#: The subcommands that the help lists after the actions.
_LAST_WORDS = ("board", "members", "do", "import", "export", "print", "season", "backup", "restore")
_EXPORTS = ("record.txt", "entrants.csv", "results.csv", "standings.csv", "event.json", "event.html")


def add_options(parser: argparse.ArgumentParser) -> None:
    _add_shared(parser)
    parts: Any = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    for word in ("list", "switch", "seeds", "begin", "show", "log", "draw", "check-in", *ACTIONS, *_LAST_WORDS):
        parts.add_later(word, partial(_add_own, word))


def _add_own(word: str, parser: Parser) -> None:
    _add_shared(parser, default=argparse.SUPPRESS)
    match word:
        case "switch" | "seeds":
            parser.add_argument("competition", metavar="COMPETITION")
        case "begin":
            parser.add_argument("format", metavar="FORMAT")
            parser.add_argument("--name", default="")
            parser.add_argument("--date")
            parser.add_argument("--tables", type=int, default=0, metavar="N")
            parser.add_argument("--instead", action="store_true")
            parser.details = formats
        case "check-in":
            parser.add_argument("entrants", nargs="*", type=entrant_numbers, metavar="ENTRANTS")
            parser.add_argument("--all", action="store_true")
            parser.add_argument("--captain", type=captain_number, metavar="N")
        case "board":
            parser.add_argument("table", nargs="?", metavar="TABLE")
        case "members":
            club_members.add_options(parser)
        case "do":
            parser.add_argument("action", metavar="JSON")
        case "import":
            parser.add_argument("file", type=Path, metavar="FILE")
            parser.details = columns
        case "export" | "print" | "season":
            _add_paper(word, parser)
        case "backup":
            event_backup_and_restore.add_backup_options(parser)
        case "restore":
            event_backup_and_restore.add_restore_options(parser)
        case _ if word in ACTIONS:
            add_arguments(parser, ACTIONS[word][1])
    if word in _ASKED:
        parser.add_argument("--yes", action="store_true")


def _add_paper(word: str, parser: Parser) -> None:
    """Add the options of `export`, `print` or `season`."""
    if word == "export":
        parser.add_argument("name", metavar="NAME", choices=_EXPORTS)
    elif word == "print":
        parser.add_argument("name", metavar="SHEET")
        parser.add_argument("--round", type=round_number, metavar="N")
        parser.details = sheets
    else:
        parser.add_argument("name", metavar="FILE", choices=("season.html", "season.csv"))
        parser.add_argument("--title", default="")
        parser.add_argument("--rule", action="append", default=[], metavar="FIELD=VALUE")
        parser.add_argument("--event", action="append", default=[], metavar="COMPETITION")
    if word != "season":
        parser.add_argument("--public", action="store_true")
    parser.add_argument("--to", type=Path, metavar="FILE")


def _add_shared(parser: argparse.ArgumentParser, **default: Any) -> None:
    """Add the options that `cribboard event` shares with its subcommands.

    For a subcommand, the `default` is SUPPRESS."""
    add_journal(parser, **default)
    parser.add_argument("--address", metavar="URL", **default)
    add_pin_file(parser, **default)
    add_json(parser, **default)
    add_language(parser)


def formats(words: Phrases) -> Iterator[str]:
    """Yield a line for each format of a competition."""
    yield words.say("command.help.formats")
    for name in FORMATS:
        title, about = words.say(f"competition.format.{name}"), words.say(f"command.format.{name}".replace("-", "_"))
        yield f"  {name:<19} {title} – {about}"


def columns(words: Phrases) -> Iterator[str]:
    """Yield the help about the columns of a CSV file."""
    yield words.say("command.help.columns")
    for name in ("name", "player_1", "player_2", "captain", "seed", "guest"):
        yield f"  {words.say(f'command.column.{name}')}"


def sheets(words: Phrases) -> Iterator[str]:
    """Yield a line for each sheet that can be printed."""
    yield words.say("command.help.sheets")
    for name in TYPED["sheet"]:
        yield f"  {', '.join(dict.fromkeys([name, *names_of('sheet', name, words)]))}"


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Run one subcommand of `cribboard event`. Returns the exit code."""
    if options.what == "print":
        options.name = typed_value("sheet", options.name, words)
    config = load_config(options.config)
    journal = Path(options.journal) if options.journal else config.journal_path
    try:
        if options.what in ("backup", "restore"):
            if options.address:
                raise CommandRefused(words.say(f"command.event.{options.what}_here"))
            require_pin(options, config, words)
            copy = (
                event_backup_and_restore.restore_copy
                if options.what == "restore"
                else event_backup_and_restore.make_copy
            )
            return copy(options, journal, words)
        heading = _heading(options, words) if options.what == "begin" else {}  # before a store is made for it
        with closing(open_access(options, config, journal, words)) as access:
            return _ask_desk(DeskSession(access, options, words), heading)
    except NoJournal as wrong:
        raise CommandRefused(words.say("command.event.no_journal", file=wrong.path)) from wrong
    except JournalDamaged as wrong:
        raise CommandRefused(words.say("command.event.damaged", file=wrong.where, why=wrong.reason)) from wrong
    except ArchiveAway as wrong:
        raise CommandRefused(words.say("command.event.damaged", file=journal, why=wrong.args[0])) from wrong
    except JournalBusy as wrong:
        raise CommandRefused(words.say("command.event.busy", file=wrong.path)) from wrong
    except JournalAway as wrong:
        raise CommandRefused(f"{words.problem(wrong)}.") from wrong


def _ask_desk(session: DeskSession, heading: dict[str, Any]) -> int:
    """Send the request to the desk, and print the answer."""
    access, options, words = session.access, session.options, session.words
    match options.what:
        case "switch":
            number = session.find_competition(options.competition)
            return session.print_switched(access.post("switch", {"competition": number}))
        case "seeds":
            status, found = access.get(f"seeds?from={session.find_competition(options.competition)}")
            if status != 200:
                return session.print_done((status, found))
            return session.print_done(access.post("do", {"do": "seed_entrants", "entrants": [*found["entrants"]]}))
        case "show":
            return session.print_state()
        case "list":
            return session.print_answer(access.get("competitions"), listed)
        case "log":
            return session.print_log()
        case "board":
            answer = access.get("board") if options.table is None else access.post("board", _table(options.table))
            return session.print_answer(answer, standing)
        case "members":
            return club_members.run(session)
        case "export" if options.name == "record.txt":
            if options.public:
                raise CommandRefused(words.say("command.event.no_public", file=options.name))
            return session.write(access.get("record"))
        case "export" | "print" | "season":
            fields = _season_query(session) if options.what == "season" else _sheet_query(options)
            query = urlencode(fields | {"language": options.language})
            return session.write(access.get(f"{options.what}/{options.name}?{query}"))
        case "import":
            return _import(session)
        case "begin":
            return session.print_done(access.post("begin", heading))
        case "check-in":
            return _check_in(session)
        case "draw":
            return _post_confirmed(session, "draw", {})
        case "do":
            try:
                payload = json.loads(options.action)
            except (ValueError, RecursionError):
                raise CommandRefused(words.say("command.event.no_json", text=options.action)) from None
            return _post_confirmed(session, "do", payload)
    return _post_confirmed(session, "do", action(options, words))


def _post_confirmed(session: DeskSession, what: str, payload: Any) -> int:
    """Send a request, after the user's yes if needed.

    If the request has consequences and `--yes` is not given, the user sees the consequences and is asked."""
    access, options, words = session.access, session.options, session.words
    if not isinstance(payload, dict) or getattr(options, "yes", True):
        return session.print_done(access.post(what, payload))
    status, body = access.post(what, payload | {"ask": True})
    if status != 409 or body["refused"]["code"] != "asked":
        return session.print_done((status, body))
    if options.json or not sys.stdin.isatty():
        code = session.print_done((status, body))
        complain(words.say("command.event.asked"))
        return code
    say(body["refused"]["text"][options.language])
    if not _says_yes(words.say("command.event.sure")):
        complain(words.say("command.event.not_done"))
        return Exit.PROBLEM
    return session.print_done(access.post(what, payload))


def _table(word: str) -> dict[str, Any]:
    """Return the JSON for a table number that the user typed.

    The word `none`, in any language, becomes None. The board may refuse other text."""
    if re.fullmatch(r"[0-9]{1,9}", word):
        return {"table": int(word)}
    return {"table": word if find_value("table", word) is None else None}


def _check_in(session: DeskSession) -> int:
    """Check in all named entrants, even if one is refused."""
    options, words = session.options, session.words
    _, state = session.access.get("state")
    actions = arrivals(options, state)
    if actions is None:
        (first,), (second,) = options.entrants
        raise CommandRefused(words.say("command.event.captain_or_entrant", first=first, second=second))
    if not actions or (options.captain is not None and len(actions) > 1):
        code = "command.event.nobody_to_check_in" if options.all else "command.event.check_in_whom"
        raise CommandRefused(words.say(code))
    return max([_post_confirmed(session, "do", payload) for payload in actions])


def _heading(options: argparse.Namespace, words: Phrases) -> dict[str, Any]:
    """Make a new competition's heading. Raises `CommandRefused` if the file of the format cannot be read."""
    path = Path(options.format)
    form = read_text(path, words) if path.suffix == ".toml" else _format_named(options.format)
    heading = {"format": form, "name": options.name, "tables": options.tables, "instead": options.instead}
    return heading | ({"date": options.date} if options.date else {})


def _format_named(text: str) -> str:
    """Find a format by its name or title, and return its name.

    The title may be in any language. Other text is returned unchanged."""
    titles = {
        looks_like(words.say(f"competition.format.{name}")): name for words in load_all().values() for name in FORMATS
    }
    return (titles | {looks_like(name): name for name in FORMATS}).get(looks_like(text), text)


def _import(session: DeskSession) -> int:
    """Register the entrants in a CSV file. Raises `CommandRefused`."""
    access, options, words = session.access, session.options, session.words
    file = read_file(options.file, words)
    if len(file) > MOST_BYTES:
        too_long = words.say("competition.csv.file_too_long", most=MOST_BYTES // 1024)
        raise CommandRefused(too_long, code=Exit.PROBLEM)
    status, preview = access.post("csv", file)
    if status != 200:
        return session.print_done((status, preview))
    if preview["left_out"] and not options.json:
        complain(words.say("page.desk.csv.left_out", columns=", ".join(preview["left_out"])))
    if preview["problems"]:
        if options.json:
            print(json.dumps(preview, ensure_ascii=False))
            return Exit.PROBLEM
        problems = (problem["text"][options.language] for problem in preview["problems"])
        raise CommandRefused(*problems, code=Exit.PROBLEM)
    if not options.yes:
        for row in preview["rows"]:
            say(f"  {row['name']}  {', '.join(row['players'])}".rstrip())
        question = words.say("command.event.take", entrants=len(preview["rows"]))
        if options.json or not sys.stdin.isatty() or not _says_yes(question):
            raise CommandRefused(words.say("command.event.not_taken"))
    return session.print_done(access.post("csv/confirm", file))


def _says_yes(question: str) -> bool:
    try:
        return input(question).strip().casefold()[:1] in ("y", "o")
    except EOFError:
        return False


def _sheet_query(options: argparse.Namespace) -> dict[str, str]:
    """Make the URL query for a sheet or an export."""
    return {"round": str(getattr(options, "round", None) or 0), "public": str(int(options.public))}


def _season_query(session: DeskSession) -> dict[str, str]:
    """Make the URL query for a season. Raises `CommandRefused`."""
    options = session.options
    competitions = [str(session.find_competition(word)) for word in options.event]
    if wrong := next((rule for rule in options.rule if "=" not in rule), None):
        raise CommandRefused(session.words.say("command.event.no_rule", rule=wrong))
    fields = dict(rule.partition("=")[::2] for rule in options.rule) | {"title": options.title}
    return fields | ({"events": ",".join(competitions)} if competitions else {})
