"""Every phrase that paper asks for is in the catalogues, and none is there in vain."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import cache
from gettext import NullTranslations
from pathlib import Path

import pytest
from tests.support.catalogues import phrases_of
from tests.support.competitions import Hall, entered
from tests.support.printouts import begun, played, printout, registered

from cribboard.competition import FORMATS, Competition, read_format
from cribboard.competition.actions import (
    CorrectResult,
    Depart,
    DisputeResult,
    EndPlay,
    EnterResult,
    NoteHand,
    Penalise,
    Register,
    ReportResult,
)
from cribboard.competition.season import Finish, SeasonOutcome, SeasonRule, ranking
from cribboard.competition.terms import EntrantKind, EntrantStatus, GameAt, RankingCriterion
from cribboard.competition.view import CompetitionEye
from cribd.languages import languages
from cribd.paper import EXPORTS, SHEETS, NothingToPrint, SeasonPrintout, export, print_sheet, season_csv, season_sheet
from cribd.text.words import Words

FIRMWARE = Path(__file__).parents[3] / "firmware" / "cribd"
PAPER, COMPETITION_FILES = FIRMWARE / "paper", FIRMWARE / "web" / "kiosk" / "desk" / "competition_files.py"


class Listener(NullTranslations):
    """A catalogue that hears what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: set[str] = set()

    def gettext(self, message: str) -> str:
        self.heard.add(message)
        return ","

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1)


def disputed() -> Competition:
    """A night with whatever a mark can stand for: guests, leavers, penalties, results that do not count."""
    hall = Hall(FORMATS["acc"], 6)
    hall.do(
        Register(name="Invité", part=EntrantKind.GUEST),
        Register(name="Retard"),
        NoteHand(1, 29),
        Penalise(1, 2, "retard"),
    )
    hall.play((1, 2, 121, 60), (3, 4, 121, 50), byes=[5, 6])
    number = hall.draw((1, 2), (3, 4), (5, 6))
    hall.do(entered(number, 1, 121, 30), CorrectResult(at=GameAt(number, 1), scores=(121, 31), reason="mal lu"))
    hall.do(EnterResult(at=GameAt(number, 2), scores=(121, 9), record="ab"), DisputeResult(GameAt(number, 2), 4, "non"))
    hall.do(ReportResult(at=GameAt(number, 3), entrant=5, scores=(121, 4)))
    for entrant, status in ((3, EntrantStatus.LEFT), (4, EntrantStatus.DISQUALIFIED), (6, EntrantStatus.ABSENT)):
        hall.do(Depart(entrant, status, "parti"))
    return hall.competition


def waits() -> Competition:
    """A night with fewer tables than pairs, a game broken off, and everybody level."""
    hall = Hall(FORMATS["round-robin"], 5, tables=1)
    number = hall.draw((1, 2), byes=[5], waiting=[3, 4])
    hall.do(entered(number, 1, 80, 80, broken=True))
    return hall.competition


def level() -> Competition:
    """Two who share a medal, and a play-off between the two others."""
    hall = Hall(FORMATS["round-robin"], 4)
    hall.play((1, 2, 121, 100), (3, 4, 121, 100))
    hall.do(EndPlay())
    hall.play_off(1, 3, (121, 90), (121, 80))
    return hall.competition


def refusals() -> set[str]:
    """The codes with which a sheet or a file is refused, where it is made or asked for."""
    source = "".join(path.read_text(encoding="utf-8") for path in [*PAPER.glob("*.py"), COMPETITION_FILES])
    return set(re.findall(r'NothingToPrint\("(\w+)"', source))


@cache
def heard() -> frozenset[str]:
    """Every code that is asked of a catalogue which only listens."""
    listener = Listener()
    words = Words(listener)
    average = read_format({"format": "acc", "missing": "average", "rules": "jeux50", "ranking": ["game_points"]})
    teams = read_format({"format": "match-play", "team_size": 2, "rules": "fadoq", "skunk_wins": 1, "games": 4})
    more = read_format({"format": "match-play", "games": 3, "rules": "six-card/2 target=61 skunk_line=31"})
    robin = read_format({"format": "fadoq", "movement": "scheduled", "games": "all"})
    short = read_format({"format": "fadoq", "games": 2})
    events = [registered(form, 4) for form in (*FORMATS.values(), average, teams, more, robin)]
    events += [
        begun(FORMATS["jeux50"], 9),
        begun(FORMATS["single-elimination"], 4),
        played(short, 4),
        disputed(),
        level(),
        registered(FORMATS["acc"], 0),
        waits(),
    ]
    for competition in events:
        for eye in CompetitionEye:
            out = printout(competition, words=words, eye=eye)
            with_record = replace(out, records={"ab": "Cribboard game 1"})
            for sheet in SHEETS:
                with suppress(NothingToPrint):
                    print_sheet(sheet, with_record)
            for file in EXPORTS:
                export(file, with_record)
    for month in range(1, 13):
        print_sheet("event", printout(events[0], words=words, name="", date=f"2026-{month:02}-11"))
    for criterion in RankingCriterion:
        out.criterion(criterion)
    out = printout(events[0], words=words)
    for place in (1, 2, 3):
        out.say(f"certificate.place.{place}")
    for code in refusals():
        NothingToPrint(code).in_words(words)
    evening = SeasonOutcome("", "", RankingCriterion.POINTS, (Finish("Odile", ("Odile",), 1, 900),))
    for counting in (None, 3):
        rule = SeasonRule(counting=counting, min_events=2)
        made = ranking(rule, [evening])
        season = SeasonPrintout(name="", rule=rule, outcomes=[evening], rows=made, words=words, language="en")
        season_sheet(season)
        season_csv(season)
    return frozenset(listener.heard)


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_no_phrase_of_paper_is_missing_and_none_is_unused(language: str) -> None:
    there = {code for code in phrases_of(language) if code.startswith("paper.")}
    asked = {code for code in heard() if code.startswith("paper.")}
    assert asked - there == set(), "missing"
    assert there - asked == set(), "unused"


def test_every_refusal_has_a_phrase() -> None:
    assert {f"paper.refused.{code}" for code in refusals()} == {
        code for code in phrases_of("en") if code.startswith("paper.refused.")
    }


def test_french_paper_has_the_spaces_and_signs_of_french() -> None:
    for code, text in phrases_of("fr_CA").items():
        if code.startswith("paper."):
            assert not re.search(r"[^\u00a0][:!?%](\s|$)", text), f"{code}: {text}"
            assert "'" not in text, f"{code}: {text}"
