"""The present mode of the table, and its changes.

The modes are game, lobby, menu, count judge, review, club and the wait for an official. Each change is published as a
snapshot. What the journal stores is done by the table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cribboard.actions import Action
from cribboard.position import Position
from cribd.boards import Board
from cribd.clock import Clock
from cribd.inputs import Fault, FaultCleared, FaultKind
from cribd.table import commands, count_judge_mode, review
from cribd.table.build_snapshot import build_snapshot
from cribd.table.club_mode import Club, ClubAtTable
from cribd.table.faults import Faults
from cribd.table.match import CurrentMatch
from cribd.table.menu import at_same_line
from cribd.table.next_game import NextGames
from cribd.table.off_switch import OffSwitch, PowerOff
from cribd.table.rule_sets import playable, titled
from cribd.table.settings import Policy
from cribd.table.snapshot import (
    Base,
    CountJudgeMode,
    Line,
    Lobby,
    Menu,
    MenuLine,
    NamingDealer,
    Pending,
    Playing,
    Refusal,
    Snapshot,
)
from cribd.table.table_at_event import TableAtEvent
from cribd.table.timers import PegTimer, Rest


class CurrentMode:
    """Holds the present mode of one table in its attribute `now`.

    `refusal` is the refusal of the latest press, `pending` a press that the journal has not stored yet. `publish` is
    called on the loop with each new snapshot. `timer` runs only while nothing covers the game."""

    def __init__(
        self,
        board: Board,
        match: CurrentMatch,
        event: TableAtEvent,
        games: NextGames,
        faults: Faults,
        *,
        timer: PegTimer,
        clock: Clock,
        policy: Policy,
        publish: Callable[[Snapshot], None],
        club: Club | None,
        power_off: PowerOff,
    ) -> None:
        self.now: commands.Mode = Lobby.START
        self.refusal: Refusal | None = None
        self.pending: Pending | None = None
        self.offered = playable(board, policy.house_rules)
        self.timer = timer
        self.off = OffSwitch(clock, power_off, mode=lambda: self.now, change=self.change)
        self.club = ClubAtTable(club, mode=lambda: self.now, change=self.change)
        self.rest = Rest(clock, policy.rest_after_s, self.show)
        self._board = board
        self._clock = clock
        self._policy = policy
        self._match = match
        self._event = event
        self._games = games
        self._faults = faults
        self._publish = publish

    @property
    def shown(self) -> commands.Mode:
        """The mode that the screen shows.

        This is `now`, or a message of the desk that covers it."""
        return self._event.cover(self.now)

    @property
    def base(self) -> Base:
        """The base that the present mode covers."""
        return commands.base_of(self.now)

    @property
    def under_way(self) -> Position | None:
        """The position of the game in progress; None in the lobby."""
        return None if isinstance(self.base, Lobby) else self._match.position

    @property
    def is_playing(self) -> bool:
        """Whether the screen shows the game, and nothing covers it."""
        return isinstance(self.shown, Playing | NamingDealer)

    @property
    def situation(self) -> commands.Situation:
        """The situation that decides the meaning of the next input."""
        return commands.Situation(
            self._board,
            self._match.position,
            self.shown,
            self.offered,
            self._policy.pages,
            waits=self._games.next.waits is not None,
            unread=self.off.is_unread,
        )

    async def take(self, asked: Action | commands.TableCommand) -> Action | commands.StoredCommand | None:
        """Carry out a command that changes only the mode.

        Return any other command or action, because the journal must store it."""
        match asked:
            case commands.ChangeMode(mode):
                self.change(mode)
                if isinstance(mode, CountJudgeMode) and mode.called is not None and mode.called.answer is None:
                    self.now = await self._clock.run_in_thread(partial(count_judge_mode.with_answer, mode))
                    self.show()
            case commands.OpenMenu(at):
                self.change(self.menu(at))
            case commands.Confirm(what):
                self._event.confirm(what)
                self.change(self.now)
            case commands.SwitchOff():
                self.show_refusal(await self.off.switch_off())
            case commands.ClubRequest() as request:
                self.club.take(request)
            case commands.TakeLine(MenuLine(Line.CLUB)):
                self.club.open()
            case commands.OfficialCame():
                called = self.now
                self.change(self.base)
                await self._event.official_came(called)
            case commands.TakeLine(MenuLine(Line.JUDGE)):
                p = self.under_way
                rules = titled(self._games.settings.rules if p is None else p.rules, self.offered)
                self.change(count_judge_mode.opened(rules, self.base))
            case commands.TakeLine(MenuLine(Line.LOOK_BACK)) if self._match.latest is not None:
                self.change(review.opened(self._match.latest.game, self.base))
            case commands.TakeLine(MenuLine(Line.OFFICIAL), side):
                self.change(self._event.official(side, self._games.next.names, self.base))
                await self._event.call_official(side)
            case to_keep:
                return to_keep
        return None

    def uncover(self) -> None:
        """Return to the base, without publishing a snapshot yet."""
        self.now = self.base

    def change(self, mode: commands.Mode) -> None:
        """Change to another mode, and show the mode.

        The timer of a peg in hand starts again with the game."""
        self.club.follow(mode)
        if not isinstance(mode, Menu):  # the menu may close with a refusal: then the timer must still run
            self.now = mode
            self.watch()
        self.off.begin(mode)
        self.now = mode
        self.clear_refusal()
        self.show()

    def watch(self) -> None:
        """Start or stop the timer of the peg in hand."""
        self.timer.watch(self._match.position if self.is_playing else None)

    def show_refusal(self, refusal: Refusal) -> None:
        """Show the reason why the latest press did nothing."""
        self.refusal = refusal
        self.show()

    def clear_refusal(self) -> None:
        """Forget the latest refusal, without publishing a snapshot yet."""
        self.refusal = None

    def note(self, news: Fault | FaultCleared) -> None:
        """Add or remove a fault, and show the change."""
        self._faults.note(news)
        waits = self.refusal in (Refusal("not_kept"), Refusal("disk_read_only"))
        if waits and news == FaultCleared(FaultKind.JOURNAL_AWAY, "journal"):
            self.clear_refusal()  # from now on the press is kept
        self.show()

    def menu(self, at: int) -> Menu:
        """Make the menu, opened at the line with index `at`."""
        return self._games.menu(self.under_way, self._match, self.offered, club=self.club.name, at=at, covers=self.base)

    def show_settings(self, refusal: Refusal | None) -> None:
        """Show the changed settings, and this refusal."""
        self.refusal = refusal
        if isinstance(self.now, Menu):
            self.now = at_same_line(self.menu(0), self.now.current)
        self.show()

    def show(self) -> None:
        """Publish a snapshot of the table."""
        self._publish(
            build_snapshot(
                self._match,
                self.shown,
                self._games.next,
                offered=self.offered,
                faults=self._faults.now,
                refusal=self.refusal,
                pending=self.pending,
                resting=self.rest.now,
                steps=self._board.has_step_calls,
                rehearsed=self._event.rehearsed,
                club=self.club.name,
            )
        )

    def stop(self) -> None:
        """Stop the timers of the mode."""
        for timer in (self.timer, self.off, self.rest):
            timer.stop()
