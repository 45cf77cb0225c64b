"""What robots at a silent table make of each other's calls, and what they look ahead to."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from cribboard import Card
from cribd.robots.croupier import FalseGoSeen, Go, Happening
from cribd.robots.silent import with_next
from cribd.robots.watchers import Answer, Response, Watcher


def answers(called: int, worth: int, *, muggins: bool, in_play: bool = False) -> list[Answer]:
    watcher = Watcher(Random(1), muggins)
    return [watcher.answer(called, worth, in_play=in_play) for _ in range(500)]


@pytest.mark.parametrize("muggins", [False, True])
@pytest.mark.parametrize(("called", "worth"), [(8, 6), (6, 6), (4, 6), (0, 2)])
def test_every_answer_that_is_possible_is_given_and_no_other(called: int, worth: int, muggins: bool) -> None:
    says = Counter(answer.response for answer in answers(called, worth, muggins=muggins))
    possible = {Response.STANDS}
    if called >= worth or not muggins:
        possible.add(Response.TOO_MUCH)
    if called <= worth and muggins:
        possible.add(Response.MISSED)
    assert set(says) == possible
    likely = (
        Response.STANDS if called == worth or (called < worth and not muggins) else (possible - {Response.STANDS}).pop()
    )
    assert says.most_common(1)[0][0] is likely


def test_who_calls_muggins_is_now_and_then_too_high_or_too_low_and_never_asks_for_nothing() -> None:
    named = {answer.points for answer in answers(3, 6, muggins=True) if answer.response is Response.MISSED}
    assert named == {2, 3, 4, 5, 6}
    assert {answer.points for answer in answers(3, 4, muggins=True) if answer.response is Response.MISSED} == {
        1,
        2,
        3,
        4,
    }


def test_only_in_the_play_does_muggins_wait_for_the_next_card() -> None:
    assert any(answer.later for answer in answers(1, 6, muggins=True, in_play=True))
    assert not any(answer.later for answer in answers(1, 6, muggins=True))


@pytest.mark.parametrize(("muggins", "worth", "says"), [(True, 2, 2), (True, 0, 1), (False, 2, 1)])
def test_points_that_were_never_called_are_asked_for_with_muggins_alone(muggins: bool, worth: int, says: int) -> None:
    watcher = Watcher(Random(1), muggins)
    assert len({watcher.forgotten(worth).response for _ in range(200)}) == says


def test_what_follows_a_false_go_that_comes_to_light_is_looked_at_only_when_it_is_settled() -> None:
    seen: list[int] = []

    def deal() -> list[Happening]:
        return [Go(0), FalseGoSeen(1, Card.parse("5H"), may_die=True), Go(1)]

    def one_by_one() -> object:
        for number, happening in enumerate(deal()):
            seen.append(number)
            yield happening

    looked = with_next(one_by_one())  # type: ignore[arg-type]
    assert next(looked) == (deal()[0], deal()[1])
    assert next(looked) == (deal()[1], None)
    assert seen == [0, 1]
    assert next(looked) == (deal()[2], None)
