"""Interprets requests from the owner's page.

The page is behind the PIN. Requests set names, rules or the next games, begin a game or a match, undo an
act, or switch off. Pure, a part of `interpret`. The owner stands above the sides, as an official does (rules reference,
7.13, 7.17): no side is asked. An undo names the event that the page has seen last, and is refused if the game has gone
on since.
"""

from __future__ import annotations

from cribboard.actions import UndoOfficially
from cribboard.rules import Way
from cribd.inputs import (
    LONGEST_NAME,
    ClubAsked,
    GameSetUp,
    NamesGiven,
    NewGameAsked,
    NewMatchAsked,
    OwnerRequest,
    RulesGiven,
    SetUpEnded,
    SwitchOffAsked,
    UndoAsked,
)
from cribd.table.commands import (
    BeginAnew,
    BeginMatch,
    ChooseRules,
    ClubRequest,
    EndSetUp,
    GiveNames,
    InputMeaning,
    SetUp,
    Situation,
    SwitchOff,
    base_of,
)
from cribd.table.rule_sets import offered_by_label
from cribd.table.snapshot import Lobby, Refusal


def interpret(now: Situation, request: OwnerRequest) -> InputMeaning:
    """Return the meaning of the owner's request."""
    match request:
        case NamesGiven(names, same_players):
            by_track = tuple(tidy(names[at] if at < len(names) else "") for at in range(len(now.board.tracks)))
            return GiveNames(by_track, same_players)
        case RulesGiven(label):
            rules = offered_by_label(label, now.offered)
            return Refusal("no_such_rules") if rules is None else ChooseRules(rules)
        case GameSetUp(label, way, names):
            rules = offered_by_label(label, now.offered)
            if rules is None or way not in list(Way):
                return Refusal("no_such_rules")
            return SetUp(rules, Way(way), tuple(map(tidy, names)))
        case SetUpEnded():
            return EndSetUp()
        case NewGameAsked():
            return BeginAnew()
        case NewMatchAsked():
            return BeginMatch()
        case ClubAsked(act, address):
            return ClubRequest(act, address)
        case SwitchOffAsked():
            return SwitchOff()
        case UndoAsked(number):
            return _undo(now, number)


def _undo(now: Situation, number: int) -> InputMeaning:
    base = base_of(now.mode)
    if now.position is None or base in (Lobby.START, Lobby.AGAIN):
        return Refusal("no_game")
    if base is Lobby.RESUME:
        return Refusal("unfinished")
    return UndoOfficially() if number == now.position.number else Refusal("gone_on")


def tidy(text: str) -> str:
    """Return the name in a form that a record can contain."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:LONGEST_NAME].strip()
