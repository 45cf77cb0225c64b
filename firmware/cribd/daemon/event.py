"""This board in an event: it connects the table of the hall at which it stands with the organiser's desk.

The table is told which game is due there, and its outcome becomes a result of the competition, in the transaction that
ends the game (design law 5). Table and competition know nothing of one another. The engine of competitions is imported
with the first competition: a board without one starts without it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.storage.competitions import CompetitionAct, PlayedFor
from cribd.storage.journal import Journal, NotKept
from cribd.table.event import Due, Entered, EventGame, Outcome, WaitsForRound

if TYPE_CHECKING:
    from cribboard.competition.actions import Action
    from cribboard.competition.position import Result
    from cribboard.competition.view import EntrantView, TableView
    from cribd.competition.organiser import Organiser
    from cribd.competition.snapshot import State


class BoardAtEvent:
    """The organiser's desk, as the table of this board needs it (`cribd.table.event.Desk`)."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self.opening = LazyOrganiser(journal, clock)
        self._journal = journal
        self._clock = clock
        self._organiser: Organiser | None = None
        self._tell_table: Callable[[Due], None] | None = None
        self._stands_at: int | None = None

    @property
    def stands_at(self) -> int | None:
        """The table of the hall at which this board stands, from 1; None if it stands at none."""
        return self._stands_at

    async def stand_at(self, told: object) -> None:
        """The board stands at the table of this request from now on, `{"table": 4}`, or at none. Raises `NotAnAction`,
        `RefusedRequest`."""
        from cribd.competition.board_table import keep_board_table

        self._stands_at = await self._clock.run_in_thread(partial(keep_board_table, self._journal, told))
        self._offer()

    def connect(self, offer: Callable[[Due], None]) -> None:
        """Tell the table what is due from now on, by its `offer`."""
        self._tell_table = offer

    async def wake(self) -> None:
        """Take up the competition of the journal, if there is one."""
        if await self.opening.wake() is not None:
            await self.organiser()

    async def organiser(self) -> Organiser:
        """The owner of the competition. From here on the table is told what is due."""
        organiser = await self.opening.organiser()
        if self._organiser is None:
            from cribd.competition.board_table import read_board_table

            self._organiser = organiser
            organiser.watch(lambda _: self._offer())
            self._stands_at = await self._clock.run_in_thread(partial(read_board_table, self._journal))
            self._offer()
        return organiser

    def _offer(self) -> None:
        if self._tell_table is not None and self._organiser is not None:
            self._tell_table(_due(self._organiser.state, self._stands_at))

    # What a game came to

    async def enter(self, outcome: Outcome, write: Callable[[CompetitionAct | None], None]) -> Entered:
        """Enter an outcome. Where the desk has another result already, the board disputes it; it counts once an
        official settles it. A game that is broken off disputes nothing. Raises `NotKept`."""
        from cribboard.competition import actions
        from cribboard.competition.terms import Ending, GameAt, Source

        organiser = await self.organiser()
        place = outcome.place
        at = GameAt(place.round, place.table, place.game)
        ending = Ending.BROKEN_OFF if outcome.broken_off else Ending.FINISHED
        first, second = outcome.scores
        result = actions.EnterResult(
            at=at, scores=(first, second), ending=ending, source=Source.BOARD, record=outcome.record
        )
        if await self._do(result, place, write):
            return Entered.ACCEPTED
        known = _known(await organiser.look_at(place.competition), place)
        is_same = known is not None and (known.scores, known.ending) == (outcome.scores, ending)
        stands = known is not None and known.counts and (is_same or outcome.broken_off)
        disputes = known is not None and not stands and not outcome.broken_off
        if disputes and await self._do(actions.DisputeByBoard(at, (first, second), outcome.record), place, write):
            return Entered.DISPUTED
        await self._clock.run_in_thread(partial(write, None))
        if known is None:
            return Entered.NOT_TAKEN
        return Entered.ACCEPTED if stands else Entered.DISPUTED

    # Who calls an official

    async def call_official(self, place: PlayedFor, side: int) -> None:
        """Call an official for a side of this game, in the name of its captain: the board cannot know whose finger it
        was. What the desk cannot take is left to the players."""
        from cribboard.competition.actions import CallOfficial

        if (entrant := await self._entrant(place, side)) is not None:
            with suppress(NotKept):
                await self._do(CallOfficial(entrant.number, entrant.captain), place)

    async def official_came(self, place: PlayedFor, side: int) -> None:
        """Answer the call of this side, unless the desk has."""
        from cribboard.competition.actions import AnswerCall

        if (entrant := await self._entrant(place, side)) is not None:
            with suppress(NotKept):
                await self._do(AnswerCall(entrant.number), place)

    async def _entrant(self, place: PlayedFor, side: int) -> EntrantView | None:
        """The entrant that is this side of a game, None if there is no such game any more."""
        from cribd.competition.snapshot import CompetitionSnapshot

        state = await (await self.organiser()).look_at(place.competition)
        held = _table_of(state, place)
        return (
            state.organiser.entrants[held.entrants[side] - 1]
            if held and isinstance(state, CompetitionSnapshot)
            else None
        )

    async def _do(
        self, action: Action, place: PlayedFor, write: Callable[[CompetitionAct | None], None] | None = None
    ) -> bool:
        """Do this action for a game, together with its end if that is to `write`; in the competition for which it was
        begun, whichever is the current one. Returns whether the desk took it. Raises `NotKept`."""
        from cribboard.competition import RefusedAction
        from cribd.competition.refusals import RefusedRequest

        organiser = await self.organiser()
        try:
            await organiser.do(action, competition=place.competition, commit=write)
        except RefusedAction:
            return False
        except RefusedRequest as refused:
            if isinstance(refused.__cause__, NotKept):
                raise refused.__cause__ from refused
            return False
        return True


def _due(state: State, table: int | None) -> Due:
    """The game that is under way at this table of the hall and has no result yet; or the round that starts next, if one
    follows."""
    from cribboard.competition.terms import Phase, Stage
    from cribboard.rules import Option
    from cribd.competition.snapshot import CompetitionSnapshot

    if table is None or not isinstance(state, CompetitionSnapshot):
        return None
    view, form = state.organiser, state.heading.format
    for at, _ in state.since:
        held = next((seated for seated in view.rounds[at.round - 1].tables if seated.table == at.table), None)
        if at.table != table or held is None or len(held.results) >= at.game:
            continue
        sides = [state.hall.entrants[number - 1] for number in held.entrants]  # the board is public
        return EventGame(
            place=PlayedFor(state.number, at.round, at.table, at.game),
            names=tuple(side.name for side in sides),
            rules=form.game_rules,
            captains=tuple(side.captain_name for side in sides) if form.captain_only is Option.ON else (),
            is_play_off=view.rounds[at.round - 1].play_off > 0,
            is_sealed=form.sealed is Option.ON and view.phase is not Phase.OPEN,
        )
    is_drawn = bool(view.rounds) and view.rounds[-1].stage is Stage.DRAWN and not view.rounds[-1].play_off
    follows = view.rounds_left or (form.is_elimination and view.outstanding)
    if view.phase is Phase.REGISTRATION or is_drawn or (view.phase is Phase.PLAY and follows):
        return WaitsForRound(table, len(view.rounds) + (not is_drawn))
    return None


def _known(state: State, place: PlayedFor) -> Result | None:
    """The result that the desk has of this game, if any."""
    held = _table_of(state, place)
    return None if held is None or place.game > len(held.results) else held.results[place.game - 1]


def _table_of(state: State, place: PlayedFor) -> TableView | None:
    """The table of this game in its round, None if there is no such game any more."""
    from cribd.competition.snapshot import CompetitionSnapshot

    if (
        not isinstance(state, CompetitionSnapshot)
        or state.number != place.competition
        or place.round > len(state.organiser.rounds)
    ):
        return None
    tables = state.organiser.rounds[place.round - 1].tables
    return next((seated for seated in tables if seated.table == place.table), None)
