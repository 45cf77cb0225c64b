"""A noisy reader: errors come as often as asked, and never make another card of one."""

from __future__ import annotations

from random import Random

import pytest

from cribd.inputs import CardRead, Input, ReadFailed, TagRead
from cribd.readers.barcode import BarcodeScanner
from cribd.readers.labels import write_label
from cribd.readers.rdm6300 import Rdm6300
from cribd.readers.scan_resolver import ScanResolver
from cribd.twin.chips.rdm6300 import Rdm6300Chip
from cribd.twin.noise import Noise, ReadError
from cribd.twin.tags import CARDS, tag_of
from cribd.wires import ReaderKind

LABEL = b"CRIB/TWIN/5H/1\r"


def test_the_same_seed_makes_the_same_noise() -> None:
    once, again = (Noise(0.5, Random(7)) for _ in range(2))
    assert [once.corrupt(LABEL) for _ in range(100)] == [again.corrupt(LABEL) for _ in range(100)]


@pytest.mark.parametrize(("share", "whole"), [(0, 1000), (1, 0), (0.1, 900)])
def test_the_share_of_errors_is_the_given_one(share: float, whole: int) -> None:
    noise = Noise(share, Random(3))
    assert sum(noise.corrupt(LABEL) == LABEL for _ in range(1000)) == pytest.approx(whole, abs=40)
    assert sum(noise.next_mishap() is None for _ in range(1000)) == pytest.approx(whole, abs=40)


def test_every_kind_of_error_occurs() -> None:
    noise = Noise(1, Random(3))
    assert {noise.next_mishap() for _ in range(100)} == set(ReadError)
    assert {len(noise.corrupt(LABEL)) for _ in range(500)} == set(range(len(LABEL) + 1))
    assert noise.corrupt(b"") == b""


def test_noise_never_turns_a_label_into_another_card() -> None:
    noise, lines, now = Noise(0.5, Random(5)), BarcodeScanner(), 0.0
    evidence = ScanResolver(lambda _: None)
    for card in CARDS * 20:
        now += 5
        inputs: list[Input] = lines.feed(noise.corrupt(write_label("twin", card).encode() + b"\r"))
        reported = evidence.resolve(inputs, now)
        assert all(
            given_input in (CardRead(card), ReadFailed("reader"))
            for given_input in reported
            if not_another_deck(given_input)
        ), reported


def not_another_deck(given_input: Input) -> bool:
    """A letter lost from a deck's name is found but for one time in 36, and then the card is still the right one."""
    return isinstance(given_input, CardRead | ReadFailed) and not (
        isinstance(given_input, CardRead) and len(given_input.text) > 2
    )


def test_noise_never_turns_a_tag_into_another_tag() -> None:
    noise, decoder, chip = Noise(0.5, Random(5)), Rdm6300(), Rdm6300Chip()
    for card in CARDS * 20:
        uid = tag_of(card, ReaderKind.RDM6300)
        chip.put_tags_in_field((uid,))
        for _ in range(3):
            assert set(decoder.feed(noise.corrupt(chip.frame()))) <= {TagRead(uid), ReadFailed("reader")}
