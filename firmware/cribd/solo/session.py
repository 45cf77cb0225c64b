"""The games of somebody who plays alone: how they begin and end, what is dealt, and what of it is kept.

Cards, hands and chance are kept before the first press that needs them, so that a game goes on after a restart. What
the person does is in `person`, what robots do in `robot_turns`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Protocol

from cribboard.actions import IllegalAction
from cribboard.cards import PACK, Card
from cribboard.events import CardCut
from cribboard.position import Phase, Position
from cribboard.rules import Rules, Way
from cribboard.strategy import Strength
from cribd.clock import Clock
from cribd.inputs import GameSetUp, Input, NewGameAsked, SetUpEnded
from cribd.robots.dealing import deal as deal_cards
from cribd.robots.dealing import first_dealer
from cribd.solo import coach, kept
from cribd.solo.acts import standing, void_deals
from cribd.solo.deal import Deal
from cribd.solo.kept import DealKey, Plays
from cribd.solo.robots import Robots
from cribd.solo.trusted_play import TrustedPlay
from cribd.storage.journal import Journal, Kept
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
    def latest(self) -> Kept | None: ...
    def post(self, inputs: Sequence[Input]) -> None: ...


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
        self._advice: tuple[coach.Advice, ...] = ()
        self.snapshot = Snapshot()
        self.plays: Plays | None = None
        self.lesson: coach.Lesson | None = None
        """What the coach says of the last deal that is over."""

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
    def game(self) -> Kept | None:
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

    def playing(self) -> Kept:
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
        self.plays = await self._clock.run_in_thread(partial(kept.read, self._journal))
        if self.plays is not None:
            self._set_up(self.plays)
        self.changed()

    async def start(self, rules: str, way: Way, strength: Strength, *, person: bool, breaks_off: bool = False) -> None:
        """Begin a game. Raises `NotNow` if another is unfinished and may not be broken off, and for unknown rules."""
        played = self._rules_of(rules)
        if played is None:
            raise NotNow("no_such_rules", rules=rules)
        latest = self._table.latest
        if latest is not None and latest.game.position.phase is not Phase.OVER and not breaks_off:
            raise NotNow("unfinished")
        before = self.plays
        if before is not None and (before.strength, before.person) != (strength, person):
            self._table.post([SetUpEnded()])
        seed = self._seeds()
        plays = Plays(
            rules, way, strength, person, seed, names=self._names(played, person), cuts=_shuffled(seed, "cut")
        )
        self.lesson, self._advice = None, ()
        await self._keep(plays)
        self._set_up(plays)
        self._table.post([NewGameAsked()])

    async def watch_robots(self, rules: str) -> None:
        """Let strong robots play one another, if no game is unfinished."""
        with suppress(NotNow):
            await self.start(rules, Way.VERIFY, Strength.STRONG, person=False)

    async def leave(self) -> None:
        """Play alone no more. An unfinished game stays in the journal, as any other."""
        await self._keep(None)
        self._table.post([SetUpEnded()])

    def _set_up(self, plays: Plays) -> None:
        self._table.post([GameSetUp(plays.rules, plays.way, plays.names)])

    async def _keep(self, plays: Plays | None) -> None:
        """Write it, then go on with it."""
        await self._clock.run_in_thread(partial(kept.write, self._journal, plays))
        self.plays = plays
        self.changed()

    async def follow(self) -> None:
        """A game that began by what was set up is the person's, also if an OK at the board began it."""
        plays, latest = self.plays, self._table.latest
        if plays is None or latest is None or latest.id == plays.game:
            return
        is_new = not latest.game.log and (plays.game is None or latest.id > plays.game)
        if is_new and latest.heading.names == plays.names:
            seed = plays.seed if plays.game is None else self._seeds()
            await self._keep(replace(plays, game=latest.id, seed=seed, cuts=_shuffled(seed, "cut"), deals={}))

    # Cards

    def first_dealer(self) -> int:
        """Who deals first on trust, where no card is read."""
        rules, cuts = self.position.rules, self.kept_plays().cuts
        return first_dealer(rules, (cuts[at:] for at in range(0, len(cuts), len(rules.seats))))

    def next_cut(self) -> Card:
        """The card that the next seat cuts: after a tie none of those before."""
        cut = sum(isinstance(event, CardCut) for event in standing(self.playing().game.log))
        return self.kept_plays().cuts[cut % len(PACK)]

    async def deal_cards(self, robots: Robots) -> Deal:
        """Deal, and let the robots discard."""
        p, rules = self.position, robots.rules
        assert p.dealer is not None
        number, void = _key(self.playing())
        pack = _shuffled(self.kept_plays().seed, number, void)
        fronts = tuple(pegs.front for pegs in p.pegs)
        dealt = Deal.of(p.dealer, fronts, deal_cards(rules, pack, p.dealer), rules.deal_and_play.hand_size)
        deal = await self._clock.run_in_thread(partial(robots.discards, dealt, p, number))
        await self.keep_deal(deal)
        return deal

    async def keep_deal(self, deal: Deal) -> None:
        """Keep the running deal."""
        key: DealKey = _key(self.playing())
        plays = self.kept_plays()
        await self._keep(replace(plays, deals={**plays.deals, key: deal}))

    async def act_beside_board(self, deal: Deal, act: str) -> None:
        """Keep what a seat does on trust in this deal. Raises `NotNow` for a card that does not fit."""
        async with self._changing:
            if self.deal is not deal:
                raise NotNow("not_your_turn")
            after = deal.with_act(act)
            try:
                TrustedPlay(self.position.rules, after)
            except IllegalAction as refused:
                raise NotNow(refused.code, **refused.values) from refused
            await self.keep_deal(after)

    # The coach

    def advise(self, advice: coach.Advice | None) -> None:
        """Remember what there is to say of a card that the person laid."""
        if advice is not None:
            self._advice = (*self._advice, advice)

    async def teach(self) -> None:
        """The last deal is over: say what the person gave up in it."""
        plays, rules = self.kept_plays(), self.position.rules
        deals = list(plays.deals.values())
        if not plays.person or not deals or (self.lesson is not None and self.lesson.deal is deals[-1]):
            return
        discard = await self._clock.run_in_thread(partial(coach.advice_on_discard, deals[-1], PERSON, rules))
        self.lesson, self._advice = coach.Lesson(deals[-1], discard, self._advice), ()
        self.changed()


def _key(game: Kept) -> DealKey:
    """The number of the running deal, and how many were void."""
    return game.game.position.deal, void_deals(game.game.log)


def _shuffled(*of: object) -> tuple[Card, ...]:
    """A pack, shuffled by this chance."""
    return tuple(Random(" ".join(map(str, of))).sample(PACK, len(PACK)))
