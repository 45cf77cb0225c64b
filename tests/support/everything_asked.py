"""Every prompt, menu line and undo that a table can show, for every kind of table: see `everything_said`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, get_args

from tests.support.everything_happened import POINTS
from tests.support.moments import MENU, moments
from tests.support.moments_of_rulings import AT_TABLE_FOUR

from cribboard import PACK, RULES
from cribboard.actions import (
    AcceptResult,
    Action,
    Ask,
    BreakOff,
    By,
    DropQuestion,
    Question,
    Undo,
    UndoOfficially,
)
from cribboard.event_terms import Doubt, Timing
from cribboard.events import Event
from cribboard.position import Claim, PegState
from cribboard.rules import OPTIONS, ExposedCut, Standings, Telling, Way, changed
from cribboard.view import LaidCard, Prompt, PromptKind, SideView, View
from cribd.languages import languages
from cribd.storage.outbox import OutcomeStatus
from cribd.table.menu import BRIGHTNESS, NextPlay
from cribd.table.organiser_desk import WaitsForRound
from cribd.table.rule_sets import PRESETS, RuleSet, toggled
from cribd.table.snapshot import PLAYING, Line, Lobby, MenuLine, NamingDealer, Snapshot

MOMENTS = moments()
#: Players and sides that have a place at a board.
TABLES = ((2, 2), (3, 3), (4, 2), (6, 3), (6, 2))
HOUSE = RuleSet("Legion Hall, Tuesdays", changed(RULES["six-card"], {"his_nobs": 2}))
#: Each preset with each of its options.
WITH_OPTIONS = [RuleSet(name, toggled(RULES[name], option)) for name, options in OPTIONS.items() for option in options]
TELLING = [RuleSet("six-card", changed(RULES["six-card"], {"telling": telling})) for telling in Telling]
TELLING.append(RuleSet("acc", changed(RULES["acc"], {"telling": "club"})))


#: A view by its fields. To look each of them up for each of 400,000 views, as `replace` does, takes half as long again.
ANY_VIEW = {
    **{field.name: getattr(MOMENTS["laid"].view, field.name) for field in fields(View)},
    "no_single_from": 116,
}


def view(*said: Event, players: int = 2, sides: int = 2, at: int = 0, **others: Any) -> View:
    """A view of a table for this many sides, each of which stands in hole `at` and may take no single point there."""
    tracks = (SideView(at, 0, barred=at >= 116),) * sides
    return View(**{**ANY_VIEW, "said": said, "players": players, "sides": tracks, **others})


def asking(what: PromptKind, side: int | None = None, *, players: int = 2, sides: int = 2, **values: Any) -> Snapshot:
    return Snapshot(view=view(players=players, sides=sides, prompt=Prompt(what, side, values)))


def every_ask(players: int, sides: int) -> Iterator[Snapshot]:
    """Each main line with each of its values, at a table for this many sides."""

    def ask(what: PromptKind, side: int | None, **values: Any) -> Snapshot:
        return asking(what, side, players=players, sides=sides, **values)

    questions = (
        PromptKind.UNDO,
        PromptKind.MISDEAL,
        PromptKind.EXPOSED_CUT,
        PromptKind.BREAK_OFF,
        PromptKind.ROLL_BACK,
        PromptKind.RESULT,
    )
    for seat in range(players):
        side, other = seat % sides, (seat + 1) % sides
        for what in [each for each in PromptKind if each is not PromptKind.STARTER]:
            values = {"seat": seat, "gone": (seat - 1) % players, "read": 3, "card": PACK[36], "waits": False}
            yield ask(what, side, points=29, total=121, claimant=other, **values)
            if what in questions:
                yield ask(what, None, claimant=other)
                for missing in range(sides):
                    waiting = tuple(each for each in range(sides) if each != missing)
                    yield replace(ask(what, None, claimant=other), waiting=waiting)
        for points in POINTS:
            for what in (PromptKind.RELEASE, PromptKind.SAME_HOLE, PromptKind.LATE):
                yield ask(what, side, points=points, total=121, claimant=other)
        for read in range(4):
            yield ask(PromptKind.READ_CRIB, side, seat=seat, read=read)
            yield ask(PromptKind.READ_HAND, side, seat=seat, read=read)
            yield ask(PromptKind.READ_HAND, side, seat=seat, read=read, unread=read)
        for of in ("play", "hand", "crib"):
            for what in (PromptKind.RELEASE, PromptKind.ZERO, PromptKind.COUNT_HAND, PromptKind.COUNT_CRIB):
                asked = Prompt(what, side, {"seat": seat, "points": 29, "total": 121, "claimant": side, "of": of})
                silent: dict[str, Any] = {"silent": True, "counted": PACK[:4]}
                yield Snapshot(view=view(players=players, sides=sides, prompt=asked, **silent))
        for what in (PromptKind.ACCEPT, PromptKind.GAME_CLAIMED, PromptKind.RENEGE):
            yield ask(what, None, claimant=other, seat=seat, card=PACK[36])
        yield ask(PromptKind.CHALLENGE, side, claimant=other, waits=True)
        for what in (PromptKind.LEAD, PromptKind.LAY, PromptKind.LAY_AFTER_GO):
            asked = Prompt(what, side, {"seat": seat, "gone": (seat - 1) % players})
            yield Snapshot(
                view=view(players=players, sides=sides, prompt=asked, count=None, laid=(LaidCard(seat, None),))
            )
        lays = Prompt(PromptKind.LAY, side, {"seat": seat})
        yield Snapshot(view=view(players=players, sides=sides, prompt=lays, count=22))
        for what in (PromptKind.COUNT_HAND, PromptKind.COUNT_CRIB):
            asked = Prompt(what, side, {"seat": seat})
            yield Snapshot(view=view(players=players, sides=sides, at=117, prompt=asked, telling=Telling.GUEST))
        for score in (116, 120):
            for what in (PromptKind.LEAD, PromptKind.COUNT_HAND, PromptKind.COUNT_CRIB):
                asked = Prompt(what, side, {"seat": seat})
                yield Snapshot(view=view(players=players, sides=sides, at=score, prompt=asked))
        yield replace(ask(PromptKind.WHO_DEALS, None), mode=NamingDealer(seat))
        claim = Claim(side, 1, PegState.IN_HAND, Doubt.NONE, Timing.IN_TIME)
        release = Prompt(PromptKind.RELEASE, side, {"points": 1, "total": 121, "claimant": side})
        yield Snapshot(view=view(players=players, sides=sides, at=120, way=Way.TRUST, prompt=release, claim=claim))


def every_deal(players: int, sides: int) -> Iterator[Snapshot]:
    """How a deal is announced, under all rules."""
    for seat in range(players):
        partner, right = (seat + sides) % players, (seat - 1) % players
        for from_pack, four, buried in ((0, (), ()), (1, (), ()), (0, (seat, right), ()), (0, (), (seat, partner))):
            values = {"seat": seat, "cards": 5, "discards": 1, "cutter": right, "from_pack": from_pack}
            yield asking(
                PromptKind.STARTER, seat % sides, players=players, sides=sides, four=four, buried=buried, **values
            )


#: How a match may stand that ends before its time: games won, or points, by two sides and by three.
MATCHES_TO_END = ((2, 0), (6, 11, 10), (968, 943))


def every_lobby() -> Iterator[Snapshot]:
    for lobby in (PLAYING, *Lobby):
        for way in Way:
            for rules in (*PRESETS, HOUSE, *WITH_OPTIONS, *TELLING):
                yield Snapshot(mode=lobby, way=way, rules=rules)
        for standings in Standings:
            for match in (1, 2, 7, 99):
                points = (121 * match,) * 3
                yield Snapshot(mode=lobby, match=match, standings=standings, points=points)
                for winner in (None, 0, 1, 2):
                    over = Snapshot(mode=lobby, match=match, standings=standings, match_over=True, match_winner=winner)
                    yield replace(over, points=points)
    for lobby in Lobby:
        for entered in (None, *OutcomeStatus):
            yield Snapshot(mode=lobby, event=AT_TABLE_FOUR, entered=entered)
            yield Snapshot(mode=lobby, event=replace(AT_TABLE_FOUR, is_play_off=True), entered=entered)
            yield Snapshot(mode=lobby, entered=entered)
            yield Snapshot(mode=lobby, entered=entered, waits=WaitsForRound(300, 12))
    for lobby in (Lobby.START, Lobby.AGAIN):
        for ends in MATCHES_TO_END:
            yield Snapshot(mode=lobby, ends=ends)
    yield Snapshot(mode=MENU)


_ACTS = (
    Line.MISDEAL, Line.UNREAD, Line.ROLL_BACK, Line.JUDGE, Line.LOOK_BACK, Line.OFFICIAL, Line.BREAK_OFF,
    Line.SWITCH_OFF,
)  # fmt: skip


def every_line() -> Iterator[MenuLine]:
    """Each line of the menu with each of its values."""
    yield from (MenuLine(line) for line in _ACTS)
    yield from (MenuLine(Line.EXPOSED_CUT, {"rule": rule}) for rule in ExposedCut)
    yield from (MenuLine(Line.RULES, {"rules": rules, "now": rules}) for rules in (*PRESETS, HOUSE))
    yield from (MenuLine(Line.NEW_MATCH, {"ends": ends}) for ends in MATCHES_TO_END)
    for preset, options in OPTIONS.items():
        for option in options:
            for state in ("on", "off"):
                values = {"preset": preset, "option": option, "state": state, "now": state}
                yield MenuLine(Line.OPTION, values)
    yield from (MenuLine(Line.WAY, {"way": way, "now": way}) for way in Way)
    yield from (MenuLine(Line.TELLING, {"telling": telling, "now": telling}) for telling in Telling)
    yield from (MenuLine(Line.TELLING, {"because": because}) for because in ("acc", "muggins", "over_claim"))
    yield from (MenuLine(Line.LANGUAGE, {"language": language, "now": language}) for language in languages())
    yield from (MenuLine(Line.BRIGHTNESS, {"percent": percent, "now": percent}) for percent in BRIGHTNESS)
    yield from (MenuLine(Line.EVENT, {"play": plays, "now": plays}) for plays in NextPlay)
    yield from (MenuLine(Line.CLUB, {"club": club}) for club in ("", "Club", "Les Joyeux Brasseurs de Jonquière"))
    yield from (MenuLine(Line.SOUND, {"sound": sound, "now": sound}) for sound in ("on", "off"))


def every_act(players: int, sides: int) -> Iterator[Action]:
    """Each action with each of its values, without those that undo leaves alone."""
    for kind in get_args(Action):
        if kind in (Undo, UndoOfficially, Ask, DropQuestion, AcceptResult, BreakOff):
            continue
        for value in POINTS:
            given = {
                "seat": value % players, "side": value % sides, "card": PACK[value % 52], "points": value,
                "by": By.OWNER, "question": Question.UNDO,
            }  # fmt: skip
            yield kind(**{field.name: given[field.name] for field in fields(kind)})
