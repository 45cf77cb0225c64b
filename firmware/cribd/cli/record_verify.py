"""Checks whether a record is sound, and finds its first error.

`verify_record` is pure: a text goes in; the game, judged again, or the place where the record breaks comes out. The
checks, in order: the file (cut short, a line missing, lines out of order), the spelling, the rules, the chain.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from typing import Any

from cribboard import record
from cribboard.actions import IllegalAction
from cribboard.cards import NotationError
from cribboard.events import Acted, Event
from cribboard.game import Game
from cribd.cli.errors import CommandRefused, Exit
from cribd.table.snapshot import Refusal
from cribd.text import Phrases, load
from cribd.text.audit import Audit

CHAIN = "Chain:"
#: The length of the last line of a record: the word and 64 hexadecimal digits.
_CHAIN_LENGTH = len(f"{CHAIN} ") + 64


class RecordErrorKind(StrEnum):
    SHORT = "short"
    SHORT_HEADING = "short_heading"
    SHORT_CHAIN = "short_chain"
    MISSING = "missing"
    MISSING_SEVERAL = "missing_several"
    SWAPPED = "swapped"
    MOVED = "moved"
    TWICE = "twice"
    MISNUMBERED = "misnumbered"
    FORM = "form"
    DUE = "due"
    NOT_ALLOWED = "not_allowed"
    LINES = "lines"
    CHAIN = "chain"


@dataclass(frozen=True, slots=True)
class FirstRecordError:
    """The first error of a record, with its line.

    `line` is the number of the line and `text` its text. `wrong` is the kind of the error, `values` the values of its
    message. `chain`: the chain does not fit either. `before`: the file is cut short, and this line above breaks by its
    rules.
    """

    line: int
    text: str
    wrong: RecordErrorKind
    values: Mapping[str, Any] = field(default_factory=dict)
    chain: FirstRecordError | None = None
    before: FirstRecordError | None = None


def verify_record(text: str) -> Audit | FirstRecordError:
    """Return the audit of a sound record, or the first error."""
    lines = list(enumerate(text.replace("\r\n", "\n").split("\n"), start=1))
    heading = list(takewhile(lambda line: line[1], lines))
    body = [line for line in lines[len(heading) :] if line[1].strip()]
    if heading and heading[0][1] == record.FORM and (found := _cut_short(heading, body) or _out_of_order(body)):
        return found
    try:
        read = record.read(text)
    except record.RecordError as wrong:
        if not str(wrong.text).startswith(CHAIN) or wrong.line != body[-1][0]:
            return _spelling_break(wrong)
        chain = FirstRecordError(wrong.line, str(wrong.text), RecordErrorKind.CHAIN)
        by_rules = _by_rules(heading, body[:-1])
        return chain if by_rules is None else replace(by_rules, chain=chain)
    judged = _judged(read, body)
    if isinstance(judged, FirstRecordError):
        return judged
    return Audit(read, judged, otherwise=tuple(body[number - 1][0] for number in record.ruled_otherwise(read)))


# The file


_Line = tuple[int, str]


def _cut_short(heading: Sequence[_Line], body: Sequence[_Line]) -> FirstRecordError | None:
    if not body:
        return FirstRecordError(*heading[-1], RecordErrorKind.SHORT_HEADING)
    at, last = body[-1]
    if last.startswith(CHAIN):
        return FirstRecordError(at, last, RecordErrorKind.SHORT_CHAIN) if len(last) < _CHAIN_LENGTH else None
    if any(line.startswith(CHAIN) for _, line in body):
        return None
    if isinstance(_events(heading, body[-1:]), FirstRecordError):  # the last line is no whole line of an event
        body = body[:-1]
    number = _number(body[-1][1]) if body else None
    before = _out_of_order(body) or _by_rules(heading, body, cut=True)
    return FirstRecordError(at, last, RecordErrorKind.SHORT, {"number": number or 0}, before=before)


def _out_of_order(body: Sequence[_Line]) -> FirstRecordError | None:
    """Find the first event with a wrong number."""
    lines = [(at, line) for at, line in body if not line.startswith(CHAIN)]
    numbers = [_number(line) for _, line in lines]
    for at, number in enumerate(numbers):
        if number is None:
            return None  # no line of an event: its spelling is checked later
        if number != at + 1:
            return FirstRecordError(*lines[at], *_order_error(lines, numbers, at + 1))
    return None


def _order_error(
    lines: Sequence[_Line], numbers: Sequence[int | None], wanted: int
) -> tuple[RecordErrorKind, dict[str, Any]]:
    """Return the kind and values of the error at event `wanted`."""
    at = wanted - 1
    number, following = numbers[at], numbers[at + 1 : at + 2]
    assert number is not None
    if following == [wanted + 1] and wanted not in numbers:
        return RecordErrorKind.MISNUMBERED, {"first": wanted, "said": number}
    if number < wanted:
        return RecordErrorKind.TWICE, {"first": number}
    if wanted in numbers[at:]:
        there = numbers.index(wanted, at)
        if number - 1 == there:
            return RecordErrorKind.SWAPPED, {"first": wanted, "last": number}
        return RecordErrorKind.MOVED, {"first": wanted, "there": lines[there][0]}
    present = {number for number in numbers[at:] if number is not None}
    last = max(takewhile(lambda number: number not in present, range(wanted, number)))
    if last == wanted:
        return RecordErrorKind.MISSING, {"first": wanted}
    return RecordErrorKind.MISSING_SEVERAL, {"first": wanted, "last": last}


def _number(line: str) -> int | None:
    word = line.split(maxsplit=1)[0]
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else None


# The rules


def _by_rules(heading: Sequence[_Line], body: Sequence[_Line], *, cut: bool = False) -> FirstRecordError | None:
    """Find the first misspelled line, or else the first illegal event.

    The chain is not checked. `cut`: skip the last act, which may be incomplete."""
    events = _events(heading, body)
    if isinstance(events, FirstRecordError):
        return events
    if cut:
        last_act = max((at for at, event in enumerate(events) if isinstance(event, Acted)), default=0)
        events = events[:last_act]
    head = record.read_heading("\n".join(line for _, line in heading))
    judged = _judged(record.Record(head, tuple(events)), body)
    return judged if isinstance(judged, FirstRecordError) else None


def _events(heading: Sequence[_Line], body: Sequence[_Line]) -> list[Event] | FirstRecordError:
    events: list[Event] = []
    try:
        head = record.read_heading("\n".join(line for _, line in heading))
    except record.RecordError as wrong:
        return _spelling_break(wrong)
    for at, line in body:
        try:
            events.append(head.spelling.read(line.strip().partition(" ")[2].strip()))
        except NotationError as wrong:
            return _spelling_break(record.unreadable(at, wrong, line))
    return events


#: The codes of `RecordError` for what breaks the rules of the game.
_BY_RULES = {"not_allowed": RecordErrorKind.NOT_ALLOWED, "due": RecordErrorKind.DUE, "lines": RecordErrorKind.LINES}


def _judged(read: record.Record, body: Sequence[_Line]) -> Game | FirstRecordError:
    """Return the game, judged again, or its first error."""
    try:
        return record.judge(read)
    except record.RecordError as wrong:
        event = wrong.line - len(read.heading.lines()) - 2
        line = body[event][0] if 0 <= event < len(body) else wrong.line
        if wrong.code in _BY_RULES:
            return FirstRecordError(line, str(wrong.text), _BY_RULES[wrong.code], wrong.values)
        return replace(_spelling_break(wrong), line=line)


def _spelling_break(wrong: record.RecordError) -> FirstRecordError:
    return FirstRecordError(
        wrong.line, str(wrong.text), RecordErrorKind.FORM, {**wrong.values, "reason": wrong.reason, "code": wrong.code}
    )


# In words


def reason_in_words(found: FirstRecordError, words: Phrases) -> str:
    """Describe the error, as a part of a sentence."""
    refused = found.values.get("refused")
    if isinstance(refused, IllegalAction):
        why = words.refusal(Refusal(refused.code, refused.values))[0].rstrip(".")
        return words.say("record.not_allowed", why=why)
    if found.wrong is RecordErrorKind.LINES:
        return words.count("record.lines", found.values["due"], written=found.values["written"])
    if found.wrong is RecordErrorKind.FORM:
        code = found.values["code"]
        spelling = words.say(f"record.form.{code}", **found.values) if code in FORMS else str(found.values["reason"])
        return words.say("record.form", reason=spelling)
    return words.say(f"record.{found.wrong.value}", **found.values)


#: The codes of `RecordError` for a line that is not spelled as in a record and that have a phrase.
FORMS = ("begins", "chain_last", "dealer", "keys", "lacks", "no_event", "number", "otherwise", "template", "way")


def error_lines(found: FirstRecordError, file: str, words: Phrases) -> list[str]:
    """Return the lines that describe the first error."""
    lines = list(_at(found, file, words))
    if found.chain is not None:
        lines.append(words.say("record.chain_too", line=found.chain.line))
    elif found.wrong is RecordErrorKind.CHAIN:
        lines.append(words.say("record.chain_alone"))
    elif found.before is not None:
        lines += _at(found.before, file, words)
    elif found.wrong is RecordErrorKind.SHORT:
        lines.append(words.say("record.up_to_there"))
    return lines


def _at(found: FirstRecordError, file: str, words: Phrases) -> Iterator[str]:
    yield words.say("record.at", file=file, line=found.line, reason=reason_in_words(found, words))
    if text := found.text.strip():
        yield f"    {text}"


def as_values(found: FirstRecordError) -> dict[str, Any]:
    """Convert the first error of a record to JSON values."""
    payload: dict[str, Any] = {"line": found.line, "text": found.text.strip(), "wrong": found.wrong.value}
    payload["reason"] = reason_in_words(found, load("en"))
    if found.chain is not None:
        payload["chain"] = as_values(found.chain)
    if found.before is not None:
        payload["before"] = as_values(found.before)
    return payload


def checked_audit(text: str, file: str, words: Phrases, code: Exit = Exit.CANNOT) -> Audit:
    """Check a record and return the audit of its game.

    Raises `CommandRefused` with `code` if the record is not sound."""
    found = verify_record(text)
    if isinstance(found, FirstRecordError):
        raise CommandRefused(*error_lines(found, file, words), code=code)
    return found


def read_record(file: str, words: Phrases) -> str:
    """Read the text of a record; `-` is the standard input. Raises `CommandRefused`."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise CommandRefused(unreadable(file, wrong, words)) from wrong


def unreadable(file: str, wrong: Exception, words: Phrases) -> str:
    """Return a sentence that says why a file cannot be read."""
    match wrong:
        case FileNotFoundError() | NotADirectoryError():
            return words.say("record.no_file", file=file)
        case IsADirectoryError():
            return words.say("record.a_folder", file=file)
        case PermissionError():
            return words.say("record.not_yours", file=file)
        case UnicodeDecodeError():
            return words.say("record.no_text", file=file)
    return words.say("record.unreadable", file=file, why=getattr(wrong, "strerror", None) or str(wrong))
