"""The owner of the game: facts in, pictures out.

Only this module touches the game (design law 4). It takes facts in the order in which they come, one batch at a time,
has `interpret` say what each means, lets the game decide, commits what that causes, and only then publishes it as
settled (law 5). It knows no driver, no screen and no wire: whoever wants to show something is handed a `Snapshot`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cribboard.actions import (
    AcceptResult,
    Action,
    Ask,
    By,
    GoOnUnread,
    IllegalAction,
    Question,
    ReleasePeg,
    UndoOfficially,
)
from cribboard.cards import PACK, Card
from cribboard.count_judge import CountJudge
from cribboard.events import Event
from cribboard.position import Phase, Position
from cribboard.rules import Way
from cribboard.view import see
from cribd.boards import Board
from cribd.clock import Clock
from cribd.inputs import Fault, HolePressed, Input, Kind, Mended
from cribd.storage.journal import Journal, JournalDamaged, Kept, NotKept
from cribd.table import count_judge_mode
from cribd.table.commands import (
    AskInstead,
    BeginAnew,
    BeginMatch,
    ChooseRules,
    GiveNames,
    Judge,
    LeaveMenu,
    Look,
    NameSeat,
    OfficialCame,
    OpenMenu,
    OpenResults,
    Resume,
    Situation,
    StartGame,
    StepMenu,
    TakeLine,
)
from cribd.table.interpret import interpret
from cribd.table.match import GamesKept
from cribd.table.menu import Settings, chosen
from cribd.table.modes import Modes
from cribd.table.peg_timer import PegTimer, TimeToRelease
from cribd.table.rule_sets import RuleSet, playable, titled
from cribd.table.settings import keep_settings
from cribd.table.snapshot import Called, Judging, Line, Lobby, MenuLine, Pending, Refusal, Snapshot

#: Batches of facts that may wait while a commit takes its time; a finger cannot press faster than this for long.
_WAITING = 64

#: The last game is not what was written: said until another is begun.
_DAMAGED = Fault(Kind.GAME_DAMAGED, "journal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the owner of the board has settled in the configuration.

    `languages`: those that the board speaks. `pages`: on how many pages the reasons of the count judge stand.
    `release_after_ms`: how long a trusted peg stays in hand before it is let go by itself; 0 at once, None never.
    `cards`: whether anything here reads cards. `house_rules` are offered beside the presets. `names` go by side.
    """

    languages: tuple[str, ...]
    pages: Callable[[Called | None], int]
    release_after_ms: int | None = 3000
    cards: bool = True
    house_rules: tuple[RuleSet, ...] = ()
    names: tuple[str, ...] = ()


class Table:
    """One board's table. `publish` is called on the loop with each new picture; it must not block."""

    def __init__(
        self,
        *,
        board: Board,
        journal: Journal,
        clock: Clock,
        settings: Settings,
        policy: Policy,
        publish: Callable[[Snapshot], None],
    ) -> None:
        self._board = board
        self._journal = journal
        self._clock = clock
        self._settings = settings
        self._policy = policy
        self._publish = publish
        self._batches: asyncio.Queue[Sequence[Input] | TimeToRelease] = asyncio.Queue(_WAITING)
        self._offered = playable(board, policy.house_rules)
        self._games = GamesKept(journal, clock, settings.rules)
        self._lobby: Lobby | None = Lobby.START
        self._before = Modes(self._offered, cards=policy.cards, languages=policy.languages)
        self._naming: int | None = None
        self._refusal: Refusal | None = None
        self._faults: tuple[Fault, ...] = ()
        self._pending: Pending | None = None
        self._timer = PegTimer(clock, policy.release_after_ms, self._batches.put)

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def position(self) -> Position | None:
        """Where the game stands; for the statistics of robots and tests, never for a publisher."""
        return self._games.position

    def closes(self, judge: CountJudge) -> bool:
        """Whether the game keeps silent about cards like these: the count judge of a page does not judge them, and so
        tells nothing of what is due (law 9)."""
        return count_judge_mode.could_tell(self.position, judge)

    def closed_cards(self) -> frozenset[Card]:
        """The cards that the running deal has shown, while its game keeps silent about them; for tests."""
        p = self.position
        if p is None or not count_judge_mode.closed_to(p):
            return frozenset()
        return frozenset(card for card in PACK if p.seen(card))

    def wake(self) -> tuple[JournalDamaged, ...]:
        """Take up what the journal holds: an unfinished game is asked about, never resumed unasked (7.16).

        Returns what is wrong with games that therefore count nothing in the match. Raises `JournalDamaged` if the last
        game is not what was written; a table so left starts a new match.
        """
        try:
            left_out = self._games.wake()
            if self._games.latest is not None:
                self._lobby = Lobby.AGAIN if self._games.over else Lobby.RESUME
        except JournalDamaged:
            self._faults = (*self._faults, _DAMAGED)
            raise
        finally:
            self._show()
        return left_out

    def hear(self, facts: Sequence[Input]) -> None:
        """Facts of one moment, in order. On the loop; returns at once.

        What went wrong with a part is shown at once. Presses wait their turn; those that come faster than anybody can
        make them are let fall.
        """
        presses = []
        for fact in facts:
            match fact:
                case Fault() | Mended():
                    self._note(fact)
                case _:
                    presses.append(fact)
        if presses:
            with contextlib.suppress(asyncio.QueueFull):
                self._batches.put_nowait(presses)

    async def run(self) -> None:
        """Take facts as they come, for ever."""
        try:
            while True:
                batch = await self._batches.get()
                if isinstance(batch, TimeToRelease):
                    await self._release_by_time(batch)
                else:
                    await self._take(batch)
        finally:
            self._timer.stop()

    @property
    def idle(self) -> bool:
        """Nothing waits to be taken."""
        return self._batches.empty()

    async def _take(self, presses: Sequence[Input]) -> None:
        tracks = Counter(fact.track for fact in presses if isinstance(fact, HolePressed))
        for fact in presses:
            if not isinstance(fact, HolePressed) or tracks[fact.track] == 1:
                await self._answer(fact)
        if any(holes > 1 for holes in tracks.values()):
            self._refuse(Refusal("two_holes"))

    async def _answer(self, fact: Input) -> None:
        now = self.situation
        pending = Pending(fact.track, fact.hole) if isinstance(fact, HolePressed) else None
        match interpret(now, fact):
            case None:
                return
            case Refusal() as refusal:
                self._refuse(refusal)
            case OpenMenu():
                self._open_menu(0)
            case StepMenu() if (menu := self._before.menu) is not None:
                self._open_menu((menu.at + 1) % len(menu.lines))
            case LeaveMenu() | StepMenu():
                self._before.menu = None
                self._go_on()
            case AskInstead(lobby):
                self._lobby, self._refusal = lobby, None
                self._show()
            case NameSeat(seat):
                self._naming, self._refusal = seat, None
                self._show()
            case TakeLine(MenuLine(Line.JUDGE)):
                self._before.open_judge(None if self._lobby is not None else self.position, self._settings)
                self._wait()
            case TakeLine(MenuLine(Line.LOOK_BACK)) if self._games.latest is not None:
                self._before.look_at(self._games.latest.game)
                self._wait()
            case TakeLine(MenuLine(Line.OFFICIAL), side):
                self._before.call_official(side, self.position, self._names)
                self._wait()
            case OfficialCame():
                self._before.official = None
                self._go_on()
            case Look(back):
                self._before.looking = back
                self._go_on()
            case Judge(asked):
                await self._ask_judge(asked)
            case Resume():
                self._lobby = None
                self._go_on()
            case to_keep:
                await self._keep(to_keep, pending)

    @property
    def situation(self) -> Situation:
        """What the next press is understood by; for the manual and for tests, never for a publisher."""
        return Situation(
            self._board,
            self.position,
            self._lobby,
            self._before.menu,
            self._naming,
            self._before.judging,
            self._offered,
            self._policy.pages,
            self._before.looking,
            self._before.official is not None,
        )

    async def _keep(
        self,
        what: Action | TakeLine | StartGame | BeginAnew | BeginMatch | GiveNames | ChooseRules | OpenResults,
        pending: Pending | None = None,
    ) -> None:
        """Do what the journal must keep. If it cannot, nothing was done, and the board says so."""
        try:
            match what:
                case TakeLine(line, side):
                    await self._take_line(line, side)
                case StartGame():
                    await self._start()
                case BeginAnew():
                    await self._begin_anew()
                case BeginMatch():
                    await self._games.close_match()
                    await self._begin_anew()
                case GiveNames(names, same_players):
                    await self._settle(replace(self._settings, names=names))
                    if same_players:
                        await self._games.rename(self._names)
                        self._show()
                case ChooseRules(rules):
                    await self._settle(replace(self._settings, rules=rules))
                case OpenResults():
                    await self._games.open_results()
                case UndoOfficially() as undo:
                    self._before.clear()
                    await self._act(undo)
                case action:
                    await self._act(action, pending)
        except (NotKept, JournalDamaged):
            self._pending = None
            self._note(Fault(Kind.JOURNAL_AWAY, "journal"))
            self._refuse(Refusal("not_kept"))
        else:
            if any(fault.kind is Kind.JOURNAL_AWAY for fault in self._faults) and self._refusal is None:
                self._note(Mended(Kind.JOURNAL_AWAY, "journal"))

    async def _act(self, action: Action, pending: Pending | None = None) -> None:
        """What the action causes, or why it causes nothing."""
        kept = self._games.latest
        if kept is None:
            self._refuse(Refusal("no_game"))
            return
        try:
            events = kept.game.decide(action)
        except IllegalAction as refused:
            self._refuse(Refusal(refused.code, refused.values))
            return
        self._naming = self._refusal = None
        if pending is not None:
            self._pending = pending
            self._show()
        await self._commit(kept, events)
        self._pending = None
        self._timer.watch(self.position)
        self._show()

    async def _commit(self, kept: Kept, events: Sequence[Event]) -> None:
        """First the journal, then the game; only then may anybody be shown where it stands (law 5)."""
        await self._games.commit(kept, events)
        if self._games.over:
            self._lobby = Lobby.AGAIN

    async def _start(self) -> None:
        """The next game of the match, or the first of a new one. What was unfinished is kept as broken off."""
        await self._games.begin(self._settings.rules, way=self._way, names=self._names, board=self._board.name)
        self._lobby = self._naming = self._refusal = None
        self._faults = tuple(fault for fault in self._faults if fault != _DAMAGED)
        self._show()

    async def _begin_anew(self) -> None:
        """By the owner, whatever the table is asked: what is won counts."""
        self._before.clear()
        p = self.position
        if p is not None and p.phase is Phase.WON:
            for side in (each for each in p.rules.sides if each not in p.agreed):
                await self._act(AcceptResult(side))
            if not self._games.over:
                return  # it was refused, and the board says why
        await self._start()

    async def _take_line(self, taken: MenuLine, side: int) -> None:
        at = 0 if self._before.menu is None else self._before.menu.at
        match taken.line:
            case Line.MISDEAL | Line.EXPOSED_CUT | Line.ROLL_BACK | Line.BREAK_OFF:
                self._before.menu = None
                await self._act(Ask(side, _QUESTIONS[taken.line]))
            case Line.UNREAD:
                self._before.menu = None
                await self._act(GoOnUnread(side))
            case Line.NEW_MATCH:
                self._before.menu = None
                await self._games.close_match()
                self._go_on()
            case _:
                await self._settle(chosen(self._settings, taken))
                self._open_menu(at)

    async def _settle(self, settings: Settings) -> None:
        """These settings from now on. They are kept first."""
        await self._clock.run_in_thread(lambda: keep_settings(self._journal, settings))
        self._settings, self._refusal = settings, None
        self._show()

    def _open_menu(self, at: int) -> None:
        position = None if self._lobby is not None else self.position
        played = self.position is not None and self.position.number > 0
        match = self._games.match(self._settings.rules, self._names, between=True)
        self._before.open_menu(position, self._settings, match=match, played=played, at=at)
        self._refusal = None
        self._show()

    def _wait(self) -> None:
        """Something stands before the game: it waits, and its timer with it."""
        self._timer.stop()
        self._refusal = None
        self._show()

    def _go_on(self) -> None:
        """Whatever stood before the game has changed, or is gone: its timer runs again if it may."""
        if self._before.is_empty:
            self._timer.watch(self.position)
        self._refusal = None
        self._show()

    async def _ask_judge(self, asked: Judging | None) -> None:
        """How the judge stands now, or that it is left. What would fit is looked for aside: it takes its time."""
        self._before.judging = asked
        self._go_on()
        if asked is not None and asked.called is not None and asked.called.told is None:
            self._before.judging = await self._clock.run_in_thread(lambda: count_judge_mode.weighed(asked))
            self._show()

    async def _release_by_time(self, due: TimeToRelease) -> None:
        p = self.position
        if p is not None and p.number == due.number and p.claim is not None and self._before.is_empty:
            self._timer.over()
            await self._keep(ReleasePeg(p.claim.side, By.TIME))

    def _note(self, news: Fault | Mended) -> None:
        others = tuple(f for f in self._faults if (f.kind, f.where) != (news.kind, news.where))
        self._faults = (*others, news) if isinstance(news, Fault) else others
        self._show()

    def _refuse(self, refusal: Refusal) -> None:
        self._refusal = refusal
        self._show()

    def _show(self) -> None:
        self._publish(self._snapshot())

    @property
    def _names(self) -> tuple[str, ...]:
        return self._settings.names if any(self._settings.names) else self._policy.names

    @property
    def _names_now(self) -> tuple[str, ...]:
        """Those of the game that stands on the board, as far as the owner has not said otherwise since."""
        latest = self._games.latest
        began_with = () if latest is None or self._lobby is Lobby.START else latest.heading.names
        return self._names if any(self._settings.names) or not began_with else began_with

    @property
    def _way(self) -> Way:
        return self._settings.way if self._policy.cards else Way.TRUST

    def _snapshot(self) -> Snapshot:
        p, rules, before = self.position, self._settings.rules, self._before
        between = self._lobby in (Lobby.START, Lobby.AGAIN)
        match = self._games.match(rules, self._names, between=between)
        return Snapshot(
            view=None if p is None else see(p),
            lobby=self._lobby,
            menu=before.menu,
            judging=before.judging,
            looking=None if before.looking is None else before.looking.looking,
            official=before.official,
            naming=self._naming,
            waiting=() if p is None else _waiting(p),
            refusal=self._refusal,
            undoes=None if between else self._games.last_act,
            faults=self._faults,
            names=self._names_now[: len(rules.sides if between or p is None else p.rules.sides)],
            ended=self._games.ended,
            seen=_seen(None if between else p, before.judging),
            games=match.games,
            points=match.points,
            match=match.rules.game.match,
            standings=match.rules.game.standings,
            match_over=match.over,
            match_winner=match.winner,
            players=self._games.players,
            match_rules=self._games.rules,
            ends=self._games.ends(rules, self._names),
            rules=titled(rules, self._offered),
            way=str(self._way),
            language=self._settings.language,
            pending=self._pending,
        )


def _seen(p: Position | None, before_judge: Judging | None) -> tuple[Card, ...]:
    """The cards that lie open."""
    if before_judge is not None:
        return before_judge.judge.cards
    if p is None:
        return ()
    cut = [card for _, card in p.cuts]
    return tuple(card for card in PACK if p.seen(card) or card in cut)


def _waiting(p: Position) -> tuple[int, ...]:
    """The sides whose OK is still missing to what is asked of all."""
    if p.question is not None:
        return tuple(side for side in p.rules.sides if side not in p.answered)
    return tuple(side for side in p.rules.sides if side not in p.agreed) if p.phase is Phase.WON else ()


_QUESTIONS = {
    Line.MISDEAL: Question.MISDEAL,
    Line.EXPOSED_CUT: Question.EXPOSED_CUT,
    Line.ROLL_BACK: Question.ROLL_BACK,
    Line.BREAK_OFF: Question.BREAK_OFF,
}
