"""The laws of the engine, over random events: the fold of the log equals the live position, a refusal leaves no trace,
an undo gives back the position before, every event is spelled and read, and nobody is seated twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.competitions import Hall, entered

from cribboard.competition import FORMATS, Competition, Format, RefusedAction, standings
from cribboard.competition.actions import (
    Action,
    AnswerCall,
    Begin,
    CallOfficial,
    CancelRound,
    CheckIn,
    CheckResult,
    CompareCards,
    ConfirmResult,
    CorrectResult,
    CountMissing,
    Depart,
    DisputeResult,
    DrawPlayOff,
    DrawRound,
    EndPlay,
    EnterResult,
    NoteHand,
    OpenPlace,
    Pause,
    Penalise,
    Register,
    Rename,
    ReportResult,
    Resume,
    SeedEntrants,
    SetGames,
    SetTables,
    ShareMedal,
    StartRound,
    Substitute,
    Undo,
)
from cribboard.competition.event_text import read, write
from cribboard.competition.events import Undone
from cribboard.competition.evolution import fold, step
from cribboard.competition.position import Position
from cribboard.competition.rounds import bracket, games_begun
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.standings import groups
from cribboard.competition.terms import Advantage, Choice, Ending, GameAt, Missing, Part, Status

NUMBERS = st.integers(0, 7)
TEAMS: list[tuple[str, ...]] = [(), ("A", "B"), ("A", "A")]
WORDS = st.sampled_from(["", "en retard", "erreur d'addition", "a\nb", 'dit "non"', "Équipe Hébert", "Ana", "Bé \\ Bo"])
SCORES = st.one_of(
    st.tuples(st.just(121), st.integers(0, 122)),
    st.tuples(st.integers(-1, 121), st.just(121)),
    st.tuples(st.integers(0, 120), st.integers(0, 120)),
)


def seatings(p: Position) -> st.SearchStrategy[Seating]:
    """Mostly a seating that can be, of those present or of the pairs that a bracket has due; now and then any."""
    tables = max(p.tables, 1)
    present = [each.number for each in p.present]

    def paired(order: list[int]) -> Seating:
        pairs = [(order[i], order[i + 1]) for i in range(0, len(order) - 1, 2)]
        rest = order[len(pairs) * 2 :]
        waiting = [number for pair in pairs[tables:] for number in pair]
        return Seating(
            tuple(Pairing(table, pair) for table, pair in enumerate(pairs[:tables], 1)), tuple(rest), tuple(waiting)
        )

    wild = st.lists(NUMBERS, min_size=1, max_size=7).map(paired)
    if p.format.is_elimination and p.seeds:
        due = bracket(p).due[:tables]
        return st.just(Seating(tuple(Pairing(table, pair) for table, pair in enumerate(due, 1)))) | wild
    level = [group.entrants for group in groups(p) if len(group.entrants) > 1]
    some = [st.permutations(list(members)).map(paired) for members in level]
    return st.one_of(st.permutations(present).map(paired), *some, wild)


def games_at(p: Position) -> st.SearchStrategy[GameAt]:
    """Mostly the next game of a table, or its last; now and then any."""
    known = [
        GameAt(held.number, each.table, game)
        for held in p.rounds
        for each in held.encounters
        for game in (max(1, len(each.results)), len(each.results) + 1)
    ]
    anywhere = st.builds(GameAt, st.integers(0, 4), st.integers(0, 4), st.integers(0, 3))
    return st.sampled_from(known) | anywhere if known else anywhere


ENDINGS = st.sampled_from(Ending)
SPREADS = st.none() | st.integers(-122, 122)

#: How an action of each kind is drawn. What brings an event on stands here more often.
KINDS: tuple[Callable[[Position], st.SearchStrategy[Action]], ...] = (
    *(3 * [lambda p: st.builds(EnterResult, at=games_at(p), scores=SCORES, ending=ENDINGS)]),
    *(3 * [lambda p: st.builds(DrawRound, seatings(p))]),
    *(3 * [lambda _: st.just(StartRound())]),
    *(2 * [lambda p: st.builds(ReportResult, at=games_at(p), entrant=NUMBERS, scores=SCORES, ending=ENDINGS)]),
    lambda p: st.builds(DrawPlayOff, seatings(p)),
    lambda p: st.builds(ConfirmResult, games_at(p), NUMBERS),
    lambda p: st.builds(DisputeResult, games_at(p), NUMBERS, WORDS),
    lambda p: st.builds(CorrectResult, at=games_at(p), scores=SCORES, ending=ENDINGS, reason=WORDS),
    lambda p: st.builds(
        CompareCards, at=games_at(p), spreads=st.tuples(SPREADS, SPREADS), qualifiers=st.sampled_from(Advantage)
    ),
    lambda p: st.builds(CheckResult, games_at(p)),
    lambda _: st.builds(Register, name=WORDS, players=st.sampled_from(TEAMS), part=st.sampled_from(Part)),
    lambda _: st.builds(Rename, NUMBERS, WORDS),
    lambda _: st.builds(CheckIn, NUMBERS, st.integers(0, 2)),
    lambda _: st.builds(Depart, NUMBERS, st.sampled_from(Status), WORDS),
    lambda _: st.builds(Penalise, NUMBERS, st.integers(0, 30), WORDS),
    lambda _: st.builds(Substitute, NUMBERS, st.integers(-1, 2), WORDS, WORDS),
    lambda p: st.builds(SeedEntrants, st.permutations(range(1, len(p.entrants) + 1)).map(tuple)),
    lambda _: st.builds(NoteHand, NUMBERS, st.sampled_from([27, 28, 29])),
    lambda _: st.builds(SetTables, st.integers(0, 5)),
    lambda _: st.builds(SetGames, st.integers(0, 10)),
    lambda _: st.builds(CountMissing, st.sampled_from(Missing)),
    lambda _: st.builds(Begin, st.sampled_from(Choice)),
    lambda _: st.builds(Pause, WORDS),
    lambda _: st.just(Resume()),
    lambda _: st.builds(CancelRound, WORDS),
    lambda _: st.builds(CallOfficial, NUMBERS, st.integers(0, 2)),
    lambda _: st.builds(AnswerCall, NUMBERS),
    lambda p: st.just(EndPlay() if len(p.rounds) > 2 else Undo()),
    lambda p: st.builds(ShareMedal, st.sampled_from([group.entrants for group in groups(p)] or [()])),
    lambda _: st.builds(OpenPlace, st.integers(1, 3), WORDS),
    lambda _: st.just(Undo()),
)


def nobody_sits_twice(p: Position) -> None:
    for held in p.rounds:
        named = Counter([*(n for each in held.encounters for n in each.entrants), *held.byes, *held.waiting])
        assert not named or max(named.values()) == 1
    if p.games is not None:
        assert max(games_begun(p).values(), default=0) <= p.games


def places_follow_the_rows_above(p: Position) -> None:
    """A place is one more than the number of entrants above it."""
    rows = standings(p)
    assert sorted(row.entrant for row in rows) == [each.number for each in p.entrants]
    ranked = [row for row in rows if row.place is not None]
    for index, row in enumerate(ranked):
        level = index > 0 and ranked[index - 1].place == row.place
        assert row.place == (ranked[index - 1].place if level else index + 1)
        assert (row.separated_by is None) == (index == 0 or level)
        assert {other.entrant for other in ranked if other.place == row.place} == {row.entrant, *row.level_with}


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(form=st.sampled_from(list(FORMATS.values())), entrants=st.integers(2, 7), data=st.data())
def test_the_log_is_the_competition(form: Format, entrants: int, data: st.DataObject) -> None:
    hall = Hall(form, entrants, tables=3, choice=None)
    if entrants >= form.min_entrants:
        hall.do(Begin(Choice.ONE_SHORT))
    live = hall.competition
    history = [fold(hall_start(form), live.log[:count]) for count in range(len(live.log) + 1)]
    for _ in range(40):
        before, log = live.position, live.log
        action = data.draw(data.draw(st.sampled_from(KINDS))(before))
        try:
            caused = live.do(action)
        except RefusedAction:
            assert (live.position, live.log) == (before, log)
            continue
        (event,) = caused
        history.append(live.position)
        assert "\n" not in write(event)
        assert read(write(event)) == event
        nobody_sits_twice(live.position)
        places_follow_the_rows_above(live.position)
        if not isinstance(event, Undone):
            assert live.position.undo_to is not None
            undone = step(history, Undone(live.position.undo_to))
            assert replace(undone, number=before.number) == before
    assert fold(hall_start(form), live.log) == live.position


def hall_start(form: Format) -> Position:
    return Competition.start(form, tables=3).position


def test_undos_go_back_act_by_act_and_the_log_keeps_both() -> None:
    hall = Hall(FORMATS["acc"], 4)
    positions = [hall.now]
    number = hall.draw((1, 2), (3, 4))
    positions.append(hall.now)
    hall.do(entered(number, 1, 121, 100))
    hall.do(Undo())
    assert replace(hall.now, number=positions[-1].number) == positions[-1]
    hall.do(Undo(), Undo())
    assert replace(hall.now, number=positions[0].number) == positions[0]
    assert sum(isinstance(event, Undone) for event in hall.competition.log) == 3


def test_a_new_competition_has_nothing_to_undo() -> None:
    assert Hall(FORMATS["acc"], 0, choice=None).refused(Undo()) == "nothing_to_undo"
