"""Everything that the board can ever say: each line, filled with every value that a table can put in it.

At tables of every kind: two, three, partners, six in three teams and six in two. A phrase that is too long, missing or
there in vain is found by what walks through this.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_args

from cribboard import PACK, RULES, Card
from cribboard.actions import (
    REFUSALS,
    AcceptResult,
    Action,
    Ask,
    BreakOff,
    By,
    DropQuestion,
    Question,
    Undo,
)
from cribboard.count_judge import CountJudge
from cribboard.events import (
    Acted,
    Awarded,
    Bar,
    ChallengeWithdrawn,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    Doubt,
    Event,
    Ground,
    MugginsRuled,
    Occasion,
    Pegged,
    PegPutBack,
    PegReleased,
    SetBack,
    Skunk,
    Timing,
    Undone,
    Verdict,
)
from cribboard.position import Claim, PegState
from cribboard.rules import OPTIONS, ExposedCut, Standings, Telling, Way, changed
from cribboard.scoring import Combination, Kind, score_show
from cribboard.verdicts import GROUNDS
from cribboard.view import Ask as Asked
from cribboard.view import Asks, Laid, SideView, View
from cribd import interpret, judging
from cribd.facts import Fault, Key, Mended
from cribd.facts import Kind as Part
from cribd.menu import BRIGHTNESS, LANGUAGES
from cribd.phrases import Phrases, cadence, load
from cribd.phrases import judged as judged_phrases
from cribd.phrases.ruling import OF_SHOW
from cribd.rule_sets import PRESETS, RuleSet, toggled
from cribd.showing import Called, Judging, Line, Lobby, Looking, MenuLine, Official, Refusal, Showing

from .everything_audited import everything_audited
from .moments import BLUE, MENU, moments

MOMENTS = moments()
POINTS = range(122)
#: Players and sides that have a place at a board.
TABLES = ((2, 2), (3, 3), (4, 2), (6, 3), (6, 2))
HOUSE = RuleSet("Legion Hall, Tuesdays", changed(RULES["six-card"], {"his_nobs": 2}))
#: Each preset with each of its options.
WITH_OPTIONS = [RuleSet(name, toggled(RULES[name], option)) for name, options in OPTIONS.items() for option in options]
TELLING = [RuleSet("six-card", changed(RULES["six-card"], {"telling": telling})) for telling in Telling]
TELLING.append(RuleSet("acc", changed(RULES["acc"], {"telling": "club"})))


def view(*said: Event, players: int = 2, sides: int = 2, at: int = 0, **others: Any) -> View:
    """A view of a table of so many, every side of which stands in hole `at` and may take no single point there."""
    any_view = MOMENTS["laid"].view
    assert any_view is not None
    tracks = (SideView(at, 0, barred=at >= 116),) * sides
    return replace(any_view, said=said, players=players, sides=tracks, no_single_from=116, **others)


def asking(what: Asks, side: int | None = None, *, players: int = 2, sides: int = 2, **values: Any) -> Showing:
    return Showing(view=view(players=players, sides=sides, ask=Asked(what, side, values)))


def every_ask(players: int, sides: int) -> Iterator[Showing]:
    """Each main line with each value that the game may put in it, at a table of so many."""

    def ask(what: Asks, side: int | None, **values: Any) -> Showing:
        return asking(what, side, players=players, sides=sides, **values)

    questions = (Asks.UNDO, Asks.MISDEAL, Asks.EXPOSED_CUT, Asks.BREAK_OFF, Asks.ROLL_BACK, Asks.RESULT)
    for seat in range(players):
        side, other = seat % sides, (seat + 1) % sides
        for what in [each for each in Asks if each is not Asks.STARTER]:
            values = {"seat": seat, "gone": (seat - 1) % players, "read": 3, "card": PACK[36], "waits": False}
            yield ask(what, side, points=29, total=121, claimant=other, **values)
            if what in questions:
                yield ask(what, None, claimant=other)
                for missing in range(sides):
                    waiting = tuple(each for each in range(sides) if each != missing)
                    yield replace(ask(what, None, claimant=other), waiting=waiting)
        for points in POINTS:
            for what in (Asks.RELEASE, Asks.SAME_HOLE, Asks.LATE):
                yield ask(what, side, points=points, total=121, claimant=other)
        for read in range(4):
            yield ask(Asks.READ_CRIB, side, seat=seat, read=read)
            yield ask(Asks.READ_HAND, side, seat=seat, read=read)
            yield ask(Asks.READ_HAND, side, seat=seat, read=read, unread=read)
        for of in ("play", "hand", "crib"):
            for what in (Asks.RELEASE, Asks.ZERO, Asks.COUNT_HAND, Asks.COUNT_CRIB):
                asked = Asked(what, side, {"seat": seat, "points": 29, "total": 121, "claimant": side, "of": of})
                silent: dict[str, Any] = {"silent": True, "counted": PACK[:4]}
                yield Showing(view=view(players=players, sides=sides, ask=asked, **silent))
        for what in (Asks.GAME_CLAIMED, Asks.RENEGE):
            yield ask(what, None, claimant=other, seat=seat, card=PACK[36])
        yield ask(Asks.CHALLENGE, side, claimant=other, waits=True)
        for what in (Asks.LEAD, Asks.LAY, Asks.LAY_AFTER_GO):
            asked = Asked(what, side, {"seat": seat, "gone": (seat - 1) % players})
            yield Showing(view=view(players=players, sides=sides, ask=asked, count=None, laid=(Laid(seat, None),)))
        for what in (Asks.COUNT_HAND, Asks.COUNT_CRIB):
            asked = Asked(what, side, {"seat": seat})
            yield Showing(view=view(players=players, sides=sides, at=117, ask=asked, telling=Telling.GUEST))
        for score in (116, 120):
            for what in (Asks.LEAD, Asks.COUNT_HAND, Asks.COUNT_CRIB):
                asked = Asked(what, side, {"seat": seat})
                yield Showing(view=view(players=players, sides=sides, at=score, ask=asked))
        yield replace(ask(Asks.WHO_DEALS, None), naming=seat)
        claim = Claim(side, 1, PegState.IN_HAND, Doubt.NONE, Timing.IN_TIME)
        release = Asked(Asks.RELEASE, side, {"points": 1, "total": 121, "claimant": side})
        yield Showing(view=view(players=players, sides=sides, at=120, way=Way.TRUST, ask=release, claim=claim))


def every_deal(players: int, sides: int) -> Iterator[Showing]:
    """How a deal is told, by which rules so ever."""
    for seat in range(players):
        partner, right = (seat + sides) % players, (seat - 1) % players
        for from_pack, four, buried in ((0, (), ()), (1, (), ()), (0, (seat, right), ()), (0, (), (seat, partner))):
            values = {"seat": seat, "cards": 5, "discards": 1, "cutter": right, "from_pack": from_pack}
            yield asking(Asks.STARTER, seat % sides, players=players, sides=sides, four=four, buried=buried, **values)


def every_lobby() -> Iterator[Showing]:
    for lobby in (None, *Lobby):
        for way in Way:
            for rules in (*PRESETS, HOUSE, *WITH_OPTIONS, *TELLING):
                yield Showing(lobby=lobby, way=way, rules=rules)
        for standings in Standings:
            for match in (1, 2, 7, 99):
                points = (121 * match,) * 3
                yield Showing(lobby=lobby, match=match, standings=standings, points=points)
                for winner in (None, 0, 1, 2):
                    over = Showing(lobby=lobby, match=match, standings=standings, match_over=True, match_winner=winner)
                    yield replace(over, points=points)
    yield Showing(menu=MENU)


_ACTS = (
    Line.MISDEAL, Line.UNREAD, Line.ROLL_BACK, Line.JUDGE, Line.LOOK_BACK, Line.OFFICIAL, Line.BREAK_OFF,
)  # fmt: skip


def every_line() -> Iterator[MenuLine]:
    """Each line of the menu with each of its values."""
    yield from (MenuLine(line) for line in _ACTS)
    yield from (MenuLine(Line.EXPOSED_CUT, {"rule": rule}) for rule in ExposedCut)
    yield from (MenuLine(Line.RULES, {"rules": rules, "now": rules}) for rules in (*PRESETS, HOUSE))
    for preset, options in OPTIONS.items():
        for option in options:
            for state in ("on", "off"):
                values = {"preset": preset, "option": option, "state": state, "now": state}
                yield MenuLine(Line.OPTION, values)
    yield from (MenuLine(Line.WAY, {"way": way, "now": way}) for way in Way)
    yield from (MenuLine(Line.TELLING, {"telling": telling, "now": telling}) for telling in Telling)
    yield from (MenuLine(Line.TELLING, {"because": because}) for because in ("acc", "muggins", "over_claim"))
    yield from (MenuLine(Line.LANGUAGE, {"language": language, "now": language}) for language in LANGUAGES)
    yield from (MenuLine(Line.BRIGHTNESS, {"percent": percent, "now": percent}) for percent in BRIGHTNESS)
    yield from (MenuLine(Line.SOUND, {"sound": sound, "now": sound}) for sound in ("on", "off"))


def every_act(players: int, sides: int) -> Iterator[Action]:
    """Each action with each of its values, but for those that undo leaves alone."""
    for kind in get_args(Action):
        if kind in (Undo, Ask, DropQuestion, AcceptResult, BreakOff):
            continue
        for value in POINTS:
            given = {
                "seat": value % players, "side": value % sides, "card": PACK[value % 52], "points": value,
                "by": By.OWNER, "question": Question.UNDO,
            }  # fmt: skip
            yield kind(**{field.name: given[field.name] for field in fields(kind)})


SILENT = {
    "Acted", "CutTied", "CountOpened", "PegTaken", "PegReleased", "DealEnded", "Asked", "ChallengeRaised",
    "MugginsTaken",
}  # fmt: skip
"""Events that the main line or another event tells."""

_VERDICTS = {
    ClaimRuled: (Verdict.OUT_OF_TURN, Verdict.TOO_LATE, Verdict.IMPOSSIBLE, Verdict.SINGLE_POINT),
    MugginsRuled: (Verdict.EXACT, Verdict.TOO_MANY, Verdict.TOO_FEW, Verdict.NOTHING_MISSED),
}
_GROUNDS: dict[object, Ground] = {
    Verdict.OUT_OF_TURN: Ground.ORDER, Verdict.TOO_LATE: Ground.LATE_CLAIM, Verdict.NOTHING_MISSED: Ground.WRONG_CALL,
    SetBack: Ground.FALSE_GAME, Awarded: Ground.OVER_CLAIM,
}  # fmt: skip


def every_event(players: int = 2, sides: int = 2) -> Iterator[tuple[Event, ...]]:
    """Each event by itself with each of its values."""
    for kind in get_args(Event):
        if kind.__name__ in SILENT | {"ClaimJudged", "Undone"}:
            continue
        for value in POINTS:
            seat, side = value % players, value % sides
            given: dict[str, Any] = {
                "seat": seat, "side": side, "by": (side + 1) % sides, "dealer": seat, "last": seat, "seats": (seat,),
                "card": PACK[value % 52], "count": value % 32, "points": value, "score": value,
                "question": Question.UNDO, "bar": list(Bar)[value % 2], "back": value, "occasion": Occasion.HAND,
                "against": side, "called": 1 + value % 29, "missed": 1 + value % 29, "combinations": (),
            }  # fmt: skip
            if kind is ClaimAccepted:
                given["by"] = By.OTHER_SIDE
            if kind is Awarded:
                given["points"] = 1 + value % 29
            for verdict in _VERDICTS.get(kind, (Verdict.EXACT,)):
                ground = _GROUNDS.get(kind, _GROUNDS.get(verdict, Ground.MUGGINS))
                values = given | {"verdict": verdict, "ground": ground}
                yield (kind(**{field.name: values[field.name] for field in fields(kind)}),)


HEARTS = Card.parse_many("5H 6H 7H")
KINDS = {
    Kind.FIFTEEN: 2, Kind.PAIR: 2, Kind.RUN: 7, Kind.FLUSH: 5, Kind.NOBS: 1, Kind.THIRTY_ONE: 2, Kind.PAIR_ROYAL: 6,
    Kind.DOUBLE_PAIR_ROYAL: 12, Kind.GO: 1, Kind.LAST_CARD: 1, Kind.HEELS: 2,
}  # fmt: skip
OF_THE_PLAY = [kind for kind in KINDS if kind not in (Kind.FLUSH, Kind.NOBS)]
OF_A_HAND = (Kind.FIFTEEN, Kind.PAIR, Kind.RUN, Kind.FLUSH, Kind.NOBS)


def judged(
    verdict: Verdict,
    *kinds: Kind,
    occasion: Occasion = Occasion.CARD,
    side: int = BLUE,
    called: int = 12,
    pegged: int = 12,
) -> tuple[Event, ...]:
    combinations = tuple(Combination(kind, HEARTS, KINDS[kind]) for kind in kinds)
    due = {Verdict.EXACT: called, Verdict.TOO_MANY: pegged}.get(verdict, called + 29)
    claim = ClaimJudged(side, (occasion,), verdict, called, due, combinations, GROUNDS[verdict])
    return (PegReleased(side, called, By.OWNER), claim, *([Pegged(side, pegged, 121)] if pegged else []))


def every_judgement(sides: int) -> Iterator[tuple[Event, ...]]:
    for side in range(sides):
        other = (side + 1) % sides
        for verdict in (Verdict.EXACT, Verdict.TOO_MANY, Verdict.TOO_FEW):
            for pegged in range(30):
                yield judged(verdict, Kind.FIFTEEN, side=side, called=pegged, pegged=pegged)
            for first in KINDS:
                yield judged(verdict, *[first] * 8, occasion=Occasion.HAND, side=side)
            for first in OF_THE_PLAY:
                yield judged(verdict, first, side=side)
                for second in OF_THE_PLAY:
                    yield judged(verdict, first, second, Kind.LAST_CARD, side=side, pegged=13)
            hand = [kind for kind in OF_A_HAND for _ in range(8)]
            for occasion in (Occasion.HAND, Occasion.CRIB):
                yield judged(verdict, *hand, occasion=occasion, side=side)
                yield judged(verdict, occasion=occasion, side=side, called=0, pegged=0)
        yield (ClaimChallenged(side, other), *judged(Verdict.EXACT, Kind.RUN))
        yield (ClaimChallenged(side, other), ClaimAccepted(side, By.OTHER_SIDE))
        yield (ClaimChallenged(side, other), PegPutBack(side))


def every_closing(sides: int) -> Iterator[tuple[Event, ...]]:
    """How the calls of a silent game are closed, with and without a challenge, and what that costs."""
    for side in range(sides):
        other = (side + 1) % sides
        for called, due in ((29, 29), (29, 24), (24, 29), (2, 1), (1, 2), (0, 29), (0, 0)):
            verdict = Verdict.EXACT if called == due else Verdict.TOO_MANY if called > due else Verdict.TOO_FEW
            for occasion in Occasion:
                for kinds in ((), (Kind.FIFTEEN,), tuple(OF_A_HAND if occasion in OF_SHOW else OF_THE_PLAY)):
                    combinations = tuple(Combination(kind, HEARTS, KINDS[kind]) for kind in kinds)
                    judged = ClaimJudged(side, (occasion,), verdict, called, due, combinations, GROUNDS[verdict])
                    yield (judged, ClaimAccepted(side, By.OTHER_SIDE))
                    yield (ClaimChallenged(side, other), judged, ClaimAccepted(side, By.OTHER_SIDE))
        unknown = ClaimJudged(side, (Occasion.CARD,), Verdict.UNVERIFIED, 29, 29, (), Ground.UNREAD)
        yield (unknown, ClaimAccepted(side, By.NEXT_CARD))
        late = ClaimRuled(side, 3, Verdict.TOO_LATE, Ground.MUGGINS)
        yield (ChallengeWithdrawn(side), late)
        reasons = tuple(Combination(kind, HEARTS, KINDS[kind]) for kind in OF_THE_PLAY)
        for verdict in _VERDICTS[MugginsRuled]:
            yield (MugginsRuled(other, side, 29, 29, verdict, reasons, Ground.MUGGINS),)
        for award in ((), (Awarded(side, 29, Ground.WRONG_CALL),)):
            yield (MugginsRuled(other, side, 29, 0, Verdict.NOTHING_MISSED, (), Ground.WRONG_CALL), *award)


def refusal_values(code: str, players: int, sides: int) -> Iterator[dict[str, Any]]:
    sentence = {**REFUSALS, **interpret.REFUSALS}[code]
    names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
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
        yield {name: given[name] for name in names}


def every_part() -> Iterator[tuple[Part, str]]:
    for kind in Part:
        match kind:
            case Part.BUTTON_STUCK:
                yield from ((kind, f"track {track} hole {hole}") for track in range(3) for hole in range(1, 122))
            case Part.CHAIN_BROKEN:
                yield from ((kind, where) for where in ("near end", "far end", *(f"chip {n}" for n in range(1, 47))))
            case Part.READER_SILENT:
                yield from ((kind, name) for name in ("reader", "tags", "n" * 20))
            case _:
                yield kind, "anywhere"


def of_own_count(side: int, players: int, sides: int) -> View:
    """A side's own count is asked for, and it presses one hole where it can take no single point."""
    asked = Asked(Asks.COUNT_HAND, side, {"seat": side})
    return view(ClaimRuled(side, 1, Verdict.SINGLE_POINT, Ground.SINGLE_POINT), players=players, sides=sides, ask=asked)


def at_a_table(words: Phrases, players: int, sides: int) -> Iterator[str]:
    """Every line that can be said to so many players on so many sides."""
    seated = words.seated(players, sides)
    for showing in every_ask(players, sides):
        yield words.ask(showing)
        yield from words.hints(showing)
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
    for side in range(sides):
        yield from words.said(of_own_count(side, players, sides))
    for code in {**REFUSALS, **interpret.REFUSALS}:
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


def everything_spoken(words: Phrases) -> Iterator[str]:
    """What is said aloud and on the page, where a line may be as long as a breath."""
    yield from (cadence.spoken(score, words) for score in COUNTS)
    yield from (cadence.number(value, words) for value in range(40))
    yield from (words.cards_of(side, words.card(PACK[0])) for side in range(3))
    yield from everything_audited(words)
    for hand, called in (("TC JD QH 4S", 9), ("TD JC QC QD", 9), ("5H 5C 5S JD", 29), ("2C 3D 2H 6S", 6)):
        fits = CountJudge().with_cards(Card.parse_many(hand)).fits(called)
        yield judged_phrases.starters(fits, words) if fits.ways else judged_phrases.fitting(fits, words)


def every_judging() -> Iterator[Judging]:
    """The count judge with each number of cards, each number called, and each page of reasons."""
    for rules in (*PRESETS, HOUSE):
        for crib in (False, True):
            judge = CountJudge(rules=rules.rules).as_crib(crib)
            yield Judging(judge, rules)
            yield from (Judging(judge.with_cards(PACK[36 : 37 + more]), rules) for more in range(judge.size + 1))
    hands = ("5H 5C 5S JD 5D", "2H 4C 6D 8S TC", "9H TD JC QH KD", "TC TD TH 5S 4H", "5H 5C 5S JD", "5H 5C JD", "9H TD")
    for hand in hands:
        judge = CountJudge().with_cards(Card.parse_many(hand))
        yield Judging(judge, PRESETS[0], Called(12))
        for called in (*range(31), 121) if judge.missing < 3 else (2, 12, 27):
            answered = judging.weighed(Judging(judge, PRESETS[0], Called(called)))
            for page in range(judged_phrases.pages(answered.called)):
                yield replace(answered, page=page)


@cache
def lines(language: str) -> frozenset[str]:
    """Every line of a language."""
    return frozenset(everything(load(language)))


def everything(words: Phrases) -> Iterator[str]:
    """Every line that the board can ever show in a language."""
    for players, sides in TABLES:
        yield from at_a_table(words, players, sides)
        for showing in every_deal(players, sides):
            yield words.ask(showing)
            yield from words.hints(showing)
    for showing in every_lobby():
        yield words.ask(showing)
        yield from words.hints(showing)
    for side in range(3):
        for captain, name in ((False, ""), (True, ""), (True, "Les Joyeux Brasseurs de Jonquière")):
            called = Showing(view=view(), official=Official(side, captain, name))
            yield words.ask(called)
            yield from words.hints(called)
    for number in (0, 66, 1214):
        back = Showing(looking=Looking(view(number=number), 1310))
        yield words.ask(back)
        yield from words.hints(back)
    for line in every_line():
        yield words.hints(Showing(menu=replace(MENU, lines=(line,), at=0)))[0]
    yield from words.said(view(Acted(Undo()), Undone(0), undone=None))
    for kind, where in every_part():
        yield words.fault(Fault(kind, where))
        yield words.mended(Mended(kind, where))
    yield from (words.menu_title(Showing(lobby=Lobby.START)), words.menu_title(MOMENTS["menu"]), words.win())
    for rules in RULES.values():
        for skunk in (Skunk.SKUNK, Skunk.DOUBLE):
            yield words.skunk(view(rules=rules.label, skunk=skunk))
    for points in POINTS:
        yield words.points(points)
    for score in COUNTS:
        yield from cadence.lines(score, words)
    for asked in every_judging():
        yield words.ask(Showing(judging=asked))
        yield from words.hints(Showing(judging=asked))
