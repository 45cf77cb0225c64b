"""Events as text: one line each, and back; what is no line is refused with the line."""

from __future__ import annotations

from typing import get_args

import pytest

from cribboard.cards import NotationError
from cribboard.competition import events
from cribboard.competition.event_notation import read, write
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import Ending, EntrantKind, EntrantStatus, GameAt, Missing, ResultSource

AT = GameAt(2, 4, 1)
SEATING = Seating((Pairing(1, (3, 7)), Pairing(2, (4, 8))), (5,), ())
LINES: dict[events.CompetitionEvent, str] = {
    events.Registered(EntrantKind.GUEST, 1, 'Les "As"', ("Zoé", "Ré\\mi")): (
        r'registered guest "Les \"As\"" players ["Zoé", "Ré\\mi"] captain 1'
    ),
    events.Renamed(3, "Odile"): 'renamed 3 "Odile"',
    events.PlayerRenamed(3, 1, "Zoé"): 'player-renamed 3 player 1 "Zoé"',
    events.ShownAs(3, "O. T."): 'shown-as 3 "O. T."',
    events.CheckedIn(3, 1): "checked-in 3 captain 1",
    events.Departed(3, EntrantStatus.LEFT, "malade"): 'departed 3 left "malade"',
    events.Penalised(3, 15, "retard"): 'penalised 3 -15 "retard"',
    events.Substituted(3, 1, "Luc", "malade"): 'substituted 3 player 1 by "Luc" "malade"',
    events.Seeded((3, 1, 2)): "seeded 3+1+2",
    events.HandNoted(3, 29): "hand 3 29",
    events.TablesSet(12): "tables 12",
    events.GamesSet(8): "games 8",
    events.MissingCounted(Missing.AVERAGE): "missing average",
    events.Begun(8): "begun games 8",
    events.Paused("dîner"): 'paused "dîner"',
    events.Resumed(): "resumed",
    events.StartAnnounced("2026-03-01T14:30-05:00"): 'start-announced "2026-03-01T14:30-05:00"',
    events.CompetitionPlayEnded(): "play-ended",
    events.RoundDrawn(SEATING): "round-drawn 1:3-7+2:4-8 byes 5 waiting nobody",
    events.PlayOffDrawn(2, SEATING): "play-off-drawn 2 1:3-7+2:4-8 byes 5 waiting nobody",
    events.RoundStarted(): "round-started",
    events.RoundCancelled("panne"): 'round-cancelled "panne"',
    events.ResultEntered(AT, (121, 98), Ending.FINISHED, ResultSource.BOARD, "0a1b"): (
        'result 2/4/1 121:98 finished board record "0a1b"'
    ),
    events.ResultReported(AT, 3, (80, 98), Ending.BROKEN_OFF): "reported 2/4/1 by 3 80:98 broken-off",
    events.ResultConfirmed(AT, 3): "confirmed 2/4/1 by 3",
    events.ResultDisputed(AT, 3, "faux"): 'disputed 2/4/1 by 3 "faux"',
    events.DisputedByBoard(AT, (121, 95), "1f0c"): 'disputed-by-board 2/4/1 121:95 record "1f0c"',
    events.ResultCorrected(AT, (98, 121), Ending.FINISHED, "inversé"): 'corrected 2/4/1 98:121 finished "inversé"',
    events.CardsRuled(AT, (121, 104), (16, -17)): "cards-ruled 2/4/1 121:104 spreads 16:-17",
    events.ResultChecked(AT): "checked 2/4/1",
    events.OfficialCalled(3, 0): "official-called 3 player 0",
    events.CallAnswered(3): "call-answered 3",
    events.MedalShared((3, 4)): "medal-shared 3+4",
    events.PlaceOpened(3, ""): 'place-opened 3 ""',
    events.CompetitionActUndone(17): "undone to 17",
}


@pytest.mark.parametrize(("event", "line"), LINES.items(), ids=lambda each: type(each).__name__)
def test_an_event_has_one_line_and_is_read_back(event: events.CompetitionEvent, line: str) -> None:
    assert write(event) == line
    assert read(line) == event


def test_every_event_has_a_line_here() -> None:
    assert {type(event) for event in LINES} == set(get_args(events.CompetitionEvent))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "whatever",
        "tables",
        "tables twelve",
        "tables 012",
        "tables 1 ",
        'departed 3 somewhere "x"',
        "renamed 3 Odile",
        'renamed 3 "\\u004fdile"',
        "round-drawn 1:3 byes nobody waiting nobody",
        "round-drawn + byes 5 waiting nobody",
        "seeded 1++2",
        'result 2/4 121:98 finished slip record ""',
        'registered ranked "A" players ["A""B"] captain 0',
    ],
)  # fmt: skip
def test_an_invalid_line_is_refused(line: str) -> None:
    with pytest.raises(NotationError) as wrong:
        read(line)
    assert wrong.value.text == line
