"""The owner of the games of somebody who plays alone: it deals, lets robots act, and takes what the person does.

Cards, hands and chance are kept before the first press that needs them, so that a game goes on after a restart. A robot
waits as long after a card that scores as after one that does not: its pace tells nothing (design law 9).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Protocol

from cribboard import actions
from cribboard.actions import Action, IllegalAction
from cribboard.cards import PACK, Card
from cribboard.events import CardCut, CardLaid
from cribboard.game import Game
from cribboard.position import Phase, Position
from cribboard.rules import Rules, Way
from cribboard.show import waits_for_crib
from cribboard.strategy import Strength
from cribd.clock import Clock
from cribd.inputs import GameSetUp, Input, Key, NewGameAsked, SetUpEnded
from cribd.robots.dealing import deal as deal_cards
from cribd.robots.dealing import first_dealer
from cribd.solo import coach, kept
from cribd.solo.acts import standing, void_deals
from cribd.solo.deal import COUNTED, Deal
from cribd.solo.kept import DealKey, Plays
from cribd.solo.presses import Presser
from cribd.solo.robots import BesideBoard, Robots, seen_by, unseen
from cribd.solo.trusted_play import TrustedPlay
from cribd.storage.journal import Journal, Kept, NotKept
from cribd.table.snapshot import Playing, Snapshot

#: The person's seat, and side.
PERSON = 0

#: Seconds that a robot takes for an act, and after a card of the person, who may have points to call first.
THINKS_S = 1.1
LEAVES_TIME_S = 4.0
#: Seconds that robots look at a count where nobody else does.
LOOKS_S = 2.5
#: Seconds after which a robot does again what the board has not answered.
_AGAIN_S = 2.5
#: How many times as fast as usual robots may play.
SPEEDS = (1, 2, 4, 8)


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


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast robots act. `waits`: they act only when they are told to, one act at a time."""

    speed: int = 1
    waits: bool = False


class Session:
    """One table at which somebody plays alone. Nothing runs before `run`; `watch` is called with each change."""

    def __init__(
        self,
        table: Host,
        presser: Presser,
        journal: Journal,
        clock: Clock,
        *,
        names: Callable[[Rules, bool], tuple[str, ...]],
        rules_of: Callable[[str], Rules | None],
        seeds: Callable[[], str],
    ) -> None:
        self._table = table
        self._presser = presser
        self._journal = journal
        self._clock = clock
        self._names = names
        self._rules_of = rules_of
        self._seeds = seeds
        self._changed = asyncio.Event()
        self._changing = asyncio.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._since = clock.now()
        self._steps = 0
        self._seen_number = -1
        self.snapshot = Snapshot()
        self.plays: Plays | None = None
        self.pace = Pace()
        self.due_at: float | None = None
        """When the next robot acts, by the clock, while it leaves the person time; else None."""
        self.lesson: coach.Lesson | None = None
        """What the coach says of the last deal that is over."""
        self._advice: tuple[coach.Advice, ...] = ()

    # What others are told

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` whenever something has changed."""
        self._watchers.append(watcher)

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest snapshot of the table."""
        number = snapshot.view.number if snapshot.view is not None else -1
        if number != self._seen_number or snapshot.refusal is not self.snapshot.refusal:
            self._seen_number, self._since = number, self._clock.now()
        self.snapshot = snapshot
        self._note()

    def _note(self) -> None:
        self._changed.set()
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
        self._note()

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
        """Write it, then go on with it. Raises `NotKept`."""
        await self._clock.run_in_thread(partial(kept.write, self._journal, plays))
        self.plays = plays
        self._note()

    # What the person does

    async def discard(self, cards: Sequence[Card]) -> None:
        """Give these cards to the crib. Raises `NotNow`."""
        deal = self._deal_now()
        if deal.discarded[PERSON] is not None:
            raise NotNow("discarded")
        hand, wanted = deal.dealt.hands[PERSON], len(deal.dealt.hands[PERSON]) - self._rules.deal_and_play.hand_size
        if strange := [card for card in cards if card not in hand]:
            raise NotNow("not_in_hand", card=strange[0])
        if len(set(cards)) != wanted or len(cards) != wanted:
            raise NotNow("how_many", count=len(cards), wanted=wanted)
        await self._keep_deal(deal.with_discard(PERSON, cards))

    async def cut(self) -> None:
        """Cut for the deal, or the starter. Raises `NotNow`."""
        p = self._position
        deal = self.deal
        if p.phase is Phase.CUT and p.way is not Way.TRUST and p.to_cut == PERSON:
            await self._presser.scan(self._next_cut())
        elif p.phase is Phase.DEAL and deal is not None and deal.is_ready and self._rules.cutter(deal.dealer) == PERSON:
            await self._presser.scan(deal.dealt.starter)
        else:
            raise NotNow("nothing_to_cut")

    async def lay(self, card: Card) -> None:
        """Lay a card. Raises `NotNow`; what the rules say of the card, the board says."""
        deal, p = self._deal_now(), self._position
        play = self.trusted_play
        at = p if play is None else play.position
        if card not in unseen(at, deal.kept(PERSON)):
            raise NotNow("not_in_hand", card=card)
        if at.phase is Phase.SHOW and at.to_show == PERSON and play is None:
            await self._presser.scan(card)
            return
        if at.phase is not Phase.PLAY or at.turn != PERSON:
            raise NotNow("not_your_turn")
        log = self._game.log if play is None else play.log
        seen = seen_by(PERSON, self._rules, at, log, deal)
        if play is None:
            await self._presser.scan(card)
        else:
            await self._beside_board(deal, str(card))
        advice = await self._clock.run_in_thread(partial(coach.advice_on_card, seen, card, Random(self._seed)))
        if advice is not None:
            self._advice = (*self._advice, advice)

    async def turn_crib(self) -> None:
        """Show the next card of the crib. Raises `NotNow`."""
        deal, p = self._deal_now(), self._position
        if not waits_for_crib(p) or p.dealer != PERSON:
            raise NotNow("no_crib_now")
        await self._presser.scan(unseen(p, deal.crib)[0])

    async def counted(self) -> None:
        """On trust: the person is done with a count. Raises `NotNow`."""
        play = self.trusted_play
        if play is None or play.counting is None:
            raise NotNow("nothing_to_count")
        await self._beside_board(self._deal_now(), COUNTED)

    def set_pace(self, pace: Pace) -> None:
        """Change how fast robots act."""
        self.pace = pace
        self._note()

    def step(self) -> None:
        """Let the next robot act now."""
        self._steps = 1
        self._note()

    # The robots

    async def run(self) -> None:
        """Let robots act, for ever."""
        while True:
            self._changed.clear()
            try:
                await self._act_once()
            except (NotNow, IllegalAction):  # the person left, or what was kept is not what lies on the table
                await self._changed.wait()
            except NotKept:  # the table says so, and the journal may come back
                await self._clock.sleep(_AGAIN_S)

    async def _act_once(self) -> None:
        """Let the next robot act once it is time, or wait until something changes."""
        wanted = await self._next()
        if wanted is None:
            self._forget_due()
            await self._changed.wait()
        elif await self._is_time(wanted):
            await self._do(wanted)

    async def _next(self) -> Action | BesideBoard | None:
        """What the next robot does; the cards are dealt first, if they are due."""
        await self._follow()
        game, robots, plays = self.game, self.robots, self.plays
        if game is None or robots is None or plays is None or not isinstance(self.snapshot.mode, Playing):
            return None
        p, log = game.game.position, game.game.log
        if p.phase is Phase.CUT:
            return self._cut_of_robot(p, robots)
        deal = plays.deals.get(_key(game))
        if deal is None or p.phase is Phase.WON:
            await self._teach(plays, robots.rules)
        if deal is None and p.phase in (Phase.DEAL, Phase.PEGGING):
            deal = await self._deal_cards(p, game, robots)
        return await self._clock.run_in_thread(partial(robots.next_action, p, log, deal))

    async def _follow(self) -> None:
        """A game that began by what was set up is the person's, also if an OK at the board began it."""
        plays, latest = self.plays, self._table.latest
        if plays is None or latest is None or latest.id == plays.game:
            return
        is_new = not latest.game.log and (plays.game is None or latest.id > plays.game)
        if is_new and latest.heading.names == plays.names:
            seed = plays.seed if plays.game is None else self._seeds()
            await self._keep(replace(plays, game=latest.id, seed=seed, cuts=_shuffled(seed, "cut"), deals={}))

    def _cut_of_robot(self, p: Position, robots: Robots) -> Action | None:
        if p.way is Way.TRUST:
            cuts, seats = self._plays.cuts, len(self._rules.seats)
            return actions.NameDealer(first_dealer(self._rules, (cuts[at:] for at in range(0, len(cuts), seats))))
        seat = p.to_cut
        if seat is None or seat not in robots.strengths:
            return None
        return actions.CutForDeal(seat, self._next_cut())

    def _next_cut(self) -> Card:
        """The card that the next seat cuts: after a tie none of those before."""
        cut = sum(isinstance(event, CardCut) for event in standing(self._game.log))
        return self._plays.cuts[cut % len(PACK)]

    async def _deal_cards(self, p: Position, game: Kept, robots: Robots) -> Deal:
        """Deal, let the robots discard, and keep it."""
        assert p.dealer is not None
        number, void = _key(game)
        pack = _shuffled(self._seed, number, void)
        rules = robots.rules
        fronts = tuple(pegs.front for pegs in p.pegs)
        dealt = Deal.of(p.dealer, fronts, deal_cards(rules, pack, p.dealer), rules.deal_and_play.hand_size)
        deal = await self._clock.run_in_thread(partial(robots.discards, dealt, p, number))
        await self._keep_deal(deal)
        return deal

    async def _teach(self, plays: Plays, rules: Rules) -> None:
        """The last deal is over: say what the person gave up in it."""
        deals = list(plays.deals.values())
        if not plays.person or not deals or (self.lesson is not None and self.lesson.deal is deals[-1]):
            return
        discard = await self._clock.run_in_thread(partial(coach.advice_on_discard, deals[-1], PERSON, rules))
        self.lesson, self._advice = coach.Lesson(deals[-1], discard, self._advice), ()
        self._note()

    async def _is_time(self, wanted: Action | BesideBoard) -> bool:
        """Wait for as long as a robot takes. Returns whether it may act; not if something changed meanwhile."""
        if self._steps:
            self._steps = 0
            return True
        if self.pace.waits:
            self._forget_due()
            await self._changed.wait()
            return False
        takes = self._takes_s(wanted)
        left = self._since + takes / self.pace.speed - self._clock.now()
        if left <= 0:
            return True
        if takes == LEAVES_TIME_S and self.due_at is None:
            self.due_at = self._clock.now() + left
            for watcher in self._watchers:
                watcher()
        changed = asyncio.create_task(self._changed.wait())
        late = asyncio.create_task(self._clock.sleep(left))
        await asyncio.wait((changed, late), return_when=asyncio.FIRST_COMPLETED)
        is_time = not changed.done()
        changed.cancel()
        late.cancel()
        return is_time

    def _takes_s(self, wanted: Action | BesideBoard) -> float:
        """Seconds from the last act to this one. It depends on what lies open alone."""
        goes_on = isinstance(
            wanted, BesideBoard | actions.LayCard | actions.SayGo | actions.ShowCard | actions.ReadCrib
        ) or (isinstance(wanted, actions.TakePegInHand | actions.TakeZero) and self._position.phase is Phase.SHOW)
        if wanted == BesideBoard(COUNTED):
            return LEAVES_TIME_S
        if not goes_on:
            return LOOKS_S if isinstance(wanted, actions.OpenCount | actions.EndDeal) else THINKS_S
        of_person = self._plays.person and self._last_seat() == PERSON and self._position.way is not Way.AUTO
        return LEAVES_TIME_S if of_person else THINKS_S

    def _last_seat(self) -> int | None:
        """The seat that laid the last card, or on trust counts now."""
        play = self.trusted_play
        if play is not None and play.counting is not None:
            return play.counting[0]
        log = self._game.log if play is None else play.log
        return next((event.seat for event in reversed(log) if isinstance(event, CardLaid)), None)

    async def _do(self, wanted: Action | BesideBoard) -> None:
        """Do it, and wait until the board has answered; later it is tried again."""
        self._forget_due()
        self._changed.clear()
        if isinstance(wanted, BesideBoard):
            await self._beside_board(self._deal_now(), wanted.act)
            self._since = self._clock.now()
            return
        number = self._position.number
        if isinstance(wanted, actions.NameDealer):
            await self._name_dealer(wanted.seat)
        else:
            await self._presser.do(wanted, self._position)
        waited = 0.0
        while self._position.number == number and waited < _AGAIN_S:
            await self._clock.sleep(0.05)
            waited += 0.05
        self._since = self._clock.now()

    async def _name_dealer(self, dealer: int) -> None:
        """Name the dealer with the OK of its side. Where that has more seats, MENU steps through their names (7.8)."""
        side = self._rules.side_of(dealer)
        await self._presser.key(Key.OK, side)
        for _ in self._rules.seats:
            await self._clock.sleep(0.4)
            if self.snapshot.naming in (None, dealer):
                break
            await self._presser.key(Key.MENU)
        if self.snapshot.naming == dealer:
            await self._presser.key(Key.OK, side)

    async def _beside_board(self, deal: Deal, act: str) -> None:
        """Keep what a seat does on trust. Raises `NotNow` for a card that does not fit."""
        async with self._changing:
            if self.deal is not deal:
                raise NotNow("not_your_turn")
            after = deal.with_act(act)
            try:
                TrustedPlay(self._rules, after)
            except IllegalAction as refused:
                raise NotNow(refused.code, **refused.values) from refused
            await self._keep_deal(after)
        self._since = self._clock.now()

    async def _keep_deal(self, deal: Deal) -> None:
        """Keep the running deal."""
        key: DealKey = _key(self._kept_game)
        await self._keep(replace(self._plays, deals={**self._plays.deals, key: deal}))

    def _forget_due(self) -> None:
        if self.due_at is not None:
            self.due_at = None
            for watcher in self._watchers:
                watcher()

    # What must be there

    @property
    def _plays(self) -> Plays:
        if self.plays is None:
            raise NotNow("not_playing")
        return self.plays

    @property
    def _seed(self) -> str:
        return self._plays.seed

    @property
    def _kept_game(self) -> Kept:
        if self.game is None:
            raise NotNow("not_playing")
        return self.game

    @property
    def _game(self) -> Game:
        return self._kept_game.game

    @property
    def _position(self) -> Position:
        return self._game.position

    @property
    def _rules(self) -> Rules:
        return self._position.rules

    def _deal_now(self) -> Deal:
        if self.deal is None:
            raise NotNow("not_dealt")
        return self.deal


def _key(game: Kept) -> DealKey:
    """The number of the running deal, and how many were void."""
    return game.game.position.deal, void_deals(game.game.log)


def _shuffled(*of: object) -> tuple[Card, ...]:
    """A pack, shuffled by this chance."""
    return tuple(Random(" ".join(map(str, of))).sample(PACK, len(PACK)))
