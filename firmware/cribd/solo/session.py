"""The games of somebody who plays alone: how they begin and end, what is dealt, and what of it is kept.

Cards, hands and chance are kept before the first press that needs them, so that a game goes on after a restart. What
the person does is in `person`, what robots do in `robot_turns`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from random import Random
from typing import Protocol

from cribboard.actions import IllegalAction
from cribboard.cards import PACK, Card
from cribboard.events import CardCut
from cribboard.game import Game
from cribboard.position import Phase, Position
from cribboard.rules import Rules, Way
from cribboard.strategy import Strength
from cribd.clock import Clock
from cribd.inputs import GameSetUp, Input, NewGameAsked, SetUpEnded
from cribd.robots.acts import acts_of, standing, void_deals
from cribd.robots.deal import Deal, first_dealer
from cribd.robots.next_action import Robots
from cribd.robots.trusted_play import TrustedPlay
from cribd.solo import coach, kept
from cribd.solo.kept import DealKey, Plays
from cribd.storage.journal import Journal, StoredGame
from cribd.table.snapshot import Snapshot

#: The person's seat, and side.
PERSON = 0


class NotNow(Exception):  # noqa: N818 (a state of the table, not an error of the program)
    """The person cannot do that now. `code` is a sentence of the page, `values` fill it."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


class Host(Protocol):
    """The table at which is played, as a session needs it."""

    @property
    def latest(self) -> StoredGame | None:
        """The game that is played, or was last; None before the first."""
        ...

    def post(self, inputs: Sequence[Input]) -> None:
        """Takes the inputs of one moment, in order. Returns at once."""
        ...


class Session:
    """The games of one table at which somebody plays alone. `watch` is called with each change.

    `names` gives the names of the sides by the rules and by whether a person plays, `rules_of` the rules of a label,
    `seeds` the chance of each game. Coroutines that keep something raise `NotKept`.
    """

    def __init__(
        self,
        table: Host,
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
        self._kept: Plays | None = None
        self.lesson: coach.Lesson | None = None
        """What the coach says of the last deal that is over."""
        self.gave_up: float | None = None
        """What the person's discards gave up in the game that is over, in points; None before its end."""

    @property
    def plays(self) -> Plays | None:
        """Who plays what; None if nobody plays alone."""
        return None if self._kept is None or self._kept.left else self._kept

    @property
    def left(self) -> Plays | None:
        """The game that was left and can be taken up again; None if there is none."""
        kept, latest = self._kept, self._table.latest
        if kept is None or latest is None or not kept.left or kept.game != latest.id:
            return None
        return None if latest.game.position.phase is Phase.OVER else kept

    # What others are told

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` whenever something has changed."""
        self._watchers.append(watcher)

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest snapshot of the table."""
        self.snapshot = snapshot
        self.changed()

    def changed(self) -> None:
        """Tell the watchers that something has changed."""
        for watcher in self._watchers:
            watcher()

    @property
    def game(self) -> StoredGame | None:
        """The game that is played alone, or was last; None if the table plays another."""
        latest, plays = self._table.latest, self.plays
        return latest if latest is not None and plays is not None and plays.game == latest.id else None

    @property
    def deal(self) -> Deal | None:
        """The running deal; None before its cards are dealt."""
        game, plays = self.game, self.plays
        return None if game is None or plays is None else plays.deals.get(_key(game))

    @property
    def trusted_play(self) -> TrustedPlay | None:
        """The play that the board does not follow; None unless the table trusts and all have discarded."""
        game, deal = self.game, self.deal
        if game is None or deal is None or not deal.is_ready or game.heading.way is not Way.TRUST:
            return None
        return TrustedPlay(game.heading.rules, deal)

    @property
    def position(self) -> Position:
        """Where the game stands. Raises `NotNow` if none is played alone."""
        return self.playing().game.position

    def playing(self) -> StoredGame:
        """The game. Raises `NotNow` if none is played alone."""
        if self.game is None:
            raise NotNow("not_playing")
        return self.game

    def dealt(self) -> Deal:
        """The running deal. Raises `NotNow` before its cards are dealt."""
        if self.deal is None:
            raise NotNow("not_dealt")
        return self.deal

    def kept_plays(self) -> Plays:
        """Who plays what. Raises `NotNow` if nobody plays alone."""
        if self.plays is None:
            raise NotNow("not_playing")
        return self.plays

    @property
    def robots(self) -> Robots | None:
        """The robots of the running game."""
        if self.plays is None or self.game is None:
            return None
        rules = self.game.heading.rules
        seats = [seat for seat in rules.seats if not (self.plays.person and seat == PERSON)]
        return Robots(rules, dict.fromkeys(seats, self.plays.strength), self.plays.seed)

    # Beginning and end

    async def wake(self) -> None:
        """Take up what was kept."""
        self._kept = await self._clock.run_in_thread(partial(kept.read, self._journal))
        latest, plays = self._table.latest, self._kept
        if latest is not None and plays is not None and plays.game == latest.id and not _fits(plays, latest):
            self._kept = None
        if self.plays is not None:
            self._table.post([_set_up(self.plays)])
        self.changed()

    async def start(self, rules: str, way: Way, strength: Strength, *, person: bool, breaks_off: bool = False) -> None:
        """Begin a game. Raises `NotNow` if another is unfinished and may not be broken off, and for unknown rules."""
        played = self._rules_of(rules)
        if played is None:
            raise NotNow("no_such_rules", rules=rules)
        latest = self._table.latest
        if latest is not None and latest.game.position.phase is not Phase.OVER and not breaks_off:
            raise NotNow("unfinished")
        before, seed = self.plays, self._seeds()
        plays = Plays(
            rules, way, strength, person, seed, names=self._names(played, person), cuts=_shuffled(seed, "cut")
        )
        await self._keep(plays)
        self.lesson = self.gave_up = None
        others = before is not None and (before.strength, before.person) != (strength, person)
        self._table.post([*([SetUpEnded()] if others else []), _set_up(plays), NewGameAsked()])

    async def watch_robots(self, rules: str) -> None:
        """Let strong robots play one another, if no game is unfinished."""
        with suppress(NotNow):
            await self.start(rules, Way.VERIFY, Strength.STRONG, person=False)

    async def leave(self) -> None:
        """Play alone no more. An unfinished game of a person stays, with its cards, until the table plays another."""
        async with self._changing:
            plays, game = self.plays, self.game
            if plays is None:
                return
            unfinished = game is not None and game.game.position.phase is not Phase.OVER
            await self._write(replace(plays, left=True) if plays.person and unfinished else None)
        self._table.post([SetUpEnded()])

    async def take_up(self) -> None:
        """Go on with the game that was left. Raises `NotNow` if there is none any more."""
        async with self._changing:
            left = self.left
            if left is None:
                raise NotNow("not_left")
            await self._write(replace(left, left=False))
        self._table.post([_set_up(left)])

    async def _keep(self, plays: Plays | None) -> None:
        """Write what is kept, then go on with it."""
        async with self._changing:
            await self._write(plays)

    async def _write(self, plays: Plays | None) -> None:
        """Write what is kept, then go on with it. The caller holds the lock `_changing`."""
        await self._clock.run_in_thread(partial(kept.write, self._journal, plays))
        self._kept = plays
        self.changed()

    async def follow(self) -> None:
        """A game that began by what was set up is the person's, also if an OK at the board began it."""
        async with self._changing:
            plays, latest = self.plays, self._table.latest
            if plays is None or latest is None or latest.id == plays.game:
                return
            is_new = not latest.game.log and (plays.game is None or latest.id > plays.game)
            if is_new and latest.heading.names == plays.names:
                seed = plays.seed if plays.game is None else self._seeds()
                self.gave_up = None
                await self._write(replace(plays, game=latest.id, seed=seed, cuts=_shuffled(seed, "cut"), deals={}))

    # Cards

    def first_dealer(self) -> int:
        """Who deals first on trust, where no card is read."""
        rules, cuts = self.position.rules, self.kept_plays().cuts
        return first_dealer(rules, (cuts[at:] for at in range(0, len(cuts), len(rules.seats))))

    def next_cut(self) -> Card:
        """The card that the next seat cuts: after a tie none of those before."""
        cut = sum(isinstance(event, CardCut) for event in standing(self.playing().game.log))
        return self.kept_plays().cuts[cut % len(PACK)]

    async def deal_cards(self, robots: Robots) -> None:
        """Deal, and let the robots discard."""
        p, (number, void) = self.position, _key(self.playing())
        dealt = Deal.at(p, _shuffled(self.kept_plays().seed, number, void))
        deal = await self._clock.run_in_thread(partial(robots.discards, dealt, p, number))
        if _key(self.playing()) == (number, void):
            await self.keep_deal(None, deal)

    async def keep_deal(self, before: Deal | None, after: Deal) -> None:
        """Keep the running deal, which was `before`. Raises `NotNow` if it is another by now."""
        async with self._changing:
            game, plays = self.playing(), self.kept_plays()
            if self.deal is not before:
                raise NotNow("not_your_turn")
            await self._write(replace(plays, deals={**plays.deals, _key(game): after}))

    async def act_beside_board(self, deal: Deal, act: str) -> None:
        """Keep what a seat does on trust in this deal. Raises `NotNow` for a card that does not fit."""
        after = deal.with_act(act)
        try:
            TrustedPlay(self.position.rules, after)
        except IllegalAction as refused:
            raise NotNow(refused.code, **refused.values) from refused
        await self.keep_deal(deal, after)

    # The coach

    async def teach(self) -> None:
        """The last deal is over: say what the person gave up in it."""
        game, plays = self.playing(), self.kept_plays()
        if plays.person and self.gave_up is None and game.game.position.phase is Phase.WON:
            await self._sum_up(game, plays)
        deal = self.deal or next(reversed([*plays.deals.values()]), None)
        if not plays.person or deal is None or (self.lesson is not None and self.lesson.deal is deal):
            return
        rules = game.heading.rules
        log = TrustedPlay(rules, deal).log if game.heading.way is Way.TRUST else game.game.log
        teach = partial(coach.lesson, deal, PERSON, rules, acts_of(log), Random(plays.seed))
        lesson = await self._clock.run_in_thread(teach)
        if self.game is game:
            self.lesson = lesson
            self.changed()

    async def _sum_up(self, game: StoredGame, plays: Plays) -> None:
        """The game is won: add up what the person's discards gave up, of each deal that was not void."""
        deals = {number: deal for (number, _), deal in plays.deals.items()}
        sum_up = partial(coach.gave_up, tuple(deals.values()), PERSON, game.heading.rules)
        gave_up = await self._clock.run_in_thread(sum_up)
        if self.plays is plays:
            self.gave_up = gave_up
            self.changed()


def _fits(plays: Plays, game: StoredGame) -> bool:
    """Whether the cards that were kept can be those of this game."""
    return all(deal.fits(game.heading.rules) for deal in plays.deals.values())


def _set_up(plays: Plays) -> GameSetUp:
    return GameSetUp(plays.rules, plays.way, plays.names)


def _key(game: StoredGame) -> DealKey:
    """The number of the running deal, and how many were void."""
    p = game.game.position
    return p.deal, _void_deals(game.game, p.number)


@lru_cache(maxsize=1)
def _void_deals(game: Game, number: int) -> int:
    """How many deals were void up to this event; at each event it is asked many times."""
    return void_deals(game.log[:number])


def _shuffled(*of: object) -> tuple[Card, ...]:
    """A pack, shuffled by this chance."""
    return tuple(Random(" ".join(map(str, of))).sample(PACK, len(PACK)))
