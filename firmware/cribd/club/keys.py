"""The Ed25519 key of a hub or a board.

Only the owner can read the file. The public key as 64 hexadecimal digits identifies the machine everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from cribboard.validation import Message
from cribd.storage.journal_backup import write_whole

FILE_NAME = "club-key.pem"


class KeyDamaged(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """The key file holds no Ed25519 key."""


@dataclass(frozen=True, slots=True)
class ClubKey:
    """The private key of this machine. `id` is its public key."""

    private: Ed25519PrivateKey = field(repr=False)
    file: Path

    @property
    def id(self) -> str:
        """The public key as 64 hexadecimal digits."""
        return self.private.public_key().public_bytes_raw().hex()

    def sign(self, data: bytes) -> bytes:
        """Return the 64-byte signature of `data`."""
        return self.private.sign(data)


def load_or_make(journal: Path) -> ClubKey:
    """Read the key file beside this journal, or make one. Raises `KeyDamaged`, OSError.

    Only the process that holds the journal makes a key, so no two of them make one at once."""
    file = journal.with_name(FILE_NAME)
    if not file.exists():
        made = Ed25519PrivateKey.generate()
        write_whole(file, made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return read_key(file)


def read_key(file: Path) -> ClubKey:
    """Read the key in this file. Raises `KeyDamaged`, OSError."""
    try:
        private = load_pem_private_key(file.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as wrong:
        raise KeyDamaged(_damaged(file)) from wrong
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyDamaged(_damaged(file))
    return ClubKey(private, file)


def is_id(text: str) -> bool:
    """Whether a text can be the identity of a machine.

    That is 64 hexadecimal digits in lower case.

    >>> is_id("0f" * 32), is_id("0F" * 32), is_id("hub")
    (True, False, False)
    """
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def verify(machine: str, data: bytes, signature: bytes) -> bool:
    """Whether the machine with this identity has signed `data`.

    False also if `machine` is no identity."""
    if not is_id(machine):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(machine)).verify(signature, data)
    except InvalidSignature:
        return False
    return True


def _damaged(file: Path) -> Message:
    return Message(
        "club.key_damaged",
        "{file} is no Ed25519 key of a club. Copy it from a backup of the club, or delete it and join the club again.",
        file=file,
    )
