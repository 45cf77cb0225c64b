"""All table manners in one pure function: who is asked what, and what a press or a scan means now.

`interpret` answers a fact with an action for the game, a command for the table, or a refusal. It changes nothing and
remembers nothing. It follows the rules reference, section 7, paragraph by paragraph; `docs/playing.md` is made from
it. Whether an action is allowed is the referee's business, not this module's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    AllPass,
    Challenge,
    CutForDeal,
    DropQuestion,
    EndDeal,
    LayCard,
    LetLieDead,
    NameDealer,
    OpenCount,
    PutPegBack,
    ReadCrib,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)
from cribboard.cards import PACK, Card, NotationError
from cribboard.claims import MOST
from cribboard.count_judge import REFUSALS as OF_THE_JUDGE
from cribboard.course import waits_for_starter
from cribboard.events import Doubt, Timing
from cribboard.position import Claim, PegState, Phase, Position, Raised
from cribboard.rules import Way
from cribd import judging, look_back
from cribd.boards import Board
from cribd.facts import (
    CardRead,
    CardsTogether,
    Fact,
    HolePressed,
    Key,
    KeyHeld,
    KeyPressed,
    KeysTogether,
    OtherDeck,
    ReadFailed,
    TagRead,
    TagsTogether,
    UnknownTag,
)
from cribd.rule_sets import RuleSet
from cribd.showing import Judging, Lobby, Menu, MenuLine, Refusal

#: Why the table itself did nothing; the game's own reasons are in `cribboard.actions.REFUSALS`.
REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "two_holes": "two holes were pressed at once: press one",
        "two_keys": "two keys were pressed at once: press one",
        "not_playing": "side {side} has no part in this game: its track and its keys are at rest",
        "two_cards": "{one} and {other} were held up together: hold up one",
        "other_deck": "this card is of the deck {deck}, and another is in play",
        "unknown_tag": "the tag {uid} is of no deck that was enrolled",
        "read_again": "a card could not be read: hold it up again",
        "unclear_card": "{half} could be read only half: it may be {cards}",
        "no_such_card": "{text} is no card: a rank A23456789TJQK and a suit CDHS are wanted",
        "menu_open": "the menu is open: OK takes the line, MENU held leaves",
        "key_means_nothing": "{key} means nothing now",
        "not_kept": "the journal cannot be written: the disk is full, or gone",
        "no_game": "no game is under way: OK starts one",
        "unfinished": "an unfinished game waits: OK takes it up, MENU asks for a new one",
        **OF_THE_JUDGE,
        "looking_back": "the game waits while it is looked back at: MENU goes back to it",
        "look_first": "this is the beginning of the game",
        "look_last": "this is where the game stands",
        "look_here": "this is the act that put the peg there, and there is no other",
        "look_never": "the front peg of {side} never stood in hole {hole}",
        "judge_closed": "the count judge takes no cards while a deal of a silent game is open",
    }
)

#: Longer rubbish from a reader is cut here before it is shown.
_SHOWN = 8
#: Of a tag's number its end is shown, where tags of one deck differ most.
_TAG_SHOWN = 6
#: Of the cards that a half legible text may be, so many are told.
_MAY_BE = 4
_RANK_ALONE = re.compile("(10|[A2-9TJQK])[^A-Z0-9]")
_SUIT_ALONE = re.compile("[^A-Z0-9]{1,2}([CDHS])")


@dataclass(frozen=True, slots=True)
class Situation:
    """What a press is understood by: the game if there is one, what the table asks meanwhile, the open menu, the seat
    whose name stands while a side says which of its seats deals, the count judge if it is open, the rules that it can
    judge by, and how far back somebody looks."""

    board: Board
    position: Position | None = None
    lobby: Lobby | None = None
    menu: Menu | None = None
    naming: int | None = None
    judging: Judging | None = None
    offered: tuple[RuleSet, ...] = ()
    looking: look_back.LookBack | None = None


@dataclass(frozen=True, slots=True)
class OpenMenu:
    """Show the menu, at its first line."""


@dataclass(frozen=True, slots=True)
class StepMenu:
    """On to the next line, and from the last to the first."""


@dataclass(frozen=True, slots=True)
class LeaveMenu:
    """Close the menu; nothing is taken."""


@dataclass(frozen=True, slots=True)
class TakeLine:
    """This side's OK takes the line that is shown."""

    line: MenuLine
    side: int


@dataclass(frozen=True, slots=True)
class AskInstead:
    """Ask this of whoever switched the board on: nothing begins yet, and nothing is lost."""

    lobby: Lobby


@dataclass(frozen=True, slots=True)
class Resume:
    """Take up the unfinished game."""


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin the next game; an unfinished one is kept as broken off."""


@dataclass(frozen=True, slots=True)
class NameSeat:
    """Ask whether this seat deals, or ask no more."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class Judge:
    """So the count judge stands now; None closes it."""

    judging: Judging | None


@dataclass(frozen=True, slots=True)
class Look:
    """So far back somebody looks now; None ends it."""

    back: look_back.LookBack | None


Command = OpenMenu | StepMenu | LeaveMenu | TakeLine | AskInstead | Resume | StartGame | NameSeat | Judge | Look
Answer = Action | Command | Refusal


def interpret(now: Situation, fact: Fact) -> Answer | None:
    """What `fact` means at this table now; None for a fact that asks for nothing (a fault, or its mending)."""
    match fact:
        case HolePressed() | CardRead() | KeyPressed() | KeyHeld():
            pass
        case KeysTogether():
            return Refusal("two_keys")
        case ReadFailed() | CardsTogether() | TagsTogether() | OtherDeck() | UnknownTag() | TagRead():
            return _unread(fact)
        case _:
            return None
    if now.judging is not None:
        return _before_the_judge(now, now.judging, fact)
    if now.looking is not None:
        return _looking_back(now.looking, now.board, fact)
    if now.menu is not None:
        return _in_menu(now.menu, fact)
    if now.lobby is None and now.position is not None and (idle := _not_playing(now.position, fact)):
        return idle
    if now.naming is not None and now.position is not None and (answer := _naming(now.position, now.naming, fact)):
        return answer
    if fact == KeyPressed(Key.MENU):
        return AskInstead(Lobby.START) if now.lobby is Lobby.RESUME else OpenMenu()
    if now.lobby is not None or now.position is None:
        return _in_lobby(now, fact)
    match fact:
        case HolePressed(track, hole):
            return _hole(now.board, now.position, track, hole)
        case CardRead(text, _, side):
            return _card(now.position, text, side)
        case KeyPressed(key, side):
            return _key(now.position, key, side or 0)
        case KeyHeld(Key.GO, side):
            return _go_held(now.position, side or 0)
        case KeyHeld(key, _):
            return _nothing(key)


def _in_menu(menu: Menu, fact: Fact) -> Answer:
    """7.15: MENU steps, any OK takes, MENU held leaves; nothing else reaches the game."""
    match fact:
        case KeyPressed(Key.MENU):
            return StepMenu()
        case KeyHeld(Key.MENU):
            return LeaveMenu()
        case KeyPressed(Key.OK, side):
            return TakeLine(menu.current, side or 0)
        case _:
            return Refusal("menu_open")


def _before_the_judge(now: Situation, judge: Judging, fact: judging.Press) -> Answer:
    """While the count judge is open it has every press and scan, and none reaches the game."""
    closed = judging.closed_to(now.position)
    match judging.hear(judge, fact, closed=closed, offered=now.offered or (judge.rules,)):
        case judging.Leave():
            return Judge(None)
        case Judging() as then:
            return Judge(then)
        case Refusal("no_such_card") if isinstance(fact, CardRead):
            return _no_card(fact.text.strip(), judge.judge.cards.__contains__)
        case refused:
            return refused


def _looking_back(looking: look_back.LookBack, board: Board, fact: look_back.Press) -> Answer:
    """While somebody looks back no press and no scan reaches the game."""
    match look_back.hear(looking, board, fact):
        case look_back.Leave():
            return Look(None)
        case look_back.LookBack() as then:
            return Look(then)
        case refused:
            return refused


def _in_lobby(now: Situation, fact: Fact) -> Answer:
    """7.14 and 7.16: an OK takes up the unfinished game, or starts one; UNDO goes back to the unfinished game."""
    match fact:
        case KeyPressed(Key.OK):
            return Resume() if now.lobby is Lobby.RESUME else StartGame()
        case KeyPressed(Key.UNDO) if now.lobby is Lobby.START and now.position is not None:
            return AskInstead(Lobby.RESUME)
        case _:
            return Refusal("unfinished" if now.lobby is Lobby.RESUME else "no_game")


def _not_playing(p: Position, fact: Fact) -> Refusal | None:
    """A board may have more tracks than the game has sides: what is pressed there is nobody's."""
    match fact:
        case HolePressed(side, _) | KeyPressed(_, int(side)) | KeyHeld(_, int(side)) if side not in p.rules.sides:
            return Refusal("not_playing", {"side": side})
    return None


def _naming(p: Position, seat: int, fact: Fact) -> Answer | None:
    """7.8: partners step through the names with MENU, and any OK takes the one that stands. None for all else."""
    match fact:
        case KeyPressed(Key.OK):
            return NameDealer(seat)
        case KeyPressed(Key.MENU):
            return NameSeat(p.rules.left_of(seat))
        case KeyHeld(Key.MENU):
            return OpenMenu()
        case KeyPressed(Key.UNDO):
            return NameSeat(None)
        case _:
            return None


def _hole(board: Board, p: Position, track: int, hole: int) -> Answer:
    """7.1: a press on one's own track takes the peg in hand, moves it, lets it go, or puts it back."""
    claim = p.claim if p.claim and p.claim.side == track and p.claim.state is PegState.IN_HAND else None
    points = points_ahead(board, p, track, hole)
    if p.raised is not None and p.raised.by == track:
        return _hole_of_muggins(p.raised, points)
    if claim is None:
        return TakePegInHand(track, points)
    if points == 0:
        return PutPegBack(track) if claim.points else ReleasePeg(track)
    if points == claim.points:
        return _same_hole(claim)
    return TakePegInHand(track, points)


def _hole_of_muggins(raised: Raised, points: int) -> Answer:
    """7.3: after CHALLENGE a hole on one's own track is for what the other side missed."""
    if points == 0:
        return PutPegBack(raised.by)
    return ReleasePeg(raised.by) if points == raised.points else TakePegInHand(raised.by, points)


def _same_hole(claim: Claim) -> Answer:
    if claim.doubt is Doubt.NINETEEN:
        return Refusal("answer_first", {"side": claim.side})
    if claim.timing is Timing.LATE:
        return Refusal("waits_for_other_side", {"side": claim.side})
    if claim.doubt is Doubt.FAR:
        return TakePegInHand(claim.side, claim.points)
    return ReleasePeg(claim.side)


def points_ahead(board: Board, p: Position, track: int, hole: int) -> int:
    """How far the hole of that number lies ahead of the front peg; negative behind it.

    7.20: where a board is walked twice the next hole of that number is meant, if it is 1 to 29 ahead, and one behind
    otherwise; the game hole is the game hole.
    """
    front, target = p.pegs[track].front, p.rules.game.target
    if hole == board.game_hole == board.hole_of(target, target):
        return target - front
    if board.laps == 1:
        return hole - front
    if hole == board.hole_of(front, target):
        return 0
    ahead = (hole - front) % board.last_hole
    last = target if hole == board.hole_of(target, target) else target - 1
    return ahead if 1 <= ahead <= MOST and front + ahead <= last else ahead - board.last_hole


def _card(p: Position, text: str, side: int | None) -> Answer:
    """7.6: a scan belongs to the seat that is to act; at a reader of one side's own it is that side's."""
    try:
        card = Card.parse(text.strip())
    except NotationError:
        return _no_card(text.strip(), p.seen)
    match p.phase:
        case Phase.CUT:
            return CutForDeal(_whose(p, side, p.to_cut), card)
        case Phase.PLAY:
            return LayCard(_whose(p, side, p.turn), card)
        case Phase.SHOW if waits_for_starter(p):
            return TurnStarter(card)
        case Phase.SHOW:
            return ReadCrib(card) if p.to_show is None else ShowCard(_whose(p, side, p.to_show), card)
        case _:
            return TurnStarter(card)


def _whose(p: Position, side: int | None, asked: int | None) -> int:
    """The seat that is asked, unless the reader is another side's: then a seat of that side, which is not."""
    if side is None or side not in p.rules.sides or (asked is not None and p.rules.side_of(asked) == side):
        return 0 if asked is None else asked
    return next(seat for seat in p.rules.seats if p.rules.side_of(seat) == side)


def _no_card(text: str, seen: Callable[[Card], bool]) -> Refusal:
    """What is half legible is told with the cards that it may be: those that were not seen yet."""
    half, found = half_legible(text)
    left = [card for card in found if not seen(card)]
    if not left:
        return Refusal("no_such_card", {"text": text[:_SHOWN] or "?"})
    return Refusal("unclear_card", {"half": half, "cards": tuple(left[:_MAY_BE])})


def half_legible(text: str) -> tuple[str, tuple[Card, ...]]:
    """What can be read of a card with one legible corner, "…" for the rest, and the cards that it may be; none if
    there is nothing in it.

    >>> half, cards = half_legible("5?")
    >>> half, [str(card) for card in cards]
    ('5…', ['5C', '5D', '5H', '5S'])
    """
    if found := _RANK_ALONE.fullmatch(text.upper()):
        rank = Card.parse(f"{found[1]}C").rank
        return f"{found[1]}…", tuple(card for card in PACK if card.rank is rank)
    if found := _SUIT_ALONE.fullmatch(text.upper()):
        suit = Card.parse(f"A{found[1]}").suit
        return f"…{found[1]}", tuple(card for card in PACK if card.suit is suit)
    return "", ()


def _unread(fact: ReadFailed | CardsTogether | TagsTogether | OtherDeck | UnknownTag | TagRead) -> Refusal:
    """7.6: what lay before a reader and is no card of this table, whatever is asked now."""
    match fact:
        case OtherDeck(deck):
            return Refusal("other_deck", {"deck": deck})
        case UnknownTag(uid) | TagRead(uid):
            return Refusal("unknown_tag", {"uid": uid[-_TAG_SHOWN:]})
        case CardsTogether((one, other, *_)):
            return Refusal("two_cards", {"one": _named(one), "other": _named(other)})
        case _:
            return Refusal("read_again")


def _named(text: str) -> Card | str:
    """A card for whoever tells of it; "…" for what is none."""
    try:
        return Card.parse(text.strip())
    except NotationError:
        return "…"


def _key(p: Position, key: Key, side: int) -> Answer:
    match key:
        case Key.OK:
            return _ok(p, side)
        case Key.GO:
            return _go(p, side)
        case Key.CHALLENGE:
            return LetLieDead(side) if p.renege else Challenge(side)
        case Key.UNDO:
            return Undo() if p.question is None else DropQuestion()
        case Key.MENU:
            return OpenMenu()


def _go(p: Position, side: int) -> Answer:
    """7.7: go is that of the seat to play. Until the next lead it says for a seat that passed with the others that it
    goes on after all. On trust the board knows of no play, and GO means nothing."""
    if p.way is Way.TRUST and p.phase is not Phase.WON:
        return _nothing(Key.GO)
    if p.passed and p.count_over:
        after_last = p.rules.round_from(p.rules.left_of(p.stack[-1][0]))
        for seat in after_last:
            if seat in p.passed and p.rules.side_of(seat) == side:
                return TakeBackPass(seat)
    return SayGo(p.turn if p.turn is not None and p.rules.side_of(p.turn) == side else side)


def _go_held(p: Position, side: int) -> Answer:
    """7.7: with three seats or more, who laid last says so for all that nobody can go on."""
    last = p.stack[-1][0] if p.stack and not p.count_over else None
    if last is None or len(p.rules.seats) < 3 or p.rules.side_of(last) != side:
        return _go(p, side)
    return AllPass(last)


def _ok(p: Position, side: int) -> Answer:
    """OK answers whatever is open, the nearest first: a question, a claim, one's own count, the deal, the result."""
    if p.question is not None or p.renege:
        return Agree(side)
    if p.phase is Phase.WON:
        return AcceptResult(side)
    if p.raised is not None and (p.raised.by == side or p.raised.points is not None):
        return Accept(side)
    if p.phase is Phase.CUT:
        return NameDealer(side) if len(p.rules.seats) == len(p.rules.sides) else NameSeat(side)
    if p.way is Way.AUTO and p.phase is Phase.SHOW:
        return OpenCount(side)
    own_count = p.counting is not None and p.rules.side_of(p.counting[0]) == side and bool(p.unclaimed(side))
    match p.claim:
        case Claim(side=claimant, state=PegState.IN_HAND):
            return ReleasePeg(side) if claimant == side else Accept(side)
        case Claim() if not own_count or p.game_claimed is not None:
            return Accept(side)
    if own_count:
        return TakeZero(side)  # and with it what the play left is accepted, as by any next count
    return EndDeal(side) if p.phase is Phase.PEGGING else Accept(side)


def _nothing(key: Key) -> Refusal:
    return Refusal("key_means_nothing", {"key": key})
