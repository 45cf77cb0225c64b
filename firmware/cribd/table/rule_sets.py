"""The rules that a table offers: presets and house rules.

Pure. The rules on offer are fixed at start-up. The players choose one of them in the menu, and the journal keeps its
label. An option is a change to a preset that its source offers or its players ask for; it is on or off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from cribboard.rules import OPTIONS, RULES, Option, OverClaim, Rules, RulesError, Telling, changed, read_label
from cribboard.validation import Message
from cribd.boards import Board


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules with their title."""

    title: str
    """The name of the preset, with any options; for house rules the name in their file."""
    rules: Rules
    """The rules with their options."""

    @property
    def is_preset(self) -> bool:
        """Whether this is a preset with no option added."""
        return self.rules == RULES.get(self.title)

    @property
    def options(self) -> tuple[str, ...]:
        """The options that can be added; none for house rules."""
        return tuple(OPTIONS.get(self.title, {})) if self.is_preset else ()

    def excluded_by(self, option: str) -> tuple[str, ...]:
        """List the options that cannot be played with `option`."""
        of = OPTIONS[self.title]
        return tuple(other for other in of if other != option and of[other].keys() & of[option].keys())

    def with_options(self, options: Sequence[str]) -> Rules:
        """Return the rules with these `options` added.

        Raises `RulesError` for unknown options and for options that exclude each other."""
        for option in options:
            if option not in self.options:
                problem = Message(
                    "rules.no_option",
                    "{option}: {rules} has no such option; allowed is {allowed}.",
                    option=ascii(option[:40]),
                    rules=self.title,
                    allowed=", ".join(self.options) or Message("none", "none"),
                )
            elif options.count(option) > 1:
                problem = Message("rules.option_twice", "{option}: an option is given once.", option=option)
            elif excluded := [other for other in self.excluded_by(option) if other in options]:
                other, *_ = excluded
                problem = Message(
                    "rules.options_exclude", "{option}: it cannot be played with {other}.", option=option, other=other
                )
            else:
                continue
            raise RulesError((problem,))
        return _with(options, self.rules)


PRESETS: tuple[RuleSet, ...] = tuple(RuleSet(name, rules) for name, rules in RULES.items())


def misfits(chosen: RuleSet, board: Board) -> Iterator[str]:
    """Yield in sentences why this board cannot play these rules."""
    sides, tracks = len(chosen.rules.sides), len(board.tracks)
    if sides > tracks:
        yield Message(
            "rules.tracks",
            "{rules} needs {sides} tracks, and the board {board} has {tracks}",
            rules=chosen.title,
            sides=sides,
            board=board.name,
            tracks=tracks,
        )
    target, farthest = chosen.rules.game.target, board.laps * board.last_hole + 1
    if target > farthest:
        yield Message(
            "rules.holes",
            "{rules} needs {target} holes, and the game hole of the board {board} is {farthest}",
            rules=chosen.title,
            target=target,
            board=board.name,
            farthest=farthest,
        )


def playable(board: Board, house: Sequence[RuleSet] = ()) -> tuple[RuleSet, ...]:
    """List the rule sets that this board can play."""
    return tuple(rule_set for rule_set in (*PRESETS, *house) if not any(misfits(rule_set, board)))


def titled(rules: Rules, offered: Sequence[RuleSet]) -> RuleSet:
    """Make a rule set of these rules.

    It has the title under which they are offered, or else their name."""
    found = known(rules, offered)
    return RuleSet(found.title if found else rules.name, rules)


def known(rules: Rules, offered: Sequence[RuleSet]) -> RuleSet | None:
    """Find the offered rule set with these rules, or None.

    Rules that add options to an offered preset belong to that preset. How much the board shows of a call is not
    compared."""
    for rule_set in offered:
        if alike(rule_set.rules, rules):
            return rule_set
    for rule_set in offered:
        if rule_set.title == rules.name and rule_set.is_preset and alike(_preset(rules.name, options_on(rules)), rules):
            return rule_set
    return None


def alike(one: Rules, other: Rules) -> bool:
    """Whether games by both rules can belong to the same match.

    The rules may differ only in how much the board shows of a call."""
    if (one.name, one.deal_and_play, one.game) != (other.name, other.deal_and_play, other.game):
        return False
    return one.claims == other.claims or replace(one.claims, telling=other.claims.telling) == other.claims


def may_tell(rules: Rules) -> tuple[Telling, ...]:
    """List how much these rules let the board tell about calls.

    There is only one if the rules demand silence."""
    claims = rules.claims
    if claims.muggins is Option.ON or claims.over_claim is OverClaim.AWARD_EXCESS:
        return (Telling.TOURNAMENT,)
    if claims.peg_release_final is Option.OFF:  # a silent board judges late: until then a claim could be added to
        return (Telling.CLUB, Telling.GUEST, Telling.COACH)
    return tuple(Telling)


def offered_by_label(label: str, offered: Sequence[RuleSet]) -> Rules | None:
    """Return the offered rules with this label, or None.

    They get today's version of the rulings, even if the label names an older version."""
    try:
        rules = read_label(label)
    except RulesError:
        return None
    return rules.of_today if known(rules, offered) else None


@lru_cache(maxsize=64)
def options_on(rules: Rules) -> tuple[str, ...]:
    """List the options that are on in these rules."""
    return tuple(option for option in OPTIONS.get(rules.name, {}) if _is_on(option, rules))


def _is_on(option: str, rules: Rules) -> bool:
    try:
        return _with((option,), rules) == rules
    except RulesError:  # it contradicts these rules
        return False


def toggled(rules: Rules, option: str) -> Rules:
    """Return the rules with this option toggled."""
    changes = OPTIONS[rules.name][option]
    if option in options_on(rules):
        return changed(rules, {name: RULES[rules.name].values[name] for name in changes})
    return changed(rules, changes)


@cache
def _preset(name: str, options: tuple[str, ...]) -> Rules:
    """Return the preset with these options, from a cache.

    Presets do not change, and each has a few options."""
    return _with(options, RULES[name])


def _with(options: Sequence[str], rules: Rules) -> Rules:
    for option in options:
        rules = changed(rules, OPTIONS[rules.name][option])
    return rules
