"""The only owner of the game (design law 4).

The table takes inputs in their order, one batch at a time. `interpret` says what each means, the game decides, the
journal commits the events, and only then they are published as settled (law 5). The table knows no driver and no
screen: every publisher is given a `Snapshot`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from cribboard.actions import (
    AcceptResult,
    Action,
    Ask,
    By,
    GoOnUnread,
    IllegalAction,
    ReleasePeg,
    UndoOfficially,
)
from cribboard.count_judge import CountJudge
from cribboard.position import Phase, Position
from cribd.boards import Board
from cribd.causes import cause
from cribd.clock import Clock
from cribd.inputs import Fault, FaultCleared, FaultKind, HolePressed, Input, Key, KeyHeld
from cribd.storage.journal import Journal, JournalAway, JournalDamaged, JournalHurt, StoredGame
from cribd.storage.journal_file import DiskReadOnly
from cribd.storage.outbox import Outcome, OutcomeStatus
from cribd.table import commands, count_judge_mode
from cribd.table.club_mode import Club
from cribd.table.current_mode import CurrentMode
from cribd.table.faults import Faults
from cribd.table.interpret import interpret
from cribd.table.journal_trial import JournalTrial
from cribd.table.match import CurrentMatch
from cribd.table.menu import QUESTIONS
from cribd.table.next_game import NextGames
from cribd.table.off_switch import PowerOff, no_power_off
from cribd.table.organiser_desk import NOTHING_SAID, Desk, DeskSays, Due, EventGame
from cribd.table.rule_sets import RuleSet, misfits
from cribd.table.settings import Policy, Settings
from cribd.table.snapshot import (
    PLAYING,
    Line,
    Lobby,
    MenuLine,
    NamingDealer,
    OfficialMode,
    Pending,
    Refusal,
    Snapshot,
    SwitchedOff,
)
from cribd.table.step_key_to_hole import as_hole
from cribd.table.table_at_event import TableAtEvent
from cribd.table.timers import PegTimer, TimeToRelease

#: How many batches of inputs may wait during a commit; a finger is not faster than this for long.
_WAITING = 64


class Table:
    """The table of one board.

    `publish` is called on the loop with each new snapshot; it must not block."""

    def __init__(
        self,
        *,
        board: Board,
        journal: Journal,
        clock: Clock,
        settings: Settings,
        policy: Policy,
        publish: Callable[[Snapshot], None],
        desk: Desk | None = None,
        club: Club | None = None,
        power_off: PowerOff = no_power_off,
    ) -> None:
        self._board = board
        self._clock = clock
        self._batches: asyncio.Queue[Sequence[Input] | TimeToRelease] = asyncio.Queue(_WAITING)
        self._match = CurrentMatch(journal, clock, settings.rules, desk)
        self._event = TableAtEvent(self._match, desk)
        self._games = NextGames(settings, policy, self._event, journal, clock)
        self._faults = Faults(journal)
        self._trial = JournalTrial(journal, clock, self.post)
        self._mode = CurrentMode(
            board,
            self._match,
            self._event,
            self._games,
            self._faults,
            timer=PegTimer(clock, policy.release_after_ms, self._batches.put),
            clock=clock,
            policy=policy,
            publish=publish,
            club=club,
            power_off=power_off,
        )
        if desk is not None:
            desk.connect(self.offer, self.answer)

    @property
    def settings(self) -> Settings:
        """The latest choices of the players and the owner."""
        return self._games.settings

    @property
    def position(self) -> Position | None:
        """The latest game's position, only for tests and robots' statistics."""
        return self._match.position

    @property
    def latest(self) -> StoredGame | None:
        """The latest game, which can contain hidden cards."""
        return self._match.latest

    def must_not_judge(self, judge: CountJudge) -> bool:
        """Whether the judge's count could reveal hidden points (law 9)."""
        return count_judge_mode.could_tell(self.position, judge)

    def load(self, *, resumes_at_once: bool = False) -> tuple[JournalDamaged, ...]:
        """Load the latest game.

        An unfinished game waits for OK (7.16), unless `resumes_at_once`. Returns one `JournalDamaged` for each game
        left out of the match. Raises `JournalDamaged` if the latest game is damaged; the table then starts a new match.
        """
        try:
            left_out = self._match.load_latest_game()
            if self._match.latest is not None:
                self._ask_to_resume(at_once=resumes_at_once)
        except JournalDamaged as damaged:
            self._faults.note_damaged_game(damaged)
            raise
        finally:
            self._mode.show()
        return left_out

    def _ask_to_resume(self, *, at_once: bool) -> None:
        """Ask whether to resume the game or play another."""
        self._mode.now = Lobby.AGAIN if self._match.game_over else Lobby.RESUME
        if at_once and self._mode.now is Lobby.RESUME:
            self._mode.change(PLAYING)

    def post(self, inputs: Sequence[Input]) -> None:
        """Take the inputs of one moment, in order.

        Call it on the loop; it returns at once. Faults are shown at once. All else waits in a queue; when the queue is
        full it is dropped. A step key that is held does not wait: it goes on when the step before is shown.
        """
        for given in inputs:
            if isinstance(given, Fault | FaultCleared):
                self._note(given)
        waiting = [given for given in inputs if not isinstance(given, Fault | FaultCleared)]
        if not self.has_no_input:
            waiting = [given for given in waiting if not (isinstance(given, KeyHeld) and given.key is Key.STEP)]
        if waiting and not isinstance(self._mode.now, SwitchedOff):
            self._mode.rest.wake()
            with contextlib.suppress(asyncio.QueueFull):
                self._batches.put_nowait(waiting)

    def offer(self, due: Due, says: DeskSays = NOTHING_SAID, /) -> None:
        """Offer the next game of a competition to this table.

        `due` is None outside an event. Call it on the loop; it returns at once. A game whose rules the board cannot
        play is a fault, not an offer."""
        strange = misfits(RuleSet(due.rules.name, due.rules), self._board) if isinstance(due, EventGame) else iter(())
        why, fault = next(strange, None), FaultKind.CANNOT_PLAY
        if why is not None or Fault(fault, "board") in self._faults.now:
            self._note(FaultCleared(fault, "board") if why is None else Fault(fault, "board", why))
        before = self._mode.shown
        is_new, is_said = self._event.offer(due if why is None else None), self._event.set_desk_messages(says)
        if isinstance(self._mode.now, OfficialMode) and self._event.has_ruled:
            self._mode.uncover()
        if self._mode.shown != before:
            self._mode.off.begin(self._mode.shown)
            self._mode.watch()
        if is_new or is_said:
            self._mode.rest.wake()
            self._queue_end_by_desk()
            self._mode.show_settings(self._mode.refusal if self._mode.shown == before else None)

    def answer(self, outcome: Outcome, entered: OutcomeStatus) -> None:
        """Show the desk's late answer about the latest game."""
        if self._match.answer(outcome, entered):
            self._mode.show_settings(self._mode.refusal)

    async def run(self) -> None:
        """Process the inputs as they arrive, until cancelled."""
        self._mode.rest.wake()
        try:
            while True:
                batch = await self._batches.get()
                if isinstance(batch, TimeToRelease):
                    await self._release_by_time(batch)
                else:
                    await self._take(batch)
                if self._must_end:
                    await self._keep(commands.EndGame())
        finally:
            self._mode.stop()
            self._trial.stop()

    @property
    def has_no_input(self) -> bool:
        """Whether no input is waiting."""
        return self._batches.empty()

    async def _take(self, batch: Sequence[Input]) -> None:
        tracks = Counter(given.track for given in batch if isinstance(given, HolePressed))
        for given in batch:
            if not isinstance(given, HolePressed) or tracks[given.track] == 1:
                await self._answer(given)
        if any(holes > 1 for holes in tracks.values()):
            self._mode.show_refusal(Refusal("two_holes"))

    async def _answer(self, given: Input) -> None:
        now = self.situation
        if (meant := as_hole(now, given)) is None:
            return
        pending = Pending(meant.track, meant.hole) if isinstance(meant, HolePressed) else None
        match interpret(now, meant):
            case None:
                return
            case Refusal() as refusal:
                self._mode.show_refusal(refusal)
            case asked:
                if (left := await self._mode.take(asked)) is not None:
                    await self._keep(left, pending)

    @property
    def _must_end(self) -> bool:
        """Whether the desk ends the game in progress."""
        taken = self._event.taken
        return taken is not None and taken.ends and not isinstance(self._mode.now, SwitchedOff)

    def _queue_end_by_desk(self) -> None:
        """Let `run` end the game if the desk has ended it.

        An empty batch tells `run`, after the inputs that are in the queue now."""
        if self._must_end:
            with contextlib.suppress(asyncio.QueueFull):
                self._batches.put_nowait(())

    @property
    def situation(self) -> commands.Situation:
        """The situation that decides the meaning of the next input.

        It is for `interpret`, not for publishers."""
        return self._mode.situation

    async def _keep(self, what: Action | commands.StoredCommand, pending: Pending | None = None) -> None:
        """Carry out a change, or show the journal's fault."""
        try:
            match what:
                case commands.TakeLine(line, side):
                    await self._take_line(line, side)
                case commands.StartGame():
                    await self._start()
                case commands.BeginAnew():
                    await self._begin_anew()
                case commands.EndGame():
                    await self._end_taken()
                case commands.BeginMatch():
                    await self._match.close_match()
                    await self._begin_anew()
                case commands.GiveNames(names, same_players):
                    await self._games.keep(replace(self.settings, names=names))
                    self._mode.show_settings(None)
                    if same_players:
                        await self._match.rename(self._games.next.names)
                        self._mode.show_settings(None)
                case commands.SetUp() | commands.EndSetUp():
                    set_up = what if isinstance(what, commands.SetUp) else None
                    if set_up is None or self._match.players != set_up.names:  # other players begin another match
                        await self._match.close_match()
                    self._games.set_up = set_up
                    self._mode.show_settings(None)
                case commands.ChooseRules(rules):
                    await self._games.keep(replace(self.settings, rules=rules))
                    self._mode.show_settings(None)
                case UndoOfficially() as undo:
                    self._mode.uncover()
                    await self._act(undo)
                case action:
                    await self._act(action, pending)
        except (JournalHurt, JournalDamaged) as error:
            self._show_journal_fault(FaultKind.JOURNAL_HURT, Refusal("file_hurt"), error)
        except JournalAway as error:
            code = "disk_read_only" if isinstance(error, DiskReadOnly) else "not_kept"
            self._show_journal_fault(FaultKind.JOURNAL_AWAY, Refusal(code), error)
            self._trial.begin()
        else:
            for cleared in () if self._mode.refusal is not None else self._faults.cleared_journal_faults():
                self._note(cleared)

    def _show_journal_fault(self, fault: FaultKind, refusal: Refusal, error: Exception) -> None:
        self._mode.pending = None
        self._note(Fault(fault, "journal", cause(error)))
        self._mode.show_refusal(refusal)

    async def _act(self, action: Action, pending: Pending | None = None) -> None:
        """Commit this action, or show why it was refused."""
        stored = self._match.latest
        if stored is None:
            self._mode.show_refusal(Refusal("no_game"))
            return
        try:
            events = stored.game.decide(action)
        except IllegalAction as refused:
            self._mode.show_refusal(Refusal(refused.code, refused.values))
            return
        self._mode.now = PLAYING if isinstance(self._mode.now, NamingDealer) else self._mode.now
        self._mode.clear_refusal()
        if pending is not None:
            self._mode.pending = pending
            self._mode.show()
        await self._match.commit(stored, events)
        if self._match.game_over:
            self._mode.now = Lobby.AGAIN
        self._mode.pending = None
        self._mode.timer.watch(self.position)
        self._mode.show()

    async def _start(self) -> None:
        """Begin the next game.

        An unfinished game is broken off first, because only then is it known what is due."""
        before = self._games.next
        await self._match.break_off()
        begins = replace(self._games.next, event=before.event and self._games.next.event)
        await self._match.begin(
            begins.rules, way=begins.way, names=begins.names, board=self._board.name, event=begins.event
        )
        self._event.friendly, self._mode.now = False, PLAYING
        self._mode.clear_refusal()
        self._faults.forget_damage()
        self._mode.show()

    async def _begin_anew(self) -> None:
        if await self._accept_win():
            await self._start()

    async def _accept_win(self) -> bool:
        """Accept a win for all sides; return False after a refusal."""
        self._mode.uncover()
        p = self.position
        if p is not None and p.phase is Phase.WON:
            for side in p.rules.sides:
                if side not in p.agreed:
                    await self._act(AcceptResult(side))
            return self._match.game_over  # else a result was refused, and the snapshot says why
        return True

    async def _end_taken(self) -> None:
        """End the game in progress because the desk ends it."""
        await self._event.official_came(self._mode.now)
        if await self._accept_win():
            await self._match.break_off()
            self._event.note_end()
            self._mode.change(Lobby.AGAIN)

    async def _take_line(self, taken: MenuLine, side: int) -> None:
        match taken.line:
            case line if line in QUESTIONS:
                self._mode.uncover()
                await self._act(Ask(side, QUESTIONS[line]))
            case Line.UNREAD:
                self._mode.uncover()
                await self._act(GoOnUnread(side))
            case Line.NEW_MATCH:
                self._mode.uncover()
                await self._match.close_match()
                self._mode.change(self._mode.now)
            case Line.EVENT if self._mode.under_way is not None:
                self._mode.uncover()
                await self._start()
            case Line.EVENT:
                self._event.friendly = not self._event.friendly
                self._mode.show_settings(None)
            case _:
                await self._games.choose(taken)
                self._mode.show_settings(None)

    async def _release_by_time(self, due: TimeToRelease) -> None:
        p = self.position
        if self._mode.is_playing and p is not None and p.number == due.number and p.claim is not None:
            await self._keep(ReleasePeg(p.claim.side, By.TIME))

    def _note(self, news: Fault | FaultCleared) -> None:
        if isinstance(news, FaultCleared):
            self._queue_end_by_desk()
        self._mode.note(news)
