"""Checks the records of games in a separate process.

Judging a record takes as long as many presses."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import zlib
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from enum import StrEnum
from multiprocessing.process import BaseProcess
from uuid import UUID

from cribboard.cards import NotationError
from cribboard.record import INAPPLICABLE, judge, read
from cribd.club.board_status import LateResult, RecordShown
from cribd.club.late_results import late_results
from cribd.competition.snapshot import State
from cribd.storage.outbox import HandedIn, Outcome, OutcomeStatus, PlayedFor

#: The longest record, uncompressed, in bytes: a game takes some 100 kB at most.
MOST_BYTES = 1024 * 1024
#: How much lower the priority of the checks is than that of the hub, its broker and its desk (nice(2)).
_NICE = 10


class RecordVerdict(StrEnum):
    """The result of the check of a record."""

    SOUND = ""
    NO_EVENT = "no_event"
    """It was not checked: this machine knows no such event."""
    UNREADABLE = "unreadable"
    """It is no record, or its chain does not fit."""
    OTHER_GAME = "other_game"
    """Its last link is not the one that the board has signed."""
    OTHER_RULES = "other_rules"
    """It is played by other rules than the event's."""
    OTHER_SCORES = "other_scores"
    """It ends with other scores."""
    AGAINST_RULES = "against_rules"
    """Its rules do not give what it has."""

    @property
    def reason(self) -> str:
        """The reason why a record does not confirm its outcome."""
        return _REASONS[self]


_REASONS = {
    RecordVerdict.UNREADABLE: "it cannot be read, or its chain does not fit",
    RecordVerdict.OTHER_GAME: "it is not the one that the board has signed",
    RecordVerdict.OTHER_RULES: "it is played by other rules than the event's",
    RecordVerdict.OTHER_SCORES: "it ends with other scores",
    RecordVerdict.AGAINST_RULES: "its rules do not give what it has",
}


def check(data: bytes, outcome: Outcome, rules: str) -> RecordVerdict:
    """Check a compressed record against the outcome and the rules."""
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, MOST_BYTES).decode()
        if not unpacking.eof:
            return RecordVerdict.UNREADABLE
        record = read(text)
    except (zlib.error, UnicodeDecodeError, NotationError, *INAPPLICABLE):
        return RecordVerdict.UNREADABLE
    if text.rstrip().rsplit(maxsplit=1)[-1] != outcome.record:
        return RecordVerdict.OTHER_GAME
    if record.heading.rules.label != rules:
        return RecordVerdict.OTHER_RULES
    try:
        end = judge(record).position
    except (NotationError, *INAPPLICABLE):
        return RecordVerdict.AGAINST_RULES
    scores = tuple(pegs.front for pegs in end.pegs)
    is_equal = (scores, end.winner is None) == (outcome.scores, outcome.broken_off)
    return RecordVerdict.SOUND if is_equal else RecordVerdict.OTHER_SCORES


#: The key of a record: its board, the number of its outcome, and its last link, since two games may be alike.
_Key = tuple[str, int, str]


def _key(submission: HandedIn) -> _Key:
    return submission.board, submission.sequence, submission.outcome.record


class GameRecords:
    """The handed-in games that need attention."""

    def __init__(self) -> None:
        self._waiting: dict[_Key, PlayedFor] = {}
        self._wrong: dict[_Key, tuple[PlayedFor, RecordVerdict]] = {}
        self._untaken: dict[_Key, HandedIn] = {}
        self._disputed: dict[_Key, HandedIn] = {}
        self._checked: set[_Key] = set()

    def expect(self, submission: HandedIn, answer: OutcomeStatus) -> None:
        """Note the desk's answer to a submitted result.

        If the result was taken, its record must still be checked."""
        key = _key(submission)
        self._untaken.pop(key, None)
        if answer is OutcomeStatus.DISPUTED:
            self._disputed[key] = submission
        if answer is OutcomeStatus.NOT_TAKEN:
            self._untaken[key] = submission
        elif key not in self._checked:
            self._waiting[key] = submission.outcome.place

    def note_verdict(self, submission: HandedIn, found: str) -> None:
        """Note the result of a check."""
        key = _key(submission)
        self._checked.add(key)
        self._waiting.pop(key, None)
        if found in set(RecordVerdict) - {RecordVerdict.SOUND, RecordVerdict.NO_EVENT}:
            self._wrong[key] = submission.outcome.place, RecordVerdict(found)

    def is_wrong(self, submission: HandedIn) -> bool:
        """Whether the checked record does not confirm this result."""
        return _key(submission) in self._wrong

    def shown(self, event: UUID | None) -> tuple[RecordShown, ...]:
        """Return the records of a competition that need attention."""
        waiting = (RecordShown(place) for place in self._waiting.values() if place.event == event)
        wrong = (RecordShown(place, found) for place, found in self._wrong.values() if place.event == event)
        places = (submission.outcome.place for submission in self._untaken.values())
        untaken = (RecordShown(place, "not_taken") for place in places if place.event == event)
        return (*waiting, *wrong, *untaken)

    def late(self, state: State) -> tuple[LateResult, ...]:
        """Return the boards' results that the desk lacks."""
        return tuple(late_results(state, self._disputed.values(), self._untaken.values()))


def _begin() -> None:
    """Lower the priority of this process, which must die with the hub."""
    os.nice(_NICE)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


class RecordChecker:
    """Checks records in a separate process.

    The process starts with the first check."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._workers: list[BaseProcess] = []

    async def check(self, data: bytes, outcome: Outcome, rules: str) -> RecordVerdict:
        """Check a record in another process. Raises `BrokenProcessPool` if that process has died.

        The next check starts a new one."""
        if self._pool is None:
            # A fork would copy the journal's file and the locks of threads.
            context = multiprocessing.get_context("spawn")
            others = multiprocessing.active_children()
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin)
            self._pool.submit(os.getpid)  # starts the process
            self._workers = [child for child in multiprocessing.active_children() if child not in others]
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, check, data, outcome, rules)
        except BrokenProcessPool:
            self.close()
            raise

    def close(self) -> None:
        """End the process that checks records."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
            for worker in self._workers:  # the end of this process would wait for it, also while it starts
                worker.kill()
