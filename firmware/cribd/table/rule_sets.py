"""The rules that a table can choose from: the presets and the owner's house rules, by their titles, with options.

Pure. Which rules there are is settled when the board is switched on; which of them are played is chosen in the menu,
and kept as their label. An option is what a preset's own source offers, or its players ask for: it is played or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cribboard.rules import OPTIONS, RULES, Option, OverClaim, Rules, RulesError, Telling, changed, read_label
from cribd.boards import Board


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules, and what they are called: a preset by its name, whatever its options, house rules as their file says."""

    title: str
    rules: Rules

    @property
    def is_preset(self) -> bool:
        return self.rules == RULES.get(self.title)


PRESETS: tuple[RuleSet, ...] = tuple(RuleSet(name, rules) for name, rules in RULES.items())


def misfits(chosen: RuleSet, board: Board) -> Iterator[str]:
    """Why these rules cannot be played on this board; nothing if they can."""
    sides, tracks = len(chosen.rules.sides), len(board.tracks)
    if sides > tracks:
        yield f"{chosen.title} needs {sides} tracks, and the board {board.name} has {tracks}"
    target, farthest = chosen.rules.game.target, board.laps * board.last_hole + 1
    if target > farthest:
        yield f"{chosen.title} needs {target} holes, and the game hole of the board {board.name} is {farthest}"


def playable(board: Board, house: Sequence[RuleSet] = ()) -> tuple[RuleSet, ...]:
    """What this board can offer: the presets that fit it, then the house rules that do."""
    return tuple(each for each in (*PRESETS, *house) if not any(misfits(each, board)))


def titled(rules: Rules, offered: Sequence[RuleSet]) -> RuleSet:
    """These rules by the title under which they are offered."""
    found = known(rules, offered)
    return RuleSet(found.title if found else rules.name, rules)


def known(rules: Rules, offered: Sequence[RuleSet]) -> RuleSet | None:
    """The rules that are offered of which these are: the same, or a preset with options, however much the board tells.
    None if there are none."""
    for each in offered:
        if alike(each.rules, rules):
            return each
    for each in offered:
        if each.is_preset and each.title == rules.name and alike(_with(options_on(rules), each.rules), rules):
            return each
    return None


def alike(one: Rules, other: Rules) -> bool:
    """Whether one game of both can be of one match: they differ in nothing but what the board tells."""
    return one.name == other.name and {**one.values, "telling": ""} == {**other.values, "telling": ""}


def may_tell(rules: Rules) -> tuple[Telling, ...]:
    """How much the board may tell by these rules; nothing to choose where they want it to be silent."""
    claims = rules.claims
    if claims.muggins is Option.ON or claims.over_claim is OverClaim.AWARD_EXCESS:
        return (Telling.TOURNAMENT,)
    if claims.peg_release_final is Option.OFF:  # what the board does not judge at once cannot be added to
        return (Telling.CLUB, Telling.GUEST, Telling.COACH)
    return tuple(Telling)


def offered_by_label(label: str, offered: Sequence[RuleSet]) -> Rules | None:
    """The rules that a label spells, by today's rulings; None if they are not offered (any more)."""
    try:
        rules = read_label(label)
    except RulesError:
        return None
    return rules.of_today if known(rules, offered) else None


def options_on(rules: Rules) -> tuple[str, ...]:
    """The options of the preset that these rules play."""
    return tuple(each for each in OPTIONS.get(rules.name, {}) if _with((each,), rules) == rules)


def toggled(rules: Rules, option: str) -> Rules:
    """These rules with the option, or without it if it is played already."""
    changes = OPTIONS[rules.name][option]
    if option in options_on(rules):
        return changed(rules, {name: RULES[rules.name].values[name] for name in changes})
    return changed(rules, changes)


def _with(options: Sequence[str], rules: Rules) -> Rules:
    for option in options:
        rules = changed(rules, OPTIONS[rules.name][option])
    return rules
