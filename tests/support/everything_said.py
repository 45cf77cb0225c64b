"""Every line that the screen can show, filled with every value that a table can put into it.

It covers tables for two, three, partners, six in three teams and six in two. A test that walks through all lines finds
phrases that are too long, missing or unused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from tests.support.everything_announced import everything_announced
from tests.support.everything_asked import (
    HOUSE,
    MOMENTS,
    TABLES,
    every_act,
    every_ask,
    every_deal,
    every_line,
    every_lobby,
    view,
)
from tests.support.everything_audited import everything_audited
from tests.support.everything_happened import POINTS, every_closing, every_event, every_judgement
from tests.support.everything_scored import everything_scored
from tests.support.moments import MENU
from tests.support.moments_of_rulings import AT_TABLE_FOUR
from tests.support.refusals import REFUSALS

from cribboard import PACK, RULES, Card
from cribboard.actions import Undo
from cribboard.count_judge import CountJudge
from cribboard.event_terms import Ground, Verdict
from cribboard.events import Acted, ClaimRuled, CountEnded, FalseGoFound, SaidGo, Undone
from cribboard.rules import Telling
from cribboard.scoring import score_show
from cribboard.skunk import Skunk
from cribboard.view import Prompt, PromptKind, View
from cribd.club.joining import ENDED
from cribd.club.joining_words import WORDS
from cribd.inputs import ChipPlace, Fault, FaultKind, FaultPlace, HolePlace, Key
from cribd.table import count_judge_mode
from cribd.table.organiser_desk import WaitsForRound
from cribd.table.rule_sets import PRESETS
from cribd.table.snapshot import (
    ClubMode,
    ClubStep,
    ConfirmOff,
    CountJudgeMode,
    DeskMessage,
    DeskMessageMode,
    JudgeCall,
    Lobby,
    OfficialMode,
    Refusal,
    ReviewMode,
    Snapshot,
    SwitchedOff,
)
from cribd.text import Phrases, count_in_words, load
from cribd.text import count_judge as judged_phrases


def refusal_values(code: str, players: int, sides: int) -> Iterator[dict[str, Any]]:
    if code == "key_means_nothing":
        yield from ({"key": key} for key in Key)
        return
    for value in POINTS:
        given = {
            "points": value, "left": value, "most": 29, "side": value % sides, "seat": value % players,
            "card": PACK[value % 52], "count": value % 41, "text": ("9780141W", "?")[value % 2],
            "one": PACK[(value + 1) % 52], "other": PACK[value % 52] if value % 2 else "…",
            "deck": ("Legion Hall, Tuesdays", "Noël")[value % 2], "uid": "E3086C",
            "half": ("10…", "…H")[value % 2], "cards": (PACK[36 + value % 16 :] or PACK)[:4],
            "hole": max(1, value), "wanted": 1 + value % 5, "missing": 1 + value % 5,
        }  # fmt: skip
        yield {name: given[name] for name in REFUSALS[code]}


def every_part() -> Iterator[tuple[FaultKind, FaultPlace]]:
    for kind in FaultKind:
        match kind:
            case FaultKind.BUTTON_STUCK:
                yield from ((kind, HolePlace(track, hole)) for track in range(3) for hole in range(1, 122))
            case FaultKind.CHAIN_BROKEN:
                yield from ((kind, where) for where in ("near end", "far end"))
                yield from ((kind, ChipPlace(number)) for number in range(1, 47))
            case FaultKind.READER_SILENT:
                yield from ((kind, name) for name in ("reader", "tags", "n" * 20))
            case _:
                yield kind, "anywhere"


def of_own_count(side: int, players: int, sides: int) -> View:
    """A side that may take no single point is asked for its own count, and presses one hole."""
    asked = Prompt(PromptKind.COUNT_HAND, side, {"seat": side})
    return view(
        ClaimRuled(side, 1, Verdict.SINGLE_POINT, Ground.SINGLE_POINT), players=players, sides=sides, prompt=asked
    )


def at_a_table(words: Phrases, players: int, sides: int) -> Iterator[str]:
    """Every line for this many players on this many sides."""
    seated = words.seated(players, sides)
    for snapshot in every_ask(players, sides):
        yield words.prompt(snapshot)
        yield from words.hints(snapshot)
    for line in every_line():
        yield seated.menu_line(line)
        yield seated.menu_now(line)
    for act in every_act(players, sides):
        yield from words.said(view(Acted(Undo()), Undone(0), undone=act, players=players, sides=sides))
    for events in (*every_event(players, sides), *every_judgement(sides)):
        for score in (0, 120):
            yield from words.said(view(*events, players=players, sides=sides, at=score))
    acc: dict[str, Any] = {"players": players, "sides": sides, "rules": RULES["acc"].label}
    for events in (*every_event(players, sides), *every_closing(sides)):
        yield from words.said(view(*events, **acc, silent=True, telling=Telling.TOURNAMENT))
    for events in every_closing(sides):
        yield from words.said(view(*events, players=players, sides=sides, silent=True))
        yield from words.said(view(*events, players=players, sides=sides, telling=Telling.COACH))
    for seat in range(players):
        for ends in ((), (CountEnded(seat, 29),)):
            yield from words.said(view(SaidGo(seat), *ends, players=players, sides=sides, telling=Telling.GUEST))
    for side in range(sides):
        yield from words.said(of_own_count(side, players, sides))
    for code in REFUSALS:
        for values in refusal_values(code, players, sides):
            yield from seated.refusal(Refusal(code, values))


#: Hands with their starters that hold every kind of combination, and the longest lines that tell of them.
COUNTS = tuple(
    score_show(Card.parse_many(hand), Card.parse(starter))
    for hand, starter in (
        ("5H 5C 5S JD", "5D"), ("KS KD KC KH", "5S"), ("TC TD TH 5S", "4H"), ("9H TD JC QH", "KD"),
        ("2H 6H 9H TH", "KH"), ("7H 7C 8D 9S", "8C"), ("2H 4C 6D 8S", "TC"), ("AC 2D 3H 4S", "5C"),
        ("JC 2C 4D 6S", "8C"),
    )
)  # fmt: skip


def everything_spoken(words: Phrases, tables: Sequence[tuple[int, int]] = TABLES) -> Iterator[str]:
    """Lines of the voice at these tables, and of the pages, which may be long."""
    yield from (count_in_words.count_spoken(score, words) for score in COUNTS)
    yield from (words.number(value) for value in range(40))
    yield words.figure(2352)
    yield from (words.cards_of(side, words.card(PACK[0])) for side in range(3))
    yield from everything_audited(words)
    yield from everything_announced(words, tables)
    yield from everything_scored(words)
    for hand, called in (("TC JD QH 4S", 9), ("TD JC QC QD", 9), ("5H 5C 5S JD", 29), ("2C 3D 2H 6S", 6)):
        fits = CountJudge().with_cards(Card.parse_many(hand)).fits(called)
        yield judged_phrases.starters(fits, words) if fits.ways else judged_phrases.fitting(fits, words)


def every_judging() -> Iterator[CountJudgeMode]:
    """The count judge with each number of cards, each number called, and each page of reasons."""
    for rules in (*PRESETS, HOUSE):
        for crib in (False, True):
            judge = CountJudge(rules=rules.rules).as_crib(crib)
            yield CountJudgeMode(judge, rules)
            yield from (CountJudgeMode(judge.with_cards(PACK[36 : 37 + more]), rules) for more in range(judge.size + 1))
    hands = ("5H 5C 5S JD 5D", "2H 4C 6D 8S TC", "9H TD JC QH KD", "TC TD TH 5S 4H", "5H 5C 5S JD", "5H 5C JD", "9H TD")
    for hand in hands:
        judge = CountJudge().with_cards(Card.parse_many(hand))
        yield CountJudgeMode(judge, PRESETS[0], JudgeCall(12))
        if not judge.missing:
            yield count_judge_mode.with_answer(CountJudgeMode(judge, PRESETS[0], JudgeCall(None)))
        for called in (*range(31), 121) if judge.missing < 3 else (2, 12, 27):
            answered = count_judge_mode.with_answer(CountJudgeMode(judge, PRESETS[0], JudgeCall(called)))
            for page in range(judged_phrases.pages(answered.called)):
                yield replace(answered, page=page)


@cache
def lines(language: str) -> frozenset[str]:
    """Every line of a language."""
    return frozenset(everything(load(language)))


def every_club() -> Iterator[ClubMode]:
    """What the board shows of a club: each step, with the longest words and a long name, and each reason."""
    longest = tuple(sorted(WORDS, key=len)[-2:])
    for name in ("", "Les Joyeux Brasseurs de Jonquière"):
        for step in ClubStep:
            yield ClubMode(step, name, longest, "gone")
    for why in (*ENDED, "no_address", "not_kept"):
        yield ClubMode(ClubStep.ENDED, why=why)
    yield ClubMode(ClubStep.ENDED, why="no_such_table", values={"table": 9999, "most": 300})


def everything(words: Phrases, tables: Sequence[tuple[int, int]] = TABLES) -> Iterator[str]:
    """Every line that the board can show in a language, at these tables."""
    for players, sides in tables:
        yield from at_a_table(words, players, sides)
        for snapshot in every_deal(players, sides):
            yield words.prompt(snapshot)
            yield from words.hints(snapshot)
    yield words.say("lobby.starting")
    for snapshot in every_lobby():
        yield words.prompt(snapshot)
        yield from words.hints(snapshot)
    for side in range(3):
        for captain, name in ((False, ""), (True, ""), (True, "Les Joyeux Brasseurs de Jonquière")):
            called = Snapshot(view=view(), mode=OfficialMode(side, captain, name))
            yield words.prompt(called)
            yield from words.hints(called)
    for shown in every_club():
        yield words.prompt(Snapshot(mode=shown))
        yield from words.hints(Snapshot(mode=shown))
    for off in (ConfirmOff(), SwitchedOff()):
        yield words.prompt(Snapshot(view=view(), mode=off))
        yield from words.hints(Snapshot(view=view(), mode=off))
    for what in DeskMessage:
        spoken = Snapshot(view=view(), mode=DeskMessageMode(what, "Rita et Marcel 13 h 15"))
        yield words.prompt(spoken)
        yield from words.hints(spoken)
    for table in (2, 300, None):
        moves = (("Rita et Marcel", table), ("Les Joyeux Brasseurs de Jonquière", table))
        yield from words.hints(Snapshot(mode=Lobby.START, waits=WaitsForRound(4, 2, moves)))
    for is_play_off in (False, True):
        yield words.game_due(Snapshot(view=view(), event=replace(AT_TABLE_FOUR, is_play_off=is_play_off)))
    for number in (0, 66, 1214):
        back = Snapshot(mode=ReviewMode(view(number=number), 1310))
        yield words.prompt(back)
        yield from words.hints(back)
    for line in every_line():
        yield words.hints(Snapshot(mode=replace(MENU, lines=(line,), at=0)))[0]
    yield from words.said(view(Acted(Undo()), Undone(0), undone=None))
    yield from words.said(view(FalseGoFound(0, PACK[36], 21), may_roll_back=True))
    for kind, where in every_part():
        yield words.fault(Fault(kind, where))
    yield from (words.menu_title(Snapshot(mode=Lobby.START)), words.menu_title(MOMENTS["menu"]), words.win())
    for rules in RULES.values():
        for skunk in (Skunk.SKUNK, Skunk.DOUBLE):
            yield words.skunk(view(rules=rules.label, skunk=skunk))
    for points in POINTS:
        yield words.points(points)
    for score in COUNTS:
        yield from count_in_words.count_lines(score, words)
    for asked in every_judging():
        yield words.prompt(Snapshot(mode=asked))
        yield from words.hints(Snapshot(mode=asked))
