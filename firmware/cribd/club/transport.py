"""What carries the messages of the club, and under which topics. Pure; `cribd.club.connection` does it over MQTT."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

#: What every topic begins with: the number rises with a form that an older program must not read.
ROOT = "cribboard/1"
#: What `online` says; a broker sends the second when a connection breaks.
ONLINE, OFFLINE = b"1", b"0"
#: Where the hub says whether it is online.
HUB_ONLINE = f"{ROOT}/hub/online"

_TOPIC = re.compile(rf"{ROOT}/([0-9a-f]{{64}})/(up|down|online)")


class Transport(Protocol):
    """Copies the newest payload of each topic to whoever reads that topic, again after each break of the connection."""

    def publish(self, topic: str, payload: bytes) -> None:
        """Set the payload of a topic. Returns at once; what was not sent yet is replaced. Call it on the loop."""

    async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
        """Carry until cancelled.

        Call `receive` on the loop with each topic and payload that come, and `connected` with each change."""


def topic(board: str, what: str) -> str:
    """The topic of a board: what is `up`, `down` or `online`."""
    return f"{ROOT}/{board}/{what}"


def read_topic(text: str) -> tuple[str, str] | None:
    """The board of a topic, and `up`, `down` or `online`; None for any other topic."""
    found = _TOPIC.fullmatch(text)
    return None if found is None else (found[1], found[2])
