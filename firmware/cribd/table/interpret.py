"""All table manners in one pure function: who is asked what, and what a press or a scan means now.

`interpret` answers a fact with an action for the game, a command for the table, or a refusal. It changes nothing and
remembers nothing. It follows the rules reference, section 7, paragraph by paragraph; `docs/playing.md` is made from
it. Whether an action is allowed is the referee's business, not this module's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cribboard.actions import (
    NameDealer,
)
from cribboard.count_judge import REFUSALS as OF_THE_JUDGE
from cribboard.position import Position
from cribd.boards import Board
from cribd.inputs import (
    CardRead,
    CardsTogether,
    HolePressed,
    Input,
    Key,
    KeyHeld,
    KeyPressed,
    KeysTogether,
    NamesGiven,
    NewGameAsked,
    NewMatchAsked,
    OtherDeck,
    ReadFailed,
    ResultsOpened,
    RulesGiven,
    TagRead,
    TagsTogether,
    UndoAsked,
    UnknownTag,
)
from cribd.table import button_actions, card_actions, count_judge_mode, owner_actions, review
from cribd.table.commands import (
    Answer,
    AskInstead,
    Judge,
    LeaveMenu,
    Look,
    NameSeat,
    OfficialCame,
    OpenMenu,
    Resume,
    Situation,
    StartGame,
    StepMenu,
    TakeLine,
)
from cribd.table.snapshot import Judging, Lobby, Menu, Refusal

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
        "official_called": "an official was called: OK says that he is here",
        "key_means_nothing": "{key} means nothing now",
        "not_kept": "the journal cannot be written: the disk is full, or gone",
        "no_game": "no game is under way: OK starts one",
        "gone_on": "the game has gone on since the owner looked: look again",
        "no_such_rules": "this board does not offer these rules",
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


def interpret(now: Situation, fact: Input) -> Answer | None:
    """What `fact` means at this table now; None for a fact that asks for nothing (a fault, or its mending)."""
    match fact:
        case HolePressed() | CardRead() | KeyPressed() | KeyHeld():
            pass
        case KeysTogether():
            return Refusal("two_keys")
        case ReadFailed() | CardsTogether() | TagsTogether() | OtherDeck() | UnknownTag() | TagRead():
            return card_actions.not_read(fact)
        case NamesGiven() | RulesGiven() | NewGameAsked() | NewMatchAsked() | UndoAsked() | ResultsOpened():
            return owner_actions.interpret(now, fact)
        case _:
            return None
    if now.judging is not None:
        return _before_the_judge(now, now.judging, fact)
    if now.looking is not None:
        return _looking_back(now.looking, now.board, fact)
    if now.menu is not None:
        return _in_menu(now.menu, fact)
    if now.official:
        return OfficialCame() if isinstance(fact, KeyPressed) and fact.key is Key.OK else Refusal("official_called")
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
            return button_actions.hole(now.board, now.position, track, hole)
        case CardRead(text, _, side):
            return card_actions.card_read(now.position, text, side)
        case KeyPressed(key, side):
            return button_actions.key(now.position, key, side or 0)
        case KeyHeld(Key.GO, side):
            return button_actions.go_held(now.position, side or 0)
        case KeyHeld(key, _):
            return button_actions.nothing(key)


def _in_menu(menu: Menu, fact: Input) -> Answer:
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


def _before_the_judge(now: Situation, judge: Judging, fact: count_judge_mode.Press) -> Answer:
    """While the count judge is open it has every press and scan, and none reaches the game."""
    closed = count_judge_mode.closed_to(now.position)
    offered = now.offered or (judge.rules,)
    match count_judge_mode.hear(judge, fact, closed=closed, offered=offered, pages=now.pages):
        case count_judge_mode.Leave():
            return Judge(None)
        case Judging() as then:
            return Judge(then)
        case Refusal("no_such_card") if isinstance(fact, CardRead):
            return card_actions.no_card(fact.text.strip(), judge.judge.cards.__contains__)
        case refused:
            return refused


def _looking_back(looking: review.Review, board: Board, fact: review.Press) -> Answer:
    """While somebody looks back no press and no scan reaches the game."""
    match review.hear(looking, board, fact):
        case review.Leave():
            return Look(None)
        case review.Review() as then:
            return Look(then)
        case refused:
            return refused


def _in_lobby(now: Situation, fact: Input) -> Answer:
    """7.14 and 7.16: an OK takes up the unfinished game, or starts one; UNDO goes back to the unfinished game."""
    match fact:
        case KeyPressed(Key.OK):
            return Resume() if now.lobby is Lobby.RESUME else StartGame()
        case KeyPressed(Key.UNDO) if now.lobby is Lobby.START and now.position is not None:
            return AskInstead(Lobby.RESUME)
        case _:
            return Refusal("unfinished" if now.lobby is Lobby.RESUME else "no_game")


def _not_playing(p: Position, fact: Input) -> Refusal | None:
    """A board may have more tracks than the game has sides: what is pressed there is nobody's."""
    match fact:
        case HolePressed(side, _) | KeyPressed(_, int(side)) | KeyHeld(_, int(side)) if side not in p.rules.sides:
            return Refusal("not_playing", {"side": side})
    return None


def _naming(p: Position, seat: int, fact: Input) -> Answer | None:
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
