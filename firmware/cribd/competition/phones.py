"""The phones at the tables of a competition.

The key of a table is in the QR code of its card. A captain receives a code at check-in; the phone that sends it is the
captain's (FADOQ, 1: only a captain calls an official). Both are computed from a secret of the competition, which is
made at the first use and never leaves the journal. A phone has a random key of its own, of which only the hash is
stored. So the phones of a hall still work after a restart. After an undo of a registration the next entrant has the
same number, but neither the phone nor the code.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

from cribboard.competition.view import EntrantView
from cribd.storage.journal import Journal

#: The bytes of a table's key, and the digits of a captain's code after the entrant's number.
_KEY_BYTES = 12
_CODE_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone and its entrant.

    `registered` is the number of the event that registered the `entrant`. `captain` is the index of the player whose
    code the phone sent, or None if it sent only the key of a table."""

    entrant: int
    registered: int
    captain: int | None


class Phones:
    """The phones of one competition of the journal.

    Create it in a thread, since it reads the journal, and writes it if the secret is new. Raises `JournalDamaged`,
    `JournalAway`.

    An entrant has one phone at its table and one of its captain: a new one takes over."""

    def __init__(self, journal: Journal, competition: int) -> None:
        self.competition = competition
        self._journal = journal
        self._name = f"phones of competition {competition}"
        self._phones: dict[str, Phone] = {}  # by the hash of the phone's key
        found = _read(journal.setting(self._name))
        self._secret, self._phones = found or (secrets.token_bytes(32), {})
        if found is None:
            self._write(self._phones)

    def table_key(self, table: int) -> str:
        """Return the key of a table."""
        return urlsafe_b64encode(self._mac(f"table {table}")[:_KEY_BYTES]).decode()

    def table_path(self, table: int) -> str:
        """Return the path of a table's page, with the key."""
        return f"/event/table/{table}?key={self.table_key(table)}"

    def is_table_key(self, table: int, key: str) -> bool:
        """Whether `key` is the key of this table."""
        return hmac.compare_digest(self.table_key(table).encode(), key.encode())

    def captain_code(self, entrant: EntrantView) -> str:
        """Return the code of an entrant's captain, such as `12-493817`."""
        who = f"captain {entrant.number} {entrant.registered} {entrant.captain}"
        digits = int.from_bytes(self._mac(who)[:8]) % 10**_CODE_DIGITS
        return f"{entrant.number}-{digits:0{_CODE_DIGITS}}"

    def find_captain(self, code: str, entrants: Sequence[EntrantView]) -> EntrantView | None:
        """Find the entrant whose captain has this code, or None.

        `entrants` are those of the organiser's view. Only the entrant named in the code is compared. Signs and spaces
        between digits do not count."""
        digits = re.sub(r"\D", "", code, flags=re.ASCII)
        named = next((entrant for entrant in entrants if str(entrant.number) == digits[:-_CODE_DIGITS]), None)
        if named is None:
            return None
        wanted = self.captain_code(named).replace("-", "")
        return named if hmac.compare_digest(wanted.encode(), digits.encode()) else None

    def find(self, key: str, entrants: Sequence[EntrantView]) -> Phone | None:
        """Find the phone with this key.

        None if there is none, or if its entrant is not in `entrants`, the organiser's view."""
        phone = self._phones.get(_hash(key))
        there = phone is not None and any(
            (entrant.number, entrant.registered) == (phone.entrant, phone.registered) for entrant in entrants
        )
        return phone if there else None

    def bind(self, phone: Phone, *, instead: str = "") -> str:
        """Bind a phone to its entrant, and return the new key.

        The phone's old key `instead` is no longer valid. Call it in a thread. Raises `JournalAway`."""
        key = secrets.token_urlsafe(32)
        before = {
            digest: other
            for digest, other in self._phones.items()
            if digest != _hash(instead)
            and (other.entrant, other.captain is None) != (phone.entrant, phone.captain is None)
        }
        self._write(before | {_hash(key): phone})
        return key

    def leave(self, key: str) -> None:
        """Unbind the phone with this key.

        Call it in a thread. Raises `JournalAway`."""
        if _hash(key) in self._phones:
            self._write({digest: phone for digest, phone in self._phones.items() if digest != _hash(key)})

    def _mac(self, what: str) -> bytes:
        return hmac.digest(self._secret, what.encode(), "sha256")

    def _write(self, phones: dict[str, Phone]) -> None:
        rows = [[digest, *astuple(phone)] for digest, phone in phones.items()]
        self._journal.write_settings({self._name: json.dumps({"secret": self._secret.hex(), "phones": rows})})
        self._phones = phones


def _read(setting: str | None) -> tuple[bytes, dict[str, Phone]] | None:
    """Read the secret and the phones from the setting.

    None if they are missing or damaged. Phones of an unknown form are left out."""
    try:
        notes = json.loads(setting or "")
        rows = [row for row in notes["phones"] if len(row) == 1 + len(fields(Phone))]
        return bytes.fromhex(notes["secret"]), {digest: Phone(*rest) for digest, *rest in rows}
    except (ValueError, TypeError, KeyError):
        return None


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
