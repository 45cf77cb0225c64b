"""What robots that play alone do otherwise than by the book, in whole games without a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain

import pytest
from tests.support.robots_alone import play_alone
from tests.support.sweeps import by_turns

from cribboard import RULES, Game
from cribboard.actions import By
from cribboard.event_terms import Verdict
from cribboard.events import (
    ChallengeRaised,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountOpened,
    FalseGoFound,
    HandCardShown,
    MugginsRuled,
    PegReleased,
    PlayEnded,
    SaidGo,
    StarterTurned,
)
from cribboard.rules import Rules, Way, changed
from cribboard.strategy import RobotLevel

ACC = RULES["acc"]
MUGGINS = changed(ACC, {"muggins": "on"})


@cache
def whole_game(rules: Rules, seed: int, *, wrong: float, hasty: float) -> Game:
    """A game to its end. Several tests look at the same games, and none plays on."""
    return play_alone(rules, Way.VERIFY, seed=seed, wrong=wrong, hasty=hasty)


def games(rules: Rules, count: int, *, wrong: float = 0.3, hasty: float = 0.0) -> list[Game]:
    return [whole_game(rules, seed, wrong=wrong, hasty=hasty) for seed in range(count)]


def kinds(played: list[Game]) -> Counter[str]:
    """How often each kind of event is in these games, and each verdict."""
    found: Counter[str] = Counter()
    for event in (event for game in played for event in game.log):
        found[type(event).__name__] += 1
        if isinstance(event, ClaimJudged | ClaimRuled | MugginsRuled):
            found[f"{type(event).__name__} {event.verdict}"] += 1
    return found


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "way"), by_turns(list(RULES), list(Way)))
def test_robots_with_habits_play_every_rule_set_to_its_end(name: str, way: Way) -> None:
    """The ways take turns; `test_next_action.py` has each rule set in each way."""
    for seed, wrong in ((1, 0.0), (2, 0.4)):
        game = play_alone(RULES[name], way, seed=seed, wrong=wrong, hasty=wrong)
        assert game.position.winner is not None


@pytest.mark.parametrize("rules", [RULES["six-card"], ACC, MUGGINS, RULES["fadoq"], RULES["three-player"]])
def test_a_robot_without_wrong_calls_is_never_ruled_against_or_challenged(rules: Rules) -> None:
    log = [event for game in games(rules, 3, wrong=0) for event in game.log]
    assert {event.verdict for event in log if isinstance(event, ClaimJudged)} == {Verdict.EXACT}
    never = ClaimRuled | MugginsRuled | ClaimChallenged | ChallengeRaised | FalseGoFound
    assert not any(isinstance(event, never) for event in log)


def test_without_muggins_robots_challenge_some_wrong_calls_and_some_right_ones() -> None:
    played = kinds(games(ACC, 8))
    for verdict in ("exact", "too-many", "too-few"):
        assert played[f"ClaimJudged {verdict}"] > 5
    assert 5 < played["ClaimChallenged"] < played["ClaimJudged too-many"] * 3
    challenged = [
        judged.verdict
        for game in games(ACC, 8)
        for event, judged in zip(game.log, game.log[1:], strict=False)
        if isinstance(event, ClaimChallenged) and isinstance(judged, ClaimJudged)
    ]
    assert {Verdict.TOO_MANY, Verdict.EXACT} <= set(challenged)
    let_be = played["ClaimJudged too-many"] - challenged.count(Verdict.TOO_MANY)
    assert let_be > 5
    assert not played["MugginsRuled"]


def test_where_muggins_is_taken_it_names_what_was_missed_or_too_much_or_too_little_or_is_withdrawn() -> None:
    played = kinds(games(MUGGINS, 12))
    for verdict in ("exact", "too-many", "too-few", "nothing-missed"):
        assert played[f"MugginsRuled {verdict}"] > 0, verdict
    assert played["MugginsRuled exact"] > played["MugginsRuled too-many"]
    assert played["ChallengeWithdrawn"] > 0
    assert played["ClaimChallenged"] > 0
    rulings = [event for game in games(MUGGINS, 12) for event in game.log if isinstance(event, MugginsRuled)]
    assert all(event.called > 0 for event in rulings), "nobody asks for nothing"
    assert any(event.combinations for event in rulings), "points that were never called"


def test_points_are_remembered_too_late_and_counts_called_out_of_turn_or_that_no_hand_makes() -> None:
    spoken = kinds(games(RULES["six-card"], 8))
    assert spoken["ClaimRuled too-late"] + spoken["ClaimAccepted"] > 0
    silent = kinds(games(ACC, 20))
    assert silent["ClaimRuled too-late"] > 0
    assert silent["ClaimRuled out-of-turn"] > 0


def test_a_false_go_costs_points_and_play_goes_back_or_the_card_lies_dead() -> None:
    played = games(ACC, 12, wrong=0.6)
    seen = kinds(played)
    assert seen["RolledBack"] > 2
    assert seen["CardDead"] > 2
    assert seen["FalseGoFound"] >= seen["RolledBack"] + seen["CardDead"]
    assert not kinds(games(RULES["six-card"], 4, wrong=0.6))["FalseGoFound"], "where it costs nothing nobody says one"
    honest = kinds(games(ACC, 6, wrong=0))
    assert honest["SaidGo"] > 10
    assert not honest["FalseGoFound"]


def releases(played: list[Game]) -> Iterator[By]:
    return (event.by for game in played for event in game.log if isinstance(event, PegReleased))


def test_the_next_card_releases_some_pegs_and_their_owners_others() -> None:
    by = Counter(releases(games(RULES["six-card"], 3, wrong=0)))
    assert by[By.NEXT_CARD] > 10
    assert by[By.OWNER] > 10


def test_the_next_count_accepts_some_counts_and_another_side_the_rest() -> None:
    for rules in (RULES["six-card"], ACC):
        by = Counter(chain.from_iterable(map(_accepted, games(rules, 4, wrong=0))))
        assert by[By.OTHER_SIDE] > by[By.NEXT_COUNT] > 3


def _accepted(game: Game) -> Iterator[By]:
    """How each count of the game was accepted."""
    by: By | None = None
    for event in game.log:
        match event:
            case StarterTurned() | PlayEnded():
                by = None
            case ClaimAccepted():
                by = event.by
            case CountOpened() if by is not None:
                yield by


def test_with_three_seats_go_is_said_for_all_or_one_by_one_and_too_soon_only_by_hasty_robots() -> None:
    patient = kinds(games(RULES["three-player"], 6, wrong=0))
    assert patient["AllPassed"] > 2
    assert patient["SaidGo"] > patient["AllPassed"]
    assert not patient["PassTakenBack"]
    hasty = games(RULES["three-player"], 6, wrong=0, hasty=1.0)
    assert kinds(hasty)["PassTakenBack"] > 5
    assert not kinds(games(RULES["six-card"], 3, wrong=0, hasty=1.0))["AllPassed"]


def test_who_need_not_play_on_after_a_go_sometimes_stops_and_who_must_never_does() -> None:
    def stops(rules: Rules) -> int:
        return sum(_kept_back(game) for game in games(rules, 12, wrong=0))

    assert stops(RULES["five-card"]) == 0
    assert stops(changed(RULES["five-card"], {"must_play_after_go": "off"})) > 0


def _kept_back(game: Game) -> int:
    """How many cards that a seat kept when it said go would have fitted: they are shown at the end."""
    gone: list[tuple[int, int]] = []
    held_back, count = 0, 0
    for event in game.log:
        match event:
            case SaidGo(seat):
                gone.append((seat, count))
            case HandCardShown(seat, card):
                held_back += any(who == seat and at + card.value <= 31 for who, at in gone)
            case _ if type(event).__name__ == "CardLaid":
                count = event.count  # type: ignore[union-attr]
            case StarterTurned():
                gone, count = [], 0
    return held_back


def test_a_level_chooses_other_cards_than_rote_and_minds_the_scores() -> None:
    logs = {level: play_alone(RULES["six-card"], Way.AUTO, seed=4, level=level).log for level in (None, *RobotLevel)}
    assert len({repr(log) for log in logs.values()}) == len(logs)
