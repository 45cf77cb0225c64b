"""Writes what each press does as codes, events and numbers, in no language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.support.presses.moments import Chapter, Moment, Press, chapters
from tests.support.presses.outcome import Row, outcome_of, rows
from tests.support.presses.screen_text import lines_on_screen

from cribboard.event_notation import Spelling
from cribboard.rules import Way
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import CountJudgeMode, Lobby, Menu, NamingDealer, OfficialMode, ReviewMode, Snapshot
from cribd.text import load as phrases_in

#: Of the screen its main line, and what stands below it: why a press is refused, and what helps.
_LINES = 3


def all_presses() -> str:
    """A block a moment, a line a press. Ways in which a press does the same share its line."""
    return "\n".join(line for chapter in chapters() for line in _chapter(chapter)) + "\n"


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield f"# {chapter.title}"
    for moment in chapter.moments:
        yield f"## {moment.title} ({moment.rules}, {moment.board})"
        for press in moment.presses:
            for ways, done in _done(moment, press):
                yield f"{press.step} [{' '.join(ways)}] {done}"
    yield ""


def _done(moment: Moment, press: Press) -> list[tuple[list[Way], str]]:
    same: dict[str, list[Way]] = {}
    for way in moment.ways:
        same.setdefault(_what_it_does(Row(moment, way, press)), []).append(way)
    return [(ways, done) for done, ways in same.items()]


def _what_it_does(row: Row) -> str:
    """The events, or the code of the refusal, and then what the table asks: `-` where that is as before."""
    outcome = outcome_of(row, "en")
    view, refusal = outcome.after.view, outcome.after.refusal
    spelling = Spelling(sides=2 if view is None else len(view.sides))
    done = [spelling.write(event) for event in outcome.events]
    if refusal is not None:
        done.append(f"refused {refusal.code}")
    unchanged = replace(outcome.after, refusal=None) == outcome.before
    return f"{'; '.join(done) or 'no event'} => {'-' if unchanged else state(outcome.after)}"


def all_screens(language: str) -> str:
    """The first lines of every screen that a press leads to in this language, each pair once."""
    phrases = phrases_in(language)
    shown = (lines_on_screen(outcome_of(row, language).after, phrases)[:_LINES] for row in rows())
    return "".join(f"{line}\n" for line in dict.fromkeys(" / ".join(lines) for lines in shown))


def state(snapshot: Snapshot) -> str:
    """Who has the presses, and what is asked."""
    match snapshot.mode:
        case Lobby() as lobby:
            return f"lobby {lobby}"
        case Menu() as menu:
            values = " ".join(f"{key}={_value(value)}" for key, value in sorted(menu.current.values.items()))
            return f"menu {menu.current.line} {values}".strip()
        case CountJudgeMode(judge, rules, called, page):
            asked = "" if called is None else f" called={called.number} page={page}"
            cards = " ".join(map(str, judge.cards)) or "no card"
            return f"count judge: {judge.counted} {cards} {rules.title}{asked}"
        case ReviewMode() as looking:
            return f"look back {looking.view.number} of {looking.last}"
        case OfficialMode(side):
            return f"official for {side}"
        case NamingDealer(seat):
            return f"naming seat {seat}"
    if snapshot.view is None:
        return "no game"
    prompt = snapshot.view.prompt
    asked = "" if prompt.side is None else f" {prompt.side}"
    pegs = " ".join(f"{side.score}{'' if side.in_hand is None else f'+{side.in_hand}'}" for side in snapshot.view.sides)
    return f"{prompt.kind}{asked} ({pegs})"


def _value(value: object) -> str:
    return value.title if isinstance(value, RuleSet) else str(value)
