"""The owner's PIN: who may tap cards, and how often somebody may guess.

Pure but for chance: time is handed in. The PIN is compared in constant time; after a few wrong ones the board waits
before it listens to another from the same address, twice as long each time, and after some more to nobody: a PIN of
four digits lasts for years of guessing, one who only guesses does not shut the owner out, and however many guess on the
network, a browser on the board itself is listened to, and so is an address that gave the right one before. Whoever has
given it is known by a key that only the browser holds; here lies its hash, in memory alone, so that nothing outlives a
restart. Must never give out the PIN, or say how near a guess was.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from cribd.clock import Clock
from cribd.web.http.limits import HERE

#: Wrong PINs before the first wait: from one address, and from all of them together.
FREE_TRIES = 5
FREE_TRIES_TOGETHER = 50
#: How long the first wait is; every wrong PIN after it doubles it, up to the longest.
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 3600.0
#: How long a browser that gave the PIN may go on: an evening.
SESSION_S = 8 * 3600.0
#: So many browsers may have given it; the one that did so first is forgotten for another.
SESSIONS = 32
#: Of so many addresses it is known that the right PIN came from there.
OWNERS = 32


@dataclass(frozen=True, slots=True)
class Opened:
    """The PIN was right. `key` is what the browser shows from now on."""

    key: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """It was not; so many more tries are free."""

    left: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is listened to for so many seconds; this try was not even looked at."""

    seconds: float


@dataclass(slots=True)
class _Guesses:
    """Wrong PINs so far, of which the first so many are free."""

    free: int
    wrong: int = 0
    listens_at: float = 0.0

    def add(self, now: float) -> None:
        """One more: after the free ones, each doubles the wait that follows."""
        self.wrong += 1
        beyond = self.wrong - self.free
        if beyond >= 0:
            self.listens_at = now + min(FIRST_WAIT_S * 2 ** min(beyond, 16), LONGEST_WAIT_S)


class Pin:
    """The lock that the owner's PIN opens. An empty `pin` means that there is none, and nothing opens it."""

    def __init__(self, pin: str, clock: Clock) -> None:
        self._digest = _hash(pin) if pin else None
        self._clock = clock
        self._together = _Guesses(FREE_TRIES_TOGETHER)
        self._each: dict[str, _Guesses] = {}
        self._owners = [HERE]
        self._sessions: dict[bytes, float] = {}

    @property
    def is_set(self) -> bool:
        return self._digest is not None

    def give(self, pin: str, who: str = "") -> Opened | Wrong | Wait:
        """Somebody gives a PIN; `who` is whose address it comes from."""
        now = self._clock.now()
        if self._digest is None:
            return Wrong(0)
        guesses = self._each.get(who, _Guesses(FREE_TRIES))
        if (wait := self._wait(who, guesses, now)) > 0:
            return Wait(wait)
        if not hmac.compare_digest(self._digest, _hash(pin)):
            self._each[who] = guesses
            guesses.add(now)
            if who not in self._owners:
                self._together.add(now)
            wait = self._wait(who, guesses, now)
            return Wait(wait) if wait > 0 else Wrong(guesses.free - guesses.wrong)
        self._each.pop(who, None)
        if who != HERE:
            earlier = [each for each in self._owners if each not in (HERE, who)]
            self._owners = [HERE, *earlier[-OWNERS + 1 :], who]
        self._together = _Guesses(FREE_TRIES_TOGETHER)
        self._forget(now)
        key = secrets.token_urlsafe(32)
        self._sessions[_hash(key)] = now + SESSION_S
        return Opened(key)

    def _wait(self, who: str, guesses: _Guesses, now: float) -> float:
        """How long nothing is listened to: the owner waits for nobody's guesses but his own."""
        together = 0.0 if who in self._owners else self._together.listens_at
        return max(guesses.listens_at, together) - now

    def knows(self, key: str) -> bool:
        """Whether this key was given for the right PIN, and not too long ago."""
        until = self._sessions.get(_hash(key))
        return until is not None and self._clock.now() < until

    def close(self, key: str) -> None:
        """This browser gives its key back."""
        self._sessions.pop(_hash(key), None)

    def _forget(self, now: float) -> None:
        """Make room for one more."""
        self._sessions = {key: until for key, until in self._sessions.items() if now < until}
        while len(self._sessions) >= SESSIONS:
            del self._sessions[next(iter(self._sessions))]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
