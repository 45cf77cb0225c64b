"""Runs and saves the games for one person.

Cards, hands and seeds are saved before the first press that needs them, so that a game goes on after a restart. What
the person does is in `person`, what robots do in `robot_turns`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from random import Random

from cribboard.actions import IllegalAction
from cribboard.cards import PACK, Card
from cribboard.events import CardCut, DealVoided
from cribboard.game import Game
from cribboard.position import Phase, Position
from cribboard.rules import Rules, Way
from cribboard.strategy import RobotLevel
from cribd.clock import Clock
from cribd.inputs import GameSetUp, NewGameAsked, SetUpEnded
from cribd.robots.deal import Deal, acts_of, first_dealer, standing
from cribd.robots.next_action import Robots
from cribd.robots.trusted_play import TrustedPlay
from cribd.solo import coach, saved_game
from cribd.solo.saved_game import DealKey, SoloGame
from cribd.storage.journal import Journal, StoredGame
from cribd.table.snapshot import Snapshot
from cribd.table.table import Table

#: The person's seat, and side.
PERSON = 0


class NotNow(Exception):  # noqa: N818 (a state of the table, not an error of the program)
    """The action is not allowed now; `code` and `values` say why."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


class Session:
    """The games for one person at one table.

    `names` gives the names of the sides by the rules and by whether a person plays, `rules_of` the rules of a label,
    `seeds` the random seed of each game. Coroutines that save something raise `JournalAway`.
    """

    def __init__(
        self,
        table: Table,
        journal: Journal,
        clock: Clock,
        *,
        names: Callable[[Rules, bool], tuple[str, ...]],
        rules_of: Callable[[str], Rules | None],
        seeds: Callable[[], str],
    ) -> None:
        self._table = table
        self._journal = journal
        self._clock = clock
        self._names = names
        self._rules_of = rules_of
        self._seeds = seeds
        self._changing = asyncio.Lock()
        self._watchers: list[Callable[[], None]] = []
        self.snapshot = Snapshot()
        self._saved: SoloGame | None = None
        self.plays_event = False  # whether robots play what the event at this table asks for
        self.lesson: coach.Lesson | None = None  # on the last deal that is over
        self.gave_up: float | None = None  # points that the person's discards cost in the game; None before its end

    @property
    def solo_game(self) -> SoloGame | None:
        """The settings of the one-player game; None after it is left."""
        return None if self._saved is None or self._saved.left else self._saved

    @property
    def left(self) -> SoloGame | None:
        """The game that the person left and can continue, if any."""
        saved, latest = self._saved, self._table.latest
        if saved is None or latest is None or not saved.left or saved.game != latest.id:
            return None
        return None if latest.game.position.phase is Phase.OVER else saved

    # Notifications

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` after each change."""
        self._watchers.append(watcher)

    def see(self, snapshot: Snapshot) -> None:
        """Receive the newest snapshot of the table."""
        self.snapshot = snapshot
        self.changed()

    def changed(self) -> None:
        """Call all watchers."""
        for watcher in self._watchers:
            watcher()

    @property
    def game(self) -> StoredGame | None:
        """The table's running or last game for one person.

        None if the table plays another game."""
        latest, solo = self._table.latest, self.solo_game
        return latest if latest is not None and solo is not None and solo.game == latest.id else None

    @property
    def deal(self) -> Deal | None:
        """The running deal; None before its cards are dealt."""
        game, solo = self.game, self.solo_game
        return None if game is None or solo is None else solo.deals.get(_deal_key(game))

    @property
    def trusted_play(self) -> TrustedPlay | None:
        """The play of the running deal in a trust game.

        None in other games, and until all have discarded."""
        game, deal = self.game, self.deal
        if game is None or deal is None or not deal.is_ready or game.heading.way is not Way.TRUST:
            return None
        return TrustedPlay(game.heading.rules, deal)

    @property
    def position(self) -> Position:
        """The position of the game for one person. Raises `NotNow` if there is none."""
        return self.playing().game.position

    def playing(self) -> StoredGame:
        """Return the game for one person. Raises `NotNow` if there is none."""
        if self.game is None:
            raise NotNow("not_playing")
        return self.game

    def dealt(self) -> Deal:
        """Return the running deal. Raises `NotNow` before its cards are dealt."""
        if self.deal is None:
            raise NotNow("not_dealt")
        return self.deal

    def require_solo_game(self) -> SoloGame:
        """Return the settings of the game for one person. Raises `NotNow` if there is none."""
        if self.solo_game is None:
            raise NotNow("not_playing")
        return self.solo_game

    @property
    def robots(self) -> Robots | None:
        """The robots of the running game, or None."""
        if self.solo_game is None or self.game is None:
            return None
        rules = self.game.heading.rules
        seats = [seat for seat in rules.seats if not (self.solo_game.person and seat == PERSON)]
        return Robots(rules, dict.fromkeys(seats, self.solo_game.strength), self.solo_game.seed)

    # Beginning and end

    async def load(self) -> None:
        """Load the saved game."""
        self._saved = await self._clock.run_in_thread(partial(saved_game.read, self._journal))
        latest, solo = self._table.latest, self._saved
        if latest is not None and solo is not None and solo.game == latest.id:
            rules = latest.heading.rules
            self._saved = solo if all(deal.fits(rules) for deal in solo.deals.values()) else None
        if self.solo_game is not None:
            self._table.post([_set_up(self.solo_game)])
        self.changed()

    async def start(
        self, rules: str, way: Way, strength: RobotLevel, *, person: bool, breaks_off: bool = False
    ) -> None:
        """Begin a game with these rules.

        Raises `NotNow` for unknown rules, and if another game is unfinished and not to be broken off."""
        played = self._rules_of(rules)
        if played is None:
            raise NotNow("no_such_rules", rules=rules)
        latest = self._table.latest
        if latest is not None and latest.game.position.phase is not Phase.OVER and not breaks_off:
            raise NotNow("unfinished")
        before, seed = self.solo_game, self._seeds()
        solo = SoloGame(
            rules, way, strength, person, seed, names=self._names(played, person), cuts=_shuffled(seed, "cut")
        )
        async with self._changing:
            await self._write(solo)
        self.lesson = self.gave_up = None
        others = before is not None and (before.strength, before.person) != (strength, person)
        self._table.post([*([SetUpEnded()] if others else []), _set_up(solo), NewGameAsked()])

    async def watch_robots(self, rules: str) -> None:
        """Start a game of robots only, unless a game is unfinished."""
        with suppress(NotNow):
            await self.start(rules, Way.VERIFY, RobotLevel.STRONG, person=False)

    async def watch_event(self) -> None:
        """Let robots play this table's games of a competition."""
        self.plays_event = True
        self._table.post([SetUpEnded()])
        self.changed()

    async def leave(self) -> None:
        """Leave the one-player game.

        An unfinished game stays saved until the table plays another game."""
        async with self._changing:
            solo, game = self.solo_game, self.game
            if solo is None:
                return
            unfinished = game is not None and game.game.position.phase is not Phase.OVER
            await self._write(replace(solo, left=True) if solo.person and unfinished else None)
        self._table.post([SetUpEnded()])

    async def take_up(self) -> None:
        """Continue the game that the person left. Raises `NotNow` if that is no longer possible."""
        async with self._changing:
            left = self.left
            if left is None:
                raise NotNow("not_left")
            await self._write(replace(left, left=False))
        self._table.post([_set_up(left)])

    async def _write(self, solo: SoloGame | None) -> None:
        """Save and set the current game, with `_changing` held."""
        await self._clock.run_in_thread(partial(saved_game.write, self._journal, solo))
        self._saved = solo
        self.changed()

    async def follow(self) -> None:
        """Give a new game at the table the saved settings of the robots.

        The names of the sides must be the same. If robots play the event at this table, its games get new settings."""
        async with self._changing:
            solo, latest = self.solo_game, self._table.latest
            if latest is None or (solo is not None and latest.id == solo.game):
                return
            if self.plays_event and latest.played_for is not None and not latest.game.log:
                await self._write(self._robots_at(latest))
            if solo is None:
                return
            is_new = not latest.game.log and (solo.game is None or latest.id > solo.game)
            if is_new and latest.heading.names == solo.names:
                seed = solo.seed if solo.game is None else self._seeds()
                self.gave_up = None
                await self._write(replace(solo, game=latest.id, seed=seed, cuts=_shuffled(seed, "cut"), deals={}))

    def _robots_at(self, event_game: StoredGame) -> SoloGame:
        """Return the settings for robots at every seat of `event_game`."""
        heading, seed = event_game.heading, self._seeds()
        return SoloGame(
            heading.rules.label,
            heading.way,
            RobotLevel.STRONG,
            person=False,
            seed=seed,
            names=heading.names,
            game=event_game.id,
            cuts=_shuffled(seed, "cut"),
        )

    # Cards

    def first_dealer(self) -> int:
        """Return the first dealer in a trust game."""
        rules, cuts = self.position.rules, self.require_solo_game().cuts
        return first_dealer(rules, (cuts[at:] for at in range(0, len(cuts), len(rules.seats))))

    def next_cut(self) -> Card:
        """Return the card that the next seat cuts.

        After a tie, the next call returns another card."""
        cut = sum(isinstance(event, CardCut) for event in standing(self.playing().game.log))
        return self.require_solo_game().cuts[cut % len(PACK)]

    async def deal_cards(self, robots: Robots) -> None:
        """Deal the cards, and let the robots discard."""
        p, (number, void) = self.position, _deal_key(self.playing())
        dealt = Deal.at(p, _shuffled(self.require_solo_game().seed, number, void))
        deal = await self._clock.run_in_thread(partial(robots.deal_with_discards, dealt, p, number))
        if _deal_key(self.playing()) == (number, void):
            await self.keep_deal(None, deal)

    async def keep_deal(self, before: Deal | None, after: Deal) -> None:
        """Save the new state of the running deal. Raises `NotNow` if the deal is no longer `before`."""
        async with self._changing:
            game, solo = self.playing(), self.require_solo_game()
            if self.deal is not before:
                raise NotNow("not_your_turn")
            await self._write(replace(solo, deals={**solo.deals, _deal_key(game): after}))

    async def act_beside_board(self, deal: Deal, act: str) -> None:
        """Save an act of a seat in a trust game. Raises `NotNow` if the rules do not allow the act."""
        after = deal.with_act(act)
        try:
            TrustedPlay(self.position.rules, after)
        except IllegalAction as refused:
            raise NotNow(refused.code, **refused.values) from refused
        await self.keep_deal(deal, after)

    # The coach

    async def teach(self) -> None:
        """Work out the coach's advice to the person after a deal.

        After a game, work out what the person's discards cost."""
        game, solo = self.playing(), self.require_solo_game()
        if solo.person and self.gave_up is None and game.game.position.phase is Phase.WON:
            deals = {number: deal for (number, _), deal in solo.deals.items()}  # without void deals
            sum_up = partial(coach.points_given_up, tuple(deals.values()), PERSON, game.heading.rules)
            gave_up = await self._clock.run_in_thread(sum_up)
            if self.solo_game is solo:
                self.gave_up = gave_up
                self.changed()
        deal = self.deal or next(reversed([*solo.deals.values()]), None)
        if not solo.person or deal is None or (self.lesson is not None and self.lesson.deal is deal):
            return
        rules = game.heading.rules
        log = TrustedPlay(rules, deal).log if game.heading.way is Way.TRUST else game.game.log
        teach = partial(coach.lesson, deal, PERSON, rules, acts_of(log), Random(solo.seed))
        lesson = await self._clock.run_in_thread(teach)
        if self.game is game:
            self.lesson = lesson
            self.changed()


def _set_up(solo: SoloGame) -> GameSetUp:
    return GameSetUp(solo.rules, solo.way, solo.names)


def _deal_key(game: StoredGame) -> DealKey:
    """Return the deal's number, and the number of earlier void deals."""
    p = game.game.position
    return p.deal, _void_deals(game.game, p.number)


@lru_cache(maxsize=1)
def _void_deals(game: Game, number: int) -> int:
    """Count the void deals up to event `number`.

    Cached, because each event needs the count many times."""
    return sum(isinstance(event, DealVoided) for event in standing(game.log[:number]))


def _shuffled(*of: object) -> tuple[Card, ...]:
    """Return a pack shuffled with the arguments as random seed."""
    return tuple(Random(" ".join(map(str, of))).sample(PACK, len(PACK)))
