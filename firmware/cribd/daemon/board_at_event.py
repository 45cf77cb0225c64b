"""Connects the table of this board with the organiser's desk.

The desk is in this process, or at the hub of the club that the board belongs to. The table gets the game that is due
there. The outcome of a game waits in the journal's outbox until its desk has answered: it is handed in at once, and
again after a failure and at each start. The engine of competitions is imported with the first competition, and nothing
of a club without one: a board without them starts without them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.refusals import RefusedRequest
from cribd.storage.journal import Journal, JournalAway, JournalDamaged
from cribd.storage.outbox import UNENTERED, HandedIn, Outcome, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import NOTHING_SAID, DeskSays, EventGame, Offer, TakenGame, WaitsForRound

if TYPE_CHECKING:
    from cribd.club.hub_client import HubClient
    from cribd.competition.snapshot import State

#: How long an outcome waits until it is handed in again.
RETRY_S = 1.0


class BoardAtEvent:
    """The table's connection to the organiser's desk (`cribd.table.organiser_desk.Desk`).

    A board of a club plays what its hub has due. What it played for an event of this machine still goes there."""

    def __init__(self, journal: Journal, competitions: LazyOrganiser, clock: Clock) -> None:
        self._journal = journal
        self._competitions = competitions
        self._clock = clock
        self._club: HubClient | None = None
        self._calls: tuple[PlayedFor, int] | None = None  # the side that waits here for an official of this machine
        self._says = NOTHING_SAID
        self._games_elsewhere: Collection[PlayedFor] = ()
        self._offer: Offer = lambda _, __=NOTHING_SAID, /: None
        self._waits = asyncio.Event()
        self._waits.set()  # the power may have failed before an outcome was handed in
        self._answer: Callable[[Outcome, OutcomeStatus], None] = lambda _, __: None
        self._note_unentered: Callable[[HandedIn, OutcomeStatus], None] = lambda _, __: None

    def connect(self, offer: Offer, answer: Callable[[Outcome, OutcomeStatus], None]) -> None:
        """Connect the table to the desk.

        From now on, `offer` gets what is due, and `answer` each late answer: one that `hand_in` could not wait for."""

        self._offer, self._answer = offer, answer
        self._competitions.watch(self._publish)

    def join(self, club: HubClient | None) -> None:
        """Use the desk at this club's hub, or on this machine."""
        self._club = club
        if club is not None:
            club.connect(self._offer, self._answer)
        else:
            self._publish(self._competitions.state)

    def set_desk_messages(self, says: DeskSays, games_elsewhere: Collection[PlayedFor]) -> None:
        """Set what this machine's desk tells the table.

        `has_ruled` is left out. `games_elsewhere` are under way at other boards: for one of them the table waits."""
        if (says, games_elsewhere) != (self._says, self._games_elsewhere):
            self._says, self._games_elsewhere = says, games_elsewhere
            self._publish(self._competitions.state)

    async def watch_unentered(self, note: Callable[[HandedIn, OutcomeStatus], None]) -> None:
        """Call `note` with each outcome that this desk does not enter."""
        self._note_unentered = note
        for game, answer in await self._clock.run_in_thread(self._unentered):
            with suppress(JournalDamaged, KeyError):
                note(
                    HandedIn(await self._clock.run_in_thread(partial(self._journal.outcome, game)), sequence=game),
                    answer,
                )

    def _unentered(self) -> Sequence[tuple[int, OutcomeStatus]]:
        with suppress(JournalDamaged):  # the next start mends the file
            return self._journal.outbox.unentered()
        return ()

    def _publish(self, state: State) -> None:
        if self._club is not None:
            return
        if state is None:
            self._offer(None, self._says)
            return

        from cribd.daemon.due_at_table import due_at, is_waiting

        has_ruled = self._calls is not None and not is_waiting(state, *self._calls)
        if has_ruled:
            self._calls = None
        said = self._says
        # the numbers of the two kinds of words must differ: of a word about a call it is positive
        word, number = (said.word, -said.word_number) if said.word else self._competitions.board_word
        says = replace(said, word=word, word_number=number, has_ruled=has_ruled)
        due = due_at(state, self._competitions.board_table)
        if isinstance(due, EventGame) and due.place in self._games_elsewhere:
            due = WaitsForRound(due.place.table, due.place.round)
        self._offer(due, says)

    async def hand_in(self, game: int, outcome: Outcome) -> OutcomeStatus:
        """Hand in this outcome to the competition that its game was for.

        If the desk has a different result, the board disputes it: an official must settle it. Without an answer `run`
        hands it in again."""
        if not await self._is_of_this_machine(outcome.place):
            if self._club is not None:
                self._club.hand_in(outcome)
            return OutcomeStatus.KEPT
        entered = await self._hand_in(game, outcome)
        if entered is OutcomeStatus.KEPT:
            self._waits.set()
        return entered

    async def run(self) -> None:
        """Until cancelled, hand in the outcomes that wait for this machine's desk."""
        while True:
            await self._waits.wait()
            self._waits.clear()
            if not await self._hand_in_all_here():
                await self._clock.sleep(RETRY_S)
                self._waits.set()

    async def _hand_in_all_here(self) -> bool:
        """Hand in the waiting outcomes; return False if one failed."""
        try:
            waiting = await self._clock.run_in_thread(self._journal.outbox.waiting)
        except JournalDamaged:
            return True  # the next start mends the file
        for game in waiting:
            try:
                outcome = await self._clock.run_in_thread(partial(self._journal.outcome, game))
            except (JournalDamaged, KeyError):  # the players hand in a slip
                entered = await self._store_answer(game, OutcomeStatus.NOT_TAKEN)
            else:
                entered = await self._hand_in(game, outcome)
                self._answer(outcome, entered)
            if entered is OutcomeStatus.KEPT:
                return False
        return True

    async def _is_of_this_machine(self, place: PlayedFor) -> bool:
        """Whether the desk of this event is in this process.

        True if the journal is damaged: then the desk refuses the game."""
        try:
            await self._clock.run_in_thread(partial(self._journal.competitions.number_of, place.event))
        except KeyError:
            return False
        except JournalDamaged:
            return True
        return True

    async def _hand_in(self, game: int, outcome: Outcome) -> OutcomeStatus:
        submission = HandedIn(outcome, sequence=game)
        entered = await self._answer_of_desk(submission)
        if entered is not OutcomeStatus.KEPT:
            entered = await self._store_answer(game, entered)
        if entered in UNENTERED:
            self._note_unentered(submission, entered)
        return entered

    async def _answer_of_desk(self, submission: HandedIn) -> OutcomeStatus:
        organiser, outcome = await self._competitions.organiser(), submission.outcome
        if outcome.broken_off and TakenGame(outcome.place, ends=False) in self._says.takes:  # it goes on by slip
            return OutcomeStatus.NOT_TAKEN
        try:
            (entered,) = await organiser.accept(outcome.place.event, [submission])
        except RefusedRequest as refused:
            # else there is no such competition, or it is damaged
            return OutcomeStatus.KEPT if refused.code == "not_kept" else OutcomeStatus.NOT_TAKEN
        return entered

    async def _store_answer(self, game: int, entered: OutcomeStatus) -> OutcomeStatus:
        """Store and return the desk's answer.

        If the journal cannot be written, return `KEPT`: the outcome is handed in again and gets the same answer."""
        try:
            await self._clock.run_in_thread(partial(self._journal.outbox.store_answer, game, entered))
        except JournalAway:
            return OutcomeStatus.KEPT
        return entered

    async def call_official(self, place: PlayedFor, side: int) -> None:
        """Call an official for a side of this game."""
        await self._call(place, side, came=False)

    async def official_came(self, place: PlayedFor, side: int) -> None:
        """End this side's call for an official.

        Does nothing if the desk has ended the call."""
        await self._call(place, side, came=True)

    async def _call(self, place: PlayedFor, side: int, *, came: bool) -> None:
        if not await self._is_of_this_machine(place):
            if self._club is not None:
                (self._club.official_came if came else self._club.call_official)(place, side)
            return
        organiser = await self._competitions.organiser()

        from cribd.competition import outcomes
        from cribd.competition.change_request import ChangeRequest
        from cribd.daemon.due_at_table import is_waiting

        self._calls = None
        make = outcomes.official_came if came else outcomes.call_official
        with suppress(RefusedRequest):
            await organiser.do_many([ChangeRequest(partial(make, place=place, side=side))], event=place.event)
        if not came and is_waiting(organiser.state, place, side):
            self._calls = place, side
