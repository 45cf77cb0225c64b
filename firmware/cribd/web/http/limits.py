"""Limits on the connections and requests of each client.

Pure: time is passed in, in seconds. A client is an address, because a club shares one network: no client can take all
connections or all the time of the board, and some connections are reserved for this machine.
"""

from __future__ import annotations

import ipaddress
from collections import Counter

#: The key of this machine: its own screen, or a proxy on it. The limits for one client do not apply to it.
LOCAL = "here"
#: The network part of an IPv6 address; a client chooses the rest itself (RFC 4291, 2.5.4).
_IPV6_NETWORK_BITS = 64


def client_key(address: str) -> str:
    """Return the key of a client for the limits."""
    try:
        place = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(place, ipaddress.IPv6Address):
        place = place.ipv4_mapped or place
    if str(place) in ("127.0.0.1", "::1"):
        return LOCAL
    if isinstance(place, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((place, _IPV6_NETWORK_BITS), strict=False))
    return str(place)


class ConnectionLimit:
    """Allows `most` connections in all, and `per_client` from one client.

    The last `reserved` places are for this machine."""

    def __init__(self, most: int, *, per_client: int, reserved: int = 0) -> None:
        self._most = most
        self._per_client = per_client
        self._reserved = reserved
        self._open: Counter[str] = Counter()

    def enter(self, client: str) -> bool:
        """Add a connection, or return False if a limit is reached."""
        reserved, per_client = (0, self._most) if client == LOCAL else (self._reserved, self._per_client)
        if self._open.total() >= self._most - reserved or self._open[client] >= per_client:
            return False
        self._open[client] += 1
        return True

    def leave(self, client: str) -> None:
        """Remove a connection of this client."""
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]


class RateLimiter:
    """Allows `per_s` requests a second, or a `burst` after a pause."""

    def __init__(self, per_s: float, *, burst: int) -> None:
        self._every_s = 1 / per_s
        self._slack_s = (burst - 1) / per_s
        self._next = float("-inf")

    def delay(self, now: float) -> float:
        """Return the seconds until the next request may go."""
        return max(0.0, self._next - now)

    def reserve(self, now: float) -> float:
        """Reserve the next request's time, and return the seconds until then."""
        seconds = self.delay(now)
        self._next = max(self._next, now - self._slack_s) + self._every_s
        return seconds

    def is_idle(self, now: float) -> bool:
        """Whether the full burst is available again."""
        return self._next <= now - self._slack_s


class RateLimiterPerClient:
    """A `RateLimiter` for each client, except for this machine."""

    def __init__(self, per_s: float, *, burst: int) -> None:
        self._per_s = per_s
        self._burst = burst
        self._limiters: dict[str, RateLimiter] = {}

    def delay(self, client: str, now: float) -> float:
        """Return the seconds until the client's next request may go."""
        return self._limiters[client].delay(now) if client in self._limiters else 0.0

    def reserve(self, client: str, now: float) -> float:
        """Reserve the client's next time, and return the seconds until then."""
        if client == LOCAL:
            return 0.0
        if client not in self._limiters:
            self._limiters = {known: limiter for known, limiter in self._limiters.items() if not limiter.is_idle(now)}
            self._limiters[client] = RateLimiter(self._per_s, burst=self._burst)
        return self._limiters[client].reserve(now)
