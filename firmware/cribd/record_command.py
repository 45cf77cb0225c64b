"""`cribboard record`: the games of the journal, one of them as text, whether a record is whole, and a look through it.

Reads the journal and never writes it. A record is judged again before it is shown: what a judge steps through is what
the rules gave. Exit codes: 0 all is well, 1 the record is not sound, 2 what was asked cannot be done.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cribboard.rules import Rules
    from cribd.audit import Audit, ClaimMade
    from cribd.journal import Journal
    from cribd.phrases import Phrases

SOUND, UNSOUND, CANNOT = 0, 1, 2

LANGUAGES = {"en": "en", "fr": "fr_CA", "fr_CA": "fr_CA"}


def add_to(commands: Any) -> None:
    """Add the command to the command line."""
    top = commands.add_parser("record", help="list the games of the journal; write, verify or look through a record")
    top.set_defaults(command=run)
    what = top.add_subparsers(dest="what", metavar="WHAT")
    lists = what.add_parser("list", help="the games of the journal, one line each")
    export = what.add_parser("export", help="write the record of a game")
    export.add_argument("game", type=int, metavar="N", help="the number of a game in the journal")
    export.add_argument("file", nargs="?", type=Path, metavar="FILE", help="write it there and not to the terminal")
    verify = what.add_parser("verify", help="whether a record is whole, and where it breaks")
    verify.add_argument("file", metavar="FILE", help="a record; - reads from the terminal")
    claims = what.add_parser("claims", help="who claimed what on which cards, what was due, who accepted")
    claims.add_argument("file", metavar="FILE")
    show = what.add_parser("show", help="step through a game, act by act; n next, p back, q ends")
    show.add_argument("file", metavar="FILE")
    place = show.add_mutually_exclusive_group()
    place.add_argument("--at", type=int, metavar="N", help="begin after the act that event N belongs to")
    place.add_argument("--hole", metavar="SIDE:HOLE", help="begin at the act that put the peg there: blue:46")
    place.add_argument("--deal", type=int, metavar="N", help="begin where deal N began")
    for each in (claims, show):
        each.add_argument("--lang", choices=tuple(LANGUAGES), default="en", help="the language")
    for each, default in ((top, None), (lists, argparse.SUPPRESS), (export, argparse.SUPPRESS)):
        each.add_argument("--journal", metavar="FILE", default=default, help="where the games are kept")
        each.add_argument("--config", type=Path, metavar="FILE", default=default)
    for each in (top, lists, export, verify, claims, show):
        each.add_argument("--json", action="store_true", default=False if each is top else argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Do what the command line says."""
    match options.what:
        case "export":
            return _from_journal(options, lambda journal: _export(journal, options))
        case "verify":
            return _verify(options.file, as_json=options.json)
        case "claims":
            return _looked_through(options, _claims)
        case "show":
            return _looked_through(options, _show)
    return _from_journal(options, lambda journal: _list(journal, as_json=options.json))


def _complain(*problems: str, code: int = CANNOT) -> int:
    for problem in problems:
        print(problem, file=sys.stderr)
    return code


# Out of the journal


def _from_journal(options: argparse.Namespace, work: Callable[[Journal], int]) -> int:
    from cribd.clock import SystemClock
    from cribd.config import ConfigError, load_config
    from cribd.journal import Journal, JournalDamaged, NotKept

    try:
        path = Path(options.journal) if options.journal else load_config(options.config).journal_path
        if not path.exists():
            return _complain(f"{path}: there is no journal here.")
        journal = Journal(path, SystemClock())
    except (ConfigError, JournalDamaged, NotKept) as wrong:
        return _complain(*str(wrong).splitlines())
    try:
        return work(journal)
    except JournalDamaged as wrong:
        return _complain(f"{wrong}.", code=UNSOUND)
    finally:
        journal.close()


def _list(journal: Journal, *, as_json: bool) -> int:
    games = [{"game": number, "at": at, "rules": rules} for number, at, rules in journal.games()]
    lines = [f"{game['game']:>4}  {game['at']}  {game['rules']}" for game in games]
    print(json.dumps(games) if as_json else "\n".join(lines or ["The journal has no games yet."]))
    return SOUND


def _export(journal: Journal, options: argparse.Namespace) -> int:
    from cribboard import record

    try:
        kept = journal.game(options.game)
    except KeyError:
        games = ", ".join(str(number) for number, _, _ in journal.games()) or "none"
        return _complain(f"game {options.game}: the journal has games {games}.")
    text = record.write(record.Record(kept.heading, kept.game.log))
    if options.json:
        text = json.dumps({"game": kept.id, "record": text}) + "\n"
    if options.file is None:
        print(text, end="")
        return SOUND
    try:
        options.file.write_text(text, encoding="utf-8")
    except OSError as wrong:
        return _complain(f"{options.file} cannot be written: {wrong}.")
    return SOUND


# Whether it is whole


@dataclass(frozen=True, slots=True)
class Break:
    """Where a record breaks: the number of the line, the line, and why. `judged` says what the rules say of a record
    whose lines no longer fit the chain: it is there that a change shows first, if it changes the game at all."""

    line: int
    text: str
    reason: str
    judged: Break | None = None


def examine(text: str) -> Audit | Break:
    """The game of a record that is sound, or where it breaks: its form, its spelling, its chain, then its rules."""
    from cribboard import record
    from cribd.audit import Audit

    try:
        read = record.read(text)
        return Audit(read, record.judge(read))
    except record.RecordError as wrong:
        found = Break(wrong.line, str(wrong.text), wrong.reason)
    if not found.text.startswith(_CHAIN):
        return found
    try:
        record.judge(record.read(_chained_anew(text)))
    except record.RecordError as wrong:
        return replace(found, judged=Break(wrong.line, str(wrong.text), wrong.reason))
    return found


_CHAIN = "Chain:"


def _chained_anew(text: str) -> str:
    """The record with the chain that its lines, as they are, would have."""
    from cribboard import record

    lines = text.replace("\r\n", "\n").split("\n")
    body = lines.index("")
    chain = next(at for at, line in enumerate(lines) if line.startswith(_CHAIN))
    link = record.first_link(record.read_heading("\n".join(lines[:body])))
    for line in filter(None, lines[body:chain]):
        link = record.next_link(link, line.split(maxsplit=1)[1])
    lines[chain] = f"{_CHAIN} {link}"
    return "\n".join(lines)


def _verify(file: str, *, as_json: bool) -> int:
    try:
        text = _text(file)
    except (OSError, UnicodeDecodeError) as wrong:
        return _complain(f"{file} cannot be read: {wrong}.")
    found = examine(text)
    if not isinstance(found, Break):
        heading = found.record.heading
        result = {"sound": True, "rules": heading.rules.label, "way": str(heading.way), "events": found.last}
        print(json.dumps(result) if as_json else f"{file}: sound, {found.last} events, {heading.rules.label}.")
        return SOUND
    if as_json:
        print(json.dumps({"sound": False} | _broken(found), ensure_ascii=False))
        return UNSOUND
    print(f"{file}, line {found.line}: {found.reason}.\n    {found.text}")
    if found.judged is not None:
        print(f"By its rules it breaks at line {found.judged.line}: {found.judged.reason}.\n    {found.judged.text}")
    elif found.text.startswith(_CHAIN):
        print("Every line is as the rules would have it: a card, a call or a name was changed, or the chain itself.")
    return UNSOUND


def _broken(found: Break) -> dict[str, Any]:
    told: dict[str, Any] = {"line": found.line, "text": found.text, "reason": found.reason}
    return told | ({"judged": _broken(found.judged)} if found.judged else {})


def _text(file: str) -> str:
    return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")


# A look through it


def _looked_through(options: argparse.Namespace, look: Callable[[Audit, Phrases, argparse.Namespace], int]) -> int:
    from cribd.phrases import load

    try:
        text = _text(options.file)
    except (OSError, UnicodeDecodeError) as wrong:
        return _complain(f"{options.file} cannot be read: {wrong}.")
    found = examine(text)
    if isinstance(found, Break):
        return _complain(f"{options.file}, line {found.line}: {found.reason}: {found.text}", code=UNSOUND)
    return look(found, load(LANGUAGES[options.lang]), options)


def _claims(audit: Audit, phrases: Phrases, options: argparse.Namespace) -> int:
    from cribboard.events import Ground
    from cribd.audit import by_in_words, occasions_in_words, rule_in_words, verdict_in_words

    rules = audit.record.heading.rules
    words = phrases.seated(rules.deal_and_play.players, rules.deal_and_play.teams)
    claims = audit.claims()
    if options.json:
        print(json.dumps([_claim_told(claim, rules) for claim in claims]))
        return SOUND
    for claim in claims:
        marks = ("×" if claim.undone else "") + ("!" if claim.challenged else "")
        due = "–" if claim.due is None else str(claim.due)
        by = "–" if claim.accepted_by is None else f"{by_in_words(claim.accepted_by, words)} ({claim.accepted_at})"
        what = occasions_in_words(claim.occasions, words) if claim.against is None else "muggins"
        cards = " ".join(dict.fromkeys(words.card(card) for each in claim.combinations for card in each.cards))
        verdict = verdict_in_words(claim.verdict, words)
        left = f"{claim.at:>5}{marks:<2} {claim.deal:>2}  {words.side(claim.side):<6} {claim.called:>2} / {due:>2}"
        rule = "" if claim.ground is Ground.COUNT else f"  [{rule_in_words(claim.ground, words, rules)}]"
        print(f"{left}  {verdict:<14} {what:<22} {cards:<16} {by}{rule}")
    return SOUND


def _claim_told(claim: ClaimMade, rules: Rules) -> dict[str, Any]:
    from cribboard.rules import cited
    from cribboard.spelling import SIDES

    return {
        "event": claim.at,
        "deal": claim.deal,
        "side": SIDES[claim.side],
        "called": claim.called,
        "due": claim.due,
        "for": [str(occasion) for occasion in claim.occasions],
        "combinations": [
            {"kind": str(each.kind), "cards": [str(card) for card in each.cards], "points": each.points}
            for each in claim.combinations
        ],
        "verdict": str(claim.verdict),
        "rule": str(claim.ground),
        "cited": cited(rules, claim.ground),
        "against": None if claim.against is None else SIDES[claim.against],
        "challenged": claim.challenged,
        "accepted_by": claim.accepted_by and str(claim.accepted_by),
        "accepted_at": claim.accepted_at,
        "undone": claim.undone,
    }


def _show(audit: Audit, phrases: Phrases, options: argparse.Namespace) -> int:
    from cribd.terminal import is_terminal

    try:
        number = _place(audit, options)
    except LookupError as nowhere:
        return _complain(str(nowhere.args[0]))
    if options.json:
        print(json.dumps(_told(audit, number, phrases), ensure_ascii=False))
        return SOUND
    if is_terminal():
        return _step_through(audit, 0 if number is None else number, phrases)
    _print(audit, audit.last if number is None else number, phrases)
    return SOUND


def _place(audit: Audit, options: argparse.Namespace) -> int | None:
    """The event that the command line asks for, if it asks for one. Raises LookupError, saying what there is."""
    from cribboard.spelling import SIDES

    if options.at is not None:
        if not 0 <= options.at <= audit.last:
            raise LookupError(f"--at {options.at}: the record has events 1 to {audit.last}; 0 is the beginning.")
        return audit.end_of(options.at)
    if options.deal is not None:
        found = audit.deal(options.deal)
        if found is None:
            raise LookupError(f"--deal {options.deal}: the record has deals 1 to {audit.view(audit.last).deal}.")
        return found
    if options.hole is None:
        return None
    sides = SIDES[: len(audit.record.heading.rules.sides)]
    side, _, hole = options.hole.partition(":")
    if side not in sides or not hole.isdecimal():
        raise LookupError(f"--hole {options.hole}: it is {' or '.join(sides)}, a colon and a hole, such as blue:46.")
    found = audit.hole(sides.index(side), int(hole))
    if found is None:
        stood = ", ".join(map(str, audit.holes(sides.index(side))))
        raise LookupError(f"--hole {options.hole}: the front peg of {side} never came there; it stood in {stood}.")
    return found


def _told(audit: Audit, number: int | None, phrases: Phrases) -> dict[str, Any]:
    from cribd.audit import told

    number = audit.last if number is None else number
    view = audit.view(number)
    spelling = audit.record.heading.spelling
    return {
        "event": number,
        "last": audit.last,
        "deal": view.deal,
        "scores": [side.score for side in view.sides],
        "back": [side.back for side in view.sides],
        "act": [spelling.write(event) for event in audit.act(number)],
        "said": list(told(audit, number, phrases)),
    }


def _print(audit: Audit, number: int, phrases: Phrases) -> None:
    from cribd.audit import told

    print("\n".join(told(audit, number, phrases)))


def _step_through(audit: Audit, number: int, phrases: Phrases) -> int:
    """A person at a terminal goes through the game, key by key."""
    from cribd.audit import keys, no_further
    from cribd.terminal import single_keys

    with single_keys():
        _print(audit, number, phrases)
        print(f"\n{keys(phrases)}", flush=True)
        for key in _keys():
            found = _pressed(audit, number, key)
            if found is None:
                print(no_further(phrases), flush=True)
                continue
            number = found
            print()
            _print(audit, number, phrases)
            sys.stdout.flush()
    return SOUND


def _keys() -> Iterable[str]:
    """What is pressed until q: single letters, and whole numbers that end with Enter."""
    digits = ""
    while (key := sys.stdin.read(1)) not in ("q", "\x04", ""):
        if key.isdecimal():
            digits += key
            print(key, end="", flush=True)
        elif digits:
            print(flush=True)
            yield digits
            digits = ""
        else:
            yield key


def _pressed(audit: Audit, number: int, key: str) -> int | None:
    """Where a key leads; None where there is nothing further on."""
    match key:
        case "n" | " " | "\n":
            return audit.after(number) if number < audit.last else None
        case "p":
            return audit.before(number) if number > 0 else None
        case "d":
            return audit.next_deal(number)
        case "c":
            return audit.next_disputed(number)
        case _ if key.isdecimal():
            return audit.end_of(int(key)) if int(key) <= audit.last else None
    return number
