"""What others rely on is as it was: commands, exit codes, JSON, files, journals, routes, messages, spoken words.

`tests/frozen/given` holds records, journals, configurations and scripts of evenings; `tests/frozen/told` what an
earlier commit made of them. The code of today must give the same, line by line. Who changes an output on purpose makes
the files again with `python -m tests.frozen`, looks at the diff, and commits it with the change.
"""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice
from typing import get_args

import pytest
from tests.frozen.given import journals, kinds, records
from tests.frozen.outputs import TOLD, kept, names, tell, written
from tests.frozen.product import Acted, Action, Event, record

#: So many lines of a difference are shown.
_SHOWN = 60


#: What plays whole games or evenings.
_WHOLE_GAMES = ("records/", "evenings/", "demo", "journals/")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * name.startswith(_WHOLE_GAMES)) for name in names()]
)
def test_an_output_is_as_it_was(name: str) -> None:
    told, now = kept(name).splitlines(), written(tell(name)).splitlines()
    if told != now:
        lines = list(islice(unified_diff(told, now, f"told/{name}.txt", "today", lineterm="", n=2), _SHOWN))
        meant = "If this is meant: python -m tests.frozen, and look at the diff."
        pytest.fail("\n".join([*lines, meant]), pytrace=False)


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


def test_there_are_journals_to_look_at() -> None:
    assert set(journals()) == {"archive", "by-hand", "match", "three-player"}
