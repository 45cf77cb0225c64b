"""The PINs of the owner and the organiser.

The PIN is compared in constant time. After some wrong PINs a client must wait before the next, twice as long each time;
after more of them from all clients together, everybody must wait, except this machine and clients that gave the right
PIN before. So four digits last for years of guessing, and guessing cannot shut the owner out. A session is a random key
in the browser's cookie; only its hash is stored here, in memory, so a restart ends all sessions. Must never reveal the
PIN, or how near a wrong one was.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from cribd.clock import Clock
from cribd.web.http.limits import LOCAL

#: Wrong PINs before the first wait: of one client, and of all together.
FREE_TRIES = 5
FREE_TRIES_TOGETHER = 50
#: The first wait; every further wrong PIN doubles it, up to the longest.
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 3600.0
#: How long a session lasts: an evening.
SESSION_S = 8 * 3600.0
#: How many sessions there may be; a new one ends the oldest.
SESSIONS = 32
#: How many clients that gave the right PIN are remembered.
OWNERS = 32


@dataclass(frozen=True, slots=True)
class RightPin:
    """The PIN was right. `key` is the key of the new session."""

    key: str


@dataclass(frozen=True, slots=True)
class WrongGuess:
    """The PIN was wrong.

    `left` is the number of tries before the first wait."""

    left: int


@dataclass(frozen=True, slots=True)
class MustWait:
    """The client must wait this many seconds.

    Until then, nothing that the client gives is compared with this PIN."""

    seconds: float


@dataclass(slots=True)
class _FailedAttempts:
    """The wrong PINs of one client or of all clients.

    The wrong PIN with the number `free` causes the first wait."""

    free: int
    wrong: int = 0
    waits_until: float = 0.0

    def count_and_lengthen_wait(self, now: float) -> None:
        """Count a wrong PIN. After the free tries, set the wait."""
        self.wrong += 1
        beyond = self.wrong - self.free
        if beyond >= 0:
            self.waits_until = now + min(FIRST_WAIT_S * 2 ** min(beyond, 16), LONGEST_WAIT_S)


class PinAuthenticator:
    """Checks PINs and stores sessions.

    If no PIN is set, no session can be opened. `other` has a second PIN, which opens the same door. Each has limits and
    sessions of its own: a wrong PIN counts against both limits, and a right one resets its own. Only the PIN of
    `other`, which allows more, resets both.
    """

    def __init__(self, pin: str, clock: Clock, *, other: PinAuthenticator | None = None) -> None:
        self._digest = _hash(pin) if pin else None
        self._other = other
        self._clock = clock
        self._failed_together = _FailedAttempts(FREE_TRIES_TOGETHER)
        self._failed: dict[str, _FailedAttempts] = {}
        self._owners = [LOCAL]
        self._sessions: dict[bytes, float] = {}

    @property
    def is_set(self) -> bool:
        """Whether a PIN is set, here or in the other authenticator."""
        return self._digest is not None or (self._other is not None and self._other.is_set)

    def authenticate(self, pin: str, client: str = "") -> RightPin | WrongGuess | MustWait:
        """Check a PIN that a client has entered.

        If it is wrong here, the authenticator `other` checks it too. `client` is the key of the client. If both refuse,
        the stricter answer is returned."""
        answer = self._compare(pin, client)
        if self._other is None or not self._other.is_set or isinstance(answer, RightPin):
            return answer
        others = self._other.authenticate(pin, client)
        if isinstance(others, RightPin):
            self._forgive(client)
        if isinstance(others, RightPin) or self._digest is None:
            return others
        return max(answer, others, key=_strictness)

    def _compare(self, pin: str, client: str) -> RightPin | WrongGuess | MustWait:
        """Check a PIN against this authenticator's PIN only."""
        now = self._clock.now()
        if self._digest is None:
            return WrongGuess(0)
        failed = self._failed.get(client, _FailedAttempts(FREE_TRIES))
        if (wait := self._seconds_left_to_wait(client, failed, now)) > 0:
            return MustWait(wait)
        if not hmac.compare_digest(self._digest, _hash(pin)):
            self._failed[client] = failed
            failed.count_and_lengthen_wait(now)
            if client not in self._owners:
                self._failed_together.count_and_lengthen_wait(now)
            wait = self._seconds_left_to_wait(client, failed, now)
            return MustWait(wait) if wait > 0 else WrongGuess(failed.free - failed.wrong)
        self._forgive(client)
        self._sessions = {key: until for key, until in self._sessions.items() if now < until}
        while len(self._sessions) >= SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        key = secrets.token_urlsafe(32)
        self._sessions[_hash(key)] = now + SESSION_S
        return RightPin(key)

    def _forgive(self, client: str) -> None:
        """After a right PIN, remember the client and forget wrong PINs.

        Both counts of wrong PINs begin again: that of this client, and that of all clients together."""
        self._failed.pop(client, None)
        if client != LOCAL:
            earlier = [owner for owner in self._owners if owner not in (LOCAL, client)]
            self._owners = [LOCAL, *earlier[-OWNERS + 1 :], client]
        self._failed_together = _FailedAttempts(FREE_TRIES_TOGETHER)

    def _seconds_left_to_wait(self, client: str, failed: _FailedAttempts, now: float) -> float:
        """Return the seconds that a client must still wait.

        0 or less means no wait. After a right PIN of this client, only its own wrong PINs count."""
        together = 0.0 if client in self._owners else self._failed_together.waits_until
        return max(failed.waits_until, together) - now

    def has_session(self, key: str) -> bool:
        """Whether an open session has this key.

        The session may be of the authenticator `other` too."""
        until = self._sessions.get(_hash(key))
        if until is not None and self._clock.now() < until:
            return True
        return self._other is not None and self._other.has_session(key)

    def close(self, key: str) -> None:
        """End the session with this key."""
        self._sessions.pop(_hash(key), None)
        if self._other is not None:
            self._other.close(key)


def _strictness(answer: WrongGuess | MustWait) -> tuple[bool, float]:
    """Return the sort key that puts mild answers before strict answers.

    The order is: many tries left, few tries left, a short wait, a long wait."""
    return (True, answer.seconds) if isinstance(answer, MustWait) else (False, -answer.left)


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
