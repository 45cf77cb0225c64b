"""An MQTT connection to the club's broker (`cribd.club.transport`).

All messages are retained, at QoS 1. The broker keeps nothing important: after each connection both ends publish anew.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import SystemRandom

import aiomqtt

from cribd.clock import Clock
from cribd.club.transport import HUB_ONLINE, OFFLINE, ONLINE, ROOT, topic

#: A broken connection is noticed after one and a half times this, in seconds.
KEEP_ALIVE_S = 10
#: The shortest and the longest pause before the next attempt to connect: partly random, doubled after a failure.
_FIRST_S, _LAST_S = 0.5, 8.0
#: How long a step of a connection may take.
_TIMEOUT_S = 10.0
#: How long the broker may take to say that it refuses a certificate, and the end of OpenSSL's name for that.
_ALERT_S, _REVOKED = 2.0, "ALERT_CERTIFICATE_REVOKED"
#: How long the last message may take before a connection is ended.
_GOODBYE_S = 1.0
#: The most unacknowledged messages at a time; the loop also reads this many at a time (paho's `loop_read`).
_AT_ONCE = 8
#: More messages of one topic within so many seconds are a flood. A board sends some ten in a second at most.
MOST_OF_TOPIC, FLOOD_S = 500, 2.0


class _NewestOfTopics(asyncio.Queue[aiomqtt.Message]):
    """A queue with only the newest unread message of each topic."""

    came: Counter[str]
    """How many messages of each topic have come of late."""

    def _init(self, maxsize: int) -> None:
        self._queue: dict[str, aiomqtt.Message] = {}

    def _put(self, item: aiomqtt.Message) -> None:
        about = str(item.topic)
        self._queue[about] = item
        self.came[about] += 1

    def _get(self) -> aiomqtt.Message:
        return self._queue.pop(next(iter(self._queue)))


class BrokerConnection:
    """The connection of one machine to the broker.

    `name` is the machine's name at the broker: a board's key, or `hub`. `addresses` gives where the broker may be, host
    and port, the most likely first. `tls` proves both ends; without it everything goes in the clear, which is for
    tests. `removed` is called when the broker refuses the certificate since the hub has removed this machine, and again
    with each attempt to connect. `flooded` is called with the topic of a flood."""

    def __init__(
        self,
        name: str,
        addresses: Callable[[], Sequence[tuple[str, int]]],
        clock: Clock,
        *,
        reads: Sequence[str],
        online: str,
        tls: ssl.SSLContext | None,
        removed: Callable[[], None] = lambda: None,
        flooded: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._name = name
        self._addresses = addresses
        self._clock = clock
        self._reads = reads
        self._online = online
        self._tls = tls
        self._removed = removed
        self._flooded = flooded
        self._came, self._came_since = Counter[str](), clock.now()
        self._rng = SystemRandom()
        self._pending: dict[str, bytes] = {}
        self._sends = asyncio.Event()

    def publish(self, topic: str, payload: bytes) -> None:
        """Publish a payload to a topic.

        Call this method on the loop. It returns at once. A payload that still waits is replaced."""
        self._pending[topic] = payload
        self._sends.set()

    async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
        """Send and receive messages until cancelled. After each break, connect again.

        Call `receive` on the loop with each topic and payload that come, and `connected` with each change."""
        failures = 0
        while True:
            addresses, was_connected = self._addresses(), False
            if addresses:
                host, port = addresses[failures % len(addresses)]
                try:
                    async with self._client(host, port) as client:
                        for read in self._reads:
                            await client.subscribe(read, qos=1)
                        self._pending = {self._online: ONLINE}
                        self._sends.set()
                        connected(True)
                        failures, was_connected = 0, True
                        try:
                            await self._carry(client, receive)
                        except asyncio.CancelledError:  # a connection that ends in order has no last will
                            with suppress(aiomqtt.MqttError):
                                await client.publish(self._online, OFFLINE, qos=1, retain=True, timeout=_GOODBYE_S)
                            raise
                        finally:
                            connected(False)
                except (aiomqtt.MqttError, OSError, ssl.SSLError, ValueError):
                    if not was_connected and await self._is_removed(host, port):
                        self._removed()
            failures += 1
            longest = min(_LAST_S, _FIRST_S * 2 ** min(failures, 10))
            await self._clock.sleep(longest * (1 + self._rng.random()) / 2)

    async def _is_removed(self, host: str, port: int) -> bool:
        if self._tls is None:
            return False
        return await self._clock.run_in_thread(partial(_is_revoked, host, port, self._tls))

    def _client(self, host: str, port: int) -> aiomqtt.Client:
        class Queue(_NewestOfTopics):
            came = self._came

        return aiomqtt.Client(
            host,
            port,
            identifier=self._name,
            will=aiomqtt.Will(self._online, OFFLINE, qos=1, retain=True),
            tls_context=self._tls,
            keepalive=KEEP_ALIVE_S,
            timeout=_TIMEOUT_S,
            max_inflight_messages=_AT_ONCE,
            queue_type=Queue,
            logger=_LOGGER,
        )

    async def _carry(self, client: aiomqtt.Client, receive: Callable[[str, bytes], None]) -> None:
        """Receive and send until the connection breaks."""
        sending = asyncio.create_task(self._send(client))
        receiving = asyncio.create_task(self._receive(client, receive))
        try:
            await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, receiving):
                task.cancel()
            ended = await asyncio.gather(sending, receiving, return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception):
                raise error

    async def _receive(self, client: aiomqtt.Client, receive: Callable[[str, bytes], None]) -> None:
        async for message in client.messages:
            if isinstance(message.payload, bytes):
                receive(about := str(message.topic), message.payload)
                if self._came[about] > MOST_OF_TOPIC:
                    self._came.clear()
                    self._flooded(about)
                elif (now := self._clock.now()) - self._came_since > FLOOD_S:
                    self._came.clear()
                    self._came_since = now

    async def _send(self, client: aiomqtt.Client) -> None:
        while True:
            await self._sends.wait()
            now = {about: self._pending.pop(about) for about in list(self._pending)[:_AT_ONCE]}
            if not self._pending:
                self._sends.clear()
            await asyncio.gather(
                *(client.publish(about, payload, qos=1, retain=True) for about, payload in now.items())
            )


def _is_revoked(host: str, port: int, tls: ssl.SSLContext) -> bool:
    """Whether the broker refuses this machine's certificate as revoked.

    Call this in a thread. paho gives no reason, and asyncio has no TLS on a board (`cribd.openssl`)."""
    try:
        with socket.create_connection((host, port), _ALERT_S) as plain, tls.wrap_socket(plain) as broker:
            broker.recv(1)
    except ssl.SSLError as wrong:
        # the reason is the name of the alert; where there is none, the message has its words
        return _REVOKED in (wrong.reason or str(wrong)).upper().replace(" ", "_")
    except (OSError, ValueError):
        pass
    return False


#: The logger of aiomqtt, silenced because the club reports broken connections itself.
_LOGGER = logging.getLogger("cribd.club.mqtt")
_LOGGER.setLevel(logging.CRITICAL)


def board_connection(
    board: str,
    addresses: Callable[[], Sequence[tuple[str, int]]],
    clock: Clock,
    *,
    tls: ssl.SSLContext | None,
    removed: Callable[[], None] = lambda: None,
) -> BrokerConnection:
    """Make the connection of a board to the broker."""
    reads, online = (topic(board, "down"), HUB_ONLINE), topic(board, "online")
    return BrokerConnection(board, addresses, clock, reads=reads, online=online, tls=tls, removed=removed)


def hub_connection(
    addresses: Callable[[], Sequence[tuple[str, int]]],
    clock: Clock,
    *,
    tls: ssl.SSLContext | None,
    flooded: Callable[[str], None] = lambda _: None,
) -> BrokerConnection:
    """Make the connection of the hub to its broker."""
    reads = (f"{ROOT}/+/up", f"{ROOT}/+/online")
    return BrokerConnection("hub", addresses, clock, reads=reads, online=HUB_ONLINE, tls=tls, flooded=flooded)
