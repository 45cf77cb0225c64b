"""Writes the Markdown of `docs/playing.md`: a table a chapter, a row a moment, and a table of the refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill

from tools.playing.answers import NOTHING
from tools.playing.moments import Chapter, Moment, chapters
from tools.playing.outcome import Outcome, Row, outcome_of, rows
from tools.playing.screen_text import lines_on_screen

from cribboard.rules import Way
from cribd.languages import languages
from cribd.table.snapshot import Refusal, Snapshot
from cribd.text import load as phrases_in

_WIDTH = 120
#: Of the screen its main line, and the line below it.
_LINES = 2
_HEAD = """\
# Playing

Who presses what, when, and what the board answers.

<!-- Made by `python -m tools.playing docs/playing.md` from the board's own answers. -->

Each side, blue and red, and green where three play, has its own track of holes, each hole a button, and three keys:
**GO**, **OK** and **CHALLENGE**. **UNDO** and **MENU** are there once, for all. A press on your own track takes your
peg *in hand*: the hole blinks, and another hole moves it there. It is *let go* by the same hole again, by your own OK
or another side's, by a press of another side on its own track, or by the next card; then the front peg stands in the
new hole, and the old front peg is the back peg.

A table scores in one of three ways, chosen in the menu:

- **Trust**: nobody scans a card. What is called is pegged, and it is the truth.
- **Verify**: cards are scanned as they are cut, turned and laid. Players call their points, and the board compares the
  call with the cards once the peg is let go. Too many is set to the truth; of too few the rest is lost. Some rules
  have it keep silent until the other side has answered: see *Where the board keeps silent*.
- **Auto**: cards are scanned, and the board counts and pegs.

The first chapters play *six-card*, for two; the later ones tell of every other rule set what it has that six-card has
not. What the rules themselves are stands in [Rules](rules.md). Blue is *pone* and red deals, unless it says otherwise.

Each row is a moment, with the ways to score in which it comes, and what the screen asks then. Each press is tried at
that moment; a hole is named by its number and by how far it is from the front peg. Behind the answer stand the first
two lines of the screen, in English and in French. A press that is refused changes nothing, and sounds different; the
screen says why, as [the last table](#refusals) has it in both languages.
"""
_REFUSALS = """\
## Refusals

What the screen says when it refuses a press: why, and then, where there is room, what helps. A card, a count or a name
is that of the first row above.
"""
_SCREEN = {"en": "The screen", "fr_CA": "L’écran"}


def page(progress: Callable[[str], None] = lambda _: None) -> str:
    """The page, from its first line to its last. `progress` is told of each chapter before it is played."""
    lines = [_HEAD]
    for number, chapter in enumerate(chapters(), 1):
        progress(f"chapter {number} of {len(chapters())}: {chapter.title}")
        lines += _chapter(chapter)
    return "\n".join([*lines, _REFUSALS, *_refusals(), ""])


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield from (f"## {chapter.title}", "", fill(chapter.told, _WIDTH), "")
    yield "| Moment | Press and answer | Refused |"
    yield "| --- | --- | --- |"
    for moment in chapter.moments:
        answered, refused = _presses(moment)
        yield f"| {'<br>'.join(_head(moment))} | {'<br>'.join(answered)} | {'<br>'.join(refused)} |"
    yield ""


def _head(moment: Moment) -> Iterator[str]:
    """The moment's title and ways, what is told of it, and what the screen asks."""
    yield f"**{moment.title}** ({_ways(moment.ways)})"
    if moment.told:
        yield moment.told
    asked: dict[str, list[Way]] = {}
    for way in moment.ways:
        before = [came.before for came in _outcomes(Row(moment, way, moment.presses[0]))]
        asked.setdefault(" · ".join(f"*{_lines(each)[0]}*" for each in before), []).append(way)
    for lines, ways in asked.items():
        yield lines if len(asked) == 1 else f"{_ways(ways)}: {lines}"


def _presses(moment: Moment) -> tuple[list[str], list[str]]:
    """What is answered and what is refused. Presses with the same answer are told together, and so are ways."""
    told: dict[tuple[tuple[Way, ...], bool, str], list[str]] = {}
    for press in moment.presses:
        ways: dict[tuple[str, bool, str], list[Way]] = {}
        for way in moment.ways:
            row = Row(moment, way, press)
            ways.setdefault((pressed_in(row), is_refused(row), answer_in(row)), []).append(way)
        for (pressed, refused, answer), those in ways.items():
            told.setdefault((tuple(those), refused, answer), []).append(pressed)
    columns: tuple[list[str], list[str]] = [], []
    for (those_ways, refused, answer), presses in told.items():
        which = "" if those_ways == moment.ways else f", {_ways(those_ways)}"
        columns[refused].append(f"**{_capital('; '.join(presses))}**{which}: {answer}")
    return columns


def pressed_in(row: Row) -> str:
    """The press of a row in words, with its note."""
    return _outcomes(row)[0].pressed + (f" ({row.press.note})" if row.press.note else "")


def is_refused(row: Row) -> bool:
    """Whether the board refuses the press and does nothing else."""
    came = _outcomes(row)[0]
    return came.answer == NOTHING and came.after.refusal is not None


def answer_in(row: Row) -> str:
    """What the press did, and the first lines of the screen in each language; or why it was refused, in English."""
    came = _outcomes(row)
    if is_refused(row) and came[0].after.refusal is not None:
        return _refusal(came[0], came[0].after.refusal)[0]
    screens = (f"*{' / '.join(_lines(each.after)[:_LINES])}*" for each in came)
    return f"{came[0].answer} {' · '.join(screens)}"


def _refusals() -> Iterator[str]:
    """A row for each refusal that a row of the page meets, a column a language."""
    told: dict[str, tuple[str, ...]] = {}
    for row in rows():
        came = _outcomes(row)
        if (refusal := came[0].after.refusal) is not None:
            told.setdefault(refusal.code, tuple("<br>".join(_refusal(each, refusal)) for each in came))
    yield f"| {' | '.join(_SCREEN.get(language, language) for language in languages())} |"
    yield f"|{' --- |' * len(languages())}"
    for lines in told.values():
        yield f"| {' | '.join(lines)} |"


def _refusal(came: Outcome, refusal: Refusal) -> list[str]:
    phrases = phrases_in(came.after.language).seated_for(came.after.view)
    return list(phrases.refusal(refusal))


def _outcomes(row: Row) -> list[Outcome]:
    return [outcome_of(row, language) for language in languages()]


def _lines(snapshot: Snapshot) -> Sequence[str]:
    return lines_on_screen(snapshot, phrases_in(snapshot.language))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _ways(ways: Sequence[Way]) -> str:
    return "any" if len(ways) == len(Way) else ", ".join(ways)
