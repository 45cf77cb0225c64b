"""The backup of a club is opened by its phrase alone, and nothing in it can be changed unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.journals import ACTS, played

from cribd.club.encrypted_backup import (
    ClubCopy,
    NoClubBackup,
    back_up_club,
    decrypt,
    encrypt,
    is_long_enough,
    propose_phrase,
)
from cribd.club.joining_words import WORDS
from cribd.club.keys import load_or_make
from cribd.storage.journal_backup import CLUB_MAGIC

COPY = ClubCopy(b"the key", b"the journal, of some length " * 20)
PHRASE = "Caribou  légère zigzag"


@pytest.fixture(scope="module")
def content() -> bytes:
    return encrypt(COPY, PHRASE)


@pytest.mark.parametrize("typed", [PHRASE, "caribou le\u0301ge\u0300re ZIGZAG\n"])
def test_the_phrase_opens_a_backup_however_it_is_typed(content: bytes, typed: str) -> None:
    assert decrypt(content, typed) == COPY


def test_another_phrase_does_not_open_it(content: bytes) -> None:
    with pytest.raises(NoClubBackup, match="phrase"):
        decrypt(content, "caribou légère zircon")


def test_neither_key_nor_journal_is_in_it_in_the_clear(content: bytes) -> None:
    assert COPY.key not in content
    assert b"journal" not in content


@pytest.mark.parametrize("at", [0, *range(len(CLUB_MAGIC), len(CLUB_MAGIC) + 32, 5), -1, -17])
def test_a_changed_byte_is_refused(content: bytes, at: int) -> None:
    changed = bytearray(content)
    changed[at] ^= 0x40
    with pytest.raises(NoClubBackup):
        decrypt(bytes(changed), PHRASE)


@pytest.mark.parametrize("length", [3, len(CLUB_MAGIC) + 20, -1])
def test_a_file_that_was_cut_off_is_refused(content: bytes, length: int) -> None:
    with pytest.raises(NoClubBackup):
        decrypt(content[:length], PHRASE)


def test_a_backup_of_a_later_release_says_so(content: bytes) -> None:
    later = bytearray(content)
    later[len(CLUB_MAGIC)] = 2
    with pytest.raises(NoClubBackup, match="newer"):
        decrypt(bytes(later), PHRASE)


def test_a_proposed_phrase_is_five_words_and_long_enough() -> None:
    phrase = propose_phrase()
    assert len(phrase.split()) == 5
    assert set(phrase.split()) <= set(WORDS)
    assert is_long_enough(phrase)
    assert phrase != propose_phrase()


def test_a_backup_never_takes_the_place_of_a_file_and_leaves_none_beside(tmp_path: Path) -> None:
    played(tmp_path / "journal.db", *ACTS)
    load_or_make(tmp_path / "journal.db")
    there = sorted(tmp_path.iterdir())
    to = tmp_path / "stick.club"
    back_up_club(tmp_path / "journal.db", to, PHRASE)
    assert sorted(tmp_path.iterdir()) == sorted([*there, to])
    written = to.read_bytes()
    with pytest.raises(FileExistsError):
        back_up_club(tmp_path / "journal.db", to, PHRASE)
    assert to.read_bytes() == written
