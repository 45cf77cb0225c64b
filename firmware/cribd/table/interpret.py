"""Interprets each input at the table.

`interpret` answers a press, a scan or a request of the owner with an action for the game, a command for the table, or
a refusal (rules reference, section 7). The referee judges whether the action is allowed. Everything here is pure.

The table's mode decides what a press means. In a game, a hole or a key becomes an action in `button_actions` and a card
in `card_actions`. `count_judge_mode` and `review` answer the presses of their modes, and `owner_actions` the owner's
requests, in any mode.
"""

from __future__ import annotations

from dataclasses import replace

from cribboard.actions import NameDealer
from cribboard.position import Position
from cribd.boards import Board
from cribd.inputs import (
    CardRead,
    HolePressed,
    Input,
    Key,
    KeyHeld,
    KeyHeldLonger,
    KeyPressed,
    KeysTogether,
    KeysTooEarly,
    OwnerRequest,
    Press,
    Scanned,
)
from cribd.table import button_actions, card_actions, club_mode, commands, count_judge_mode, owner_actions, review
from cribd.table.snapshot import (
    PLAYING,
    ClubMode,
    ConfirmOff,
    CountJudgeMode,
    DeskMessage,
    DeskMessageMode,
    Line,
    Lobby,
    Menu,
    NamingDealer,
    OfficialMode,
    Playing,
    Refusal,
    SwitchedOff,
)


def interpret(now: commands.Situation, given: Input) -> commands.InputMeaning | None:
    """Return the meaning of the input `given` in this situation.

    None for a fault or a repair, which need no answer, and for everything while the board is switched off."""
    if isinstance(now.mode, SwitchedOff):
        return None
    if isinstance(given, KeyHeldLonger):
        return commands.ChangeMode(asked_off(now.mode))
    if isinstance(now.mode, ConfirmOff) and isinstance(given, Press | Scanned | KeysTogether):
        return _answer_off(now.mode, given, unread=now.unread)
    if isinstance(given, Press):
        return _press(now, given)
    if isinstance(given, Scanned):
        return card_actions.scan_refused(given)
    if isinstance(given, OwnerRequest):
        return owner_actions.interpret(now, given)
    if isinstance(given, KeysTooEarly):
        return Refusal("too_early")
    return Refusal("two_keys") if isinstance(given, KeysTogether) else None


def _press(now: commands.Situation, press: Press) -> commands.InputMeaning | None:
    match now.mode:
        case CountJudgeMode() as judge:
            return _in_count_judge(now, judge, press)
        case review.Review() as back:
            answer = review.interpret(back, now.board, press)
            return answer if isinstance(answer, Refusal) else commands.ChangeMode(answer)
        case Menu() as menu:
            return _in_menu(menu, press)
        case ClubMode() as shown:
            return club_mode.interpret(shown, press)
        case OfficialMode():  # 7.17: any OK reports that the official is here
            is_ok = isinstance(press, KeyPressed) and press.key is Key.OK
            return commands.OfficialCame() if is_ok else Refusal("official_called")
        case DeskMessageMode(what):  # any OK
            if what is DeskMessage.PAUSED:
                return Refusal("desk_paused")
            is_ok = isinstance(press, KeyPressed) and press.key is Key.OK
            return Refusal("desk_speaks") if not is_ok else None if now.unread else commands.Confirm(what)
        case Lobby() as lobby:
            return _in_lobby(lobby, now, press)
        case (Playing() | NamingDealer()) as game if now.position is not None:
            return _in_game(now.board, now.position, game, press)
        case _:
            return _in_lobby(Lobby.START, replace(now, position=None), press)


def asked_off(mode: commands.Mode) -> ConfirmOff:
    """Return the mode that asks whether to switch off (7.24).

    The question closes the menu, the count judge or a review."""
    if isinstance(mode, ConfirmOff):
        return mode
    covered = mode.covers if isinstance(mode, DeskMessageMode) else mode
    return ConfirmOff(covered if isinstance(covered, OfficialMode) else commands.base_of(covered))


def _answer_off(question: ConfirmOff, given: Input, *, unread: bool) -> commands.InputMeaning | None:
    """Interpret the answer to the question whether to switch off (7.24).

    OK of any side says yes, but not within the first second, when nobody can have read the question. Every other press,
    and every scan, says no and means nothing else."""
    if isinstance(given, KeyPressed) and given.key is Key.OK:
        return None if unread else commands.SwitchOff()
    return commands.ChangeMode(question.covers)


def _in_game(board: Board, p: Position, mode: Playing | NamingDealer, press: Press) -> commands.InputMeaning:
    match press:
        case HolePressed(at, _) | KeyPressed(_, int(at)) | KeyHeld(_, int(at)) if at not in p.rules.sides:
            return Refusal("not_playing", {"side": at})
    if isinstance(mode, NamingDealer) and (answer := _naming(p, mode.seat, press)):
        return answer
    match press:
        case HolePressed(track, hole):
            return button_actions.hole_action(board, p, track, hole)
        case CardRead(text, _, side):
            return card_actions.card_action(p, text, side)
        case KeyPressed(key, side):
            return button_actions.key_action(p, key, side or 0)
        case KeyHeld(Key.GO, side):
            return button_actions.held_go_action(p, side or 0)
        case KeyHeld(key):
            return button_actions.means_nothing(key)


def _in_menu(menu: Menu, press: Press) -> commands.InputMeaning:
    """Interpret an input in the menu.

    Any side may press OK (rules reference, 7.15)."""
    match press:
        case KeyPressed(Key.MENU):
            return commands.OpenMenu((menu.at + 1) % len(menu.lines))
        case KeyHeld(Key.MENU):
            return commands.ChangeMode(menu.covers)
        case KeyPressed(Key.OK) if menu.current.line is Line.SWITCH_OFF:
            return commands.ChangeMode(asked_off(menu))
        case KeyPressed(Key.OK, side):
            return commands.TakeLine(menu.current, side or 0)
        case _:
            return Refusal("menu_open")


def _in_count_judge(now: commands.Situation, judge: CountJudgeMode, press: Press) -> commands.InputMeaning:
    closed = count_judge_mode.closed_to(now.position)
    offered = now.offered or (judge.rules,)
    answer = count_judge_mode.interpret(judge, press, closed=closed, offered=offered, pages=now.pages)
    if not isinstance(answer, Refusal):
        return commands.ChangeMode(answer)
    if answer.code == "no_such_card" and isinstance(press, CardRead):
        return card_actions.not_a_card(press.text.strip(), judge.judge.cards.__contains__)
    return answer


def _in_lobby(lobby: Lobby, now: commands.Situation, press: Press) -> commands.InputMeaning:
    """Interpret a press between games (7.14, 7.23).

    If the table waits for a round, OK starts no game. UNDO goes back to the unfinished game."""
    resume = lobby is Lobby.RESUME
    match press:
        case KeyPressed(Key.MENU, None):
            return commands.ChangeMode(Lobby.START) if resume else commands.OpenMenu()
        case KeyPressed(Key.OK) if now.waits and not resume:
            return Refusal("waits_for_round")
        case KeyPressed(Key.OK):
            return commands.ChangeMode(PLAYING) if resume else commands.StartGame()
        case KeyPressed(Key.UNDO) if lobby is Lobby.START and now.position is not None:
            return commands.ChangeMode(Lobby.RESUME)
        case _:
            return Refusal("unfinished" if resume else "no_game")


def _naming(p: Position, seat: int, press: Press) -> commands.InputMeaning | None:
    """Interpret a press while the first dealer is chosen (7.8).

    None for another press."""
    match press:
        case KeyPressed(Key.OK):
            return NameDealer(seat)
        case KeyPressed(Key.MENU):
            return commands.ChangeMode(NamingDealer(p.rules.left_of(seat)))
        case KeyHeld(Key.MENU):
            return commands.OpenMenu()
        case KeyPressed(Key.UNDO):
            return commands.ChangeMode(PLAYING)
        case _:
            return None
