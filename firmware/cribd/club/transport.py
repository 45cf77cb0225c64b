"""The interface that carries the club's messages, and their MQTT topics.

`cribd.club.connection` carries them by MQTT."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

#: The beginning of every topic. Its number rises with a format that older programs must not read.
ROOT = "cribboard/1"
#: The payloads of the topic `online`; a broker sends the second one when a connection breaks.
ONLINE, OFFLINE = b"1", b"0"
#: The topic in which the hub says whether it is online.
HUB_ONLINE = f"{ROOT}/hub/online"

_TOPIC = re.compile(rf"{ROOT}/([0-9a-f]{{64}})/(up|down|online)")


class Transport(Protocol):
    """Delivers the newest payload of each topic to its subscribers.

    Delivers it again after each break of the connection."""

    def publish(self, topic: str, payload: bytes) -> None:
        """Send this payload as the newest of its topic.

        Returns at once. Call `publish` on the loop. A payload that still waits is replaced."""

    async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
        """Carry messages until cancelled.

        Both run on the loop: `receive` gets each topic and payload, `connected` each change of the connection."""


def topic(board: str, what: str) -> str:
    """Return the MQTT topic of a board; `what` is `up`, `down` or `online`."""
    return f"{ROOT}/{board}/{what}"


def read_topic(text: str) -> tuple[str, str] | None:
    """Split a topic into its board and kind, or return None."""
    found = _TOPIC.fullmatch(text)
    return None if found is None else (found[1], found[2])
