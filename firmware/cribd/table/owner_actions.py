"""What the owner of the board asks from afar, behind the PIN: names, rules, a new game or match, an undo, open
results.

Pure, a part of `interpret`. The owner is nobody's partner and stands above the sides, as an official does (rules
reference, 7.13, 7.17): no side is asked. What a page asks was seen a moment ago, so it says what it has seen.
"""

from __future__ import annotations

from cribboard.actions import UndoOfficially
from cribd.inputs import (
    LONGEST_NAME,
    FromAfar,
    NamesGiven,
    NewGameAsked,
    NewMatchAsked,
    ResultsOpened,
    RulesGiven,
    UndoAsked,
)
from cribd.table.commands import Answer, BeginAnew, BeginMatch, ChooseRules, GiveNames, OpenResults, Situation
from cribd.table.rule_sets import offered_by_label
from cribd.table.snapshot import Lobby, Refusal


def interpret(now: Situation, fact: FromAfar) -> Answer:
    """What the owner wants, or why it cannot be had."""
    match fact:
        case NamesGiven(names, same_players):
            by_track = tuple(tidy(names[at] if at < len(names) else "") for at in range(len(now.board.tracks)))
            return GiveNames(by_track, same_players)
        case RulesGiven(label):
            rules = offered_by_label(label, now.offered)
            return Refusal("no_such_rules") if rules is None else ChooseRules(rules)
        case NewGameAsked():
            return BeginAnew()
        case NewMatchAsked():
            return BeginMatch()
        case ResultsOpened():
            return OpenResults()
        case UndoAsked(number):
            if now.position is None or now.lobby in (Lobby.START, Lobby.AGAIN):
                return Refusal("no_game")
            if now.lobby is not None:
                return Refusal("unfinished")
            return UndoOfficially() if number == now.position.number else Refusal("gone_on")


def tidy(text: str) -> str:
    """A name as a record can hold it: printable words on one line."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:LONGEST_NAME].strip()
