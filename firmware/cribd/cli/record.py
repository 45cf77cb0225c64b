"""`cribboard record`: shows and checks the records of games.

Reads the journal and never writes it. The command judges a record again before it shows anything of it. Exit codes: 0
done, 1 the record or the journal is damaged, 2 the command cannot do it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from cribboard import record
from cribboard.event_notation import SIDES
from cribboard.ledger import ClaimMade
from cribboard.rules import Rules, cited
from cribd.cli.errors import CommandRefused, Exit, unwritable
from cribd.cli.options import add_journal, add_json, add_language, journal_path
from cribd.cli.pin import add_pin_file, may_see_sealed
from cribd.cli.progress import progress_bar
from cribd.cli.record_list import as_table
from cribd.cli.record_verify import FirstRecordError, as_values, checked_audit, error_lines, read_record, verify_record
from cribd.clock import SystemClock
from cribd.storage.archive import Archive, ArchiveAway
from cribd.storage.journal import Journal, JournalAway, JournalDamaged
from cribd.terminal import complain, is_terminal, say, single_keys
from cribd.text import Phrases
from cribd.text.audit import Audit, describe, holes_in_words, keys, no_further, rules_in_words
from cribd.text.verdicts import by_in_words, occasions_in_words, verdict_in_words


def add_options(parser: argparse.ArgumentParser) -> None:
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
        default: dict[str, Any] = {} if command is parser else {"default": argparse.SUPPRESS}
        add_language(command)
        add_journal(command, **default)
        add_pin_file(command, **default)
        add_json(command, **default)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Show or check the records of games. Returns the exit code."""
    match options.what:
        case "export":
            return _export(_text_of_game(options.game, options, words), words, options)
        case "verify":
            return _verify(_text(options, words), words, options)
        case "claims" | "show":
            audit = checked_audit(_text(options, words), options.file, words, Exit.PROBLEM)
            return (_claims if options.what == "claims" else _show)(audit, words, options)
    return _list(words, options)


def _is_number(word: str) -> bool:
    """Whether this is a whole number of fewer than 1000 digits.

    `int` refuses very long numbers."""
    return word.isascii() and word.isdecimal() and len(word) < 1000


# From the journal


@contextmanager
def _opened(options: argparse.Namespace, words: Phrases) -> Iterator[Journal]:
    """Open the journal for reading in the `with` block. Raises `CommandRefused`.

    Reading that fails in the block raises it too."""
    path = journal_path(options)
    if not os.path.exists(path):
        raise CommandRefused(words.say("command.no_journal", file=path))
    try:
        journal = Journal(path, SystemClock(), write=False)
    except (JournalDamaged, JournalAway) as wrong:
        raise CommandRefused(words.problem(wrong)) from wrong
    try:
        with closing(journal):
            if journal.loss is not None:
                complain(f"{words.problem(journal.loss)}.")
            yield journal
    except JournalDamaged as wrong:
        damaged = words.say("command.journal_damaged", where=wrong.where, why=wrong.reason)
        raise CommandRefused(damaged, code=Exit.PROBLEM) from wrong
    except ArchiveAway as wrong:
        raise CommandRefused(words.problem(wrong)) from wrong
    except OSError as wrong:
        raise CommandRefused(str(wrong)) from wrong


def _list(words: Phrases, options: argparse.Namespace) -> int:
    with _opened(options, words) as journal:
        games = journal.games()
        if options.json:
            print(json.dumps([{"game": number, "at": at, "rules": rules} for number, at, rules in games]))
            return Exit.DONE
        headings = journal.headings()
        begun = [(number, at, headings[number]) for number, at, _ in games]
        try:
            with progress_bar(words) as report:
                lines = list(as_table(begun, journal.path, words, report))
        except ArchiveAway as away:
            damaged = words.say("command.journal_damaged", where=journal.path, why=away.args[0])
            raise CommandRefused(damaged, code=Exit.PROBLEM) from away
    print(*lines, sep="\n")
    return Exit.DONE


def _text_of_game(number: int, options: argparse.Namespace, words: Phrases) -> str:
    """Return a game's record; a sealed game requires the PIN."""
    with _opened(options, words) as journal:
        try:
            stored = journal.game(number)
        except (KeyError, OverflowError):  # no journal counts so far
            games = ", ".join(str(game) for game, _, _ in journal.games())
            code = "record.no_game" if games else "record.no_games"
            raise CommandRefused(words.say(code, game=number, games=games)) from None
        if Archive(journal.path).is_sealed(number) and not may_see_sealed(options, words):
            raise CommandRefused(words.say("command.record.is_sealed", game=number))
        return record.write(record.Record(stored.heading, stored.game.log))


def _text(options: argparse.Namespace, words: Phrases) -> str:
    """Return the record from the journal or a file.

    `options.file` is the number of the game or the path of the file."""
    if _is_number(options.file):
        return _text_of_game(int(options.file), options, words)
    return read_record(options.file, words)


def _export(text: str, words: Phrases, options: argparse.Namespace) -> int:
    if options.json:
        text = json.dumps({"game": options.game, "record": text}) + "\n"
    if options.file is None or str(options.file) == "-":
        print(text, end="")
        return Exit.DONE
    try:
        options.file.write_text(text, encoding="utf-8")
    except OSError as wrong:
        raise CommandRefused(unwritable(options.file, wrong, words)) from wrong
    return Exit.DONE


def _verify(text: str, words: Phrases, options: argparse.Namespace) -> int:
    """Print whether the record is sound. Returns the exit code."""
    audit = verify_record(text)
    if isinstance(audit, FirstRecordError):
        result = json.dumps({"sound": False} | as_values(audit), ensure_ascii=False)
        say(*([result] if options.json else error_lines(audit, options.file, words)))
        return Exit.PROBLEM
    heading = audit.record.heading
    payload = {"sound": True, "rules": heading.rules.label, "way": heading.way, "events": audit.last}
    sentences = [words.count("record.sound", audit.last, file=options.file, rules=heading.rules.label)]
    if lines := audit.otherwise:
        payload |= {"ruled_otherwise_today": lines}
        sentences.append(words.count("record.ruled_otherwise", len(lines), lines=", ".join(map(str, lines))))
    say(*([json.dumps(payload)] if options.json else sentences))
    return Exit.DONE


# A look through it


def _claims(audit: Audit, phrases: Phrases, options: argparse.Namespace) -> int:
    rules = audit.record.heading.rules
    words = phrases.seated(rules.deal_and_play.players, rules.deal_and_play.teams)
    claims = audit.claims()
    if options.json:
        print(json.dumps([_claim_as_values(claim, rules) for claim in claims]))
        return Exit.DONE
    for claim in claims:
        print(_row(claim, len(rules.sides), words, rules))
    return Exit.DONE


def _row(claim: ClaimMade, sides: int, words: Phrases, rules: Rules) -> str:
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


def _claim_as_values(claim: ClaimMade, rules: Rules) -> dict[str, Any]:
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


def _show(audit: Audit, words: Phrases, options: argparse.Namespace) -> int:
    number = _place(audit, options, words)
    if is_terminal() and not options.json:
        return _step_through(audit, number or 0, words)
    number = audit.last if number is None else number
    if not options.json:
        print(*describe(audit, number, words), sep="\n")
        return Exit.DONE
    view = audit.view(number)
    payload = {
        "event": number,
        "last": audit.last,
        "deal": view.deal,
        "scores": [side.score for side in view.sides],
        "back": [side.back for side in view.sides],
        "act": [audit.record.heading.spelling.write(event) for event in audit.act(number)],
        "said": describe(audit, number, words),
    }
    print(json.dumps(payload, ensure_ascii=False))
    return Exit.DONE


def _place(audit: Audit, options: argparse.Namespace, words: Phrases) -> int | None:
    """Return the number of the event to show, or None. Raises `CommandRefused`."""
    if options.at is not None:
        if not 0 <= options.at <= audit.last:
            raise CommandRefused(words.say("record.no_event", number=options.at, last=audit.last))
        return audit.end_of(options.at)
    if options.deal is not None:
        found = audit.deal(options.deal)
        if found is None:
            raise CommandRefused(words.say("record.no_deal", number=options.deal, last=audit.view(audit.last).deal))
        return found
    if options.hole is None:
        return None
    sides = SIDES[: len(audit.record.heading.rules.sides)]
    name, _, hole = options.hole.partition(":")
    if name not in sides or not _is_number(hole):
        allowed = {"sides": ", ".join(sides), "example": "blue:46"}
        raise CommandRefused(words.say("record.no_such_place", asked=options.hole, **allowed))
    side = sides.index(name)
    found = audit.hole(side, int(hole))
    if found is None:
        stood = ", ".join(map(str, audit.holes(side)))
        raise CommandRefused(words.say("record.never_there", hole=hole, side=words.side(side), stood=stood))
    return found


def _step_through(audit: Audit, number: int, words: Phrases) -> int:
    """Let a person at a terminal step through the game."""
    with single_keys():
        print(*describe(audit, number, words), f"\n{keys(words)}", sep="\n", flush=True)
        for key in _keys():
            found = _pressed(audit, number, key)
            if found is None:
                print(no_further(words), flush=True)
                continue
            number = found
            print("", *describe(audit, number, words), sep="\n", flush=True)
    return Exit.DONE


def _keys() -> Iterable[str]:
    """Yield the typed keys and whole numbers until q."""
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
    """Return the event to show after this key, or None."""
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
