"""House rules: change values of a preset, and check the result.

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
from cribboard.validation import Message, ValidationError, listed, placed, problem, unknown

#: Players and teams that the board has room for.
SEATINGS = ((2, 2), (3, 3), (4, 2), (6, 2), (6, 3))


class RulesError(ValidationError):
    """The rules are unknown, or cannot be played."""


def changed(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """Return these rules with some values changed.

    Values may be spelled as in a file: numbers, words, on and off. Raises `RulesError` for an unknown parameter, a
    wrong type, a value out of range, or values that contradict each other.
    """
    values, problems = read_values(changes)
    base = rules.preset or rules
    parts = {
        part: replace(getattr(rules, part), **{n: v for n, v in values.items() if PARAMETERS[n].part == part})
        for part in PARTS
    }
    made = replace(rules, preset=base, **parts)
    problems = (*problems, *contradictions(made))
    if problems:
        raise RulesError(problems)
    return made if made.changes else base


def read_values(changes: Mapping[str, object]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Convert values to the form in which rules store them.

    Returns the values, and a problem for each wrong name or value."""
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
    allowed = PARAMETERS[name].allowed
    if (name, value) == ("six_player_deal", "six-card-crib"):
        why = Message(
            "rules.six_card_crib", "no source plays a crib of six cards; allowed is {allowed}.", allowed=allowed
        )
        return placed(f'{name} = "{value}"', why)
    return problem(name, value, allowed)


def contradictions(rules: Rules) -> Iterator[str]:
    """Yield a sentence for each contradiction between the values of these rules."""
    deal = rules.deal_and_play
    yield from _deal_contradictions(deal)
    yield from _game_contradictions(rules.game)
    may_be_one = ("go", "thirty_one", "last_card", "his_nobs", "his_heels")
    singles = {name: rules.values[name] for name in may_be_one}
    if rules.game.exact_out is Option.ON and 1 not in singles.values():
        values = ", ".join(f"{name} = {points}" for name, points in singles.items())
        never = Message(
            "rules.nothing_is_one", "a side one hole short could never finish, for nothing is worth exactly one."
        )
        yield placed(f"exact_out = on, {values}", never)
    yield from _claims_contradictions(rules.claims)
    if deal.three_for_last and deal.teams != 2:
        why = Message("rules.no_non_dealer", "of {teams} sides no single one is the non-dealer.", teams=deal.teams)
        yield placed(f"three_for_last = {deal.three_for_last}", why)


def _deal_contradictions(deal: DealAndPlay) -> Iterator[str]:
    if (deal.players, deal.teams) not in SEATINGS:
        pairs = [
            Message("rules.seating", "{players} players in {teams} teams", players=players, teams=teams)
            for players, teams in SEATINGS
        ]
        yield placed(
            f"players = {deal.players}, teams = {deal.teams}",
            Message("rules.seatings", "allowed is {seatings}.", seatings=listed(pairs)),
        )
    hand = deal.hand_size
    if hand not in (3, 4):
        why = Message(
            "rules.hand", "a hand of {cards} would be left, and a hand is counted with three or four cards.", cards=hand
        )
        yield placed(f"cards_dealt = {deal.cards_dealt}, discards = {deal.discards}", why)
    if (deal.players, deal.teams) in SEATINGS and deal.cards_from_seats > CRIB_SIZE:
        why = Message(
            "rules.crib",
            "{players} players would make a crib of {cards}, and a crib has {size} cards.",
            players=deal.players,
            cards=deal.cards_from_seats,
            size=CRIB_SIZE,
        )
        yield placed(f"discards = {deal.discards}", why)
    if deal.hand_flush_min > hand + 1:
        why = Message(
            "rules.flush",
            "a hand of {hand} and the starter are {cards} cards, so no flush could ever be made.",
            hand=hand,
            cards=hand + 1,
        )
        yield placed(f"hand_flush_min = {deal.hand_flush_min}", why)
    if deal.cutter is Cutter.PONE and (deal.players, deal.teams) in SEATINGS[1:]:
        why = Message(
            "rules.no_pone",
            "only a table of two has a pone; with {players} players it is right or left.",
            players=deal.players,
        )
        yield placed("cutter = pone", why)
    if deal.six_player_deal is SixPlayerDeal.BURY and deal.players != 6:
        why = Message(
            "rules.bury", "{players} players make a crib of four as it is; it is for 6 players.", players=deal.players
        )
        yield placed("six_player_deal = bury", why)


def _claims_contradictions(claims: Claims) -> Iterator[str]:
    telling = f"telling = {claims.telling}, over_claim = {claims.over_claim}, muggins = {claims.muggins}"
    if claims.silent and claims.peg_release_final is Option.OFF:
        why = Message("rules.not_added", "what the board does not judge at once cannot be added to; allowed is on.")
        yield placed(f"peg_release_final = off, {telling}", why)
    if claims.silent and claims.undo is UndoBy.FREE:
        why = Message(
            "rules.free_undo",
            "an undo that nobody is asked for would give back what the board told of a call; allowed is agreed or "
            "official.",
        )
        yield placed(f"undo = free, {telling}", why)
    if claims.false_game_penalty and not claims.silent:
        why = Message(
            "rules.no_false_game",
            "where a call is set right at once there is no false claim of the game; allowed is 0, or with it "
            "telling = tournament, over_claim = award_excess or muggins = on.",
        )
        yield placed(f"false_game_penalty = {claims.false_game_penalty}", why)


def _game_contradictions(game: GameRules) -> Iterator[str]:
    barred, target = game.no_single_point_from, game.target
    if game.exact_out is Option.ON and barred is not None:
        why = Message(
            "rules.one_is_barred",
            "a side one hole short could never finish, for it would need exactly the one point that it may not take.",
        )
        yield placed(f"exact_out = on, no_single_point_from = {barred}", why)
    if barred is not None and barred >= target:
        why = Message("rules.barred_late", "the game is over at {target}; allowed is less, or off.", target=target)
        yield placed(f"no_single_point_from = {barred}", why)
    if barred is None and game.single_point_rule is not SinglePointRule.MOVE:
        why = Message("rules.bars_nothing", "without no_single_point_from it bars nothing.")
        yield placed(f"single_point_rule = {game.single_point_rule}", why)
    if game.skunk_line is not None and game.skunk_line >= target:
        why = Message(
            "rules.all_skunked",
            "with a target of {target} every loser would be skunked; allowed is less than {target}, or off.",
            target=target,
        )
        yield placed(f"skunk_line = {game.skunk_line}", why)
    if game.double_skunk_line is not None and game.double_skunk_line >= (game.skunk_line or 0):
        line = spelled(game.skunk_line)
        why = Message("rules.double_skunk", "it lies below the skunk_line, which is {line}.", line=line)
        yield placed(f"double_skunk_line = {game.double_skunk_line}", why)
    counts = {"win_value": game.win_value}
    if game.skunk_line is not None:
        counts["skunk_value"] = game.skunk_value
    if game.double_skunk_line is not None:
        counts["double_skunk_value"] = game.double_skunk_value
    if list(counts.values()) != sorted(counts.values()):
        named = ", ".join(f"{name} = {value}" for name, value in counts.items())
        yield placed(named, Message("rules.ascending", "each counts as much as the one before it, or more."))
