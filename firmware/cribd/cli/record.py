"""`cribboard record`: lists the games of the journal, exports one, verifies a record, or steps through it.

Reads the journal and never writes it. The command judges a record again before it shows anything of it. Exit codes: 0
done, 1 the record or the journal is damaged, 2 the command cannot do it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cribd.cli.errors import Exit, refuse, refuse_problems, unwritable
from cribd.cli.options import add_language, journal_path
from cribd.cli.pin import add_pin_file
from cribd.terminal import say

if TYPE_CHECKING:
    from cribboard.ledger import ClaimMade
    from cribboard.rules import Rules
    from cribd.storage.journal import Journal
    from cribd.text import Phrases
    from cribd.text.audit import Audit


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(command=run)
    what = parser.add_subparsers(dest="what", metavar="WHAT")
    lists = what.add_parser("list")
    export = what.add_parser("export")
    export.add_argument("game", type=int, metavar="N")
    export.add_argument("file", nargs="?", type=Path, metavar="FILE")
    verify = what.add_parser("verify")
    claims = what.add_parser("claims")
    show = what.add_parser("show")
    place = show.add_mutually_exclusive_group()
    place.add_argument("--at", type=int, metavar="N")
    place.add_argument("--hole", metavar="SIDE:HOLE")
    place.add_argument("--deal", type=int, metavar="N")
    for command in (verify, claims, show):
        command.add_argument("file", metavar="GAME")
    for command in (parser, lists, export, verify, claims, show):
        add_language(command)
        default = None if command is parser else argparse.SUPPRESS
        command.add_argument("--journal", metavar="FILE", default=default)
        command.add_argument("--config", type=Path, metavar="FILE", default=default)
        add_pin_file(command, default=default)
    for command in (parser, lists, export, verify, claims, show):
        command.add_argument("--json", action="store_true", default=False if command is parser else argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """List, export, verify or show. Returns the exit code."""
    from cribd.text import load

    words = load(options.language)
    match options.what:
        case "export":
            return _from_journal(options, words, lambda journal: _exported(journal, words, options))
        case "verify":
            return _examined(options, words, _sound)
        case "claims":
            return _examined(options, words, _claims)
        case "show":
            return _examined(options, words, _show)
    return _from_journal(options, words, lambda journal: _list(journal, words, as_json=options.json))


def _is_number(word: str) -> bool:
    """Whether this is a whole number with fewer than 1000 digits: `int` refuses much longer ones."""
    return word.isascii() and word.isdecimal() and len(word) < 1000


# Out of the journal


def _from_journal(options: argparse.Namespace, words: Phrases, work: Callable[[Journal], int]) -> int:
    from cribd.clock import SystemClock
    from cribd.config.config import ConfigError
    from cribd.storage.archive import ArchiveAway
    from cribd.storage.journal import Journal, JournalDamaged, NotKept

    try:
        path = journal_path(options)
        if not os.path.exists(path):
            return refuse(words.say("command.no_journal", file=path))
        journal = Journal(path, SystemClock())
    except ConfigError as wrong:
        return refuse_problems(wrong.problems, words)
    except (JournalDamaged, NotKept) as wrong:
        return refuse(words.problem(wrong))
    try:
        return work(journal)
    except ConfigError as wrong:
        return refuse_problems(wrong.problems, words)
    except OSError as wrong:
        return refuse(str(wrong))
    except ArchiveAway as wrong:
        return refuse(words.problem(wrong))
    except JournalDamaged as wrong:
        return refuse(words.say("command.journal_damaged", where=wrong.where, why=wrong.reason), code=Exit.PROBLEM)
    finally:
        journal.close()


def _list(journal: Journal, words: Phrases, *, as_json: bool) -> int:
    from cribd.cli.progress import Progress
    from cribd.cli.record_list import as_table
    from cribd.storage.archive import ArchiveAway

    games = journal.games()
    if as_json:
        print(json.dumps([{"game": number, "at": at, "rules": rules} for number, at, rules in games]))
        return Exit.DONE
    headings = journal.headings()
    try:
        begun = [(number, at, headings[number]) for number, at, _ in games]
        with Progress(words) as progress:
            lines = list(as_table(begun, journal.path, words, progress.tell))
        print(*lines, sep="\n")
    except ArchiveAway as away:
        return refuse(words.say("command.journal_damaged", where=journal.path, why=away.args[0]), code=Exit.PROBLEM)
    return Exit.DONE


def _of_game(
    journal: Journal, number: int, words: Phrases, options: argparse.Namespace, work: Callable[[str], int]
) -> int:
    """Call `work` with the record of this game of the journal. A game of a sealed event requires the PIN."""
    from cribboard import record
    from cribd.cli.pin import may_see_sealed
    from cribd.cli.record_check import no_game
    from cribd.storage.archive import Archive

    try:
        stored = journal.game(number)
    except (KeyError, OverflowError):  # no journal counts so far
        return refuse(no_game(number, [game for game, _, _ in journal.games()], words))
    if Archive(journal.path).is_sealed(number) and not may_see_sealed(options, words):
        return refuse(words.say("command.record.is_sealed", game=number))
    return work(record.write(record.Record(stored.heading, stored.game.log)))


def _exported(journal: Journal, words: Phrases, options: argparse.Namespace) -> int:
    return _of_game(journal, options.game, words, options, lambda text: _export(text, words, options))


def _export(text: str, words: Phrases, options: argparse.Namespace) -> int:
    if options.json:
        text = json.dumps({"game": options.game, "record": text}) + "\n"
    if options.file is None or str(options.file) == "-":
        print(text, end="")
        return Exit.DONE
    try:
        options.file.write_text(text, encoding="utf-8")
    except OSError as wrong:
        return refuse(unwritable(options.file, wrong, words))
    return Exit.DONE


# Whether it is whole


def _sound(audit: Audit, words: Phrases, options: argparse.Namespace) -> int:
    heading = audit.record.heading
    result = {"sound": True, "rules": heading.rules.label, "way": str(heading.way), "events": audit.last}
    sentences = [words.count("record.sound", audit.last, file=options.file, rules=heading.rules.label)]
    if lines := audit.otherwise:
        result |= {"ruled_otherwise_today": list(lines)}
        sentences.append(words.count("record.ruled_otherwise", len(lines), lines=", ".join(map(str, lines))))
    say(*([json.dumps(result)] if options.json else sentences))
    return Exit.DONE


def _examined(
    options: argparse.Namespace, words: Phrases, look: Callable[[Audit, Phrases, argparse.Namespace], int]
) -> int:
    """Read and check a record. If it is sound, call `look` with it."""
    from cribd.cli.record_check import Break, as_values, broken, examine, unreadable

    def examined(text: str) -> int:
        found = examine(text)
        if not isinstance(found, Break):
            return look(found, words, options)
        if options.what == "verify":
            result = json.dumps({"sound": False} | as_values(found), ensure_ascii=False)
            say(*([result] if options.json else broken(found, options.file, words)))
            return Exit.PROBLEM
        return refuse(*broken(found, options.file, words), code=Exit.PROBLEM)

    if _is_number(options.file):
        number = int(options.file)
        return _from_journal(options, words, lambda journal: _of_game(journal, number, words, options, examined))
    try:
        text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        return refuse(unreadable(options.file, wrong, words))
    return examined(text)


# A look through it


def _claims(audit: Audit, phrases: Phrases, options: argparse.Namespace) -> int:
    rules = audit.record.heading.rules
    words = phrases.seated(rules.deal_and_play.players, rules.deal_and_play.teams)
    claims = audit.claims()
    if options.json:
        print(json.dumps([_claim_told(claim, rules) for claim in claims]))
        return Exit.DONE
    for claim in claims:
        print(_row(claim, len(rules.sides), words, rules))
    return Exit.DONE


def _row(claim: ClaimMade, sides: int, words: Phrases, rules: Rules) -> str:
    from cribd.text.audit import holes_in_words, rules_in_words
    from cribd.text.verdicts import by_in_words, occasions_in_words, verdict_in_words

    marks = ("×" if claim.undone else "") + ("!" if claim.challenged else "")
    called, due = ("–" if points is None else str(points) for points in (claim.called, claim.due))
    verdict = "–" if claim.verdict is None else verdict_in_words(claim.verdict, words)
    what = occasions_in_words(claim.occasions, words) if claim.against is None else "muggins"
    cards = " ".join(
        dict.fromkeys(words.card(card) for combination in claim.combinations for card in combination.cards)
    )
    holes = holes_in_words(claim, sides, words)
    by = "–"
    if claim.accepted_by is not None:
        by = f"{by_in_words(claim.accepted_by, words, mugged=claim.mugged)} ({claim.accepted_at})"
    grounds = rules_in_words(claim, words, rules)
    left = f"{claim.at:>5}{marks:<2} {claim.deal:>2}  {words.side(claim.side):<6} {called:>2} / {due:>2}"
    row = f"{left}  {verdict:<14} {what:<22} {holes:<22} {cards:<16} {by}"
    return f"{row}  [{grounds}]" if grounds else row


def _claim_told(claim: ClaimMade, rules: Rules) -> dict[str, Any]:
    from cribboard.event_notation import SIDES
    from cribboard.rules import cited

    return {
        "event": claim.at,
        "deal": claim.deal,
        "side": SIDES[claim.side],
        "called": claim.called,
        "due": claim.due,
        "for": [str(occasion) for occasion in claim.occasions],
        "combinations": [
            {
                "kind": str(combination.kind),
                "cards": [str(card) for card in combination.cards],
                "points": combination.points,
            }
            for combination in claim.combinations
        ],
        "verdict": claim.verdict and str(claim.verdict),
        "rule": str(claim.ground),
        "cited": cited(rules, claim.ground),
        "rules": [{"rule": str(ground), "cited": cited(rules, ground)} for ground in claim.grounds],
        "holes": {SIDES[side]: {"gained": claim.gained(side), "lost": claim.lost(side)} for side in rules.sides},
        "moves": [
            {"side": SIDES[move.side], "holes": move.holes, "barred": move.barred, "rule": str(move.ground)}
            for move in claim.moves
        ],
        "against": None if claim.against is None else SIDES[claim.against],
        "challenged": claim.challenged,
        "mugged": claim.mugged,
        "accepted_by": claim.accepted_by and str(claim.accepted_by),
        "accepted_at": claim.accepted_at,
        "undone": claim.undone,
    }


def _show(audit: Audit, phrases: Phrases, options: argparse.Namespace) -> int:
    from cribd.terminal import is_terminal

    try:
        number = _place(audit, options, phrases)
    except LookupError as nowhere:
        return refuse(str(nowhere.args[0]))
    if options.json:
        print(json.dumps(_told(audit, number, phrases), ensure_ascii=False))
        return Exit.DONE
    if is_terminal():
        return _step_through(audit, 0 if number is None else number, phrases)
    _print(audit, audit.last if number is None else number, phrases)
    return Exit.DONE


def _place(audit: Audit, options: argparse.Namespace, words: Phrases) -> int | None:
    """The number of the log entry that the options point to, or None. Raises LookupError with a sentence."""
    from cribboard.event_notation import SIDES
    from cribd.cli import record_check

    if options.at is not None:
        if not 0 <= options.at <= audit.last:
            raise LookupError(record_check.no_event(options.at, audit.last, words))
        return audit.end_of(options.at)
    if options.deal is not None:
        found = audit.deal(options.deal)
        if found is None:
            raise LookupError(record_check.no_deal(options.deal, audit.view(audit.last).deal, words))
        return found
    if options.hole is None:
        return None
    sides = SIDES[: len(audit.record.heading.rules.sides)]
    side, _, hole = options.hole.partition(":")
    if side not in sides or not _is_number(hole):
        raise LookupError(record_check.no_such_place(options.hole, sides, words))
    found = audit.hole(sides.index(side), int(hole))
    if found is None:
        raise LookupError(record_check.never_there(hole, sides.index(side), audit.holes(sides.index(side)), words))
    return found


def _told(audit: Audit, number: int | None, phrases: Phrases) -> dict[str, Any]:
    from cribd.text.audit import describe

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
        "said": list(describe(audit, number, phrases)),
    }


def _print(audit: Audit, number: int, phrases: Phrases) -> None:
    from cribd.text.audit import describe

    print("\n".join(describe(audit, number, phrases)))


def _step_through(audit: Audit, number: int, phrases: Phrases) -> int:
    """Let a person at a terminal step through the game."""
    from cribd.terminal import single_keys
    from cribd.text.audit import keys, no_further

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
    return Exit.DONE


def _keys() -> Iterable[str]:
    """Yield the keys up to q: single letters, and whole numbers that end with Enter."""
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
    """The event to which a key moves; None if there is none."""
    match key:
        case "n" | " " | "\n":
            return audit.after(number) if number < audit.last else None
        case "p":
            return audit.before(number) if number > 0 else None
        case "d":
            return audit.next_deal(number)
        case "c":
            return audit.next_disputed(number)
        case _ if _is_number(key):
            return audit.end_of(int(key)) if int(key) <= audit.last else None
    return number
