"""The laws of the engine, over random events: the fold of the log equals the live position, a refusal leaves no trace,
an undo gives back the position before, every event is spelled and read, nobody is seated twice, and views that take
over what has not changed are those made anew.

A walk mostly does what brings an event on, from the registration to the medals, and now and then anything at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random
from typing import get_args

import pytest
from tests.support.competitions import Hall, entered
from tests.support.sweeps import one_in

from cribboard.competition import FORMATS, Competition, Format, RefusedAction, read_format, standings
from cribboard.competition import actions as act
from cribboard.competition.actions import CompetitionAction, UndoCompetitionAct
from cribboard.competition.event_notation import read, write
from cribboard.competition.events import CompetitionActUndone, CompetitionEvent
from cribboard.competition.evolution import fold, step
from cribboard.competition.medals import level_at_medals, next_place
from cribboard.competition.position import CompetitionPosition
from cribboard.competition.referee import RULINGS
from cribboard.competition.results import in_state, outstanding
from cribboard.competition.rounds import bracket, games_begun, games_left
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import (
    Advantage,
    Choice,
    CompetitionPhase,
    Ending,
    EntrantKind,
    EntrantStatus,
    GameAt,
    Missing,
    ResultState,
    Stage,
)
from cribboard.competition.view import CompetitionEye, see, see_both

WORDS = ("", "en retard", "erreur d'addition", "a\nb", 'dit "non"', "Équipe Hébert", "Ana", "Bé \\ Bo")
TABLES = 3
SHORT = read_format({"format": "fadoq", "games": 2})


class Walk:
    """Chooses the actions of one walk."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def next(self, p: CompetitionPosition) -> CompetitionAction:
        """Two of three bring the event on."""
        return self.onward(p) if self.random.random() < 0.67 else self.anything(p)

    def onward(self, p: CompetitionPosition) -> CompetitionAction:
        """What an organiser would do now."""
        if p.paused:
            return act.Resume()
        if p.phase is CompetitionPhase.REGISTRATION:
            order = [entrant.number for entrant in p.entrants]
            self.random.shuffle(order)
            return act.Begin(Choice.ONE_SHORT) if self.random.random() < 0.5 else act.SeedEntrants(tuple(order))
        if p.current is not None and p.current.stage is Stage.DRAWN:
            return act.StartRound()
        if p.phase is CompetitionPhase.OPEN:
            return UndoCompetitionAct()
        if waiting := list(outstanding(p)):
            return self.result(p, self.random.choice(waiting))
        if disputed := list(in_state(p, ResultState.DISPUTED)):
            return act.CorrectResult(at=disputed[0], scores=self.finished(), reason="vérifié")
        if p.phase is CompetitionPhase.PLAY:
            return act.EndPlay() if len(p.rounds) >= 4 else act.DrawRound(self.seating(p))
        if unchecked := list(in_state(p, ResultState.ACCEPTED)):
            return act.CheckResult(unchecked[0])
        if level := level_at_medals(p):
            members = list(level[0].entrants)
            self.random.shuffle(members)
            if self.random.random() < 0.5:
                return act.DrawPlayOff(Seating((Pairing(1, (members[0], members[1])),)))
            return act.ShareMedal(tuple(members))
        return act.OpenPlace(next_place(p) or 1)

    def result(self, p: CompetitionPosition, at: GameAt) -> CompetitionAction:
        encounter = p.find(at)
        assert encounter is not None
        if self.random.random() < 0.1:
            return act.CompareCards(at=at, spreads=(5, -7), qualifiers=self.random.choice(list(Advantage)))
        if at.game <= len(encounter.results) and self.random.random() < 0.5:
            return act.ConfirmResult(at, self.random.choice(encounter.entrants))
        if self.random.random() < 0.4:
            scores = self.random.choice([(121, 90), (121, 90), (121, 91)])
            return act.ReportResult(at=at, entrant=self.random.choice(encounter.entrants), scores=scores)
        return act.EnterResult(at=at, scores=self.finished())

    def finished(self) -> tuple[int, int]:
        lost = self.random.choice([90, 90, 60, 120])
        return (121, lost) if self.random.random() < 0.5 else (lost, 121)

    def scores(self) -> tuple[int, int]:
        return self.random.choice([(121, 121), (122, 3), (-1, 121), (60, 40), self.finished()])

    def seating(self, p: CompetitionPosition) -> Seating:
        """Of those present in any order, or the pairs that a bracket has due."""
        if p.format.is_elimination:
            return Seating(tuple(Pairing(table, pair) for table, pair in enumerate(bracket(p).due[: p.tables], 1)))
        left = games_left(p)
        order = [number for number, games in left.items() if games > 0]
        self.random.shuffle(order)
        pairs = [(order[i], order[i + 1]) for i in range(0, len(order) - 1, 2)]
        return Seating(
            tuple(Pairing(table, pair) for table, pair in enumerate(pairs[: p.tables], 1)),
            tuple(order[len(pairs) * 2 :]),
            tuple(number for pair in pairs[p.tables :] for number in pair),
        )

    def anything(self, p: CompetitionPosition) -> CompetitionAction:
        """Any action with any values."""
        choice, number = self.random.choice, self.random.randint(0, 8)
        word, ending = choice(WORDS), choice(list(Ending))
        held = choice(p.rounds) if p.rounds else None
        table = choice(held.encounters) if held and held.encounters else None
        at = GameAt(held.number, table.table, len(table.results) + choice([0, 1])) if held and table else GameAt(1, 1)
        at = choice([at, at, GameAt(self.random.randint(0, 4), self.random.randint(0, 4), self.random.randint(0, 3))])
        wild: list[Callable[[], CompetitionAction]] = [
            lambda: act.Register(
                name=word, players=choice([(), ("A", "B"), ("A", "A")]), part=choice(list(EntrantKind))
            ),
            lambda: act.Rename(number, word),
            lambda: act.RenamePlayer(number, self.random.randint(-1, 2), choice(WORDS)),
            lambda: act.ShowAs(number, choice([word, ""])),
            lambda: act.CheckIn(number, self.random.randint(0, 2)),
            lambda: act.Depart(number, choice(list(EntrantStatus)), word),
            lambda: act.Penalise(number, self.random.randint(0, 30), word),
            lambda: act.Substitute(number, self.random.randint(-1, 2), word, choice(WORDS)),
            lambda: act.SeedEntrants((number,)),
            lambda: act.NoteHand(number, choice([27, 28, 29])),
            lambda: act.SetTables(number),
            lambda: act.SetGames(number),
            lambda: act.CountMissing(choice(list(Missing))),
            lambda: act.Begin(choice(list(Choice))),
            lambda: act.Pause(word),
            act.Resume,
            lambda: act.AnnounceStart(choice(["", word, "2026-03-01T14:30-05:00"])),
            act.EndPlay,
            lambda: act.DrawRound(Seating((Pairing(1, (number, self.random.randint(0, 8))),))),
            lambda: act.DrawRound(self.seating(p)),
            lambda: act.DrawPlayOff(Seating((Pairing(1, (number, self.random.randint(0, 8))),))),
            act.StartRound,
            lambda: act.CancelRound(word),
            lambda: act.EnterResult(at=at, scores=self.scores(), ending=ending),
            lambda: act.ReportResult(at=at, entrant=number, scores=self.scores(), ending=ending),
            lambda: act.ConfirmResult(at, choice(table.entrants) if table else number),
            lambda: act.DisputeResult(at, choice(table.entrants) if table else number, word),
            lambda: act.DisputeByBoard(at, self.scores(), word),
            lambda: act.CorrectResult(at=at, scores=self.scores(), ending=ending, reason=word),
            lambda: act.CompareCards(at=at, spreads=choice([(None, 7), (8, -7), (0, 1)]), qualifiers=Advantage.BOTH),
            lambda: act.CheckResult(at),
            lambda: act.CallOfficial(number, self.random.randint(0, 2)),
            lambda: act.AnswerCall(choice([number, *p.calls])),
            lambda: act.ShareMedal((number,)),
            lambda: act.OpenPlace(self.random.randint(1, 3), word),
            UndoCompetitionAct,
            UndoCompetitionAct,
        ]
        return choice(wild)()


def nobody_sits_twice(p: CompetitionPosition) -> None:
    for held in p.rounds:
        named = Counter([*(n for encounter in held.encounters for n in encounter.entrants), *held.byes, *held.waiting])
        assert max(named.values()) == 1
    if p.games is not None:
        assert max(games_begun(p).values(), default=0) <= p.games


def places_follow_the_rows_above(p: CompetitionPosition) -> None:
    """A place is one more than the number of entrants above it."""
    rows = standings(p)
    assert sorted(row.entrant for row in rows) == [entrant.number for entrant in p.entrants]
    ranked = [row for row in rows if row.place is not None]
    for index, row in enumerate(ranked):
        level = index > 0 and ranked[index - 1].place == row.place
        assert row.place == (ranked[index - 1].place if level else index + 1)
        assert (row.separated_by is None) == (index == 0 or level)
        assert {other.entrant for other in ranked if other.place == row.place} == {row.entrant, *row.level_with}


def beginning_of(form: Format, seed: int) -> tuple[Walk, Competition]:
    return Walk(seed), Hall(form, 3 + seed % 6, tables=TABLES, choice=None).competition


def keep_the_laws(form: Format, seed: int, steps: int) -> None:
    """Walk, and hold each step against every law."""
    walk, live = beginning_of(form, seed)
    beginning = Competition.start(form, tables=TABLES).position
    history = [fold(beginning, live.log[:count]) for count in range(len(live.log) + 1)]
    seen = see_both(live.position)
    for _ in range(steps):
        before, log = live.position, live.log
        try:
            (event,) = live.do(walk.next(before))
        except RefusedAction:
            assert (live.position, live.log) == (before, log)
            continue
        history.append(live.position)
        assert "\n" not in write(event)
        assert read(write(event)) == event
        seen = see_both(live.position, seen)
        assert seen.hall == see(live.position, CompetitionEye.HALL)
        assert seen.organiser == see(live.position, CompetitionEye.ORGANISER)
        nobody_sits_twice(live.position)
        places_follow_the_rows_above(live.position)
        if not isinstance(event, CompetitionActUndone):
            assert live.position.undo_to is not None
            undone = step(history, CompetitionActUndone(live.position.undo_to))
            assert replace(undone, number=before.number) == before
    assert fold(beginning, live.log) == live.position
    assert live.position == history[-1]


def reached(form: Format, seed: int, steps: int) -> set[type[CompetitionEvent]]:
    """The kinds of events of a walk."""
    walk, live = beginning_of(form, seed)
    for _ in range(steps):
        with suppress(RefusedAction):
            live.do(walk.next(live.position))
    return {type(event) for event in live.log}


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("form", [*FORMATS.values(), SHORT], ids=lambda form: form.label)
def test_the_laws_hold_on_random_walks(form: Format) -> None:
    """One walk in five: so many of all formats reach most of the events."""
    for seed in range(0, 10, one_in(5)):
        keep_the_laws(form, seed, 150)


@pytest.mark.long
@pytest.mark.slow
def test_random_walks_reach_every_event() -> None:
    forms = (SHORT, FORMATS["acc"], FORMATS["single-elimination"])
    missing = set(get_args(CompetitionEvent))
    for seed, form in product(range(40, 52), forms):
        missing -= reached(form, seed, 250)
        if not missing:
            return
    assert missing == set()


def test_each_undo_takes_one_act_back() -> None:
    hall = Hall(FORMATS["acc"], 4)
    positions = [hall.now]
    number = hall.draw((1, 2), (3, 4))
    positions.append(hall.now)
    hall.do(entered(number, 1, 121, 100))
    hall.do(UndoCompetitionAct())
    assert replace(hall.now, number=positions[-1].number) == positions[-1]
    hall.do(UndoCompetitionAct(), UndoCompetitionAct())
    assert replace(hall.now, number=positions[0].number) == positions[0]
    assert sum(isinstance(event, CompetitionActUndone) for event in hall.competition.log) == 3


def test_a_new_competition_has_nothing_to_undo() -> None:
    assert Hall(FORMATS["acc"], 0, choice=None).refused(UndoCompetitionAct()) == "nothing_to_undo"


def test_every_action_has_a_ruling() -> None:
    assert set(RULINGS) == set(get_args(CompetitionAction))
