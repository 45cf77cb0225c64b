"""Competitions on paper: whole events with names that are hard to print, and printouts of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cribboard.competition import Competition, Format, see
from cribboard.competition.actions import (
    Begin,
    CheckIn,
    DrawRound,
    EndPlay,
    EnterResult,
    OpenPlace,
    Register,
    SeedEntrants,
    StartRound,
)
from cribboard.competition.medals import next_place
from cribboard.competition.next_seating import next_seating, order_of_draw
from cribboard.competition.position import is_over
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import Choice, GameAt
from cribboard.competition.view import CompetitionEye
from cribd.paper import Printout
from cribd.text import load
from cribd.text.words import Words

#: Markup, the beginning of a formula, a name of one letter, and one that is longer than any line.
NAMES = (
    "<b>Li & Co</b>",
    "Marie-Ève Desrochers-Bélanger de la Durantaye-Saint-Hilaire du Bas-Saint-Laurent",
    "=SUM(A1:A9)",
    "É",
    "Réjean « le Valet » Lévesque",
    "Jean-Baptiste Larivière-Thériault",
    "O'Neil {name}",
    "</style><script>alert(1)</script>",
)


def named(number: int) -> str:
    """The name of an entrant: the hard ones first, then hard ones with their number."""
    again, at = divmod(number - 1, len(NAMES))
    return NAMES[at] if not again else f"{NAMES[at]} {number}"


def registered(form: Format, entrants: int) -> Competition:
    """A competition with so many entrants, all there."""
    competition = Competition.start(form, tables=max(1, entrants // 2))
    for number in range(1, entrants + 1):
        players = (f"Anne {named(number)}", f"Benoît {named(number)}") if form.team_size == 2 else ()
        competition.do(Register(name=named(number), players=players))
        competition.do(CheckIn(number))
    if form.is_elimination:
        competition.do(SeedEntrants(tuple(range(1, entrants + 1))))
    return competition


def begun(form: Format, entrants: int, *, rounds: int = 1) -> Competition:
    """The same after so many rounds, and with one more drawn."""
    competition = registered(form, entrants)
    competition.do(Begin(Choice.ONE_SHORT))
    rng = Random(entrants)
    while draw(competition, rng) and len(competition.position.rounds) <= rounds:
        play_round(competition, rng)
    return competition


def played(form: Format, entrants: int) -> Competition:
    """The same after its last round."""
    competition = begun(form, entrants, rounds=999)
    competition.do(EndPlay())
    return competition


def opened(competition: Competition) -> Competition:
    """The same with every place open, whatever was not checked."""
    while (place := next_place(competition.position)) is not None:
        competition.do(OpenPlace(place, "vu"))
    return competition


def draw(competition: Competition, rng: Random) -> bool:
    """Draw the next round, if there is one."""
    position = competition.position
    order: Sequence[int] = rng.sample(range(1, len(position.entrants) + 1), len(position.entrants))
    seating = next_seating(position, order_of_draw(position, order), ahead=[])
    if seating is None:
        return False
    competition.do(DrawRound(seating))
    return True


def play_round(competition: Competition, rng: Random) -> None:
    """Play the round that was drawn."""
    competition.do(StartRound())
    held = competition.position.current
    assert held is not None
    for table in held.encounters:
        game = 1
        while (at := GameAt(held.number, table.table, game)) and not _over(competition, at):
            lost = rng.randrange(30, 121)
            scores = (121, lost) if rng.random() < 0.5 else (lost, 121)
            competition.do(EnterResult(at=at, scores=scores))
            game += 1


def _over(competition: Competition, at: GameAt) -> bool:
    encounter = competition.position.find(at)
    assert encounter is not None
    return is_over(competition.position, encounter)


def printout(
    competition: Competition,
    language: str = "fr_CA",
    *,
    eye: CompetitionEye = CompetitionEye.ORGANISER,
    round_: int = 0,
    name: str = "Tournoi <de> mars",
    date: str = "2026-03-01",
    words: Words | None = None,
) -> Printout:
    """A printout of this competition."""
    position = competition.position
    return Printout(
        heading=CompetitionHeading(format=position.format, name=name, date=date, tables=position.tables),
        view=see(position, eye),
        words=words or load(language),
        language=language,
        round=round_,
        address=lambda table: f"http://192.168.1.24:8080/event/table/{table}",
    )
