"""This board in an event: connects its table of the hall with the organiser's desk.

The table gets the game that is due there, and its outcome becomes a result of the competition, in the transaction that
ends the game (design law 5). The engine of competitions is imported with the first competition: a board without one
starts without it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.refusals import RefusedRequest
from cribd.storage.competitions import CompetitionAct, PlayedFor
from cribd.table.event import Due, Entered, Outcome

if TYPE_CHECKING:
    from cribd.competition.snapshot import State


class BoardAtEvent:
    """The organiser's desk, with the methods that the table of this board needs (`cribd.table.event.Desk`)."""

    def __init__(self, competitions: LazyOrganiser, clock: Clock) -> None:
        self._competitions = competitions
        self._clock = clock

    def connect(self, offer: Callable[[Due], None]) -> None:
        """From now on, call `offer` with what is due at the table, after each new state of the competition."""

        def publish(state: State) -> None:
            from cribd.daemon.event_games import due_at

            offer(due_at(state, self._competitions.board_table))

        self._competitions.watch(publish)

    async def enter(self, outcome: Outcome, write: Callable[[CompetitionAct | None], None]) -> Entered:
        """Enter an outcome in the competition of its game, even if another competition is the current one.

        If the desk has a different result, the board disputes it: an official must settle it. Raises `NotKept`."""
        organiser = await self._competitions.organiser()

        from cribd.competition.change_request import ChangeRequest
        from cribd.daemon import event_games

        request = ChangeRequest(partial(event_games.action_for, outcome=outcome))
        try:
            done = await organiser.do_many([request], event=outcome.place.event, commit=write)
        except RefusedRequest:  # there is no such competition, or it is damaged
            await self._clock.run_in_thread(partial(write, None))
            return Entered.NOT_TAKEN
        return event_games.desk_answer(done.snapshot, outcome)

    async def call_official(self, place: PlayedFor, side: int) -> None:
        """Call an official for a side of this game. If the desk refuses, the players must find one themselves."""
        await self._call(place, side, came=False)

    async def official_came(self, place: PlayedFor, side: int) -> None:
        """Answer the call of this side, unless the desk has answered it."""
        await self._call(place, side, came=True)

    async def _call(self, place: PlayedFor, side: int, *, came: bool) -> None:
        organiser = await self._competitions.organiser()

        from cribd.competition.change_request import ChangeRequest
        from cribd.daemon import event_games

        make = event_games.official_came if came else event_games.call_official
        with suppress(RefusedRequest):
            await organiser.do_many([ChangeRequest(partial(make, place=place, side=side))], event=place.event)
