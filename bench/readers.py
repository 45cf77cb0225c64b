"""Measures the decoders of the readers, and runs the fuzz test of `tools.fuzz` at real tables.

Decoders are fed a reader's bytes without a pause, in pieces as a port delivers them. The fuzz test sends random byte
strings and random inputs to as many boards at once as there are cores, and ends with an error if a board does not
survive. `CRIBBOARD_STORM=1000000` makes it longer.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tools.fuzz import Totals, fuzz_boards

from cribd.readers.barcode import BarcodeScanner
from cribd.readers.labels import CARDS, write_label
from cribd.readers.pn532 import Pn532
from cribd.readers.rdm6300 import Rdm6300
from cribd.twin.chips import pn532, rdm6300

BYTES = 2_000_000
PIECE = 256
STORM = 150_000
ROUNDS = 3


def decoding() -> dict[str, float]:
    """Measure the megabytes per second of each decoder."""
    return {
        "scanner_decoder_mb_per_second": _best(_scanner),
        "rdm6300_decoder_mb_per_second": _best(_rdm6300),
        "pn532_decoder_mb_per_second": _best(_pn532),
    }


def nonsense() -> dict[str, float]:
    """Run the fuzz test, and return its totals."""
    strings = int(os.environ.get("CRIBBOARD_STORM", STORM))
    begin = time.perf_counter()
    totals = _fuzz(strings)
    return {
        "storm_seconds": time.perf_counter() - begin,
        "storm_byte_strings": totals.strings,
        "storm_facts": totals.inputs,
        "storm_events": totals.acts,
        "storm_games": totals.games,
        "storm_refusals": sum(totals.refusals.values()),
        "storm_kinds_of_refusals": len(totals.refusals),
    }


def _best(measure: Callable[[], tuple[int, float]]) -> float:
    return max(size / seconds / 1e6 for size, seconds in (measure() for _ in range(ROUNDS)))


def _fed(data: bytes, feed: Callable[[bytes], object]) -> tuple[int, float]:
    pieces = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
    begin = time.thread_time()
    for piece in pieces:
        feed(piece)
    return len(data), time.thread_time() - begin


def _scanner() -> tuple[int, float]:
    pack = b"".join(write_label("rouge", card).encode() + b"\r\n" for card in CARDS)
    return _fed(pack * (BYTES // len(pack)), BarcodeScanner().feed)


def _rdm6300() -> tuple[int, float]:
    chip = rdm6300.Rdm6300Chip()
    chip.put_tags_in_field(("62E3086CED",))
    return _fed(chip.frame() * (BYTES // len(chip.frame())), Rdm6300().feed)


def _pn532() -> tuple[int, float]:
    """Measure the PN532's decoder with every poll asked and answered, as when a card lies there for ever."""
    driver, chip = Pn532(), pn532.Pn532Chip()
    now, size, busy = 0.0, 0, 0.0
    chip.put_tags_in_field(("047FA99A1F6680",))
    while size < BYTES:
        now = max(now, driver.due)
        driver.tick(now)
        said = b"".join(chip.receive(driver.to_send()))
        begin = time.thread_time()
        while said:
            driver.feed(said, now)
            busy += time.thread_time() - begin
            size += len(said)
            said = b"".join(chip.receive(driver.to_send()))
            begin = time.thread_time()
    return size, busy


def _fuzz(many: int) -> Totals:
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores) as pool:
        shares = [(many // cores + (core < many % cores), core + 1) for core in range(cores)]
        parts = list(pool.map(_fuzz_share, shares))
    whole = Totals(refusals=Counter())
    for part in parts:
        whole.strings += part.strings
        whole.inputs += part.inputs
        whole.acts += part.acts
        whole.games += part.games
        whole.refusals += part.refusals
    return whole


def _fuzz_share(share: tuple[int, int]) -> Totals:
    many, seed = share
    with tempfile.TemporaryDirectory(prefix="cribboard-storm-", dir=_fast()) as name:
        return asyncio.run(fuzz_boards(Path(name), strings=many, inputs=many, seed=seed))


def _fast() -> str | None:
    """Return a folder in memory if there is one, because the disk is not to be measured."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


PARTS = (decoding, nonsense)
