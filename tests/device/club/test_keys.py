"""The key of a machine in a club: it is made once, its owner alone reads it, and a signature is of one text."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from cribd.club.keys import FILE_NAME, KeyDamaged, is_id, load_or_make, verify

TEXT = b'{"scores":[121,90]}'


def test_a_key_is_made_once_and_is_the_same_after_a_restart(tmp_path: Path) -> None:
    made, again = (load_or_make(tmp_path / "journal.db") for _ in range(2))
    assert made.id == again.id
    assert is_id(made.id)
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


def test_only_its_owner_reads_the_key(tmp_path: Path) -> None:
    assert load_or_make(tmp_path / "journal.db").file.stat().st_mode & 0o777 == 0o600


def test_two_machines_have_two_keys(tmp_path: Path) -> None:
    ids = set()
    for name in "ab":
        (tmp_path / name).mkdir()
        ids.add(load_or_make(tmp_path / name / "journal.db").id)
    assert len(ids) == 2


def test_a_signature_is_of_one_key_and_one_text(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    key, other = load_or_make(tmp_path / "journal.db"), load_or_make(tmp_path / "other" / "journal.db")
    signature = key.sign(TEXT)
    assert verify(key.id, TEXT, signature)
    assert not verify(other.id, TEXT, signature)
    assert not verify(key.id, TEXT.replace(b"121", b"120"), signature)


@pytest.mark.parametrize("signature", [b"", b"short", bytes(64), bytes(65), b"\xff" * 64])
def test_an_invalid_signature_does_not_verify(tmp_path: Path, signature: bytes) -> None:
    assert not verify(load_or_make(tmp_path / "journal.db").id, TEXT, signature)


@pytest.mark.parametrize("machine", ["", "hub", "../hub", "+", "0F" * 32, "0f" * 31, "0f" * 33, "0f" * 32 + "\n"])
def test_a_signature_by_an_invalid_identity_does_not_verify(tmp_path: Path, machine: str) -> None:
    assert not verify(machine, TEXT, load_or_make(tmp_path / "journal.db").sign(TEXT))


def key_of_another_kind() -> bytes:
    made = generate_private_key(SECP256R1())
    return made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize("content", [b"", b"\0" * 120, b"-----BEGIN PRIVATE KEY-----\n", key_of_another_kind()])
def test_a_damaged_key_file_is_named_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(KeyDamaged, match=r"club-key\.pem is no Ed25519 key of a club\. Copy it from a backup"):
        load_or_make(tmp_path / "journal.db")
    assert (tmp_path / FILE_NAME).read_bytes() == content


def test_a_key_that_is_cut_off_at_any_byte_is_damaged(tmp_path: Path) -> None:
    whole = load_or_make(tmp_path / "journal.db").file.read_bytes().rstrip()
    for length in range(len(whole) - 1):
        (tmp_path / FILE_NAME).write_bytes(whole[:length])
        with pytest.raises(KeyDamaged):
            load_or_make(tmp_path / "journal.db")
