"""Seeds of an elimination from the places of an event that is over."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.support.competitions import Hall

from cribboard.competition import FORMATS, Competition, see
from cribboard.competition.actions import Register, SeedEntrants, ShowAs
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.season import Finish, SeasonError, outcome, seeds_from
from cribboard.competition.view import CompetitionEye, EntrantView


def registered(*names: str | tuple[str, str]) -> Sequence[EntrantView]:
    teams = isinstance(names[0], tuple)
    competition = Competition.start(FORMATS["fadoq" if teams else "single-elimination"])
    for name in names:
        if isinstance(name, tuple):
            competition.do(Register(name=f"Équipe {name[0]}", players=name))
        else:
            competition.do(Register(name=name))
    return see(competition.position, CompetitionEye.ORGANISER).entrants


def finished(*players: tuple[str, ...]) -> list[Finish]:
    return [Finish(names[0], names, place, 9) for place, names in enumerate(players, start=1)]


def test_the_places_of_an_event_become_the_seeds() -> None:
    hall = Hall(FORMATS["round-robin"], 4)
    hall.play((1, 2, 121, 90), (3, 4, 60, 121))
    hall.play((1, 4, 90, 121), (2, 3, 121, 90))
    hall.play((1, 3, 121, 90), (2, 4, 90, 121))
    hall.do(ShowAs(4, "A. C."))
    heading = CompetitionHeading(format=FORMATS["round-robin"])
    with pytest.raises(SeasonError):
        outcome(heading, see(hall.now, CompetitionEye.ORGANISER))
    hall.end()
    hall.open(*sorted({place for place in hall.places.values() if place and place <= 3}, reverse=True))
    finishes = outcome(heading, see(hall.now, CompetitionEye.ORGANISER)).finishes
    entrants = registered("Entrant 1", "Entrant 3", "entrant  4", "Entrant 2")
    order, placed = seeds_from(entrants, finishes)
    assert [entrants[number - 1].name for number in order] == ["entrant 4", "Entrant 1", "Entrant 2", "Entrant 3"]
    assert placed == 4


def test_unplaced_entrants_follow_in_the_order_of_registration() -> None:
    entrants = registered("Zoé", "Luc", "André Lebœuf", "Anne")
    assert seeds_from(entrants, finished(("Personne",), ("ANDRE LEBOEUF",), ("luc",))) == ((3, 2, 1, 4), 2)
    assert seeds_from(entrants, []) == ((1, 2, 3, 4), 0)


def test_a_team_is_known_by_its_players_in_any_order() -> None:
    entrants = registered(("Odile", "Réjean"), ("Luc", "Anne"))
    assert seeds_from(entrants, finished(("Anne", "Luc"), ("Odile", "Réjean"))) == ((2, 1), 2)
    assert seeds_from(
        entrants,
        finished(
            ("Odile", "Marc"),
        ),
    ) == ((1, 2), 0), "another partner is another team"


def test_the_order_of_earlier_places_can_be_set_as_the_seeding() -> None:
    hall = Hall(FORMATS["single-elimination"], 5, choice=None)
    order, _ = seeds_from(see(hall.now, CompetitionEye.ORGANISER).entrants, finished(("Entrant 4",), ("Entrant 9",)))
    hall.do(SeedEntrants(order))
    assert hall.now.seeds == (4, 1, 2, 3, 5)
