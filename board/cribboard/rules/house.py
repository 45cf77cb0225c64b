"""House rules: a preset with changed values, and the checks on them.

`changed` returns rules that can be played, or raises `RulesError` with every problem at once: each a sentence that
names the parameter, its value and what is allowed. The label (`britannica/2 target=61 skunk_line=31`) spells house
rules in a game record, so the record needs no file to be judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cribboard.rules.parameters import (
    CRIB_SIZE,
    Claims,
    Cutter,
    DealAndPlay,
    GameRules,
    Option,
    SinglePointRule,
    SixPlayerDeal,
    UndoBy,
)
from cribboard.rules.rules import PARAMETERS, PARTS, Rules, spelled
from cribboard.validation import Message, ValidationError, problem, unknown


class RulesError(ValidationError):
    """The rules cannot be played."""


def changed(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """Change values of these rules, which may be spelled as in a file: numbers, words, on and off.

    Raises `RulesError` for an unknown parameter, a wrong type, a value out of range, or values that contradict each
    other.
    """
    values, problems = read_values(changes)
    base = rules.preset or rules
    made = replace(rules, preset=base, **{part: _with(getattr(rules, part), part, values) for part in PARTS})
    problems = (*problems, *contradictions(made))
    if problems:
        raise RulesError(problems)
    return made if made.changes else base


def read_values(changes: Mapping[str, object]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """The values as rules hold them, and the problems of the values that are wrong by themselves."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for name, value in changes.items():
        if name not in PARAMETERS:
            problems.append(unknown(name, PARAMETERS, Message("parameter", "parameter")))
            continue
        try:
            values[name] = PARAMETERS[name].read(value)
        except ValueError:
            problems.append(_not_allowed(name, value))
    return values, tuple(problems)


def _not_allowed(name: str, value: object) -> Message:
    if (name, value) == ("six_player_deal", "six-card-crib"):
        return Message(
            "rules.six_card_crib",
            'six_player_deal = "six-card-crib": no source plays a crib of six cards; allowed is {allowed}.',
            allowed=allowed(name),
        )
    return problem(name, value, allowed(name))


def allowed(name: str) -> str:
    """The allowed values of a parameter, in words.

    >>> allowed("first_deal"), allowed("no_single_point_from")
    ('low_cut or high_cut', 'a whole number from 1 to 120, or off')
    """
    return PARAMETERS[name].allowed


def contradictions(rules: Rules) -> Iterator[str]:
    """The contradictions between these values, each as a sentence."""
    deal = rules.deal_and_play
    yield from _of_the_deal(deal)
    yield from _of_the_game(rules.game)
    may_be_one = ("go", "thirty_one", "last_card", "his_nobs", "his_heels")
    singles = {name: rules.values[name] for name in may_be_one}
    if rules.game.exact_out is Option.ON and 1 not in singles.values():
        yield (
            f"exact_out = on, {', '.join(f'{name} = {points}' for name, points in singles.items())}: "
            "a side one hole short could never finish, for nothing is worth exactly one."
        )
    yield from _of_the_claims(rules.claims)
    if deal.three_for_last and deal.teams != 2:
        yield f"three_for_last = {deal.three_for_last}: of {deal.teams} sides no single one is the non-dealer."


def _of_the_deal(deal: DealAndPlay) -> Iterator[str]:
    if (deal.players, deal.teams) not in SEATINGS:
        pairs = ", ".join(f"{players} players in {teams} teams" for players, teams in SEATINGS)
        yield f"players = {deal.players}, teams = {deal.teams}: allowed is {pairs}."
    if deal.hand_size not in (3, 4):
        yield (
            f"cards_dealt = {deal.cards_dealt}, discards = {deal.discards}: a hand of {deal.hand_size} would be left, "
            "and a hand is counted with three or four cards."
        )
    if (deal.players, deal.teams) in SEATINGS and deal.cards_from_seats > CRIB_SIZE:
        yield (
            f"discards = {deal.discards}: {deal.players} players would make a crib of {deal.cards_from_seats}, "
            f"and a crib has {CRIB_SIZE} cards."
        )
    if deal.hand_flush_min > deal.hand_size + 1:
        yield (
            f"hand_flush_min = {deal.hand_flush_min}: a hand of {deal.hand_size} and the starter are "
            f"{deal.hand_size + 1} cards, so no flush could ever be made."
        )
    if deal.cutter is Cutter.PONE and (deal.players, deal.teams) in SEATINGS[1:]:
        yield f"cutter = pone: only a table of two has a pone; with {deal.players} players it is right or left."
    if deal.six_player_deal is SixPlayerDeal.BURY and deal.players != 6:
        yield f"six_player_deal = bury: {deal.players} players make a crib of four as it is; it is for 6 players."


def _of_the_claims(claims: Claims) -> Iterator[str]:
    if claims.silent and claims.peg_release_final is Option.OFF:
        yield (
            f"peg_release_final = off, telling = {claims.telling}, over_claim = {claims.over_claim}, "
            f"muggins = {claims.muggins}: what the board does not judge at once cannot be added to; allowed is on."
        )
    if claims.silent and claims.undo is UndoBy.FREE:
        yield (
            f"undo = free, telling = {claims.telling}, over_claim = {claims.over_claim}, muggins = {claims.muggins}: "
            "an undo that nobody is asked for would give back what the board told of a call; allowed is agreed or "
            "official."
        )
    if claims.false_game_penalty and not claims.silent:
        yield (
            f"false_game_penalty = {claims.false_game_penalty}: where a call is set right at once there is no false "
            "claim of the game; allowed is 0, or with it telling = tournament, over_claim = award_excess or "
            "muggins = on."
        )


def _of_the_game(game: GameRules) -> Iterator[str]:
    barred, target = game.no_single_point_from, game.target
    if game.exact_out is Option.ON and barred is not None:
        yield (
            f"exact_out = on, no_single_point_from = {barred}: a side one hole short could never finish, "
            "for it would need exactly the one point that it may not take."
        )
    if barred is not None and barred >= target:
        yield f"no_single_point_from = {barred}: the game is over at {target}; allowed is less, or off."
    if barred is None and game.single_point_rule is not SinglePointRule.MOVE:
        yield f"single_point_rule = {game.single_point_rule}: without no_single_point_from it bars nothing."
    if game.skunk_line is not None and game.skunk_line >= target:
        yield (
            f"skunk_line = {game.skunk_line}: with a target of {target} every loser would be skunked; "
            f"allowed is less than {target}, or off."
        )
    if game.double_skunk_line is not None and game.double_skunk_line >= (game.skunk_line or 0):
        yield (
            f"double_skunk_line = {game.double_skunk_line}: it lies below the skunk_line, "
            f"which is {spelled(game.skunk_line)}."
        )
    counts = {"win_value": game.win_value}
    if game.skunk_line is not None:
        counts["skunk_value"] = game.skunk_value
    if game.double_skunk_line is not None:
        counts["double_skunk_value"] = game.double_skunk_value
    if list(counts.values()) != sorted(counts.values()):
        named = ", ".join(f"{name} = {value}" for name, value in counts.items())
        yield f"{named}: each counts as much as the one before it, or more."


#: Players and teams that the board has room for.
SEATINGS = ((2, 2), (3, 3), (4, 2), (6, 2), (6, 3))


def _with(group: Any, part: str, values: Mapping[str, Any]) -> Any:
    """This part of the rules with the values that belong to it."""
    return replace(group, **{name: value for name, value in values.items() if PARAMETERS[name].part == part})
