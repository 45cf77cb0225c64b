"""Makes the robots act in turn, at the speed of people.

A robot waits as long after a card that scores as after one that does not: its pace tells nothing (design law 9). It
does not wait where everybody sees that nothing can score: after the first card of a count, and after a starter that is
no jack.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from cribboard import actions
from cribboard.actions import Action, IllegalAction
from cribboard.cards import Rank
from cribboard.events import Acted, ChallengeRaised, ClaimChallenged, Event, PegReleased
from cribboard.position import Phase, Position
from cribboard.rules import Way
from cribd.clock import Clock, wait_for
from cribd.inputs import Key
from cribd.robots.deal import COUNTED
from cribd.robots.next_action import BesideBoard
from cribd.robots.press_and_scan import Presser
from cribd.solo.session import PERSON, NotNow, Session
from cribd.storage.journal import JournalAway
from cribd.table.snapshot import DeskMessage, DeskMessageMode, Lobby, Playing, Snapshot

#: Seconds that a robot waits: before an act; after a card of the person, who may have points to call, or says that he
#: has none; after he has called some, because he may have more; and after a ruling, or a hand that is counted on trust,
#: so that he can read it.
THINKS_S = 1.1
LEAVES_TIME_S = 8.0
MORE_S = 2.5
READS_S = 5.0
#: Seconds before robots accept a count, open the next one or end the deal, so that the person can look at it.
LOOKS_S = 2.5
#: Seconds that the result of a game of robots alone stands on the screens before their next game, at every speed: it
#: is there to be read.
RESULT_S = 8.0
#: Seconds after which a robot does again what the board has not answered.
_RETRY_S = 2.5
#: How many times as fast as usual robots may play.
SPEEDS = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class Pace:
    """The speed of the robots, and whether they wait for Next."""

    speed: int = 1
    waits: bool = False


@dataclass(frozen=True, slots=True)
class GoOn:
    """A robot's press of OK outside the play."""

    after_s: float


#: What a robot does at its turn.
Turn = Action | BesideBoard | GoOn


class RobotTurns:
    """The turns of the robots at the table of `session`."""

    def __init__(self, session: Session, presser: Presser, clock: Clock) -> None:
        self._session = session
        self._presser = presser
        self._clock = clock
        self._changed = asyncio.Event()
        self._since = clock.now()
        self._seen: tuple[object, ...] = ()
        self._steps = 0
        self._laid: tuple[object, ...] = ()
        self._called = 0
        self.pace = Pace()
        self.leaves_time = False  # whether the next robot waits because the person may have points to call
        session.watch(self._look)

    def _look(self) -> None:
        """Note a change at the table.

        An answer or a refusal of the board restarts the wait for the next act."""
        session = self._session
        view = session.snapshot.view
        seen = (None if view is None else view.number, session.snapshot.refusal, session.deal)
        if seen != self._seen:
            self._seen, self._since = seen, self._clock.now()
        if session.game is not None:
            p = session.game.game.position
            laid = (p.phase, p.stack, p.binding_gos, p.starter, p.count_over, session.deal)
            if laid != self._laid:
                self._laid, self._called = laid, self._calls()
        self._changed.set()

    def _calls(self) -> int:
        """Return how often the person's side has called points."""
        game = self._session.playing()
        side = game.heading.rules.side_of(PERSON)
        return sum(isinstance(event, PegReleased) and event.side == side for event in game.game.log)

    def set_pace(self, pace: Pace) -> None:
        """Change the speed of the robots."""
        self.pace = pace
        self._session.changed()

    def step(self) -> None:
        """Let a waiting robot act now."""
        if self.pace.waits or self.leaves_time:
            self._steps = 1
            self._changed.set()

    async def run(self) -> None:
        """Let the robots act, until cancelled."""
        while True:
            self._changed.clear()
            try:
                wanted = await self._next()
                if wanted is None:
                    self._leave_time(False)
                    await self._changed.wait()
                elif await self._is_time(wanted):
                    await self._do(wanted)
            except (NotNow, IllegalAction):  # the person left, or the saved cards are not those on the table
                await self._changed.wait()
            except JournalAway:  # the table says so, and the journal may come back
                await self._clock.sleep(_RETRY_S)

    async def _next(self) -> Turn | None:
        """Deal if a deal is due, and return a robot's next act."""
        session = self._session
        await session.follow()
        game, robots, mode = session.game, session.robots, session.snapshot.mode
        if session.plays_event and _asks_robots(session.snapshot):
            return GoOn(RESULT_S if mode is Lobby.AGAIN else LOOKS_S)
        if game is None or robots is None:
            return None
        if mode in (Lobby.AGAIN, Lobby.RESUME) and not session.plays_event and not session.require_solo_game().person:
            return GoOn(RESULT_S if game.game.position.phase is Phase.OVER else LOOKS_S)
        if not isinstance(mode, Playing):
            return None
        p, log = game.game.position, game.game.log
        if p.phase is Phase.CUT and p.way is Way.TRUST:
            return actions.NameDealer(session.first_dealer())  # nobody cuts
        if p.phase is Phase.CUT:
            if p.to_cut is None or p.to_cut not in robots.levels:
                return None
            return actions.CutForDeal(p.to_cut, session.next_cut())
        if session.deal is None or p.phase is Phase.WON:
            await session.teach()
        if session.deal is None and p.phase in (Phase.DEAL, Phase.PEGGING):
            await session.deal_cards(robots)
        return await self._clock.run_in_thread(partial(robots.next_action, p, log, session.deal))

    # When

    async def _is_time(self, wanted: Turn) -> bool:
        """Wait for a robot's time, and return whether it may act.

        False means that something has changed since the robot began to choose."""
        if self._steps:
            self._steps = 0
            return True
        if self.pace.waits:
            self._leave_time(False)
            await self._changed.wait()
            return False
        if self._changed.is_set():
            return False
        is_result = isinstance(wanted, GoOn) or self._session.position.phase is Phase.WON
        takes = wanted.after_s if isinstance(wanted, GoOn) else self._delay_s(wanted)
        speed = 1 if is_result else self.pace.speed
        left = self._since + takes / speed - self._clock.now()
        if left <= 0:
            return True
        self._leave_time(takes == LEAVES_TIME_S)
        self._changed.clear()
        return not await wait_for(self._changed, left, self._clock)

    def _delay_s(self, wanted: Action | BesideBoard) -> float:
        """Return the seconds from the last act to this act.

        The time does not depend on hidden cards."""
        if _is_after_challenge(self._session.playing().game.log):
            return READS_S
        phase = self._session.position.phase
        match wanted:
            case BesideBoard(act) if act == COUNTED:
                return READS_S
            case BesideBoard() | actions.LayCard() | actions.SayGo() | actions.ShowCard() | actions.ReadCrib():
                return self._calling_delay_s()
            case actions.TakePegInHand() | actions.TakeZero() if phase is Phase.SHOW:
                return self._calling_delay_s()
            case actions.OpenCount() | actions.EndDeal():
                return LOOKS_S
            case actions.Accept() if phase is Phase.SHOW and self._session.require_solo_game().person:
                return LOOKS_S
        return THINKS_S

    def _calling_delay_s(self) -> float:
        """Return the seconds that a robot leaves for the person's calls.

        The time does not depend on hidden cards."""
        session, play = self._session, self._session.trusted_play
        p = session.position
        if not session.require_solo_game().person or p.way is Way.AUTO:
            return THINKS_S
        if play is not None and play.counting is not None:
            may_score = play.counting[0] == PERSON
        else:
            may_score = may_have_scored(p if play is None else play.position)
        if not may_score:
            return THINKS_S
        return MORE_S if self._calls() > self._called else LEAVES_TIME_S

    def _leave_time(self, leaves: bool) -> None:
        if self.leaves_time is not leaves:
            self.leaves_time = leaves
            self._session.changed()

    # What

    async def _do(self, wanted: Turn) -> None:
        """Do this act, and wait for the board's answer.

        Without an answer in time, the act is tried again later."""
        self._leave_time(False)
        if isinstance(wanted, BesideBoard):
            await self._session.act_beside_board(self._session.dealt(), wanted.act)
            return
        if isinstance(wanted, GoOn):
            await self._presser.key(Key.OK, PERSON)
            self._since = self._clock.now()
            return
        number = self._session.position.number
        if isinstance(wanted, actions.NameDealer):
            await self._presser.name_dealer(
                wanted.seat, self._session.position.rules, lambda: self._session.snapshot.naming, pause_s=0.4
            )
        else:
            await self._presser.do(wanted, self._session.position)
        waited = 0.0
        while self._session.position.number == number and waited < _RETRY_S:
            await self._clock.sleep(0.05)
            waited += 0.05
        self._since = self._clock.now()


def may_have_scored(p: Position) -> bool:
    """Whether the open cards may give the person points.

    The last card he laid may score, unless it is the first of a count that goes on; a starter scores only if it is a
    jack and the deal is his."""
    if p.phase is Phase.PLAY and not p.stack:
        turned = p.starter is None or p.starter.rank is Rank.JACK
        return p.dealer == PERSON and turned and p.rules.deal_and_play.his_heels > 0
    if p.phase not in (Phase.PLAY, Phase.SHOW) or not p.stack or p.stack[-1][0] != PERSON:
        return False
    return p.counts_done == 0 if p.phase is Phase.SHOW else p.count_over or len(p.stack) > 1


def _asks_robots(snapshot: Snapshot) -> bool:
    """Whether robots may answer the table's message with OK."""
    match snapshot.mode:
        case DeskMessageMode(what=what):
            return what is not DeskMessage.PAUSED
        case Lobby() as lobby:
            return lobby is Lobby.RESUME or snapshot.event is not None
    return False


def _is_after_challenge(log: Sequence[Event]) -> bool:
    """Whether one of the last two acts was a challenge."""
    acts = [at for at, event in enumerate(log) if isinstance(event, Acted)]
    since = acts[-2] if len(acts) > 1 else 0
    return any(isinstance(event, ClaimChallenged | ChallengeRaised) for event in log[since:])
