"""The phones at the tables of a competition: what proves that one stands at a table, and whom each phone speaks for.

The key of a table is in the QR code of its card. The code of a captain is told at check-in, and makes the phone that
gives it the captain's (FADOQ, 1: only a captain calls an official). Both follow from a secret of the competition, which
is made at the first use, and never leaves the journal. A phone has a random key of its own, of which only the hash is
kept. So the phones of a hall go on after a restart. A phone does not outlive its entrant: after an undo of a
registration, whoever registers next has the same number, and neither the phone nor the code.
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

#: A key of a table has so many bytes, and the part of a captain's code after the entrant's number so many digits.
_KEY_BYTES = 12
_CODE_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Phone:
    """Whom a phone speaks for: the `entrant` that the event of the number `registered` registered. `captain` is the
    index of the player whose code it gave, None for a phone that gave the key of a table alone."""

    entrant: int
    registered: int
    captain: int | None


class Phones:
    """The phones of this competition of the journal. Reads the journal, and writes it when the secret is new: to be
    made in a thread. Raises `JournalDamaged`, `NotKept`.

    An entrant has one phone at its table and one of its captain: a new one takes over.
    """

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
        """The key of a table, as it stands in the address of its page."""
        return urlsafe_b64encode(self._mac(f"table {table}")[:_KEY_BYTES]).decode()

    def table_path(self, table: int) -> str:
        """The path of a table's page with its key: what the QR code of its card leads to."""
        return f"/event/table/{table}?key={self.table_key(table)}"

    def is_key(self, table: int, key: str) -> bool:
        """Whether this is the key of that table."""
        return hmac.compare_digest(self.table_key(table).encode(), key.encode())

    def captain_code(self, entrant: EntrantView) -> str:
        """The code of the captain of an entrant, as the organiser sees it, such as `12-493817`: the number of the
        entrant, and six digits."""
        who = f"captain {entrant.number} {entrant.registered} {entrant.captain}"
        digits = int.from_bytes(self._mac(who)[:8]) % 10**_CODE_DIGITS
        return f"{entrant.number}-{digits:0{_CODE_DIGITS}}"

    def find_captain(self, code: str, entrants: Sequence[EntrantView]) -> EntrantView | None:
        """The entrant whose captain has this code, among these as the organiser sees them. It is compared with the code
        of the entrant that it names, and no other; signs and spaces between its digits do not count."""
        digits = re.sub(r"\D", "", code, flags=re.ASCII)
        named = next((entrant for entrant in entrants if str(entrant.number) == digits[:-_CODE_DIGITS]), None)
        if named is None:
            return None
        wanted = self.captain_code(named).replace("-", "")
        return named if hmac.compare_digest(wanted.encode(), digits.encode()) else None

    def find(self, key: str, entrants: Sequence[EntrantView]) -> Phone | None:
        """Whom the phone with this key speaks for, if it is one of these, as the organiser sees them."""
        phone = self._phones.get(_hash(key))
        there = phone is not None and any(
            (entrant.number, entrant.registered) == (phone.entrant, phone.registered) for entrant in entrants
        )
        return phone if there else None

    def bind(self, phone: Phone, *, instead: str = "") -> str:
        """A new key for a phone that speaks for an entrant from now on, `instead` of the key that it had. In a thread.
        Raises `NotKept`."""
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
        """The phone with this key speaks for nobody any more. In a thread. Raises `NotKept`."""
        if _hash(key) in self._phones:
            self._write({digest: phone for digest, phone in self._phones.items() if digest != _hash(key)})

    def _mac(self, what: str) -> bytes:
        return hmac.digest(self._secret, what.encode(), "sha256")

    def _write(self, phones: dict[str, Phone]) -> None:
        rows = [[digest, *astuple(phone)] for digest, phone in phones.items()]
        self._journal.write_settings({self._name: json.dumps({"secret": self._secret.hex(), "phones": rows})})
        self._phones = phones


def _read(setting: str | None) -> tuple[bytes, dict[str, Phone]] | None:
    """The secret and the phones of the setting, without those that another version wrote otherwise; None if there is no
    secret, or if it is damaged."""
    try:
        notes = json.loads(setting or "")
        rows = [row for row in notes["phones"] if len(row) == 1 + len(fields(Phone))]
        return bytes.fromhex(notes["secret"]), {digest: Phone(*rest) for digest, *rest in rows}
    except (ValueError, TypeError, KeyError):
        return None


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
