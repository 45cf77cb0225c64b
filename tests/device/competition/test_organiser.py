"""The owner of the competition: what is done is kept before it is shown, and two desks do not clash."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.journals import tamper
from tests.support.organised import draw_and_start, held, open_hall, organiser, seen, seen_of, slip

from cribboard.competition import FORMATS, RefusedAction
from cribboard.competition.actions import (
    CheckIn,
    CorrectResult,
    EndPlay,
    Pause,
    Register,
    Rename,
    SetTables,
    StartRound,
    UndoCompetitionAct,
)
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import CompetitionPhase, GameAt
from cribd.clock import ManualClock
from cribd.competition.change_request import BaseVersion, ChangeRequest
from cribd.competition.next_step import next_step
from cribd.competition.refusals import RefusedRequest
from cribd.competition.snapshot import DamagedCompetition, State
from cribd.storage.competitions import CompetitionAct
from cribd.storage.journal import Journal
from cribd.storage.outbox import HandedIn, OutcomeStatus
from cribd.twin.unset_clock import UnsetClock

ACC = CompetitionHeading(format=FORMATS["acc"], name="Mardi", tables=9)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


async def test_a_board_without_a_competition_reports_none(path: Path) -> None:
    async with organiser(path) as owner:
        assert owner.state is None
        with pytest.raises(RefusedRequest, match="no competition has been begun"):
            await owner.do(SetTables(4))


async def test_an_act_is_taken_back_without_a_question(path: Path) -> None:
    async with organiser(path) as owner:
        await open_hall(owner, 4)
        before = await draw_and_start(owner)
        await owner.do(slip(1, 121, 98), ask=True)
        await owner.do(UndoCompetitionAct(), ask=True)
        assert held(owner).organiser.tables == before.organiser.tables


async def test_a_competition_goes_on_where_it_stood(path: Path) -> None:
    async with organiser(path) as owner:
        await open_hall(owner, 4)
        before = await draw_and_start(owner)
    async with organiser(path) as owner:
        assert held(owner) == before
        await owner.do(slip(1, 121, 98))
        assert len(held(owner).since) == 1


async def test_each_act_is_published_after_its_commit(path: Path) -> None:
    shown: list[int] = []
    async with organiser(path) as owner:
        await owner.begin(ACC)

        def publish(state: State) -> None:
            journal = Journal(path, ManualClock())
            shown.append(len(journal.competitions.competition(1).competition.log))
            journal.close()

        owner.watch(publish)
        await owner.do(Register(name="Odile"))
        await owner.do(Register(name="Réjean"), CheckIn(1))
    assert shown == [1, 3]


async def test_actions_together_are_all_done_or_none(path: Path) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        with pytest.raises(RefusedAction, match="ODILE: entrant 1 has this name already"):
            await owner.do(Register(name="Odile"), Register(name="ODILE"))
        assert held(owner).log == ()


# Several in one journal


async def test_a_league_goes_on_after_an_evening_that_was_played_between(path: Path) -> None:
    async with organiser(path) as owner:
        await open_hall(owner, 4)
        await draw_and_start(owner)
        await owner.do(slip(1, 121, 98))
        league = held(owner)
        assert (await owner.begin(replace(ACC, name="Soirée"))).number == 2
        await owner.do(Register(name="Odile"))
        with pytest.raises(RefusedRequest, match="meant for competition 1; number 2"):
            await owner.do(SetTables(4), seen=seen_of(league))
        evening = held(owner)
        assert await owner.switch(1) == league, "nothing was ended, and nothing is lost"
        await owner.do(slip(2, 90, 121))
        assert await owner.switch(2) == evening


async def test_the_competition_that_was_chosen_is_the_current_one_after_a_restart(path: Path) -> None:
    async with organiser(path) as owner:
        for _ in range(3):
            await owner.begin(ACC)
        await owner.switch(2)
    async with organiser(path) as owner:
        assert held(owner).number == 2
        await owner.begin(ACC)
    async with organiser(path) as owner:
        assert held(owner).number == 4, "one that is begun is the current one"


@pytest.mark.parametrize("setting", ["7 of 2", "1 of 3", "0 of 2", "-1 of 2", "1", "one of 2", "1 of 2 ", "", "\x00"])
async def test_a_choice_that_cannot_be_read_leaves_the_newest(path: Path, setting: str) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        await owner.begin(ACC)
        await owner.switch(1)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE setting SET value = ? WHERE name = 'current competition'", (setting,))
    async with organiser(path) as owner:
        assert held(owner).number == 2


@pytest.mark.parametrize("number", [0, -1, 3, 10**9, 2**63, 10**30])
async def test_a_competition_that_is_not_there_is_refused_with_its_number(path: Path, number: int) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        await owner.begin(ACC)
        with pytest.raises(RefusedRequest, match=f"no competition {number}: the last one is 2"):
            await owner.switch(number)
        assert held(owner).number == 2


async def test_a_damaged_competition_among_several_costs_itself_alone(path: Path) -> None:
    async with organiser(path) as owner:
        for name in ("Ligue", "Soirée", "Mars"):
            await owner.begin(replace(ACC, name=name))
            await owner.do(Register(name="Odile"))
    drop = "DROP TRIGGER competition_line_update;"
    tamper(path, f"{drop} UPDATE competition_line SET line = 'tables 5' WHERE competition = 2")
    async with organiser(path) as owner:
        with pytest.raises(RefusedRequest, match="competition 2 is damaged"):
            await owner.switch(2)
        assert held(owner).heading.name == "Mars"
        found = await owner.listed()
        assert [each.phase for each in found] == [CompetitionPhase.REGISTRATION, None, CompetitionPhase.REGISTRATION]
        assert [each.heading and each.heading.name for each in found] == ["Ligue", "Soirée", "Mars"]
        assert (await owner.switch(1)).heading.name == "Ligue"
    tamper(path, f"{drop} UPDATE competition_line SET line = 'tables 5' WHERE competition = 1")
    async with organiser(path) as owner:
        assert (
            owner.state == DamagedCompetition(1, owner.state.reason)
            if isinstance(owner.state, DamagedCompetition)
            else False
        )
        assert (await owner.switch(3)).heading.name == "Mars", "the way out of a damaged one"


async def test_the_list_tells_how_each_competition_stands_and_when_it_was_begun(path: Path) -> None:
    clock = ManualClock()
    async with organiser(path, clock) as owner:
        await open_hall(owner, 2)
        began = clock.wall().isoformat()
        clock.wait(60)
        await owner.begin(ACC)
        first, second = await owner.listed()
        assert (first.phase, first.at, second.phase) == (CompetitionPhase.PLAY, began, CompetitionPhase.REGISTRATION)
        assert second.at > first.at
        await owner.do(Register(name="Odile"))
        await owner.switch(1)
        await owner.do(EndPlay())
        assert [each.phase for each in await owner.listed()] == [CompetitionPhase.PLAYED, CompetitionPhase.REGISTRATION]


async def test_a_switch_of_competitions_that_cannot_be_stored_is_not_made(path: Path) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        await owner.begin(ACC)
        tamper(path, "CREATE TRIGGER full BEFORE INSERT ON setting BEGIN SELECT RAISE(ABORT, 'full'); END")
        with pytest.raises(RefusedRequest) as refused:
            await owner.switch(1)
        assert refused.value.code == "not_kept"
        assert held(owner).number == 2


# Draws


@pytest.mark.parametrize("name", ["fadoq", "acc", "jeux50", "single-elimination"])
async def test_rounds_are_drawn_to_the_end_also_after_another_laptop_took_over(path: Path, name: str) -> None:
    rounds = {"fadoq": 8, "acc": 9, "jeux50": 9, "single-elimination": 3}[name]
    async with organiser(path) as owner:
        await open_hall(owner, 9 if name == "jeux50" else 6, FORMATS[name])
    for _ in range(rounds):
        async with organiser(path) as owner:
            now = (await draw_and_start(owner)).organiser
            for table in now.tables:
                games = FORMATS[name].visit if not FORMATS[name].is_match else 2
                await owner.do(
                    *(slip(table.table, 121, 90 + table.table, round_=now.round, game=g + 1) for g in range(games))
                )
    async with organiser(path) as owner:
        with pytest.raises(RefusedRequest, match="no pair to seat"):
            await owner.draw()


async def test_two_draws_of_the_same_entrants_differ(path: Path) -> None:
    async with organiser(path) as owner:
        await open_hall(owner, 40)
        first = await owner.draw()
        await owner.do(UndoCompetitionAct())
        assert (await owner.draw()).hall.tables != first.hall.tables


async def test_before_play_has_begun_nothing_is_drawn(path: Path) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        with pytest.raises(RefusedAction, match="registration"):
            await owner.draw()


async def test_a_play_off_is_drawn_once_play_has_ended(path: Path) -> None:
    async with organiser(path) as owner:
        await open_hall(owner, 4)
        await draw_and_start(owner)
        await owner.do(slip(1, 121, 98), slip(2, 121, 98), EndPlay())
        drawn = (await owner.draw()).organiser
        assert (drawn.round, drawn.play_off) == (2, 1)


# Two at once


async def test_results_of_different_tables_are_taken_from_two_desks(path: Path) -> None:
    async with organiser(path) as owner:
        await open_hall(owner, 4)
        await draw_and_start(owner)
        before = seen(owner)
        await asyncio.gather(
            owner.do(slip(1, 121, 98), seen=before),
            owner.do(slip(2, 90, 121), seen=before),
        )
        assert held(owner).organiser.outstanding == ()


async def test_a_change_of_the_same_thing_that_the_sender_did_not_see_refuses_the_request(path: Path) -> None:
    async with organiser(path) as owner:
        await open_hall(owner, 4)
        await draw_and_start(owner)
        await owner.do(slip(1, 121, 98))
        before = seen(owner)
        mend = CorrectResult(at=GameAt(1, 1), scores=(121, 99), reason="mal lu")
        await owner.do(mend, seen=before)
        for action in (CorrectResult(at=GameAt(1, 1), scores=(121, 89), reason="mal lu"), UndoCompetitionAct()):
            with pytest.raises(RefusedRequest, match="somebody else changed this"):
                await owner.do(action, seen=before)
        await owner.do(slip(2, 121, 98), Rename(1, "Odile"), seen=before)
        with pytest.raises(RefusedRequest):
            await owner.do(Rename(1, "Odette"), seen=before)


async def test_one_slip_entered_by_two_people_at_once_is_taken_once(path: Path) -> None:
    async with organiser(path) as owner:
        await open_hall(owner, 4)
        await draw_and_start(owner)
        before = seen(owner)
        answers = await asyncio.gather(
            *(owner.do(slip(1, 121, 98), seen=before) for _ in range(2)), return_exceptions=True
        )
        refused = [answer for answer in answers if isinstance(answer, RefusedAction)]
        assert [each.code for each in refused] == ["result_exists"]


# Time


async def test_an_outstanding_game_is_listed_with_its_start(path: Path) -> None:
    clock = ManualClock()
    async with organiser(path, clock) as owner:
        await open_hall(owner, 9, FORMATS["jeux50"])
        await clock.advance(60)
        await owner.draw()
        await owner.do(StartRound())
        started = f"{clock.wall():%Y-%m-%dT%H:%M:%SZ}"
        await clock.advance(900)
        await owner.do(slip(1, 121, 98))
        second = f"{clock.wall():%Y-%m-%dT%H:%M:%SZ}"
        when = {(at.table, at.game): at_time for at, at_time in held(owner).since}
        assert (when[1, 2], when[2, 1]) == (second, started)
        assert held(owner).round_since == started
        await clock.advance(60)
        await owner.do(Pause("dîner"))
        await owner.do(UndoCompetitionAct())
        await owner.do(UndoCompetitionAct())
        assert {at_time for _, at_time in held(owner).since} == {started}, "the slip was taken back"
    async with organiser(path, clock) as owner:
        assert {at_time for _, at_time in held(owner).since} == {started}


async def test_a_clock_that_is_set_back_leaves_what_waits_longest_first(path: Path) -> None:
    clock = ManualClock()
    unset = UnsetClock(clock)
    async with organiser(path, unset) as owner:
        await open_hall(owner, 9, FORMATS["jeux50"])
        await owner.draw()
        await owner.do(StartRound())
        await clock.advance(900)
        unset.behind = timedelta(days=365)
        await owner.do(slip(1, 121, 98))
        waiting = [(at.table, at.game) for at, _ in held(owner).since]
        assert waiting == [(2, 1), (3, 1), (4, 1), (1, 2)]
        step = next_step(held(owner))
        assert step.values["table"] == 2


# The disk


async def test_an_act_that_cannot_be_stored_changes_nothing(path: Path) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        tamper(path, "CREATE TRIGGER full BEFORE INSERT ON competition_line BEGIN SELECT RAISE(ABORT, 'full'); END")
        with pytest.raises(RefusedRequest, match="cannot be written") as refused:
            await owner.do(Register(name="Odile"))
        assert refused.value.code == "not_kept"
        assert held(owner).organiser.entrants == ()
        tamper(path, "DROP TRIGGER full")
        await owner.do(Register(name="Odile"))


async def test_a_damaged_competition_is_named_and_a_new_one_can_begin(path: Path) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        await owner.do(Register(name="Odile"))
    tamper(path, "DROP TRIGGER competition_line_update; UPDATE competition_line SET line = 'tables 5'")
    async with organiser(path) as owner:
        assert isinstance(owner.state, DamagedCompetition)
        assert owner.state.number == 1
        with pytest.raises(RefusedRequest, match="competition 1 is damaged"):
            await owner.do(SetTables(3))
        assert (await owner.begin(ACC)).number == 2


async def test_many_requests_are_each_accepted_or_refused_in_one_commit_and_one_snapshot(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, acts = list[State](), list[CompetitionAct]()
    async with organiser(path) as owner:
        await open_hall(owner, 8)
        before = await draw_and_start(owner)
        competitions = owner.journal.competitions
        commit = competitions.append

        def counted(act: CompetitionAct, received: Sequence[tuple[HandedIn, OutcomeStatus]]) -> None:
            acts.append(act)
            commit(act, received)

        monkeypatch.setattr(competitions, "append", counted)
        owner.watch(shown.append)
        correction = CorrectResult(at=GameAt(1, 3), scores=(121, 90), reason="misread")
        requests = [
            ChangeRequest([slip(1, 121, 98)]),
            ChangeRequest([slip(1, 121, 98)]),
            ChangeRequest([slip(2, 121, 98), slip(2, 98, 121)]),
            ChangeRequest([slip(3, 121, 98)], BaseVersion(1, len(before.log))),
            ChangeRequest([correction], BaseVersion(1, len(before.log))),
            ChangeRequest([slip(4, 121, 98)], BaseVersion(2, 0)),
            ChangeRequest(lambda p: [slip(4, 121, len(p.rounds))]),
        ]
        done = await owner.do_many(requests)
        codes = [None if refused is None else refused.code for refused in done.refused]
        assert codes == [
            None, "result_exists", "result_exists", None, "changed_meanwhile", "another_competition", None,
        ]  # fmt: skip
        assert shown == [done.snapshot]
        assert len(done.snapshot.log) == len(before.log) + 3, "what was refused has left nothing"
        tables = {table.table: [result.scores for result in table.results] for table in done.snapshot.hall.tables}
        assert tables == {1: [(121, 98)], 2: [], 3: [(121, 98)], 4: [(121, 1)]}
        nothing = await owner.do_many(requests[1:2])
        assert (nothing.snapshot, len(shown)) == (done.snapshot, 1)
        assert [len(act.events) for act in acts] == [3]
    async with organiser(path) as owner:
        assert held(owner) == done.snapshot


async def test_requests_for_an_event_that_is_not_here_or_cannot_be_looked_up_are_refused(path: Path) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        with pytest.raises(RefusedRequest, match=f"no event {UUID(int=1)} here"):
            await owner.do_many([ChangeRequest([Register(name="Odile")])], event=UUID(int=1))
        tamper(path, "ALTER TABLE competition RENAME TO gone")
        with pytest.raises(RefusedRequest) as refused:
            await owner.accept(UUID(int=1), [])
        assert refused.value.code == "not_kept"


async def test_an_undo_among_many_requests_takes_back_what_stands_before_it(path: Path) -> None:
    async with organiser(path) as owner:
        await owner.begin(ACC)
        requests = [ChangeRequest([Register(name=name)]) for name in ("Odile", "Réjean")]
        done = await owner.do_many(
            [*requests, ChangeRequest([UndoCompetitionAct()]), ChangeRequest([Register(name="Zoé")])]
        )
        assert [entrant.name for entrant in done.snapshot.hall.entrants] == ["Odile", "Zoé"]
    async with organiser(path) as owner:
        assert held(owner) == done.snapshot
