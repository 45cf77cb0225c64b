"""The club of a board, as the board's journal stores it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from cribboard.validation import Message
from cribd.storage.journal import Journal

SETTING = "club"
#: The setting with the last order of the hub (`cribd.club.last_order`).
ORDER = "club order"


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """What a board stores about its club.

    The hub is recognised by its certificate, not by its address."""

    name: str
    """The name of the club."""
    hub: str
    """The hub's certificate, PEM."""
    certificate: str
    """The board's own certificate, PEM: the hub has made it."""
    addresses: tuple[str, ...]
    """Where the hub was reached, the newest first: names or IP addresses."""
    port: int
    """The port of the hub's broker."""


class OtherClub(Exception):  # noqa: N818 (a state of the board, not an error of the caller)
    """The board belongs to a club and cannot be a hub."""

    def __init__(self, membership: Membership) -> None:
        super().__init__(
            Message(
                "club.other",
                "This board is in the club {club}, and is the hub of none until it leaves: `cribboard club leave`.",
                club=membership.name,
            )
        )


def read_membership(journal: Journal) -> Membership | None:
    """Read the club of this board, or return None.

    None also if the stored club cannot be read."""
    return membership_in(journal.setting(SETTING) or "")


def keep_membership(journal: Journal, membership: Membership | None) -> None:
    """Store or delete the club of this board. Raises `JournalAway`."""
    if membership is None:
        journal.write_settings({SETTING: "", ORDER: ""})
    else:
        journal.write_settings({SETTING: json.dumps(asdict(membership), ensure_ascii=False)})


def membership_in(text: str) -> Membership | None:
    """Read a membership from this text, or return None."""
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match stored:
        case {
            "name": str(name),
            "hub": str(hub),
            "certificate": str(certificate),
            "addresses": list(addresses),
            "port": int(port),
        } if all(isinstance(address, str) for address in addresses):
            return Membership(name=name, hub=hub, certificate=certificate, addresses=tuple(addresses), port=port)
    return None
