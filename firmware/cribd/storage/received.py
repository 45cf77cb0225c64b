"""The data that the organiser has received from boards.

An outcome that was not taken is not remembered with its answer: it is judged again when it comes again, or when the
round is there. What a board of the club has signed stays in either case.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from cribd.storage import schema
from cribd.storage.journal_file import JournalFile
from cribd.storage.outbox import HandedIn, Outcome, OutcomeStatus, PlayedFor

_SIGNED = (
    "SELECT 1 FROM signed_outcome WHERE board = ? AND event = ? AND round = ? AND at_table = ? AND number = ? "
    "AND record = ?"
)
_RECORD = "SELECT 1 FROM game_record WHERE board = ? AND sequence = ? AND record = ?"


class Received:
    """The outcomes and records that the organiser received from boards."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file

    def answer(self, competition: int, handed_in: HandedIn) -> OutcomeStatus | None:
        """Return the desk's earlier answer to this outcome, or None. Raises `JournalDamaged`.

        An earlier NOT_TAKEN gives None. A damaged answer gives NOT_TAKEN: a slip joins the result that is there."""
        if not self._file.read(schema.OUTBOX):
            return None
        query = (
            "SELECT answer FROM received WHERE competition = ? AND round = ? AND at_table = ? AND number = ? "
            "AND board = ? AND record = ?"
        )
        found = self._file.read(query, competition, *handed_in.id)
        if not found or found[0][0] == OutcomeStatus.NOT_TAKEN:
            return None
        return next((answer for answer in OutcomeStatus if answer == found[0][0]), OutcomeStatus.NOT_TAKEN)

    def write(self, competition: int, answers: Iterable[tuple[HandedIn, OutcomeStatus]]) -> None:
        """Store all signed outcomes, and the answers except `NOT_TAKEN`.

        Call this within the transaction that enters the results."""
        at, given = self._file.now(), list(answers)
        rows = [
            (competition, *submission.id, answer.value, at)
            for submission, answer in given
            if answer is not OutcomeStatus.NOT_TAKEN
        ]
        self._file.db.executemany("INSERT INTO received VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._write_signed(submission for submission, _ in given)

    def store_signed(self, handed_in: Iterable[HandedIn]) -> None:
        """Store signed outcomes that the desk cannot enter now. Raises `JournalAway`."""
        with self._file.transaction():
            self._write_signed(handed_in)

    def _write_signed(self, handed_in: Iterable[HandedIn]) -> None:
        at = self._file.now()
        for submission in handed_in:
            outcome, place = submission.outcome, submission.outcome.place
            id_ = submission.board, str(place.event), place.round, place.table, place.game, outcome.record
            if not submission.signature or self._has(_SIGNED, *id_):
                continue
            row = (
                *(submission.board, outcome.record, submission.sequence, *id_[1:5]),
                *(_joined(outcome.scores), outcome.broken_off, _joined(outcome.entrants), submission.signature, at),
            )
            self._file.db.execute(f"INSERT INTO signed_outcome VALUES ({', '.join('?' * len(row))})", row)

    def signed(self) -> tuple[HandedIn, ...]:
        """Read all signed outcomes, ordered by board and number. Raises `JournalDamaged`."""
        if not self._file.read(schema.CLUB):
            return ()
        query = (
            "SELECT board, record, sequence, event, round, at_table, number, scores, broken_off, entrants, signature "
            "FROM signed_outcome ORDER BY board, sequence"
        )
        return tuple(_handed_in(*row) for row in self._file.read(query))

    def answers(self) -> dict[tuple[object, ...], OutcomeStatus]:
        """Map each received outcome to the desk's answer. Raises `JournalDamaged`.

        A key is the number of the competition, followed by `HandedIn.id`."""
        if not self._file.read(schema.OUTBOX):
            return {}
        found = self._file.read("SELECT answer, competition, round, at_table, number, board, record FROM received")
        return {tuple(id_): OutcomeStatus(answer) for answer, *id_ in found if answer in set(OutcomeStatus)}

    def keep_record(self, board: str, sequence: int, link: str, data: bytes, found: str) -> None:
        """Store a new game record with its check result `found`. Raises `JournalAway`."""
        with self._file.transaction():
            if not self._has(_RECORD, board, sequence, link):
                row = board, link, sequence, data, found, self._file.now()
                self._file.db.execute("INSERT INTO game_record VALUES (?, ?, ?, ?, ?, ?)", row)

    def records(self) -> tuple[tuple[str, int, str, str], ...]:
        """List all game records, without their data. Raises `JournalDamaged`.

        Each is the board, the number of the outcome, the last hash and the result of the check."""
        if not self._file.read(schema.CLUB):
            return ()
        return tuple(self._file.read("SELECT board, sequence, record, found FROM game_record ORDER BY board, sequence"))

    def _has(self, query: str, *values: object) -> bool:
        return self._file.db.execute(query, values).fetchone() is not None


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _handed_in(
    board: str,
    record: str,
    sequence: int,
    event: str,
    round_: int,
    table: int,
    game: int,
    scores: str,
    broken_off: int,
    entrants: str,
    signature: bytes,
) -> HandedIn:
    place = PlayedFor(UUID(event), round_, table, game)
    outcome = Outcome(
        place=place,
        scores=tuple(map(int, scores.split())),
        broken_off=bool(broken_off),
        record=record,
        entrants=tuple(map(int, entrants.split())),
    )
    return HandedIn(outcome, board, sequence, signature)
