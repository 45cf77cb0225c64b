"""The encrypted backup of a hub's key and journal.

A laptop that restores it is the same hub: boards know the hub by its key alone. The file is encrypted, because the key
lets its holder be the hub. It is `CLUB_MAGIC`, how the phrase becomes a key (RFC 7914, scrypt), a nonce, and then,
encrypted by ChaCha20-Poly1305 (RFC 8439), the length of the key file, the key file and the journal. The cipher vouches
for the first part too.
"""

from __future__ import annotations

import secrets
import struct
import unicodedata
import zlib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from cribboard.validation import Message
from cribd.club.joining_words import WORDS
from cribd.club.keys import FILE_NAME, read_key
from cribd.storage.journal_backup import CLUB_MAGIC, open_copy, write_new

#: The fewest letters and digits of a phrase, without spaces.
SHORTEST = 12
#: How many words a proposed phrase has.
_WORD_COUNT = 5
#: scrypt's cost: 2 to the power of this, block size and parallelism: 64 MiB, and 0.3 s on a desktop.
_COST = (16, 8, 1)
#: The highest cost that is read, so that a damaged file does not ask for all memory.
_MOST_COST = (18, 8, 4)
#: Version, cost (3), salt, nonce.
_HEAD = struct.Struct(">4B16s12s")
_VERSION = 1
_LENGTH = struct.Struct(">I")


class NoClubBackup(Exception):  # noqa: N818 (what somebody gave, not an error of the caller)
    """The file cannot be read as a backup of a club.

    The phrase is wrong, the file is damaged or of another kind, or a newer release has made the file."""


@dataclass(frozen=True, slots=True)
class ClubCopy:
    """The key file and the journal in a backup."""

    key: bytes
    journal: bytes


def propose_phrase() -> str:
    """Make a random phrase of five words (40 bits).

    One machine needs about a thousand years to try all such phrases."""
    return " ".join(secrets.choice(WORDS) for _ in range(_WORD_COUNT))


def is_long_enough(phrase: str) -> bool:
    """Whether a phrase has enough characters, not counting its spaces.

    >>> is_long_enough("bison zoom"), is_long_enough("Bison  zoom image")
    (False, True)
    """
    return len(_normalised(phrase).replace(" ", "")) >= SHORTEST


def back_up_club(journal: Path, to: Path, phrase: str) -> None:
    """Write the backup to the new file `to`.

    The file appears only when it is complete. The hub may run meanwhile. Raises OSError, `ArchiveAway` where the
    journal is unreadable, `KeyDamaged` where no key is beside it."""
    key = journal.with_name(FILE_NAME)
    read_key(key)
    with closing(open_copy(journal)) as copy:
        write_new(to, encrypt(ClubCopy(key.read_bytes(), copy.read()), phrase))


def encrypt(copy: ClubCopy, phrase: str) -> bytes:
    """Encrypt a copy into the content of a backup file."""
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    head = CLUB_MAGIC + _HEAD.pack(_VERSION, *_COST, salt, nonce)
    content = _LENGTH.pack(len(copy.key)) + copy.key + copy.journal
    return head + _cipher(phrase, salt, _COST).encrypt(nonce, zlib.compress(content), head)


def decrypt(content: bytes, phrase: str) -> ClubCopy:
    """Decrypt the content of a backup file. Raises `NoClubBackup`."""
    size = len(CLUB_MAGIC) + _HEAD.size
    head, secret = content[:size], content[size:]
    if len(head) < size or not head.startswith(CLUB_MAGIC):
        raise NoClubBackup(_refused())
    version, *cost, salt, nonce = _HEAD.unpack_from(head, len(CLUB_MAGIC))
    if version > _VERSION:
        raise NoClubBackup(Message("club.backup_newer", "it is from a newer release, which has to be installed first"))
    if not all(1 <= value <= most for value, most in zip(cost, _MOST_COST, strict=True)):
        raise NoClubBackup(_refused())
    try:
        plain = zlib.decompress(_cipher(phrase, salt, cost).decrypt(nonce, secret, head))
    except InvalidTag as wrong:
        raise NoClubBackup(_refused()) from wrong
    end = _LENGTH.size + _LENGTH.unpack_from(plain)[0]
    return ClubCopy(plain[_LENGTH.size : end], plain[end:])


def _cipher(phrase: str, salt: bytes, cost: tuple[int, ...] | list[int]) -> ChaCha20Poly1305:
    power, block, parallel = cost
    return ChaCha20Poly1305(Scrypt(salt, 32, 2**power, block, parallel).derive(_normalised(phrase).encode()))


def _normalised(phrase: str) -> str:
    """Normalise the capitals, spaces and accents of a phrase."""
    return " ".join(unicodedata.normalize("NFKC", phrase).casefold().split())


def _refused() -> Message:
    return Message("club.backup_refused", "the phrase is not the right one, or the file is damaged")
