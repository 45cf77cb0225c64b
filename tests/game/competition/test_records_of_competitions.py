"""Records of competitions: the text reads back to the same competition, and what was changed in it shows."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.competitions import Hall

from cribboard.cards import NotationError
from cribboard.competition import FORMATS, Format, FormatError
from cribboard.competition.actions import UndoCompetitionAct
from cribboard.competition.club_format import changed
from cribboard.competition.events import CompetitionActUndone, Registered
from cribboard.competition.formats import FIELDS
from cribboard.competition.record import CompetitionHeading, CompetitionRecord, played, read, read_heading, write
from cribboard.competition.terms import EntrantKind
from cribboard.record import RecordError

WORDS = st.text(st.characters(exclude_categories=("C", "Z")), max_size=30)


def any_value(name: str) -> st.SearchStrategy[Any]:
    field = FIELDS[name]
    if isinstance(field.kind, type) and issubclass(field.kind, StrEnum):
        return st.sampled_from(list(field.kind))
    return st.integers(field.low, field.high) if field.high else st.just(getattr(FORMATS["acc"], name))


@st.composite
def formats(draw: st.DrawFn) -> Format:
    form = draw(st.sampled_from(list(FORMATS.values())))
    for name in draw(st.lists(st.sampled_from(list(FIELDS)), unique=True, max_size=4)):
        try:
            form = changed(form, {name: draw(any_value(name))})
        except FormatError:
            continue
    return form


@given(formats(), WORDS, WORDS, st.integers(0, 300))
def test_a_heading_reads_back_to_the_same_format_name_date_and_tables(
    form: Format, name: str, date: str, tables: int
) -> None:
    heading = CompetitionHeading(format=form, name=name, date=date, tables=tables)
    assert read_heading("\n".join(heading.lines())) == heading


def test_a_record_of_an_earlier_version_may_have_longer_names() -> None:
    heading = CompetitionHeading(format=FORMATS["acc"], name=300 * "M")
    held = CompetitionRecord(heading, (Registered(EntrantKind.RANKED, 0, 300 * "N", (300 * "N",)),))
    assert read(write(held)) == held
    assert played(read(write(held))).position.entrants[0].name == 300 * "N"


@given(
    st.lists(st.builds(Registered, st.sampled_from(EntrantKind), st.integers(0, 1), st.text(), st.tuples(st.text())))
)
def test_a_record_reads_back_to_the_same_events(events: list[Registered]) -> None:
    held = CompetitionRecord(CompetitionHeading(format=FORMATS["fadoq"], name="Mars"), tuple(events))
    assert read(write(held)) == held
    assert read(write(held).replace("\n", "\r\n")) == held


def test_a_record_reads_back_to_the_same_competition() -> None:
    heading = CompetitionHeading(format=FORMATS["acc"], name="Mardi", date="2026-03-03", tables=99)
    hall = Hall(heading.format, 4)
    hall.play((1, 2, 121, 80), (3, 4, 121, 119))
    hall.play((1, 3, 90, 121), (2, 4, 121, 119))
    hall.do(UndoCompetitionAct())
    held = CompetitionRecord(heading, hall.competition.log)
    again = played(read(write(held)))
    assert (again.position, again.log) == (hall.now, hall.competition.log)


def test_a_heading_has_the_format_whole_so_that_a_later_program_with_other_presets_reads_it() -> None:
    lines = CompetitionHeading(format=FORMATS["jeux50"]).lines()
    assert {line.partition(":")[0] for line in lines} >= set(FIELDS)
    assert "rules: jeux50/2" in lines, "the version of the rulings too"


def test_a_changed_word_breaks_the_chain() -> None:
    text = write(
        CompetitionRecord(
            CompetitionHeading(format=FORMATS["acc"]), (Registered(EntrantKind.RANKED, 0, "Odile", ("Odile",)),)
        )
    )
    with pytest.raises(RecordError, match="the chain does not fit"):
        read(text.replace("Odile", "Odila"))
    with pytest.raises(RecordError, match="the chain does not fit"):
        read(text.replace("games: 9", "games: 8"))


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("Cribboard competition 1", "Cribboard competition 2", "begins with"),
        ("Format: acc/2", "Format: acc/9", "up to version 2"),
        ("Format: acc/2", "Format: bingo/2", "bingo"),
        ("games: 9", "games: 0", "1 to 99"),
        ("games: 9\n", "", "lacks 'games'"),
        ("games: 9", "games: 09", "spelled otherwise"),
        ("Tables: 4", "Tables: 301", "0 to 300"),
        ("Tables: 4", "Tables: four", "0 to 300"),
        ("sealed: off", "seeled: off", "wanted one of"),
    ],
)
def test_a_heading_that_is_not_sound_is_refused_with_its_line(before: str, after: str, reason: str) -> None:
    text = "\n".join(CompetitionHeading(format=FORMATS["acc"], tables=4).lines())
    assert before in text
    with pytest.raises(RecordError, match=reason):
        read_heading(text.replace(before, after))


@pytest.mark.parametrize("values", [{"name": " Mars"}, {"date": "two\nlines"}, {"tables": -1}])
def test_a_heading_holds_only_what_a_record_can_hold(values: dict[str, Any]) -> None:
    with pytest.raises(NotationError):
        replace(CompetitionHeading(format=FORMATS["acc"]), **values)


def test_a_record_with_an_event_that_cannot_be_applied_is_refused() -> None:
    with pytest.raises(RecordError, match="no competition hears this"):
        played(CompetitionRecord(CompetitionHeading(format=FORMATS["acc"]), (CompetitionActUndone(5),)))
