"""Makes the text of `docs/playing.md`: chapters, moments, and a table of presses for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import fill

from tools.playing.around_the_game import MENU, MISDEAL, SWITCHING_ON, TWO_LAPS, UNDO, WIN
from tools.playing.choosing import CHOOSING
from tools.playing.counting import THE_CRIB, THE_SHOW, TRUSTING
from tools.playing.fadoq import FADOQ
from tools.playing.five_card import FIVE_CARD
from tools.playing.glimpse import lines_on_screen
from tools.playing.judge import COUNT_JUDGE
from tools.playing.looking import LOOK_BACK
from tools.playing.moment import Chapter, Moment, Press
from tools.playing.other_clubs import ACC, BRITANNICA, JEUX_50
from tools.playing.outcome import Outcome, outcome
from tools.playing.partners import PARTNERS, SIX_PLAYERS
from tools.playing.playing_cards import CUT, DEAL, GO, PLAY
from tools.playing.presses import read
from tools.playing.refereed import FALSE_GO, HELP, MUGGINS, OFFICIAL, SILENT, UNREAD
from tools.playing.three_players import THREE_PLAYERS

from cribboard.rules import RULES, Way
from cribd.boards import load
from cribd.languages import languages
from cribd.table.menu import Settings
from cribd.table.snapshot import Snapshot
from cribd.text import load as phrases_in

CHAPTERS: tuple[Chapter, ...] = (
    SWITCHING_ON, CUT, DEAL, PLAY, GO, THE_SHOW, THE_CRIB, TRUSTING, WIN, UNDO, MISDEAL, MENU, COUNT_JUDGE, LOOK_BACK,
    TWO_LAPS, CHOOSING, THREE_PLAYERS, PARTNERS, SIX_PLAYERS, FADOQ, FIVE_CARD, BRITANNICA, JEUX_50, ACC,
    SILENT, MUGGINS, FALSE_GO, UNREAD, HELP, OFFICIAL,
)  # fmt: skip

_WIDTH = 120
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
not. What the rules themselves are stands in [Rules](rules.md). In the tables blue is *pone* and red deals, unless it
says otherwise. A hole is named by its number and by how far it is
from the front peg. The screen says in its largest line (here in bold) who must do what now; below it stands what just
happened, or, dark on bright, why nothing did. A press that is refused changes nothing, and sounds different.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One press at one moment of one way: what a row of the page tells."""

    moment: Moment
    way: Way
    press: Press

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(self.moment.steps.split())

    def __str__(self) -> str:
        return f"{self.moment.title}, {self.way}: {self.press.step}"


@cache
def outcome_of(row: Row, language: str) -> Outcome:
    """What the press of this row comes to on a board that speaks this language."""
    chosen = Settings(rules=RULES[row.moment.rules], way=row.way, language=language)
    return outcome(load(row.moment.board), chosen, [read(step) for step in row.steps], read(row.press.step))


def rows() -> tuple[Row, ...]:
    """Every row."""
    return tuple(
        Row(moment, way, press)
        for chapter in CHAPTERS
        for moment in chapter.moments
        for press in moment.presses
        for way in moment.ways
    )


def page() -> str:
    """The page, from its first line to its last."""
    contents = [f"- [{chapter.title}](#{_anchor(chapter.title)})" for chapter in CHAPTERS]
    return "\n".join([_HEAD, *contents, "", *(line for chapter in CHAPTERS for line in _chapter(chapter))])


def _anchor(title: str) -> str:
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield from (f"## {chapter.title}", "", fill(chapter.told, _WIDTH), "")
    for moment in chapter.moments:
        yield from _moment(moment)


def _moment(moment: Moment) -> Iterator[str]:
    yield from (f"### {moment.title}", "")
    if moment.told:
        yield from (fill(moment.told, _WIDTH), "")
    asked: dict[tuple[str, ...], list[Way]] = {}
    for way in moment.ways:
        came = [outcome_of(Row(moment, way, moment.presses[0]), language) for language in languages()]
        asked.setdefault(tuple(_screen(each.before)[0] for each in came), []).append(way)
    for lines, those in asked.items():
        which = f" ({_ways(those)})" if len(asked) > 1 else ""
        yield from (f"The screen says{which}: " + " · ".join(f"**{line}**" for line in lines), "")
    with_ways = len(moment.ways) > 1
    yield f"| You press |{' Way |' if with_ways else ''} What happens | The screen | L’écran |"
    yield f"| --- |{' --- |' if with_ways else ''} --- | --- | --- |"
    for pressed, ways, happened, screens in _told(moment):
        which = f" {_ways(ways)} |" if with_ways else ""
        yield f"| {pressed} |{which} {happened} | {' | '.join(screens)} |"
    yield ""


_Told = tuple[str, Sequence[Way], str, tuple[str, ...]]


def _told(moment: Moment) -> Iterator[_Told]:
    """The rows of a moment's table: ways with the same answer are one row, and so are presses with the same answer."""
    answered: dict[tuple[tuple[Way, ...], str, tuple[str, ...]], list[str]] = {}
    for press in moment.presses:
        ways: dict[tuple[str, tuple[str, ...], str], list[Way]] = {}
        for way in moment.ways:
            came = [outcome_of(Row(moment, way, press), language) for language in languages()]
            screens = tuple(_cell(_screen(each.after)) for each in came)
            words = came[0].pressed + (f" ({press.note})" if press.note else "")
            ways.setdefault((came[0].happened, screens, words), []).append(way)
        for (happened, screens, words), those in ways.items():
            answered.setdefault((tuple(those), happened, screens), []).append(words)
    for (those_ways, happened, screens), pressed in answered.items():
        words = "; ".join(pressed)
        yield words[0].upper() + words[1:], those_ways, happened, screens


def _screen(snapshot: Snapshot) -> tuple[str, ...]:
    return lines_on_screen(snapshot, phrases_in(snapshot.language))


def _cell(lines: Sequence[str]) -> str:
    return "<br>".join([f"**{lines[0]}**", *lines[1:]])


def _ways(ways: Sequence[Way]) -> str:
    return "any" if len(ways) == len(Way) else ", ".join(ways)
