"""Who comes from where, how many of them there is room for, and how fast they may ask.

Pure: time is handed in, in seconds. A club's network is everybody's: whoever comes from one address has a share of the
board's time and places, never all of it, however many connections it opens; and however many addresses there are, some
places are kept for this machine. Never knows what anybody asks for.
"""

from __future__ import annotations

import ipaddress
from collections import Counter

#: This machine: the screen that hangs on it, and whatever stands between it and a network. It may take any place.
HERE = "here"
#: A house has so much of an IPv6 address; what comes after is its own to choose (RFC 4291, 2.5.4).
_HOUSE_BITS = 64


def whose(address: str) -> str:
    """Whom an address belongs to, as far as places are shared out: an IPv4 address, or the network of an IPv6 one."""
    try:
        place = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(place, ipaddress.IPv6Address):
        place = place.ipv4_mapped or place
    if str(place) in ("127.0.0.1", "::1"):
        return HERE
    if isinstance(place, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((place, _HOUSE_BITS), strict=False))
    return str(place)


class ConnectionLimit:
    """Room for so many at once, `each` of whom may come from one address. The last places, as many as are `kept`, are
    this machine's alone."""

    def __init__(self, room: int, *, each: int, kept: int = 0) -> None:
        self._room = room
        self._each = each
        self._kept = kept
        self._inside: Counter[str] = Counter()

    def enter(self, who: str) -> bool:
        """Whether there is room for one more of these."""
        kept, each = (0, self._room) if who == HERE else (self._kept, self._each)
        if self._inside.total() >= self._room - kept or self._inside[who] >= each:
            return False
        self._inside[who] += 1
        return True

    def leave(self, who: str) -> None:
        """One of these has gone."""
        self._inside[who] -= 1
        if not self._inside[who]:
            del self._inside[who]


class RateLimiter:
    """So many turns a second, of which `at_once` may be taken together after a rest."""

    def __init__(self, per_s: float, *, at_once: int) -> None:
        self._every_s = 1 / per_s
        self._slack_s = (at_once - 1) / per_s
        self._next = float("-inf")

    def due(self, now: float) -> float:
        """How many seconds from now the next turn comes: none for whoever asks seldom."""
        return max(0.0, self._next - now)

    def turn(self, now: float) -> float:
        """Take a turn: how many seconds from now it comes."""
        seconds = self.due(now)
        self._next = max(self._next, now - self._slack_s) + self._every_s
        return seconds

    def is_rested(self, now: float) -> bool:
        """Nothing would be different if it had never been asked."""
        return self._next <= now - self._slack_s


class RateLimiterEach:
    """A pace for each address: nobody's haste is paid by the others. This machine takes its time from nobody."""

    def __init__(self, per_s: float, *, at_once: int) -> None:
        self._per_s = per_s
        self._at_once = at_once
        self._each: dict[str, RateLimiter] = {}

    def due(self, who: str, now: float) -> float:
        """How many seconds from now the next turn of this address comes."""
        return self._each[who].due(now) if who in self._each else 0.0

    def turn(self, who: str, now: float) -> float:
        """Take a turn: how many seconds from now it comes."""
        if who == HERE:
            return 0.0
        if who not in self._each:
            self._each = {known: pace for known, pace in self._each.items() if not pace.is_rested(now)}
            self._each[who] = RateLimiter(self._per_s, at_once=self._at_once)
        return self._each[who].turn(now)
