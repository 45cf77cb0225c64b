"""The next seating: the engine accepts each that is proposed, whoever comes, leaves or does not appear."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.support.competitions import Hall, entered

from cribboard.competition import FORMATS, Format, read_format
from cribboard.competition.actions import Depart, DrawPlayOff, DrawRound, SetGames, SetTables, StartRound
from cribboard.competition.next_seating import next_play_off, next_seating, order_of_draw
from cribboard.competition.standings import pairs_of_play_off
from cribboard.competition.terms import Choice, EntrantStatus, Movement


def play(hall: Hall, random: Random, *, restless: bool) -> Counter[frozenset[int]]:
    """Plays to the end, with the seatings that are proposed; how often each pair met. If `restless`, one does not
    appear, one leaves and one comes late."""
    met: Counter[frozenset[int]] = Counter()
    for turn in range(200):
        seating = next_seating(hall.now, [entrant.number for entrant in hall.now.entrants])
        if seating is None:
            return met
        hall.do(DrawRound(seating), StartRound())
        number = len(hall.now.rounds)
        gone = seating.pairings[0].entrants[0] if restless and turn in (1, 3) else 0
        if gone:
            hall.do(Depart(gone, EntrantStatus.ABSENT if turn == 1 else EntrantStatus.LEFT, "malade"))
        for table in [pairing.table for pairing in seating.pairings]:
            encounter = next(each for each in hall.now.rounds[-1].encounters if each.table == table)
            met[frozenset(encounter.entrants)] += 1
            winner = random.random() < 0.5
            games = range(1, 8) if hall.now.format.is_match else range(1, (encounter.games or 0) + 1)
            for game in games:
                if (number, table) not in hall.hall().outstanding:
                    break
                broken = gone in encounter.entrants
                scores = (60, 50) if broken else (121, 90) if winner else (90, 121)
                hall.do(entered(number, table, *scores, game=game, broken=broken))
        if restless and turn == 2:
            hall.add(len(hall.now.entrants) + 1)
    raise AssertionError("it does not end")


def test_a_table_that_is_taken_away_in_mid_play_leaves_one_entrant_a_game_short() -> None:
    """Of nine who play seven games each: who waits has most to play, and is seated before others."""
    hall = Hall(read_format({"format": "round-robin", "games": 7}), 9, tables=4, choice=Choice.ONE_SHORT)
    while (seating := next_seating(hall.now, order_of_draw(hall.now, range(1, 10)))) is not None:
        hall.do(DrawRound(seating), StartRound())
        for pairing in seating.pairings:
            hall.do(entered(len(hall.now.rounds), pairing.table, 121, 90))
        hall.do(SetTables(3))
    assert [row.missing for row in hall.competition.standings() if row.missing] == [1]


@pytest.mark.slow
@pytest.mark.parametrize("entrants", [3, 4, 7, 9, 12])
@pytest.mark.parametrize("tables", [2, 99])
@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.name)
def test_everybody_plays_the_set_number_of_games(form: Format, entrants: int, tables: int) -> None:
    robin = form.name == "jeux50" and entrants < 9
    hall = Hall(form, entrants, tables=tables, choice=Choice.ROUND_ROBIN if robin else Choice.ONE_SHORT)
    met = play(hall, Random(entrants), restless=False)
    rows = hall.competition.standings()
    assert sum(row.missing for row in rows) <= 1
    if form.name == "round-robin":
        assert set(met.values()) == {1}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["fadoq", "jeux50", "acc", "single-elimination", "double-elimination"])
def test_an_event_continues_after_any_arrival_or_departure(name: str, seed: int) -> None:
    hall = Hall(FORMATS[name], 9 + seed % 4, tables=3 + seed, choice=Choice.ONE_SHORT)
    play(hall, Random(seed), restless=True)
    present = [row for row in hall.competition.standings() if row.place is not None]
    assert len(present) == len(hall.now.present)


def test_a_last_visit_may_be_partial() -> None:
    hall = Hall(read_format({"format": "jeux50", "games": 7}), 10)
    play(hall, Random(1), restless=False)
    assert {row.played for row in hall.competition.standings()} == {7}


def test_a_schedule_follows_the_number_of_games() -> None:
    hall = Hall(FORMATS["acc"], 6, choice=Choice.ONE_SHORT)
    hall.do(SetGames(4))
    play(hall, Random(1), restless=False)
    assert {row.played for row in hall.competition.standings()} == {4}


@pytest.mark.parametrize("entrants", [4, 7, 12])
@pytest.mark.parametrize("name", ["fadoq", "jeux50", "acc", "round-robin"])
def test_the_order_of_the_draw_is_read_from_the_first_seating(name: str, entrants: int) -> None:
    form = FORMATS[name]
    robin = form.min_entrants > entrants
    hall = Hall(form, entrants, choice=Choice.ROUND_ROBIN if robin else Choice.ONE_SHORT)
    drawn = Random(entrants).sample(range(1, entrants + 1), entrants)
    assert order_of_draw(hall.now, drawn) == tuple(drawn)
    seating = next_seating(hall.now, drawn)
    assert seating is not None
    hall.do(DrawRound(seating))
    order = order_of_draw(hall.now, range(1, entrants + 1))
    assert sorted(order) == sorted(drawn)
    if form.movement is Movement.SCHEDULED:
        assert order == tuple(drawn)
    hall.add(entrants + 1)
    assert order_of_draw(hall.now, drawn) == (*order, entrants + 1)


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_play_offs_are_drawn_until_their_matches_are_played(level: int) -> None:
    entrants = 2 * level
    hall = Hall(FORMATS["acc"], entrants)
    hall.play(*((2 * place - 1, 2 * place, 121, 100) for place in range(1, level + 1)))
    hall.end()
    assert len(hall.competition.standings()[0].level_with) == level - 1
    matches = 0
    for turn in range(20):
        order = Random(turn).sample(range(1, entrants + 1), entrants)
        if (seating := next_play_off(hall.now, order)) is None:
            break
        pairs = [pairing.entrants for pairing in seating.pairings]
        hall.do(DrawPlayOff(seating), StartRound())
        assert next_play_off(hall.now, order) is None, "nobody sits twice"
        number = len(hall.now.rounds)
        for table, _ in enumerate(pairs, start=1):
            hall.do(entered(number, table, 121, 100 - turn - table))
        matches += len(pairs)
        if hall.competition.standings()[0].level_with == ():
            break
    assert hall.competition.standings()[0].level_with == ()
    assert matches >= pairs_of_play_off(level)


def test_no_entrant_gets_a_second_play_off_bye_before_every_other_had_one() -> None:
    hall = Hall(FORMATS["acc"], 18)
    hall.play(*((2 * place - 1, 2 * place, 121, 100) for place in range(1, 10)))
    hall.end()
    order = range(1, 19)
    for pairs in ([(1, 3), (5, 7), (9, 11), (13, 15)], [(17, 1), (5, 9)]):
        seating = next_play_off(hall.now, order)
        assert seating is not None
        assert [pairing.entrants for pairing in seating.pairings] == pairs
        hall.do(DrawPlayOff(seating), StartRound())
        for table, _ in enumerate(pairs, start=1):
            hall.do(entered(len(hall.now.rounds), table, 121, 100))


def test_without_level_entrants_no_play_off_is_drawn() -> None:
    hall = Hall(FORMATS["acc"], 2)
    hall.play((1, 2, 121, 100))
    hall.end()
    assert next_play_off(hall.now, (1, 2)) is None
