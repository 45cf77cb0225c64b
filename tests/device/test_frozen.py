"""What others rely on is as it was: commands, exit codes, JSON, files, journals, routes, messages.

`tests/frozen/given` holds records, journals, configurations and scripts of evenings; `tests/frozen/told` what an
earlier commit made of them. The code of today must give the same, line by line. Who changes an output on purpose makes
the files again with `python -m tests.frozen`, looks at the diff, and commits it with the change. Sentences are not in
them: each phrase of a catalogue is its code there (`tests/frozen/codes.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import get_args

import polib
import pytest
from tests.frozen.codes import coded, spoken_in_codes
from tests.frozen.given import journals, kinds, records
from tests.frozen.outputs import TOLD, frozen, names, tell, written
from tests.frozen.product import CATALOGUES, Acted, Action, Event, record

#: So many lines of a difference are shown.
_SHOWN = 60


#: What plays whole games or evenings.
_WHOLE_GAMES = ("records/", "evenings/", "demo", "journals/")


@pytest.fixture(scope="module", autouse=True)
def in_codes() -> Iterator[None]:
    with spoken_in_codes():
        yield


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * name.startswith(_WHOLE_GAMES)) for name in names()]
)
def test_each_output_equals_its_frozen_file(name: str) -> None:
    before, now = frozen(name).splitlines(), written(tell(name)).splitlines()
    if before != now:
        lines = list(islice(unified_diff(before, now, f"told/{name}.txt", "today", lineterm="", n=2), _SHOWN))
        meant = "If this is meant: python -m tests.frozen, and look at the diff."
        pytest.fail("\n".join([*lines, meant]), pytrace=False)


@pytest.fixture
def other_sentences(tmp_path: Path) -> Path:
    """A folder of catalogues that say everything in other words."""
    for file in CATALOGUES.glob("*.po"):
        entries = polib.pofile(str(file), encoding="utf-8")
        for entry in entries:
            entry.msgstr = entry.msgstr and f"Otherwise: {entry.msgstr}, and so on"
            entry.msgstr_plural = {form: f"Otherwise: {text}" for form, text in entry.msgstr_plural.items()}
        entries.save(str(tmp_path / file.name))
    return tmp_path


def test_no_output_changes_with_a_phrase(other_sentences: Path) -> None:
    for file in CATALOGUES.glob("*.po"):
        assert str(coded(other_sentences / file.name)) == str(coded(file))
    with spoken_in_codes(other_sentences):
        for name in ("usage", "count", "requests", "board-at-work"):
            assert written(tell(name)) == frozen(name), name


def test_every_file_of_outputs_is_compared() -> None:
    assert {str(file.relative_to(TOLD)) for file in TOLD.rglob("*.txt")} == {f"{name}.txt" for name in names()}


@pytest.mark.slow
@pytest.mark.parametrize("name", records())
def test_the_acts_of_a_record_cause_the_same_events_and_are_written_the_same(name: str) -> None:
    text = records()[name]
    read = record.read(text)
    game = read.heading.begin()
    for event in read.events:
        if isinstance(event, Acted):
            game.do(event.action)
    assert record.write(record.Record(read.heading, game.log)) == text


def test_every_kind_of_act_and_of_event_is_in_a_record() -> None:
    seen = {kind for text in records().values() for kind in kinds(record.read(text))}
    assert {kind.__name__ for kind in (*get_args(Action), *get_args(Event))} <= seen


def test_the_frozen_inputs_have_four_journals() -> None:
    assert set(journals()) == {"archive", "by-hand", "match", "three-player"}
