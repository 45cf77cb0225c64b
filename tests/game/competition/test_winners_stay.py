"""Winners keep their seats and losers move on. The rules reference, 3.13, 3.30 and 3.31; FADOQ, 10."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cribboard.competition import winners_stay
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.winners_stay import FinishedRound

Pair = tuple[int, int]

#: More tables than pairs.
MANY = 99
next_seating = partial(winners_stay.next_seating, tables=MANY)


def seated(*pairs: Pair, byes: tuple[int, ...] = (), waiting: tuple[int, ...] = ()) -> Seating:
    """These pairs at tables 1, 2, …"""
    return Seating(tuple(Pairing(table, pair) for table, pair in enumerate(pairs, 1)), byes, waiting)


def won(seating: Seating, *winners: int) -> FinishedRound:
    return FinishedRound(seating, frozenset(winners))


# Who moves


def test_the_first_round_is_seated_in_the_order_of_the_draw() -> None:
    assert next_seating([], [4, 2, 3, 1]) == seated((4, 2), (3, 1))


def test_winners_keep_their_seats_and_losers_move_to_the_next_table() -> None:
    first = next_seating([], range(8))
    assert first == seated((0, 1), (2, 3), (4, 5), (6, 7))
    assert next_seating([won(first, 1, 2, 4, 7)], range(8)) == seated((6, 1), (2, 0), (4, 3), (5, 7))


def test_both_entrants_move_after_a_game_without_a_winner() -> None:
    assert next_seating([won(seated((0, 1), (2, 3)), 3)], range(4)) == seated((1, 2), (0, 3))


def test_a_winner_who_rests_returns_to_its_table() -> None:
    """All losers have had a bye, so the winner of table 2 rests."""
    rounds = [
        won(seated((0, 1), (2, 3), byes=(4,)), 0, 2),
        won(seated((0, 4), (2, 3), byes=(1,)), 0, 2),
        won(seated((0, 1), (2, 4), byes=(3,)), 0, 2),
    ]
    fourth = next_seating(rounds, range(5))
    assert fourth.byes == (0,)
    rounds.append(won(fourth, *(max(pairing.entrants) for pairing in fourth.pairings)))
    fifth = next_seating(rounds, range(5))
    assert 0 in fifth.pairings[0].entrants


def test_the_bye_goes_to_the_loser_who_waited_longest_of_those_with_fewest() -> None:
    rounds = [
        won(seated((1, 2), (3, 4), byes=(0,)), 1, 3),
        won(seated((1, 4), (3, 0), byes=(2,)), 4, 0),
    ]
    assert next_seating(rounds, range(5)).byes == (1,), "3 lost too and waits as long; 1 was drawn before it"
    assert next_seating(rounds, [0, 4, 3, 2, 1]).byes == (3,)
    rounds[1] = won(rounds[1].seating, 1, 3)
    assert next_seating(rounds, range(5)).byes == (4,), "0 lost too, and has had its bye"


def test_with_fewer_tables_than_pairs_the_others_wait_the_longest_first() -> None:
    first = next_seating([], range(7), tables=2)
    assert first.byes == ()
    assert len(first.pairings) == 2
    assert sorted(first.entrants) == list(range(7))
    winners = [pairing.entrants[0] for pairing in first.pairings]
    second = next_seating([won(first, *winners)], range(7), tables=2)
    assert set(second.entrants[:4]) >= set(first.waiting), "all who waited play"
    assert set(second.waiting) & set(winners) == set(winners) - set(second.entrants[:4])


def test_an_entrant_with_all_games_played_rests() -> None:
    first = next_seating([], range(7), done=[1, 3])
    assert first == seated((2, 4), (5, 6), byes=(0, 1, 3))
    assert next_seating([], range(7), done=range(6)) == Seating((), byes=tuple(range(7)))


def test_with_five_a_winner_changes_tables_to_avoid_a_repeated_pair() -> None:
    """3 rests. If 2 and 4 both sat at table 2, where they won last, 0 would meet 1 again."""
    rounds = [
        won(seated((0, 3), (2, 4), byes=(1,)), 0, 2),
        won(seated((0, 1), (4, 3), byes=(2,)), 0, 4),
    ]
    third = next_seating(rounds, range(5))
    assert third.byes == (3,)
    assert third.pairings[0].entrants[0] == 0
    assert 1 in third.pairings[1].entrants


# Fixed entrants, from 3 to 64


def rounds_played(number: int, tables: int, games: int, rng: Random) -> Iterator[tuple[list[FinishedRound], Seating]]:
    """Each round and those before it, until all have played; winners by chance."""
    played: list[FinishedRound] = []
    left = dict.fromkeys(range(number), games)
    while True:
        done = [entrant for entrant, games in left.items() if not games]
        seating = next_seating(played, range(number), tables=tables, done=done)
        if not seating.pairings:
            break
        yield played, seating
        for pairing in seating.pairings:
            for entrant in pairing.entrants:
                left[entrant] -= 1
        winners = (rng.choice(pairing.entrants) for pairing in seating.pairings)
        played.append(won(seating, *winners))
    assert sorted(left.values()) == [0] * (number - 1) + [number * games % 2]


def rests(seating: Seating) -> set[int]:
    return {*seating.byes, *seating.waiting}


def byes(played: Sequence[FinishedRound], number: int) -> list[int]:
    return [sum(entrant in rests(each.seating) for each in played) for entrant in range(number)]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3, 65))
def test_byes_differ_by_one_at_most_nobody_plays_twice_running_and_all_play_the_number_set(number: int) -> None:
    for tables in (MANY, max(1, number // 3)):
        now = [0] * number
        for played, seating in rounds_played(number, tables, 5 + number % 4, Random(number)):
            assert sorted(seating.entrants) == list(range(number))
            for entrant in rests(seating):
                now[entrant] += 1
            assert max(now) - min(now) <= 1
            pairs = {frozenset(pairing.entrants) for pairing in seating.pairings}
            before = {frozenset(pairing.entrants) for pairing in played[-1].seating.pairings} if played else set()
            assert not pairs & before


@pytest.mark.parametrize("number", [4, 6, 7, 8, 9, 12, 13, 33, 64])
def test_with_a_table_for_each_pair_every_winner_who_plays_keeps_or_finds_again_its_seat(number: int) -> None:
    for played, seating in rounds_played(number, MANY, 2 * number if number < 20 else 9, Random(1)):
        if len(seating.pairings) < number // 2:
            break  # the last round is partial
        home: dict[int, int] = {}
        for each in played:
            for pairing in each.seating.pairings:
                for entrant in pairing.entrants:
                    home.pop(entrant, None)
                    if entrant in each.stay:
                        home[entrant] = pairing.table
        for pairing in seating.pairings:
            assert all(home.get(entrant, pairing.table) == pairing.table for entrant in pairing.entrants)


@pytest.mark.parametrize("number", [3, 5, 7, 13, 63])
def test_each_bye_goes_to_a_loser_who_waited_longest_of_those_with_fewest(number: int) -> None:
    for played, seating in rounds_played(number, MANY, min(number + 5, 18), Random(number)):
        if not played or len(seating.pairings) < number // 2:
            continue
        counts = byes(played, number)
        fewest = [entrant for entrant in range(number) if counts[entrant] == min(counts)]
        losers = {
            entrant
            for each in played[-1:]
            for pairing in each.seating.pairings
            for entrant in {*pairing.entrants} - each.stay
        }
        last_bye = {
            entrant: max((at for at, each in enumerate(played) if entrant in rests(each.seating)), default=-1)
            for entrant in range(number)
        }
        candidates = [entrant for entrant in fewest if entrant in losers] or fewest
        (bye,) = seating.byes
        assert bye in candidates
        assert last_bye[bye] == min(last_bye[entrant] for entrant in candidates)


# Departures and arrivals, against every seating that there could be


def fewest_repeats(playing: tuple[int, ...], repeats: Callable[[int, int], bool]) -> int:
    """The fewest pairs that repeat, by trying every way to pair these."""
    if not playing:
        return 0
    first, *others = playing
    least = len(playing)
    for other in others:
        rest = tuple(each for each in others if each != other)
        least = min(least, repeats(first, other) + fewest_repeats(rest, repeats))
        if not least:
            break
    return least


def byes_since_arrival(played: Sequence[FinishedRound], entrant: int) -> int:
    count = 0
    for each in reversed(played):
        if entrant not in each.seating.entrants:
            break
        count += entrant in rests(each.seating)
    return count


def check_seating(
    seating: Seating, played: Sequence[FinishedRound], present: Sequence[int], done: set[int], tables: int
) -> None:
    assert sorted(seating.entrants) == sorted(present)
    assert not done & set(seating.entrants[: 2 * len(seating.pairings)])
    numbers = [pairing.table for pairing in seating.pairings]
    assert numbers == sorted(set(numbers))
    assert all(1 <= number <= tables for number in numbers)
    owing = [entrant for entrant in present if entrant not in done]
    pairs = min(len(owing) // 2, tables)
    assert len(numbers) == pairs
    before = {frozenset(each.entrants) for each in played[-1].seating.pairings} if played else set()
    counts = {entrant: byes_since_arrival(played, entrant) for entrant in present}

    def repeats(one: int, other: int) -> bool:
        return frozenset((one, other)) in before

    def spread(playing: tuple[int, ...]) -> int:
        after = [count + (entrant not in playing) for entrant, count in counts.items()]
        return max(after) - min(after)

    every = (
        (fewest_repeats(playing, repeats), spread(playing)) for playing in combinations(owing, 2 * pairs) if present
    )
    found = sum(repeats(*pairing.entrants) for pairing in seating.pairings)
    playing = tuple(entrant for pairing in seating.pairings for entrant in pairing.entrants)
    assert not present or (found, spread(playing)) == min(every)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.data())
def test_each_seating_has_the_fewest_repeats_and_then_the_smallest_spread_of_byes(data: st.DataObject) -> None:
    number = data.draw(st.integers(3, 10), "entrants")
    present, played = list(range(number)), list[FinishedRound]()
    for newcomer in range(number, number + data.draw(st.integers(2, 8), "rounds")):
        tables = data.draw(st.sampled_from([MANY, MANY, 1, 2, 3, 4]), "tables")
        done = {*present[:1]} if data.draw(st.integers(0, 7), "done") == 7 else set()
        seating = next_seating(played, present, tables=tables, done=done)
        check_seating(seating, played, present, done, tables)
        decided = [data.draw(st.sampled_from((*pairing.entrants, None))) for pairing in seating.pairings]
        played.append(won(seating, *(entrant for entrant in decided if entrant is not None)))
        change = data.draw(st.sampled_from(["none", "departure", "arrival", "both"]), "change")
        if change in ("departure", "both") and present:
            present.remove(data.draw(st.sampled_from(present), "leaves"))
        if change in ("arrival", "both") and len(present) < 10:
            gone = [entrant for entrant in range(newcomer) if entrant not in present]
            present.append(data.draw(st.sampled_from([newcomer, *gone]), "arrives"))


def test_after_a_departure_winners_keep_their_seats_and_the_empty_table_is_closed() -> None:
    first = next_seating([], range(6))
    assert next_seating([won(first, 0, 2, 4)], [0, 1, 3, 4]) == Seating(
        (Pairing(1, (0, 3)), Pairing(3, (4, 1))),
    )


def test_at_the_only_table_two_newcomers_do_not_make_the_others_play_twice_running() -> None:
    rounds = [won(seated((2, 3), waiting=(0, 1)), 2), won(seated((0, 1), waiting=(2, 3)), 0)]
    (pairing,) = next_seating(rounds, [0, 1, 8, 9], tables=1).pairings
    assert len({0, 1} & {*pairing.entrants}) == 1


def test_at_the_only_table_two_who_met_last_do_not_meet_again_if_others_are_as_due() -> None:
    rounds = [won(seated((0, 1), waiting=(2, 3))), won(seated((2, 3), waiting=(0, 1)))]
    (pairing,) = next_seating(rounds, range(4), tables=1).pairings
    assert len({0, 1} & {*pairing.entrants}) == 1


def test_a_late_entrant_takes_any_free_seat() -> None:
    first = next_seating([], range(5))
    second = next_seating([won(first, 1, 3)], [*range(5), 9])
    assert second.byes == ()
    assert 9 in {entrant for pairing in second.pairings for entrant in pairing.entrants}


# What is refused


@pytest.mark.parametrize(
    ("played", "present", "tables", "sentence"),
    [
        ([], [1, 2, 1], MANY, "Entrants named twice: 1."),
        ([], [1, 2], 0, "tables = 0: allowed is 1 or more."),
        ([won(seated((0, 1)), 2)], [0, 1], MANY, r"Round 1: \[2\] stay, and did not play."),
        ([won(seated((0, 1)), 0, 1)], [0, 1], MANY, r"Round 1: \[0, 1\] both stay, and played each other."),
    ],
)
def test_an_invalid_seating_is_refused_with_the_value(
    played: list[FinishedRound], present: list[int], tables: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        next_seating(played, present, tables=tables)
