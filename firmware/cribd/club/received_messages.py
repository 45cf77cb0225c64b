"""Reads and verifies the boards' messages for the hub."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Mapping
from dataclasses import astuple, dataclass

from cribd.club.messages import SEALED_SIZE, BoardToHub, CommittedUpTo, NotUnderstood, read_up
from cribd.club.signatures import Verifier, signed_text
from cribd.storage.outbox import HandedIn

#: The most different lines that are logged about one board, so that one board leaves room for the others.
_MOST_LOGGED = 30


class HubLog:
    """The log of the hub, without repeated lines."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log = log
        self._logged: defaultdict[str, set[str]] = defaultdict(set)

    def __call__(self, line: str, board: str = "") -> None:
        """Log a line about this board; "" means no board."""
        logged = self._logged[board]
        if line not in logged and len(logged) < _MOST_LOGGED:
            logged.add(line)
            self._log(f"{line}.")


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A board's message, and the outcomes in it that are verified."""

    board: str
    up: BoardToHub
    is_padded: bool
    new: tuple[HandedIn, ...]
    upto: CommittedUpTo | None
    """The last outcome that may be answered; None if there is none."""


def committed_up_to(submission: HandedIn) -> CommittedUpTo:
    """Return the notice to the board that its outcome is stored."""
    return CommittedUpTo(submission.sequence, submission.outcome.record)


def read_messages(
    payloads: Mapping[str, bytes], verified: Container[tuple[str, CommittedUpTo]], verify: Verifier, log: HubLog
) -> list[ReceivedMessage]:
    """Read these messages, and verify their new outcomes.

    Bad messages are left out, and bad outcomes with all later ones of a message. `verified` are earlier outcomes."""
    messages = []
    for board, payload in payloads.items():
        try:
            up = read_up(payload)
        except NotUnderstood as wrong:
            log(f"A message of board {board[:8]} is refused: {wrong}", board)
            continue
        new, upto = [], None
        for signed in up.outcomes:
            submission = HandedIn(signed.outcome, board, signed.number, signed.signature)
            which = committed_up_to(submission)
            if (board, which) not in verified:
                if (why := _reason_to_refuse(submission, verify)) is not None:
                    log(f"An outcome of board {board[:8]} is refused: {why}", board)
                    break
                new.append(submission)
            upto = which
        messages.append(ReceivedMessage(board, up, len(payload) == SEALED_SIZE, tuple(new), upto))
    return messages


def _reason_to_refuse(submission: HandedIn, verify: Verifier) -> str | None:
    outcome = submission.outcome
    if len(outcome.scores) != 2 or 0 in astuple(outcome.place):
        return "it is of no game of two sides"
    if not verify(submission.board, signed_text(outcome, submission.board), submission.signature):
        return "its signature does not fit"
    return None
