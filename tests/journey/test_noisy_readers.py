"""Whole games with readers as they are: noisy, each kind of them, and pulled out in the middle of a deal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.seat import BOARD, seat

from cribboard import Card
from cribboard.position import Phase
from cribd.cli.demo import play
from cribd.inputs import Fault, FaultKind
from cribd.readers.decks import Deck, folder_of, save_deck
from cribd.twin.tags import CARDS, tag_of
from cribd.wires import ReaderKind


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(ReaderKind))
async def test_robots_play_a_game_with_a_noisy_reader_of_each_kind(tmp_path: Path, kind: ReaderKind) -> None:
    diary: list[dict[str, Any]] = []
    tally = await play(
        BOARD, tmp_path, games=1, way="verify", wrong=0.2, noise=0.2, reader=kind, seed=4,
        diary=diary.append, progress=lambda *_: None,
    )  # fmt: skip
    assert sum(tally.games.values()) == 1
    assert tally.counts["misread"] > 5
    assert tally.counts["scans"] == sum("scan" in entry for entry in diary)


@pytest.mark.parametrize("kind", list(ReaderKind))
async def test_a_reader_pulled_out_in_mid_deal_is_reported_and_nothing_is_lost(
    tmp_path: Path, kind: ReaderKind
) -> None:
    async with seat(tmp_path, kind) as at:
        await at.fingers.scan(Card.parse("5D"))
        at.twin.unplug("reader")
        await at.time(0.5)
        assert at.faults() == (Fault(FaultKind.READER_SILENT, "reader"),)
        assert at.device.table.position is not None
        before = at.device.table.position
        at.twin.plug("reader")
        await at.time(2.5)
        assert at.faults() == ()
        assert at.device.table.position == before
        await at.fingers.scan(Card.parse("TD"))
        assert at.device.table.position.count == 15
        assert at.device.table.position.phase is Phase.PLAY
        assert at.device.failure() is None


async def test_a_card_of_the_neighbour_table_is_refused_by_the_name_of_its_deck(tmp_path: Path) -> None:
    async with seat(tmp_path, ReaderKind.PN532) as at:
        folder = folder_of(at.config.journal_path)
        other = {tag_of(card, ReaderKind.PN532, "salon"): card for card in CARDS}
        stranger = tag_of("9H", ReaderKind.PN532, "salon")
        at.twin.put_tags_in_field("reader", stranger)
        await at.time(0.3)
        assert at.fingers.snapshot.refusal is not None
        assert at.fingers.snapshot.refusal.code == "unknown_tag"
        at.twin.take_tags_from_field("reader")
        save_deck(folder, Deck("salon", other))
        await at.time(1.3)
        for _ in range(20):  # a thread looks for new decks, by its own clock
            at.twin.put_tags_in_field("reader", stranger)
            await at.time(1.3)
            if at.fingers.snapshot.refusal.code == "other_deck":
                break
            at.twin.take_tags_from_field("reader")
            await at.time(1.3)
        assert (at.fingers.snapshot.refusal.code, at.fingers.snapshot.refusal.values) == (
            "other_deck",
            {"deck": "salon"},
        )


async def test_two_stacked_cards_are_named_and_neither_counts(tmp_path: Path) -> None:
    async with seat(tmp_path, ReaderKind.PN532) as at:
        at.twin.put_tags_in_field("reader", *(tag_of(card, ReaderKind.PN532) for card in ("5D", "TD")))
        await at.time(0.3)
        assert at.fingers.snapshot.refusal is not None
        assert at.fingers.snapshot.refusal.code == "two_cards"
        assert {str(card) for card in at.fingers.snapshot.refusal.values.values()} == {"5D", "TD"}
        assert at.device.table.position is not None
        assert at.device.table.position.count == 0


async def test_the_same_card_read_five_times_in_a_second_is_laid_once(tmp_path: Path) -> None:
    async with seat(tmp_path, ReaderKind.SCANNER) as at:
        for _ in range(5):
            at.twin.scan(b"5D\r")
            await at.time(0.15)
        assert at.fingers.snapshot.refusal is None
        assert at.device.table.position is not None
        assert at.device.table.position.count == 5
