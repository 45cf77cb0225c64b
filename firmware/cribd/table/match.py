"""The current match of one table, with its latest game.

The table says when a game begins and what was decided. Everything is written to the journal before the game changes
(design law 5).

A match goes on while its rules and players are the same and nobody asks for a new one. The players change when one name
replaces another; a side that gets its first name, or loses it, has the same player as before. The journal says who
plays the match: the names of its newest game, or the names that were given since.

The games of one meeting of an event are one match, and belong to no other. If the event is sealed each game is a match,
so that nothing shows how the one before ended.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from cribboard.actions import Action, BreakOff
from cribboard.events import Acted, BrokenOff, Event, ResultFinal
from cribboard.position import Phase, Position
from cribboard.record import Heading
from cribboard.rules import Rules, Way
from cribboard.series import FinishedGame, Match, first_dealer, result_of
from cribd.clock import Clock
from cribd.storage.journal import Journal, JournalDamaged, StoredGame
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import Desk, EventGame
from cribd.table.rule_sets import alike

#: The journal's setting with the players of the match since its newest game; null closes the match.
_MATCH = "match"


class CurrentMatch:
    """The match in progress at a table, with its latest game.

    Its coroutines write to the journal in a thread. They raise `JournalAway` if that fails. `latest` is the game in
    progress, else the last one; None before the first. `entered` is how the `desk` answered its outcome, if it belongs
    to an event and has just ended. `games_ended` counts the games that have ended, without sealed ones: pages fetch
    their lists again when it changes. At the start it counts no games of events.
    """

    def __init__(self, journal: Journal, clock: Clock, rules: Rules, desk: Desk | None = None) -> None:
        self._journal = journal
        self._clock = clock
        self._desk = desk
        self.entered: OutcomeStatus | None = None
        self.games_ended = 0
        self._match = Match(rules)
        self._match_number = 1
        self._players: tuple[str, ...] | None = ()  # None: the match is closed
        self.latest: StoredGame | None = None
        self._is_sealed = False  # the latest game, for all that the table knows

    @property
    def position(self) -> Position | None:
        """The position of the latest game."""
        return None if self.latest is None else self.latest.game.position

    @property
    def played_for(self) -> PlayedFor | None:
        """The latest game's competition, round, table and number, or None."""
        return None if self.latest is None else self.latest.played_for

    @property
    def game_over(self) -> bool:
        """Whether the latest game has ended."""
        return self.position is not None and self.position.phase is Phase.OVER

    @property
    def last_act(self) -> Action | None:
        """The action that an undo would reverse, or None."""
        p = self.position
        if self.latest is None or p is None or not p.acts or self.game_over:
            return None
        began = self.latest.game.log[p.acts[-1][0]]
        return began.action if isinstance(began, Acted) else None

    def load_latest_game(self) -> tuple[JournalDamaged, ...]:
        """Read the latest game and its match from the journal.

        Returns the damage of games that therefore count nothing in the match. Raises `JournalDamaged` if the latest
        game is damaged; then the next game starts a new match.
        """
        left_out: list[JournalDamaged] = []
        try:
            latest = self._journal.latest_game()
            if latest is not None:
                self._match = self._journal.match(latest.match, latest.heading, latest=latest, left_out=left_out.append)
                self._match_number, self.latest = latest.match, latest
                self._players = _read_players(self._journal.setting(_MATCH), latest)
                self._is_sealed = latest.played_for is not None
                self.games_ended = self._journal.games_of_no_event() - (not self._is_sealed and not self.game_over)
        except JournalDamaged:
            self._match_number = self._journal.next_match()
            raise
        return tuple(left_out)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, by side; empty if the match is closed."""
        return self._players or ()

    @property
    def rules(self) -> Rules:
        return self._match.rules

    def standing(
        self, rules: Rules, names: Sequence[str] = (), *, between: bool, event: EventGame | None = None
    ) -> Match:
        """Return the match to show.

        `between` two games it is a new match if these rules, players or `event` would start one."""
        return Match(rules) if between and not self._continues_match(rules, names, event) else self._match

    def ends(self, rules: Rules, names: Sequence[str], event: EventGame | None = None) -> tuple[int, ...]:
        """Return the points of a match that these rules or names would end.

        () if the match would go on. Games of an event never count here: nobody can end
        their match."""
        may_end = self.played_for is None and self._match.results and not self._match.over
        return self._match.points if may_end and not self._continues_match(rules, names, event) else ()

    def _same_meeting(self, event: EventGame | None) -> bool:
        """Whether `event` is of the same meeting as the latest game."""
        before = self.played_for
        return before is not None and event is not None and before == replace(event.place, game=before.game)

    def _continues_match(self, rules: Rules, names: Sequence[str], event: EventGame | None) -> bool:
        """Whether a new game would continue the match.

        A game of an `event` continues only the match of the same meeting, and only if it is not sealed."""
        if self._players is None or not alike(rules, self._match.rules):
            return False
        if event is not None or self.played_for is not None:
            return event is not None and not event.is_sealed and self._same_meeting(event)
        return all(
            not old or not new or old.casefold() == new.casefold()
            for old, new in zip(self._players, names, strict=False)
        )

    async def close_match(self) -> None:
        """Close the match; the next game begins a new one."""
        await self._keep_players(None)

    async def rename(self, names: Sequence[str]) -> None:
        """Rename the players; `names` has one name per side."""
        if self._players is not None:
            await self._keep_players(tuple(names))

    async def _keep_players(self, players: tuple[str, ...] | None) -> None:
        newest = 0 if self.latest is None else self.latest.id
        text = json.dumps({"game": newest, "players": players})
        await self._clock.run_in_thread(lambda: self._journal.write_settings({_MATCH: text}))
        self._players = players

    async def commit(self, stored: StoredGame, events: Sequence[Event]) -> None:
        """Store the events and apply them to the game.

        A final result counts for the match. The outcome of an event's game goes to the desk at once."""
        result = result_of_game(stored, events)
        over = isinstance(events[-1], ResultFinal | BrokenOff)
        await self._clock.run_in_thread(partial(self._journal.append, stored, events, result))
        if self._desk is not None and stored.played_for is not None and over:
            outcome = self._journal.outcome_of(stored, stored.game.after(events))
            self.entered = await self._desk.hand_in(stored.id, outcome)
        stored.game.append(events)
        self.games_ended += over and not self._is_sealed
        if result is not None:
            self._match = self._match.add(result)

    def answer(self, outcome: Outcome, entered: OutcomeStatus) -> bool:
        """Receive the desk's late answer, and return whether it is new."""
        is_new = self.entered is OutcomeStatus.KEPT and self.played_for == outcome.place
        if is_new:
            self.entered = entered
        return is_new

    async def break_off(self) -> None:
        """Break off the latest game if it is unfinished."""
        if self.latest is not None and not self.game_over:
            await self.commit(self.latest, self.latest.game.decide(BreakOff()))

    async def begin(
        self, rules: Rules, *, way: Way, names: Sequence[str], board: str, event: EventGame | None = None
    ) -> None:
        """Begin the next game; the latest game must have ended."""
        goes_on = self._continues_match(rules, names, event) and not self._match.over
        match = self._match if goes_on else Match(rules)
        number = self._match_number + (match is not self._match)
        heading = Heading(
            rules=rules,
            way=way,
            dealer=(self._match if self._same_meeting(event) else match).next_dealer(),
            names=tuple(names[side] if side < len(names) else "" for side in rules.sides),
            date=self._clock.wall().date().isoformat(),
            board=board,
        )
        begin = partial(self._journal.begin, heading, number)
        if event is not None:
            begin = partial(
                begin,
                played_for=event.place,
                is_sealed=event.is_sealed,
                entrants=event.entrants,
                club=event.club,
            )
        place, is_sealed = (None, False) if event is None else (event.place, event.is_sealed)
        begun = await self._clock.run_in_thread(begin)
        self._match, self._match_number, self._players = match, number, heading.names
        self.latest, self.entered = StoredGame(begun, number, heading, heading.begin(), place), None
        self._is_sealed = is_sealed


def result_of_game(stored: StoredGame, events: Sequence[Event]) -> FinishedGame | None:
    """Return the result that these events make final, or None."""
    if not isinstance(events[-1], ResultFinal):
        return None
    return result_of(stored.game.after(events), first_dealer=first_dealer(stored.game))


def _read_players(text: str | None, latest: StoredGame) -> tuple[str, ...] | None:
    """Read the players' names; None if the match is closed.

    `text` is the journal's setting. It does not count if it is older than the game or cannot be read.
    """
    try:
        setting = json.loads(text or "{}")
    except (ValueError, RecursionError):
        setting = None
    match setting:
        case {"game": latest.id, "players": None}:
            return None
        case {"game": latest.id, "players": [*names]} if all(isinstance(name, str) for name in names):
            return tuple(names)
        case _:
            return latest.heading.names
