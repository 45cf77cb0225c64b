"""The seal (design law 10): what leaves a sealed event is the same whatever its scores are, until it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.competitions import Hall, circle, entered, seated

from cribboard.competition import FORMATS, Format, read_format, see
from cribboard.competition.actions import CheckResult, CorrectResult, DisputeResult, NoteHand, Penalise
from cribboard.competition.terms import GameAt
from cribboard.competition.view import CompetitionEye, CompetitionView

FADOQ = FORMATS["fadoq"]
SEALED_DAY = read_format({"format": "jeux50", "sealed": True, "check_pass": True})
SEALED_MATCHES = read_format(
    {"format": "match-play", "sealed": True, "meeting": "best_of", "meeting_games": 3, "skunk_wins": 1}
)
OWN_GAME = st.builds(lambda won, lost: (121, lost) if won else (lost, 121), st.booleans(), st.integers(0, 120))


def views(form: Format, entrants: int, scores: Sequence[tuple[int, int]]) -> list[CompetitionView]:
    """What the hall sees after each step of an event with these scores, game by game, up to the medals."""
    hall = Hall(form, entrants)
    seen, left = [], iter(scores)
    for pairs, byes in circle(entrants, 2):
        number = hall.draw(*pairs, byes=byes)
        seen.append(hall.hall())
        for table in range(1, len(pairs) + 1):
            for game in range(1, form.visit + 1):
                hall.do(entered(number, table, *next(left), game=game))
                seen.append(hall.hall())
    at, player = GameAt(1, 1), hall.now.rounds[0].encounters[0].entrants[0]
    hall.do(DisputeResult(at, player, "mal additionné"))
    seen.append(hall.hall())
    hall.do(CorrectResult(at=at, scores=scores[0], reason=f"vérifié: {scores[0]}"), CheckResult(at))
    hall.do(Penalise(player, 1 + scores[0][0], "retard"))
    seen.append(hall.hall())
    hall.end()
    return [*seen, hall.hall()]


@settings(max_examples=25)
@given(*(2 * [st.lists(OWN_GAME, min_size=20, max_size=20)]))
def test_under_a_fixed_schedule_nothing_differs(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> None:
    assert views(SEALED_DAY, 9, one) == views(SEALED_DAY, 9, other)
    assert views(FADOQ, 6, one) == views(FADOQ, 6, other)


def test_a_match_does_not_tell_how_many_games_it_took() -> None:
    short, long = Hall(SEALED_MATCHES, 2), Hall(SEALED_MATCHES, 2)
    for hall, games in ((short, [(121, 9)] * 2), (long, [(121, 9), (8, 121), (121, 7)])):
        number = hall.draw((1, 2))
        for game, scores in enumerate(games, start=1):
            hall.do(entered(number, 1, *scores, game=game))
    assert short.hall() == long.hall()


def test_an_event_that_is_not_sealed_shows_its_standings_at_once() -> None:
    hall = Hall(FORMATS["acc"], 4)
    hall.play((1, 2, 121, 90), (3, 4, 121, 100))
    seen = hall.hall()
    assert not seen.is_sealed
    assert [row.entrant for row in seen.standings] == [1, 3, 4, 2]
    assert [table.results[0].scores for table in seen.tables] == [(121, 90), (121, 100)]


def test_the_organiser_sees_what_is_sealed() -> None:
    hall = Hall(FADOQ, 4)
    hall.play((1, 2, 121, 90), (3, 4, 121, 100))
    seen = see(hall.now, CompetitionEye.ORGANISER)
    assert [row.entrant for row in seen.standings] == [1, 3, 4, 2]
    assert seen.tables[0].results[0].scores == (121, 90)
    assert len(seen.obstacles) == 2


def test_a_score_card_has_the_games_that_the_eye_sees() -> None:
    hall = Hall(FADOQ, 4)
    hall.play((1, 2, 121, 90), (3, 4, 121, 100))
    hall.do(NoteHand(1, 29))
    whole = hall.scorecard(1)
    assert [(line.opponent, line.scores) for line in whole.lines] == [(2, (121, 90))]
    assert whole.hands == (29,)
    assert hall.hall().scorecard(1, FADOQ.game_rules) == replace(whole, lines=(), hands=())


def test_a_seating_is_seen_as_soon_as_it_is_drawn() -> None:
    hall = Hall(FADOQ, 5, tables=1, choice=None)
    assert hall.hall().round == 0
    hall = Hall(FADOQ, 5, tables=1)
    hall.draw((1, 2), byes=[5], waiting=[3, 4])
    seen = hall.hall()
    assert (seen.round, seen.tables[0].entrants, seen.byes, seen.waiting) == (1, (1, 2), (5,), (3, 4))
    assert not seen.tables[0].is_over
    assert seated((1, 2)).entrants == seen.tables[0].entrants


def test_places_are_opened_one_by_one() -> None:
    hall = Hall(read_format({"format": "fadoq", "games": 1}), 4)
    hall.draw((1, 2), (3, 4))
    hall.do(entered(1, 1, 121, 90), entered(1, 2, 100, 110, broken=True))
    hall.end()
    opened = []
    for place in (3, 2, 1):
        assert see(hall.now, CompetitionEye.ORGANISER).next_place == place
        hall.open(place)
        opened.append([row.entrant for row in hall.hall().standings])
    assert opened == [[3], [4, 3], [1, 4, 3, 2]]


def test_the_hall_sees_which_tables_lack_a_result() -> None:
    hall = Hall(FADOQ, 4)
    hall.draw((1, 2), (3, 4))
    assert hall.hall().outstanding == ((1, 1), (1, 2))
    hall.do(entered(1, 1, 121, 90))
    assert hall.hall().outstanding == ((1, 2),)
