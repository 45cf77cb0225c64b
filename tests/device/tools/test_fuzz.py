"""A short fuzz test of real tables; `make bench` makes a long one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tools import fuzz
from tools.fuzz import Broken, fuzz_boards

from cribd.inputs import CardRead
from cribd.text import phrases


@pytest.mark.slow
async def test_random_bytes_and_presses_neither_stop_the_table_nor_corrupt_its_game(tmp_path: Path) -> None:
    totals = await fuzz_boards(tmp_path, strings=4000, inputs=4000)
    assert (totals.strings, totals.inputs) == (4000, 4000)
    assert totals.acts > 400
    assert len(totals.refusals) > 15
    assert list(tmp_path.iterdir()) == []


async def test_a_refusal_without_words_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases.Phrases, "refusal", lambda self, refusal: (f"refusal.{refusal.code}",))
    with pytest.raises(Broken, match="has no words"):
        await fuzz_boards(tmp_path, strings=10, inputs=200)


async def test_the_fuzzer_reports_a_table_that_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("not an input that is known")

    monkeypatch.setattr("cribd.table.table.interpret", fails)
    with pytest.raises(Broken, match="the table has ended"):
        await fuzz_boards(tmp_path, strings=10, inputs=200)


def test_a_fuzz_test_holds_every_kind_of_input() -> None:
    rng = Random(1)
    kinds = {type(maker(rng)) for _ in range(500) for maker in fuzz._MAKERS}
    assert len(kinds) == 13
    assert CardRead in kinds
