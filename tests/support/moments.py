"""Snapshots of real games, for tests of pictures, phrases and lights.

Each is reached by playing, never put together by hand. Blue is side 0, red is side 1.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from cribboard import RULES, Card, Game
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    Ask,
    Challenge,
    CutForDeal,
    DropQuestion,
    EndDeal,
    LayCard,
    NameDealer,
    OpenCount,
    PutPegBack,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)
from cribboard.rules import Rules
from cribboard.view import see
from cribd.inputs import Fault, FaultKind, HolePlace, Key
from cribd.table.snapshot import Line, Lobby, Menu, MenuLine, Refusal, Snapshot

BLUE, RED = 0, 1
SIX_CARD = RULES["six-card"]

MENU = Menu(
    (
        MenuLine(Line.MISDEAL),
        MenuLine(Line.SOUND, {"sound": "off", "now": "on"}),
        MenuLine(Line.BRIGHTNESS, {"percent": 60, "now": 100}),
        MenuLine(Line.LANGUAGE, {"language": "fr_CA", "now": "en"}),
        MenuLine(Line.WAY, {"way": "auto", "now": "verify"}),
        MenuLine(Line.BREAK_OFF),
    )
)


class Story:
    """A game that is played on, with a snapshot whenever one is wanted."""

    def __init__(self, way: str, *, dealer: int | None = None, rules: Rules = SIX_CARD) -> None:
        self.game = Game.start(rules, way=way, dealer=dealer)

    def do(self, *actions: Action) -> Story:
        for action in actions:
            self.game.do(action)
        return self

    def starter(self, card: str) -> Story:
        return self.do(TurnStarter(Card.parse(card)))

    def lay(self, first: int, cards: str) -> Story:
        """Lay these cards in turn; `first` begins."""
        seats = len(self.game.position.rules.seats)
        laid = [LayCard((first + n) % seats, card) for n, card in enumerate(Card.parse_many(cards))]
        return self.do(*laid)

    def peg(self, side: int, *points: int) -> Story:
        """Call these points and let go, one count after the other."""
        for count in points:
            self.do(TakePegInHand(side, count), ReleasePeg(side))
        return self

    def crib(self, cards: str) -> Story:
        return self.do(*(ReadCrib(card) for card in Card.parse_many(cards)))

    def shows(self, **manners: Any) -> Snapshot:
        return Snapshot(view=see(self.game.position), **manners)


@cache
def moments() -> dict[str, Snapshot]:
    """All moments by name, in the order of an evening. They are played once, and nobody changes them."""
    return {**_before(), **_cutting(), **_playing(), **_counting(), **_trusting(), **_automatic(), **_ending()}


def _before() -> dict[str, Snapshot]:
    unfinished = Story("verify", dealer=RED).starter("9D").lay(BLUE, "5H TC").peg(RED, 2)
    return {
        "start": Snapshot(mode=Lobby.START),
        "resume": unfinished.shows(mode=Lobby.RESUME),
        "menu": unfinished.shows(mode=MENU),
        "menu-sound": unfinished.shows(mode=replace(MENU, at=1)),
        "menu-light": unfinished.shows(mode=replace(MENU, at=2)),
        "menu-language": unfinished.shows(mode=replace(MENU, at=3)),
        "menu-way": unfinished.shows(mode=replace(MENU, at=4)),
        "menu-refuses": unfinished.shows(mode=replace(MENU, at=5), refusal=Refusal("menu_open")),
    }


def _cutting() -> dict[str, Snapshot]:
    seen = {}
    story = Story("verify")
    seen["cut"] = story.shows()
    seen["cut-second"] = story.do(CutForDeal(BLUE, Card.parse("4H"))).shows()
    seen["cut-tied"] = story.do(CutForDeal(RED, Card.parse("4C"))).shows()
    story.do(CutForDeal(BLUE, Card.parse("9H")), CutForDeal(RED, Card.parse("2C")))
    seen["deal"] = story.shows()
    seen["misdeal-asked"] = story.do(Ask(BLUE, Question.MISDEAL)).shows()
    seen["misdeal-dropped"] = story.do(DropQuestion()).shows(faults=(Fault(FaultKind.KEYS_AWAY, "keys"),))
    seen["misdeal-agreed"] = story.do(Ask(BLUE, Question.MISDEAL), Agree(RED)).shows()
    return seen


def _playing() -> dict[str, Snapshot]:
    seen = {}
    story = Story("verify", dealer=RED).starter("JH")
    seen["lead"] = story.shows()
    seen["laid"] = story.lay(BLUE, "5H").shows()
    story.do(TakePegInHand(RED, 2))
    seen["peg-in-hand"] = story.shows()
    seen["heels"] = story.lay(RED, "TD").shows()
    seen["too-many"] = story.peg(RED, 4).shows()
    story.lay(BLUE, "5C 4S")
    seen["four-cards"] = story.shows()
    seen["past-31"] = story.shows(refusal=Refusal("past_thirty_one", {"card": Card.parse("KH"), "count": 34}))
    away = (Fault(FaultKind.JOURNAL_AWAY, "journal"),)
    seen["disk-full"] = story.shows(refusal=Refusal("not_kept"), faults=away)
    seen["nothing-to-accept"] = story.shows(refusal=Refusal("nothing_to_accept"))
    seen["not-your-turn"] = story.shows(refusal=Refusal("not_your_turn", {"seat": BLUE}))
    seen["nineteen"] = story.do(TakePegInHand(RED, 19)).shows()
    seen["put-back"] = story.do(PutPegBack(RED)).shows()
    seen["go"] = story.do(SayGo(BLUE)).shows()
    story.do(LayCard(RED, Card.parse("5S")), SayGo(RED))
    seen["count-over"] = story.shows()
    seen["go-pegged"] = story.peg(RED, 1).shows()
    story.lay(BLUE, "JC")
    seen["reader-silent"] = story.shows(faults=(Fault(FaultKind.READER_SILENT, "reader"),))
    stuck = (Fault(FaultKind.READER_SILENT, "reader"), Fault(FaultKind.BUTTON_STUCK, HolePlace(1, 121)))
    seen["stuck-and-refused"] = story.shows(faults=stuck, refusal=Refusal("two_holes"))
    seen["no-card"] = story.shows(refusal=Refusal("no_such_card", {"text": "9780141W"}))
    seen["key-refused"] = story.shows(refusal=Refusal("key_means_nothing", {"key": Key.CHALLENGE}))
    seen["out-of-turn"] = Story("verify", dealer=RED).starter("9D").do(TakePegInHand(BLUE, 4)).shows()
    seen["undo-asked"] = story.do(Undo()).shows()
    seen["undone"] = story.do(Agree(RED)).shows()
    late = Story("verify", dealer=RED).starter("9D").lay(BLUE, "7C 8D 9C")
    seen["late"] = late.do(TakePegInHand(RED, 2)).shows()
    seen["late-refused"] = late.do(Challenge(BLUE)).shows()
    small = Story("verify", dealer=RED).starter("9H").lay(BLUE, "AC AD AH AS 2C 2D 4H")
    seen["seven-cards"] = small.shows()
    seen["seven-cards-refused"] = small.shows(refusal=Refusal("can_play", {"count": 12}))
    seen["three-tens"] = Story("verify", dealer=RED).starter("9H").lay(BLUE, "TC TD TH").shows()
    false = Story("verify", dealer=RED).starter("9H").lay(BLUE, "TC TD 2D").do(SayGo(RED))
    false.do(LayCard(BLUE, Card.parse("4D")), SayGo(BLUE))
    seen["false-go"] = false.lay(RED, "3C").shows()
    seen["false-go-and-stuck"] = replace(seen["false-go"], faults=stuck)
    return seen


def _counting() -> dict[str, Snapshot]:
    seen = {}
    story = _to_the_show()
    seen["hand"] = story.shows()
    seen["hand-in-hand"] = story.do(TakePegInHand(BLUE, 12)).shows()
    seen["hand-judged"] = story.do(ReleasePeg(BLUE)).shows()
    seen["next-hand"] = story.do(Accept(RED)).shows()
    seen["zero"] = story.do(TakeZero(RED)).shows()
    seen["impossible"] = story.do(TakePegInHand(RED, 27)).shows()
    story.do(TakePegInHand(RED, 20), Accept(BLUE))
    seen["scan-crib"] = story.shows()
    seen["crib-half"] = story.crib("6H 7H").shows()
    seen["crib"] = story.crib("8H 9D").shows()
    seen["crib-too-few"] = story.peg(RED, 3).shows()
    seen["next-deal"] = story.do(Accept(BLUE)).shows()
    challenged = _to_the_show().do(TakePegInHand(BLUE, 12), Challenge(RED))
    seen["challenged"] = challenged.shows()
    return seen


def _to_the_show() -> Story:
    """The show begins, and the play is pegged. Blue holds 5H 5C JC 4D, red TD 4S 5S JS; the starter is JH."""
    story = Story("verify", dealer=RED).starter("JH").lay(BLUE, "5H TD").peg(RED, 4).lay(BLUE, "5C 4S").do(SayGo(BLUE))
    story.do(LayCard(RED, Card.parse("5S")), SayGo(RED)).peg(RED, 1).lay(BLUE, "JC JS").peg(RED, 2).lay(BLUE, "4D")
    return story.peg(BLUE, 1)


def _trusting() -> dict[str, Snapshot]:
    seen = {}
    story = Story("trust")
    seen["who-deals"] = story.shows()
    seen["trust"] = story.do(NameDealer(BLUE)).shows()
    seen["trust-in-hand"] = story.do(TakePegInHand(RED, 8)).shows()
    seen["trust-pegged"] = story.do(ReleasePeg(RED)).shows()
    seen["trust-far"] = story.do(TakePegInHand(BLUE, 35)).shows()
    far = Refusal("same_hole_again", {"points": 35})
    seen["trust-far-refused"] = story.shows(refusal=far)
    seen["trust-no-count"] = story.do(TakePegInHand(BLUE, 27)).shows()
    seen["trust-challenged"] = story.do(TakePegInHand(BLUE, 35), Challenge(RED)).shows()
    seen["trust-undone"] = story.peg(BLUE, 12).do(Undo()).shows()
    seen["trust-next-deal"] = story.do(EndDeal(BLUE)).shows()
    return seen


def _automatic() -> dict[str, Snapshot]:
    seen = {}
    story = Story("auto", dealer=RED).starter("JH")
    seen["auto-heels"] = story.shows()
    seen["auto-pair-royal"] = story.lay(BLUE, "5H 5D 5C").shows()
    seen["auto-31"] = story.lay(RED, "QS 6H").shows()
    seen["auto-last"] = story.lay(RED, "6C JD 6D").shows()
    seen["auto-hand"] = story.do(OpenCount(BLUE)).shows()
    return seen


def _ending() -> dict[str, Snapshot]:
    seen = {}
    story = Story("trust").do(NameDealer(BLUE)).peg(BLUE, 29, 29, 29, 29).peg(RED, 29, 29, 29, 11)
    seen["nearly-home"] = story.shows(games=(2, 2))
    seen["break-off-asked"] = story.do(Ask(BLUE, Question.BREAK_OFF)).shows(games=(2, 2))
    stopped = Story("trust").do(NameDealer(BLUE)).peg(BLUE, 8).do(Ask(RED, Question.BREAK_OFF), Agree(BLUE))
    seen["broken-off"] = stopped.shows(games=(2, 2), mode=Lobby.AGAIN, way="trust")
    seen["won"] = story.do(DropQuestion()).peg(BLUE, 5).shows(games=(2, 2))
    seen["won-agreed"] = story.do(AcceptResult(BLUE)).shows(games=(2, 2))
    seen["again"] = story.do(AcceptResult(RED)).shows(games=(3, 2), mode=Lobby.AGAIN, way="trust")
    seen["match-won"] = story.shows(games=(7, 2), match_over=True, match_winner=BLUE, mode=Lobby.AGAIN)
    seen["skunk"] = Story("trust").do(NameDealer(BLUE)).peg(BLUE, 20).peg(RED, 29, 29, 29, 29, 5).shows()
    return seen
