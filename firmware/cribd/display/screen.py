"""Draws the picture of the OLED for a snapshot.

The same snapshot gives the same picture, of 128 × 64 dots. It follows the rules reference, 7.19: one line of 16 dots
or more says who must do what now; 8 dots are for detail only.

    0   who must do what now                    16 dots, heavy; a dotted rule below it
    17  what was just scored or ruled, and why  16 dots; a refusal is dark on bright
    32  detail, if there is any                 9 dots a line, two lines at most; one beside a running count.
        one dot lower where it or what is above it is bright
        a fault stands in its place, dark on bright
        the running count with its cards, and both scores, as large as the room below allows

`scores` draws the scores, `counted_steps` a count in their place, and `count_judge` the screen of that mode.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cribboard.event_terms import Ground
from cribboard.events import (
    Awarded,
    CardDead,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountUnverified,
    CutStands,
    DealVoided,
    FalseGoFound,
    MugginsRuled,
    PegPutBack,
    QuestionDropped,
    RolledBack,
    SetBack,
    ThreeForLast,
    Undone,
)
from cribboard.rules import Standings
from cribboard.view import LaidCard, PromptKind, View
from cribd.display import count_judge
from cribd.display.canvas import Canvas
from cribd.display.counted_steps import draw_count
from cribd.display.fonts import Weight, doubled, font, smoothed
from cribd.display.rows import SMALL_LINE, draw, in_rows, small_lines
from cribd.display.scores import LARGE, MEDIUM, SHIELD, ScorePainter, figure
from cribd.inputs import FaultKind
from cribd.table.snapshot import (
    PLAYING,
    ClubMode,
    ConfirmOff,
    CountJudgeMode,
    DeskMessage,
    DeskMessageMode,
    Lobby,
    Menu,
    OfficialMode,
    ReviewMode,
    Snapshot,
    SwitchedOff,
)
from cribd.text.act_lines import HELPED

if TYPE_CHECKING:
    from PIL.Image import Image

    from cribd.text import Phrases

WIDTH, HEIGHT = 128, 64

_RULE, _SAID, _DETAIL = 16, 17, 32
_LINE = 16
_STRIP = HEIGHT - SHIELD

#: The dots that two scores need in a strip.
_TWO_SCORES = 80

#: A card that no reader could read is drawn face down.
_UNREAD = "\N{PLAYING CARD BACK}"

#: Events that are shown even where the next step would fill the screen.
_NEWS = (
    Awarded, CardDead, ClaimJudged, ClaimRuled, ClaimChallenged, CountUnverified, CutStands, DealVoided, MugginsRuled,
    PegPutBack, QuestionDropped, FalseGoFound, RolledBack, ThreeForLast, Undone,
)  # fmt: skip
_COUNTS = (PromptKind.COUNT_HAND, PromptKind.COUNT_CRIB)
_LAYS = (PromptKind.LEAD, PromptKind.LAY, PromptKind.LAY_AFTER_GO)
#: Questions with two answers: which key gives which comes before any news.
_EITHER_OR = (PromptKind.CHALLENGE, PromptKind.MUGGINS, PromptKind.GAME_CLAIMED, PromptKind.RENEGE)
#: The fault that a refusal explains.
_EXPLAINED = {
    **dict.fromkeys(("not_kept", "disk_read_only"), FaultKind.JOURNAL_AWAY),
    "file_hurt": FaultKind.JOURNAL_HURT,
}


def screen_image(snapshot: Snapshot, phrases: Phrases) -> Image:
    """Return the picture of `snapshot`."""
    page = _Page(Canvas(WIDTH, HEIGHT), phrases.seated_for(snapshot.view))
    page.show(snapshot)
    return page.canvas.image()


def starting(phrases: Phrases) -> Image:
    """Return the picture of a board that is still being loaded."""
    page = _Page(Canvas(WIDTH, HEIGHT), phrases)
    page.canvas.line(phrases.say("lobby.starting"), 0)
    page.canvas.dotted_rule(_RULE)
    page.name()
    return page.canvas.image()


def _has_news(view: View) -> bool:
    return any(isinstance(event, _NEWS) for event in view.said)


def _number_of_penalties(view: View) -> int:
    """Return how many penalties and awards the ruling has."""
    return sum(
        isinstance(event, Awarded) or (isinstance(event, SetBack) and event.ground is Ground.FALSE_GAME)
        for event in view.said
    )


def _most_details(snapshot: Snapshot) -> int:
    """Return the number of detail lines that fit."""
    waits = snapshot.lobby is Lobby.AGAIN or snapshot.official is not None
    return 2 if waits or snapshot.view is None or snapshot.view.count is None else 1


class _Page:
    """The layout of one picture."""

    def __init__(self, canvas: Canvas, phrases: Phrases) -> None:
        self.canvas = canvas
        self._phrases = phrases
        self._foot = ScorePainter(canvas, phrases.initial)

    def show(self, snapshot: Snapshot) -> None:
        match snapshot.mode:
            case Menu() as menu:
                self._menu(snapshot, menu)
            case CountJudgeMode():
                count_judge.draw(self.canvas, self._phrases, snapshot)
            case ReviewMode(view) as looking:
                before = replace(snapshot, view=view, mode=replace(looking, covers=PLAYING))
                self._main(before)  # it shows the place in the review, not the question of that time
                self._draw_details(before)
            case ClubMode() | ConfirmOff() | SwitchedOff():
                self._lines(snapshot)
            case DeskMessageMode(DeskMessage.WORD) if snapshot.refusal is None:
                self._lines(snapshot)
            case _:
                self._table(snapshot)

    def _table(self, snapshot: Snapshot) -> None:
        """Draw the game, the lobby or the wait for an official."""
        view = snapshot.view
        self._main(snapshot)
        waits = isinstance(snapshot.mode, Lobby | OfficialMode | DeskMessageMode)
        if view is None or waits or snapshot.refusal is not None or snapshot.faults:
            self._draw_details(snapshot)
        elif view.prompt.kind is PromptKind.RESULT:
            self._win(view)
        elif snapshot.is_called:
            self._draw_details(snapshot)
        elif view.prompt.kind is PromptKind.STARTER and not _has_news(view):
            self._deal(snapshot, view)
        elif (count := self._phrases.coached(view)) is not None:
            draw_count(self.canvas, count)
        else:
            self._draw_details(snapshot)

    # Lines

    def _lines(self, snapshot: Snapshot) -> None:
        """Draw the main line and its hints, all in large type."""
        self._main(snapshot)
        for number, text in enumerate(self._phrases.hints(snapshot)):
            self.canvas.line(text, _SAID + 1 + number * (_LINE - 1))

    def _main(self, snapshot: Snapshot) -> None:
        self.canvas.line(self._phrases.prompt(snapshot), 0)
        if snapshot.refusal is None:
            self.canvas.dotted_rule(_RULE)

    def _draw_inverse_line(self, text: str, y: int) -> None:
        self.canvas.line(text, y)
        self.canvas.invert(0, y, WIDTH, _LINE)

    def _draw_details(self, snapshot: Snapshot) -> None:
        """Draw everything below the main line."""
        details, most = self._draw_refusal_or_news(snapshot), _most_details(snapshot)
        explained = _EXPLAINED.get(snapshot.refusal.code) if snapshot.refusal is not None else None
        faults = [fault for fault in snapshot.faults if fault.kind is not explained]
        if faults:
            newest, others = self._phrases.fault(faults[-1]), len(faults) - 1
            details = (f"{newest} +{others}" if others else newest,)
        elif snapshot.is_called and snapshot.refusal is None:
            details = (self._phrases.game_due(snapshot),)
        elif len(details) > most:
            details = (*details[: most - 1], f"{details[most - 1]} …")
        is_bright = bool(faults) or (snapshot.is_called and snapshot.refusal is None)
        top = _DETAIL if snapshot.refusal is None and not is_bright else _DETAIL + 1
        for number, text in enumerate(details):
            self.canvas.small_line(text, top + SMALL_LINE * number)
        below = top + SMALL_LINE * len(details)
        if is_bright:
            self.canvas.invert(0, below - SMALL_LINE, WIDTH, SMALL_LINE)
        self._numbers(snapshot, HEIGHT - below)

    def _draw_refusal_or_news(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Draw the second line, and return the lines below."""
        phrases, view = self._phrases, snapshot.view
        if snapshot.refusal is not None:
            wrong, *instead = phrases.refusal(snapshot.refusal)
            self._draw_inverse_line(wrong, _RULE)
            return tuple(line for line in self._below_refusal(snapshot, tuple(instead)) if line != wrong)
        hints = phrases.hints(snapshot)
        if isinstance(snapshot.mode, OfficialMode | DeskMessageMode):
            return self._draw_second_line(hints)
        if view is None or snapshot.lobby is not None:
            if view is None or snapshot.lobby is not Lobby.AGAIN:
                return self._draw_second_line(hints)
            if view.winner is None:
                self._draw_second_line(phrases.said(view))
            else:
                self._scores(view, 1, _SAID + 1)
            return hints
        said = phrases.said(view)
        if view.prompt.kind in _EITHER_OR and snapshot.looking is None:
            return self._draw_second_line((*hints, *said))[:1]
        if view.silent and view.prompt.kind is PromptKind.ACCEPT and view.counted:
            details = self._one_detail(self._draw_second_line(said), view)
            return (*details, self._counted_by(view.prompt.values["claimant"], view))
        if view.prompt.kind in _COUNTS and view.counted:
            if _has_news(view):
                rest = self._draw_second_line(said)
                if view.telling in HELPED and not view.silent:
                    return hints
                cards = self._counted_by(view.prompt.side, view)
                return rest[:2] if _number_of_penalties(view) > 1 else (*self._one_detail(rest, view), cards)
            self.canvas.line(self._counted(view), _SAID)
            return hints
        if not said:
            return self._draw_second_line(hints)
        rest = self._draw_second_line(said)
        numbers_first = view.prompt.kind is PromptKind.PEG or (view.count is not None and view.prompt.kind not in _LAYS)
        return rest if rest or (numbers_first and snapshot.looking is None) else hints

    def _below_refusal(self, snapshot: Snapshot, instead: tuple[str, ...]) -> tuple[str, ...]:
        """Return the lines below a refusal, as many as fit.

        For a question with two answers, the keys come first."""
        hints, view = self._phrases.hints(snapshot), snapshot.view
        if view is None or snapshot.lobby is not None:
            return instead or hints[:1]
        lines = (*hints, *instead) if view.prompt.kind in _EITHER_OR else (*instead, *hints)
        return tuple(dict.fromkeys(lines))[: _most_details(snapshot)]

    def _draw_second_line(self, lines: tuple[str, ...]) -> tuple[str, ...]:
        """Draw the first of these lines, and return the others."""
        if lines:
            self.canvas.line(lines[0], _SAID)
        return lines[1:]

    def _one_detail(self, lines: tuple[str, ...], view: View) -> tuple[str, ...]:
        """Return only the first of these lines."""
        first, left_out = lines[:1], lines[1:]
        return (f"{first[0]} …",) if left_out and set(first) <= self._phrases.reasons(view) else first

    def _counted_by(self, side: int | None, view: View) -> str:
        """Return the line with the counted cards and their side.

        The line above may be about another hand."""
        cards = self._counted(view)
        return cards if side is None else self._phrases.cards_of(side, cards)

    def _counted(self, view: View) -> str:
        """Return the line with the counted cards and the starter."""
        hand = " ".join(self._phrases.card(card) for card in view.counted)
        return hand if view.starter is None else f"{hand} + {self._phrases.card(view.starter)}"

    # Numbers

    def _numbers(self, snapshot: Snapshot, room: int) -> None:
        view = snapshot.view
        if view is None or snapshot.lobby is Lobby.START:
            if room >= 30:
                self.name()
            return
        if snapshot.lobby is Lobby.AGAIN:
            if snapshot.event is None and snapshot.entered is None:  # the games of an event are no match of this board
                self._match(snapshot, room)
            return
        size = LARGE if room >= 30 else MEDIUM
        if room < 20:
            self._scores(view, 1, _STRIP)
        elif view.count is not None and snapshot.official is None:
            count = figure(view.count, size)
            # What lies beside the smaller count is as high as it is, and needs more room.
            left = figure(30, size).width + (4 if size == LARGE else 6)
            self.canvas.put(count, 1, HEIGHT - count.height)
            self._laid(view.laid, left, HEIGHT - room)
            self._scores(view, left, _STRIP)
        else:
            self._foot.draw_large_scores(size, tuple(side.score for side in view.sides), view.dealer_side)

    def _match(self, snapshot: Snapshot, room: int) -> None:
        """Draw the standing of the match.

        In a match of one game there is none."""
        if snapshot.match == 1:
            return
        totals = snapshot.games if snapshot.standings is Standings.WINS else snapshot.points
        if room >= 20 and self._foot.fit(MEDIUM, totals):
            self._foot.draw_large_scores(MEDIUM, totals, None)
        else:
            self._foot.draw_score_line(totals, None, (1, _STRIP), WIDTH)

    def _laid(self, laid: tuple[LaidCard, ...], left: int, top: int) -> None:
        """Draw the cards of the running count, oldest first.

        They are large if they fit, otherwise small. If small cards do not fit either, only the newest are drawn."""
        cards = [_UNREAD if play.card is None else self._phrases.card(play.card) for play in laid]
        room = WIDTH - left
        for weight in Weight.HEAVY, Weight.LIGHT:
            line = font("tall").line(" ".join(cards), weight)
            if line.width <= room and top + _LINE <= _STRIP:
                self.canvas.put(line, left, top)
                return
        drawn = small_lines(cards)
        while len(rows := in_rows(drawn, room)) * SMALL_LINE > _STRIP - top:
            drawn = drawn[1:]
        draw(self.canvas, rows, left, top)

    def _scores(self, view: View, left: int, y: int, *, right: int = WIDTH) -> None:
        """Draw all scores in one line."""
        dealer = view.dealer_side if view.winner is None else None
        self._foot.draw_score_line(tuple(side.score for side in view.sides), dealer, (left, y), right)

    # Whole screens

    def name(self) -> None:
        """Draw the name of the product at the bottom."""
        title = smoothed(font("tall").line("Cribboard", Weight.HEAVY))
        self.canvas.put(title, (WIDTH - title.width) // 2, HEIGHT - title.height)

    def _deal(self, snapshot: Snapshot, view: View) -> None:
        """Draw the steps of a deal, in order.

        Three steps are all in large lines; of four steps, the last two are in small lines."""
        first, *steps = self._phrases.hints(snapshot)
        self.canvas.line(first, _SAID)
        if len(steps) > 1:
            for number, line in enumerate(steps):
                self.canvas.small_line(line, _DETAIL + SMALL_LINE * number)
        else:
            self.canvas.line(steps[0], _SAID + _LINE)
        self._scores(view, 1, _STRIP)

    def _win(self, view: View) -> None:
        """Draw the winner's banner and the final scores."""
        word = smoothed(font("tall").line(self._phrases.win(), Weight.HEAVY))
        shield = doubled(self._foot.shield(view.winner or 0, sides=len(view.sides)))
        x = (WIDTH - shield.width - 6 - word.width) // 2
        self.canvas.put(shield, x, _SAID + 3)
        self.canvas.put(word, x + shield.width + 6, _SAID - 1)
        self.canvas.invert(0, _SAID, WIDTH, 32)
        loser = self._phrases.skunk(view)
        skunk, top = font("tall").line(loser, Weight.HEAVY), _STRIP - 1
        if WIDTH - skunk.width < _TWO_SCORES:
            skunk, top = font("small").line(loser), HEIGHT - SMALL_LINE
        self._scores(view, 1, _STRIP, right=WIDTH - (skunk.width + 4 if view.skunked else 0))
        self.canvas.put(skunk, WIDTH - skunk.width - 1, top)

    def _menu(self, snapshot: Snapshot, menu: Menu) -> None:
        phrases = self._phrases
        place = font("small").line(f"{menu.at + 1}/{len(menu.lines)}")
        self.canvas.put(place, WIDTH - 1 - place.width, 0)
        self.canvas.small_line(phrases.menu_title(snapshot), 0, room=WIDTH - place.width - 4)
        self._draw_inverse_line(phrases.prompt(snapshot), 11)
        *keys, leave = phrases.hints(snapshot)
        refusal = snapshot.refusal
        below = (phrases.menu_now(menu.current),) if refusal is None else phrases.refusal(refusal)
        self.canvas.line(below[0], 28)
        for text in (*below[1:], *keys)[:1]:
            self.canvas.small_line(text, 45)
        self.canvas.small_line(leave, 54)
