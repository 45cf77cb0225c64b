"""Finds an entrant's newest visit to a table.

Of a sealed competition a table sees its running game alone, until its next one starts (design law 10).
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.competition.position import Result
from cribboard.competition.terms import GameAt, ResultState
from cribboard.competition.view import CompetitionView, RoundView, TableView
from cribd.competition.snapshot import CompetitionSnapshot


@dataclass(frozen=True, slots=True)
class Visit:
    """An entrant at a table, in one round."""

    round: RoundView
    table: TableView
    open_game: int | None  # the game that is under way
    shown: tuple[Result | None, ...]  # the results by game; None for one that the seal hides

    def at(self, game: int) -> GameAt:
        """Return a game of this visit as a `GameAt`."""
        return GameAt(self.round.number, self.table.table, game)

    def result(self, at: GameAt) -> Result | None:
        """Return the result of a game, or None before it has one.

        Raises KeyError for a game that this entrant may not see: at another table, of an earlier round, or sealed."""
        if at != self.at(at.game) or at.game < 1:
            raise KeyError(at)
        if at.game > len(self.shown):
            return None
        if (result := self.shown[at.game - 1]) is None:
            raise KeyError(at)
        return result


def visit_of(snapshot: CompetitionSnapshot, entrant: int) -> Visit | None:
    """Find the entrant's newest visit to a table, or None."""
    if (newest := _newest(snapshot.organiser, entrant)) is None:
        return None
    round_, table = newest
    game = len(table.results) + 1
    under_way = GameAt(round_.number, table.table, game) in {at for at, _ in snapshot.since}
    return Visit(round_, table, game if under_way else None, _shown(snapshot, table, under_way=under_way))


def seated_at(view: CompetitionView, table: int) -> tuple[int, ...]:
    """Return the entrants that are seated at this table now."""
    pairs = (pair.entrants for round_ in reversed(view.rounds) for pair in round_.tables if pair.table == table)
    newest = ((number, _newest(view, number)) for number in next(pairs, ()))
    return tuple(number for number, at in newest if at is not None and at[1].table == table)


def _newest(view: CompetitionView, entrant: int) -> tuple[RoundView, TableView] | None:
    """Find the entrant's newest round, and the table there."""
    found = (
        (round_, table) for round_ in reversed(view.rounds) for table in round_.tables if entrant in table.entrants
    )
    return next(found, None)


def _shown(snapshot: CompetitionSnapshot, table: TableView, *, under_way: bool) -> tuple[Result | None, ...]:
    if not snapshot.hall.is_sealed:
        return table.results
    last = None if under_way else len(table.results)
    return tuple(
        result if number == last or result.state in (ResultState.REPORTED, ResultState.DISPUTED) else None
        for number, result in enumerate(table.results, start=1)
    )
