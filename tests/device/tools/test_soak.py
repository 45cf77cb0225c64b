"""A short storm of nonsense at real tables; `make bench` makes a long one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tools import soak
from tools.soak import Broken, storm

from cribd.inputs import CardRead
from cribd.table.interpret import REFUSALS
from cribd.text import phrases


@pytest.mark.slow
async def test_no_nonsense_from_wires_or_fingers_ends_the_table_or_bends_its_game(tmp_path: Path) -> None:
    weather = await storm(tmp_path, strings=4000, facts=4000)
    assert (weather.strings, weather.facts) == (4000, 4000)
    assert weather.acts > 400
    assert len(weather.refusals) > 15
    assert list(tmp_path.iterdir()) == []


async def test_a_refusal_without_words_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases.Phrases, "refusal", lambda self, refusal: (f"refusal.{refusal.code}",))
    with pytest.raises(Broken, match="has no words"):
        await storm(tmp_path, strings=10, facts=200)


async def test_a_table_that_ends_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("not a fact that is known")

    monkeypatch.setattr("cribd.table.table.interpret", fails)
    with pytest.raises(Broken, match="the table has ended"):
        await storm(tmp_path, strings=10, facts=200)


def test_a_storm_holds_every_kind_of_fact() -> None:
    chance = Random(1)
    kinds = {type(maker(chance)) for _ in range(500) for maker in soak._MAKERS}
    assert len(kinds) == 13
    assert CardRead in kinds
    assert REFUSALS
