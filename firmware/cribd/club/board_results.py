"""The results that a board must still send to its hub."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

from cribboard.record import Record
from cribboard.record import write as write_record
from cribd.club.due_game import is_same_meeting
from cribd.club.messages import (
    MOST_BYTES,
    MOST_OUTCOMES,
    BoardToHub,
    CommittedUpTo,
    Order,
    OutcomeAnswer,
    ReceivedSummary,
    RecordPart,
    SignedOutcome,
    length,
)
from cribd.club.signatures import Signer, signed_text
from cribd.storage.journal import Journal, JournalAway, JournalDamaged
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor

#: Bytes that a part of a record takes in a message beside its data, and the least room for which a part is sent.
_PART_BYTES, _LEAST_PART = 300, 64


class BoardResults:
    """This board's results for the hub.

    `club` is the id of the club. The methods may run in any thread."""

    def __init__(self, journal: Journal, signer: Signer, club: str) -> None:
        self._journal = journal
        self._signer = signer
        self._club = club
        self._signed: dict[int, SignedOutcome] = {}
        self._record = "", b""
        self._sequence: tuple[tuple[int, str], ...] = ()
        self._backlog = 0
        self._events: dict[int, UUID | None] = {}
        self._unreadable: set[int] = set()
        self._has_changed = True

    def read_again(self) -> None:
        """Make the next `add_to` read the outbox again."""
        self._has_changed = True

    def add_to(self, up: BoardToHub, have: ReceivedSummary | None, size: int) -> BoardToHub:
        """Add the results that the hub lacks to a message.

        The size of the backlog is always added. `have` is what the hub has received; if None, nothing else is added.
        The message has at most `size` bytes; 0 stands for `MOST_BYTES`. A part of the oldest record that the hub lacks
        takes the room that remains."""
        if self._has_changed:
            self._has_changed = False
            self._sequence, self._backlog = self._read_outbox()
        up = replace(up, status=replace(up.status, backlog=self._backlog))
        if have is None:
            return up
        room = (size or MOST_BYTES) - length(up) - _PART_BYTES
        outcomes: list[SignedOutcome] = []
        for number, game, _ in _entries_after(self._sequence, have.outcomes):
            if (signed := self._sign(number, game)) is None:
                continue
            taken = length(signed) + 1
            if taken > room or len(outcomes) == MOST_OUTCOMES:
                break
            outcomes.append(signed)
            room -= taken
        return replace(up, outcomes=tuple(outcomes), part=self._next_part(have, room))

    def lacked_events(self, have: ReceivedSummary) -> set[UUID | None]:
        """Return the competitions of which the hub lacks results.

        In the set, None is an unknown competition."""
        lacked = {game for upto in (have.outcomes, have.records) for _, game, _ in _entries_after(self._sequence, upto)}
        return {self._event(game) for game in lacked - self._unreadable}

    def _event(self, game: int) -> UUID | None:
        if game not in self._events:
            try:
                place = self._journal.event_games.place(game)
            except JournalDamaged:
                return None
            self._events[game] = None if place is None else place.event
        return self._events[game]

    def store_answers(self, answers: Iterable[OutcomeAnswer]) -> list[tuple[Outcome, OutcomeStatus]]:
        """Store the hub's answers, and return the new ones.

        Raises `JournalAway`, `JournalDamaged`."""
        entered = {(answer.number, answer.link): answer.entered for answer in answers}
        answered = []
        waiting = self._journal.outbox.waiting(self._club)
        for number, (game, link) in enumerate(self._journal.outbox.of_club(self._club) if waiting else (), start=1):
            if game in waiting and (number, link) in entered:
                outcome = self._outcome(game)
                self._journal.outbox.store_answer(game, entered[number, link])
                self.read_again()
                if outcome is not None:
                    answered.append((outcome, entered[number, link]))
        return answered

    def unanswered(self, order: Order) -> dict[PlayedFor, Outcome | None]:
        """Return the games without the hub's answer, with their outcomes.

        An outcome is None if the game is not of the meeting that is due, or if the outcome cannot be read. Raises
        `JournalDamaged`."""
        due = order.due
        places = {game: self._journal.event_games.place(game) for game in self._journal.outbox.waiting(self._club)}
        return {
            place: self._outcome(game) if due is not None and is_same_meeting(place, due.place) else None
            for game, place in places.items()
            if place is not None
        }

    def _read_outbox(self) -> tuple[tuple[tuple[int, str], ...], int]:
        """Return the ended games, and how many wait for an answer.

        Each ended game has the last link of its record. If the journal is damaged, there are no games."""
        try:
            outbox = self._journal.outbox
            return outbox.of_club(self._club), len(outbox.waiting(self._club))
        except JournalDamaged:  # the next start mends the file
            return (), 0

    def _sign(self, number: int, game: int) -> SignedOutcome | None:
        """Return the signed outcome of this game, or None."""
        if game not in self._signed:
            if (outcome := self._outcome(game)) is None:
                return None
            signature = self._signer.sign(signed_text(outcome, self._signer.id))
            self._signed = {**self._signed, game: SignedOutcome(number, outcome, signature)}
        return self._signed[game]

    def _outcome(self, game: int) -> Outcome | None:
        """Return the outcome of this game, or None if damaged.

        Then the players hand in a slip."""
        try:
            return self._journal.outcome(game)
        except (JournalDamaged, KeyError):
            self._unreadable.add(game)
            with suppress(JournalAway):
                self._journal.outbox.store_answer(game, OutcomeStatus.NOT_TAKEN)
            return None

    def _next_part(self, have: ReceivedSummary, room: int) -> RecordPart | None:
        """Return the next record part for the hub, or None.

        The part fits into `room` bytes."""
        for number, game, link in _entries_after(self._sequence, have.records) if room >= _LEAST_PART else ():
            if (data := self._compressed(game, link)) is not None:
                offset = have.got if have.part_of == link else 0
                if offset >= len(data):
                    return None  # it is being checked
                return RecordPart(number, link, offset, len(data), data[offset : offset + room * 3 // 4])
        return None

    def _compressed(self, game: int, link: str) -> bytes | None:
        """Return the compressed record of this game, or None."""
        if self._record[0] != link:
            try:
                stored = self._journal.game(game)
            except (JournalDamaged, KeyError):
                self._unreadable.add(game)
                return None
            text = write_record(Record(stored.heading, stored.game.log))
            self._record = link, zlib.compress(text.encode(), 9)
        return self._record[1]


def _entries_after(sequence: tuple[tuple[int, str], ...], upto: CommittedUpTo) -> Iterator[tuple[int, int, str]]:
    """Yield the entries of `sequence` after `upto`.

    An unknown `upto` means all entries. An entry is its number, the game, and the last link of the record."""
    fits = 0 < upto.number <= len(sequence) and sequence[upto.number - 1][1] == upto.link
    for number in range(upto.number if fits else 0, len(sequence)):
        yield (number + 1, *sequence[number])
