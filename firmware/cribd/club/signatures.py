"""The signed text of an outcome, and interfaces for signatures.

Pure. The keys are in `cribd.club.keys`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Protocol

from cribd.storage.outbox import Outcome


class Signer(Protocol):
    """Signs with the private key of a board."""

    @property
    def id(self) -> str:
        """The public key of the board, as 64 hexadecimal digits.

        It identifies the board everywhere."""

    def sign(self, text: bytes, /) -> bytes:
        """Sign `text`, and return the signature."""


class Verifier(Protocol):
    """Verifies signatures with the public key of a board."""

    def __call__(self, board: str, text: bytes, signature: bytes, /) -> bool:
        """Whether the key of this board signed this text.

        False also if `board` is no key."""


def signed_text(outcome: Outcome, board: str) -> bytes:
    """Return the text that a board signs for an outcome."""
    values = asdict(outcome) | {"board": board}
    return json.dumps(values, sort_keys=True, separators=(",", ":"), default=str).encode()
