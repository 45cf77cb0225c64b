"""Snapshots of moments in which a score is challenged, ruled or cannot be read, each reached by playing.

Blue is side 0 and leads, red is side 1 and deals. `_play_out` has the cards of a whole deal.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from uuid import UUID

from tests.support.moments import BLUE, RED, Story

from cribboard import RULES, Card, Rules
from cribboard.actions import (
    Accept,
    AcceptResult,
    Agree,
    Ask,
    Challenge,
    GoOnUnread,
    LayCard,
    LetLieDead,
    NameDealer,
    Question,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
)
from cribboard.rules import changed
from cribd.languages import languages
from cribd.storage.outbox import OutcomeStatus, PlayedFor
from cribd.table.menu import NextPlay, menu_of
from cribd.table.organiser_desk import EventGame, WaitsForRound
from cribd.table.rule_sets import PRESETS, RuleSet, titled
from cribd.table.settings import Settings
from cribd.table.snapshot import (
    ClubMode,
    ClubStep,
    ConfirmOff,
    DeskMessage,
    DeskMessageMode,
    Line,
    Lobby,
    Menu,
    OfficialMode,
    Refusal,
    Snapshot,
    SwitchedOff,
)

ACC = RULES["acc"]
ACC_MUGGINS = changed(ACC, {"muggins": "on"})
BRITANNICA = changed(RULES["britannica"], {"muggins": "on"})
TOURNAMENT = changed(RULES["six-card"], {"telling": "tournament"})
GUEST = changed(RULES["six-card"], {"telling": "guest"})
COACH = changed(RULES["six-card"], {"telling": "coach"})


#: A game of an event, between teams with long names.
AT_TABLE_FOUR = EventGame(
    place=PlayedFor(event=UUID(int=1), round=12, table=4, game=1),
    names=("Les Joyeux Brasseurs", "Légion d’Antigonish"),
    rules=RULES["fadoq"],
    captains=("Marie-Thérèse Gagnon", "Jean-François Roy"),
    is_sealed=True,
)


@cache
def moments_of_rulings() -> dict[str, Snapshot]:
    """All moments by name."""
    return {
        **_silent(),
        **_muggins(),
        **_game_claimed(),
        **_false_gos(),
        **_unread(),
        **_helped(),
        **_menu(),
        **_in_an_event(),
    }


def _story(rules: Rules) -> Story:
    return Story("verify", dealer=RED, rules=rules).starter("6C")


def _fifteen(rules: Rules, called: int) -> Story:
    """Red lays the 5♦ on the 10♣, which is fifteen, and calls this many points for it."""
    return _story(rules).lay(BLUE, "TC 5D").peg(RED, called)


def to_the_show(rules: Rules) -> Story:
    """The show begins; red has its three for the last card and its pair. Blue's hand is 9, red's 8, the crib 2."""
    story = _story(rules).lay(BLUE, "TC 7D KD 4S 4H 9D 5S")
    return story.lay(RED, "5H").do(TakePegInHand(RED, 3), ReleasePeg(RED))


def _hand(rules: Rules, first: str, rest: str, starter: str) -> Story:
    """All cards are laid, and blue's hand is to be counted. `first` is laid until both say go."""
    story = Story("verify", dealer=RED, rules=rules).starter(starter).lay(BLUE, first)
    return story.do(SayGo(BLUE), SayGo(RED)).lay(BLUE, rest)


def _silent() -> dict[str, Snapshot]:
    seen = {}
    story = _fifteen(ACC, 4)
    seen["acc-called"] = story.shows()
    seen["acc-too-many"] = story.do(Challenge(BLUE)).shows()
    seen["acc-exact"] = _fifteen(ACC, 2).do(Challenge(BLUE)).shows()
    seen["acc-stood"] = _fifteen(ACC, 4).lay(BLUE, "KD").shows()
    seen["acc-under-in-play"] = _fifteen(ACC, 1).lay(BLUE, "KD").shows()
    seen["tournament-too-many"] = _fifteen(TOURNAMENT, 4).do(Challenge(BLUE)).shows()
    held = _story(ACC).lay(BLUE, "TC 5D").do(TakePegInHand(RED, 2))
    seen["acc-not-let-go"] = held.shows(refusal=Refusal("not_let_go", {"side": RED}))
    show = to_the_show(ACC)
    seen["acc-hand"] = show.shows()
    seen["acc-hand-in-hand"] = show.do(TakePegInHand(BLUE, 9)).shows()
    seen["acc-hand-called"] = show.do(ReleasePeg(BLUE)).shows()
    seen["acc-hand-accepted"] = show.do(Accept(RED)).shows()
    over = to_the_show(ACC).peg(BLUE, 12)
    seen["acc-hand-too-many"] = over.do(Challenge(RED)).shows()
    seen["acc-hand-stood"] = to_the_show(ACC).peg(BLUE, 12).do(Accept(RED)).shows()
    seen["acc-hand-under"] = to_the_show(ACC).peg(BLUE, 6).do(Accept(RED)).shows()
    seen["acc-out-of-turn"] = to_the_show(ACC).do(TakePegInHand(RED, 8)).shows()
    many_kinds = _hand(ACC, "7H TC KD 2D", "8C TD 9S QS", "8D").peg(BLUE, 1).do(Accept(RED)).peg(BLUE, 12)
    seen["acc-many-kinds"] = many_kinds.do(Accept(RED)).shows()
    tens = _hand(ACC, "TH AC TD 9D", "TC 5D TS QS", "5C").peg(BLUE, 1).do(Accept(RED)).peg(BLUE, 20)
    seen["acc-tens-called"] = tens.shows()
    play_first = _hand(ACC, "7H TC 7C 2D", "8D TD 9S QS", "8C")
    seen["acc-play-first"] = play_first.shows()
    seen["acc-play-first-in-hand"] = play_first.do(TakePegInHand(BLUE, 1)).shows()
    seen["acc-hand-second"] = play_first.do(ReleasePeg(BLUE), Accept(RED)).shows()
    seen["acc-hand-second-in-hand"] = play_first.do(TakePegInHand(BLUE, 24)).shows()
    return seen


def _muggins() -> dict[str, Snapshot]:
    seen = {}
    story = to_the_show(BRITANNICA).peg(BLUE, 6)
    story.do(Challenge(RED))
    seen["muggins-asked"] = story.shows()
    story.do(TakePegInHand(RED, 3))
    seen["muggins-in-hand"] = story.shows()
    seen["muggins-exact"] = story.do(ReleasePeg(RED)).shows()
    for name, rules, called, muggins in (
        ("muggins-too-many", BRITANNICA, 6, 5),
        ("muggins-too-few", BRITANNICA, 6, 2),
        ("muggins-wrong", BRITANNICA, 9, 3),
        ("acc-muggins", ACC_MUGGINS, 6, 3),
        ("acc-muggins-wrong", ACC_MUGGINS, 9, 3),
    ):
        table = to_the_show(rules).peg(BLUE, called).do(Challenge(RED), TakePegInHand(RED, muggins), ReleasePeg(RED))
        seen[name] = table.shows()
    zero = to_the_show(BRITANNICA).do(TakeZero(BLUE), ReleasePeg(BLUE))
    seen["muggins-zero-let-go"] = zero.shows()
    seen["muggins-withdrawn"] = to_the_show(BRITANNICA).peg(BLUE, 6).do(Challenge(RED), Challenge(RED)).shows()
    never = _story(BRITANNICA).lay(BLUE, "TC 5D KD").do(Challenge(BLUE))
    seen["muggins-asked-in-play"] = never.shows()
    seen["muggins-in-play"] = never.do(TakePegInHand(BLUE, 2), ReleasePeg(BLUE)).shows()
    late = _fifteen(BRITANNICA, 2).lay(BLUE, "KD").do(Challenge(BLUE), TakePegInHand(BLUE, 2), ReleasePeg(BLUE))
    seen["muggins-nothing-in-play"] = late.shows()
    return seen


def _game_claimed() -> dict[str, Snapshot]:
    """Blue called far too much in the play, and nobody challenged it; its hand of 9 is called as the game."""
    seen = {}
    for name, rules in ("acc", ACC), ("tournament", TOURNAMENT):
        story = _story(rules)
        for cards, called in ("TC", 29), ("7D KD", 29), ("4S 4H", 29), ("9D 5S", 20):
            story.lay(BLUE if len(cards) == 2 else RED, cards).peg(BLUE, called)
        story.lay(RED, "5H").peg(RED, 3).peg(BLUE, 14)
        seen[f"{name}-game-claimed"] = story.shows()
        seen[f"{name}-game-claimed-refused"] = story.shows(refusal=Refusal("game_is_claimed", {"side": BLUE}))
        seen[f"{name}-false-game"] = story.do(Challenge(RED)).shows()
    return seen


def _false_gos() -> dict[str, Snapshot]:
    seen = {}
    for name, rules in ("acc", ACC), ("six-card", RULES["six-card"]):
        story = _story(rules).lay(BLUE, "TC TD 2D").do(SayGo(RED), LayCard(BLUE, Card.parse("4D")), SayGo(BLUE))
        story.lay(RED, "3C")
        seen[f"{name}-false-go"] = story.shows()
        if name == "acc":
            seen["acc-renege-first"] = story.shows(refusal=Refusal("renege_first", {"side": BLUE}))
            seen["acc-dead"] = story.do(LetLieDead(BLUE)).shows()
        else:
            seen["roll-back-asked"] = story.do(Ask(BLUE, Question.ROLL_BACK)).shows()
            seen["rolled-back"] = story.do(Agree(RED)).shows()
    played = _story(ACC).lay(BLUE, "TC TD 2D").do(SayGo(RED), LayCard(BLUE, Card.parse("4D")), SayGo(BLUE))
    seen["acc-play-on"] = played.lay(RED, "3C").do(Agree(BLUE)).shows()
    return seen


def _unread() -> dict[str, Snapshot]:
    seen = {}
    story = Story("verify", dealer=RED).do(GoOnUnread(RED))
    seen["unread-starter"] = story.shows()
    story.lay(BLUE, "TC").do(GoOnUnread(RED))
    seen["unread-card"] = story.shows()
    seen["unread-called"] = story.peg(RED, 2).shows()
    seen["unread-stands"] = story.lay(BLUE, "KD").shows()
    return seen


def _helped() -> dict[str, Snapshot]:
    seen = {}
    seen["guest-hand"] = to_the_show(GUEST).shows()
    seen["coach-hand"] = to_the_show(COACH).shows()
    seen["coach-counted"] = to_the_show(COACH).peg(BLUE, 9).shows()
    seen["coach-too-many"] = to_the_show(COACH).peg(BLUE, 12).shows()
    seen["coach-24"] = _hand(COACH, "7H TC 7C 2D", "8D TD 9S QS", "8C").peg(BLUE, 1, 24).shows()
    seen["coach-23"] = _hand(COACH, "4H TC 5C TD", "5S QS 6D KS", "5D").peg(BLUE, 23).shows()
    wrong = _hand(COACH, "4C TC 5H TD", "5S QS 6D KS", "9D")
    seen["coach-14-called-24"] = wrong.peg(BLUE, 24).shows()
    seen["coach-29"] = _hand(COACH, "5H TC 5C TD", "5S QS JD KS", "5D").peg(BLUE, 1, 29).shows()
    return seen


def _menu() -> dict[str, Snapshot]:
    """The menu lines for a dispute or for help, and the screen while an official is called."""
    seen = {}
    for name, rules in ("menu-telling", COACH), ("menu-no-help-muggins", BRITANNICA), ("menu-no-help-excess", ACC):
        settings = Settings(rules=rules)
        offered = menu_of(None, settings, cards=True, offered=PRESETS, languages=languages(), covers=Lobby.START)
        seen[name] = Snapshot(mode=_at(offered, Line.TELLING), rules=titled(rules, PRESETS))
    seen["start-coach"] = Snapshot(mode=Lobby.START, rules=titled(COACH, PRESETS))
    story = _story(RULES["six-card"]).lay(BLUE, "TC TD 2D")
    story.do(SayGo(RED), LayCard(BLUE, Card.parse("4D")), SayGo(BLUE)).lay(RED, "3C")
    during = menu_of(story.game.position, Settings(), cards=True, offered=PRESETS, languages=languages())
    for line in (Line.ROLL_BACK, Line.UNREAD, Line.OFFICIAL):
        seen[f"menu-{line.value.replace('_', '-')}"] = story.shows(mode=_at(during, line))
    seen["official"] = story.shows(mode=OfficialMode(RED))
    seen["official-refuses"] = story.shows(mode=OfficialMode(RED), refusal=Refusal("official_called"))
    seen["club-words"] = Snapshot(
        mode=ClubMode(ClubStep.WORDS, "Rimouski", ("moustache", "xylophone"), covers=Lobby.START)
    )
    seen["switch-off"] = story.shows(mode=ConfirmOff())
    seen["switched-off"] = story.shows(mode=SwitchedOff())
    seen["not-switched-off"] = story.shows(refusal=Refusal("off_not_allowed"))
    seen["official-captain"] = story.shows(mode=OfficialMode(BLUE, captain=True, name="Les Joyeux As"))
    return seen


#: A word of the desk that fills the screen.
WORD = "Lunch is at noon in the big room, round 3 begins at 13:15"


def _at(menu: Menu, line: Line) -> Menu:
    """The menu at this line."""
    return replace(menu, at=[each.line for each in menu.lines].index(line))


def _in_an_event() -> dict[str, Snapshot]:
    """What a table in an event asks between two games."""
    due = Snapshot(mode=Lobby.START, event=AT_TABLE_FOUR, rules=RuleSet("fadoq", RULES["fadoq"]), way="trust")
    won = Story("trust").do(NameDealer(BLUE)).peg(RED, 29, 29, 29, 11).peg(BLUE, 29, 29, 29, 29, 5)
    after = replace(won.do(AcceptResult(BLUE), AcceptResult(RED)).shows(mode=Lobby.AGAIN), event=due.event)
    moves = WaitsForRound(4, 2, (("Rita et Marcel", 2), ("Les Joyeux As de Jonquière", 11)))
    friendly = Story("verify", dealer=RED).starter("9H").lay(BLUE, "TC TD")
    plays = menu_of(None, Settings(), cards=True, offered=PRESETS, languages=languages(), plays=NextPlay.EVENT)
    return {
        "event": due,
        "event-menu": replace(due, mode=replace(plays, covers=Lobby.START)),
        "event-again": replace(after, entered=OutcomeStatus.ACCEPTED),
        "event-over": replace(after, event=None, entered=OutcomeStatus.ACCEPTED),
        "event-waits": replace(due, event=None, waits=WaitsForRound(3, 12)),
        "event-waits-again": replace(after, event=None, entered=OutcomeStatus.ACCEPTED, waits=WaitsForRound(3, 2)),
        "event-waits-refused": replace(due, event=None, waits=WaitsForRound(3, 2), refusal=Refusal("waits_for_round")),
        "event-called": replace(friendly.shows(), event=due.event),
        "event-called-count": replace(friendly.do(TakePegInHand(RED, 2)).shows(), event=due.event),
        "event-disputed": replace(after, entered=OutcomeStatus.DISPUTED),
        "event-not-taken": replace(after, entered=OutcomeStatus.NOT_TAKEN),
        "event-kept": replace(after, entered=OutcomeStatus.KEPT),
        "event-moves": replace(after, event=None, entered=OutcomeStatus.ACCEPTED, waits=moves),
        "desk-rehearsal": replace(due, mode=DeskMessageMode(DeskMessage.REHEARSAL, covers=Lobby.START)),
        "desk-word": replace(friendly.shows(), mode=DeskMessageMode(DeskMessage.WORD, WORD)),
        "desk-word-refuses": replace(
            friendly.shows(), mode=DeskMessageMode(DeskMessage.WORD, WORD), refusal=Refusal("desk_speaks")
        ),
        "desk-ended": replace(
            after, entered=OutcomeStatus.ACCEPTED, mode=DeskMessageMode(DeskMessage.ENDED, covers=Lobby.AGAIN)
        ),
        "desk-by-slip": replace(friendly.shows(), mode=DeskMessageMode(DeskMessage.BY_SLIP)),
        "desk-paused": replace(friendly.shows(), mode=DeskMessageMode(DeskMessage.PAUSED)),
        "desk-paused-refuses": replace(
            friendly.shows(), mode=DeskMessageMode(DeskMessage.PAUSED), refusal=Refusal("desk_paused")
        ),
    }
