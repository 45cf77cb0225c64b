"""`docs/competition.md` has every format and field, with the values of the code, and a source for each value."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from tests.support.places import ROOT

from cribboard.competition import FORMATS, Format, read_format
from cribboard.competition.club_format import allowed
from cribboard.competition.formats import FIELDS, spelled
from cribboard.competition.terms import RankingCriterion

DOC = (ROOT / "docs" / "competition.md").read_text(encoding="utf-8")
PLAIN = Format(name="plain")


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its head."""
    part = DOC.partition(f"# {heading}\n")[2].partition("\n#")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def changes(form: Format) -> Iterator[list[str]]:
    for name in FIELDS:
        if (value := getattr(form, name)) != getattr(PLAIN, name):
            yield [f"`{form.name}`", f"`{name}`", f"`{spelled(value)}`"]


def assert_listed_with_sources(heading: str, wanted: list[list[str]]) -> None:
    listed = rows(heading)
    assert [row[:-1] for row in listed] == wanted, "\n".join(f"| {' | '.join(row)} | source |" for row in wanted)
    assert all(row[-1] for row in listed), "a value lacks its source"


def test_every_format_is_listed() -> None:
    assert [row[0] for row in rows("Formats")] == [f"`{name}`" for name in FORMATS]


def test_every_field_is_listed_with_what_is_allowed_and_the_source_of_its_default() -> None:
    wanted = [
        [f"`{name}`", field.says, allowed(name), f"`{spelled(getattr(PLAIN, name))}`"] for name, field in FIELDS.items()
    ]
    assert_listed_with_sources("Fields", wanted)


def test_every_value_of_a_format_is_listed_with_its_source() -> None:
    wanted = [row for form in FORMATS.values() for row in changes(form)]
    assert_listed_with_sources("What each format changes", wanted)


def test_every_amount_is_listed() -> None:
    assert [row[0] for row in rows("Ranking")] == [f"`{each}`" for each in RankingCriterion]


def test_the_example_of_a_format_can_be_played() -> None:
    example = DOC.partition("```toml\n")[2].partition("```")[0]
    assert read_format(tomllib.loads(example)).label == (
        "fadoq/2 rules=partners/2;target=61;skunk_line=31 games=6 ranking=points+wins sealed=off"
    )
