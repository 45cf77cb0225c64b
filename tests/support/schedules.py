"""What the tests of schedules count in them."""

from __future__ import annotations

from collections import Counter

from cribboard.competition.round_robin import Schedule


def short_of(schedule: Schedule) -> dict[int, int]:
    """The games that entrants have fewer than the number set, for each that has fewer."""
    visits = Counter(entrant for each in schedule.rounds for pair in each.pairings for entrant in pair.entrants)
    named = {entrant for each in schedule.rounds for entrant in each.entrants}
    missing = {entrant: schedule.games - schedule.visit * visits[entrant] for entrant in named}
    return {entrant: games for entrant, games in missing.items() if games > 0}
