"""What a board signs of an outcome, and who signs and verifies. Pure; `cribd.club.keys` has the keys."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Protocol

from cribd.storage.outbox import Outcome


class Signer(Protocol):
    """The key of a board."""

    @property
    def id(self) -> str:
        """Its public half: 64 hexadecimal digits, by which the board is known everywhere."""

    def sign(self, text: bytes, /) -> bytes:
        """Sign this text."""


class Verifier(Protocol):
    """Verifies with the public half of a key."""

    def __call__(self, board: str, text: bytes, signature: bytes, /) -> bool:
        """Whether the key of this board signed this text. False too if `board` is no key."""


def signed_text(outcome: Outcome, board: str) -> bytes:
    """What a board signs: the outcome with its place, its entrants, its record's last link and the board."""
    values = asdict(outcome) | {"board": board}
    return json.dumps(values, sort_keys=True, separators=(",", ":"), default=str).encode()
