"""The hub of a club, which directs the boards.

Of each board only the newest message is read, and what several boards have sent meanwhile is done together: their
outcomes are one commit. An outcome is verified by the key of its board first, and then by its place. Its record is
judged later, in another process; a record that does not bear the outcome out disputes the result.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime
from functools import partial
from operator import attrgetter
from uuid import UUID

from cribd.clock import Clock
from cribd.club.hub_publisher import HubPublisher
from cribd.club.known_boards import (
    BoardAssignments,
    KnownBoard,
    goes_by_slip,
    may_be_entered,
    pair_at,
)
from cribd.club.last_heard import STORE_S, read_last_heard, store_last_heard
from cribd.club.messages import CommittedUpTo, OfficialCall
from cribd.club.received_messages import HubLog, ReceivedMessage, committed_up_to, read_messages
from cribd.club.record_check import GameRecords, RecordChecker, RecordVerdict
from cribd.club.signatures import Verifier
from cribd.club.transport import HUB_ONLINE, ONLINE, Transport, read_topic
from cribd.competition.change_request import ChangeRequest
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.organiser import Organiser
from cribd.competition.outcomes import dispute_by_record
from cribd.competition.refusals import RefusedRequest
from cribd.competition.snapshot import State
from cribd.storage.journal import JournalAway, JournalDamaged
from cribd.storage.outbox import HandedIn, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import Due

#: How long the hub waits before it repeats work that the journal has refused.
RETRY_S = 1.0
#: How long the desk reports two machines with one key after the last sign of them; signs come every few seconds.
COPY_S = 60.0
#: The longest pause after a turn of work. It lasts as long as the work took, so that messages collect meanwhile.
_MOST_REST_S = 0.1
#: The most outcomes in one commit, so that an action of the desk waits for no more of them.
_MOST_IN_BATCH = 40


class ClubHub:
    """The hub of a club, for the competitions of its journal.

    `due_at` finds the game due at a table; `log` gets refusals."""

    def __init__(
        self,
        competitions: LazyOrganiser,
        clock: Clock,
        transport: Transport,
        verify: Verifier,
        seats: BoardAssignments,
        *,
        due_at: Callable[[State, int | None], Due],
        log: Callable[[str], None],
    ) -> None:
        self._competitions = competitions
        self._received = competitions.journal.competitions.received
        self._clock = clock
        self._transport = transport
        self._verify = verify
        self._seats = seats
        self._log = HubLog(log)
        self._boards: defaultdict[str, KnownBoard] = defaultdict(KnownBoard)
        self._signed: dict[tuple[str, CommittedUpTo], HandedIn] = {}
        self._untaken: dict[tuple[str, CommittedUpTo], HandedIn] = {}
        self._tried: State = None
        """The state for which the outcomes that were not entered have been tried again."""
        self._payloads: dict[str, bytes] = {}
        self._records = GameRecords()
        self._publisher = HubPublisher(competitions, clock, transport, seats, self._boards, self._records, due_at)
        self._checker = RecordChecker()
        self._stored_heard: Mapping[str, datetime] = {}
        self._to_check: asyncio.Queue[tuple[str, CommittedUpTo, bytes]] = asyncio.Queue()
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Do the work of the hub until cancelled."""
        organiser = await self._competitions.organiser()
        await self._load()
        await self._publisher.load_events()  # a record that is at the broker already is checked by its event's rules
        self._competitions.watch(lambda _: self._changed.set())
        self._seats.watch(self._on_reseated)
        carrying = [
            asyncio.create_task(self._transport.run(self._receive, self._on_connection_to_broker), name="transport"),
            asyncio.create_task(self._main_loop(organiser), name="work"),
            asyncio.create_task(self._publisher.beat(), name="beat"),
            asyncio.create_task(self._check_records(organiser), name="records"),
            asyncio.create_task(self._keep_last_heard(), name="last heard"),
        ]
        try:
            await asyncio.gather(*carrying)
        finally:
            for task in carrying:
                task.cancel()
            await asyncio.gather(*carrying, return_exceptions=True)
            self._checker.close()
            await self._store_last_heard()

    async def _load(self) -> None:
        """Load what the journal stores about the boards."""
        journal = self._competitions.journal
        signed, answers, records, begun, heard = await self._clock.run_in_thread(
            lambda: (
                *(self._received.signed(), self._received.answers(), self._received.records()),
                journal.competitions.begun(),
                read_last_heard(journal, self._clock.wall()),
            )
        )
        for key, at in heard.items():
            self._boards[key].since = at
        numbers = {competition.uuid: competition.id for competition in begun}
        for submission in signed:
            which, board = committed_up_to(submission), self._boards[submission.board]
            self._signed[submission.board, which] = submission
            board.outcomes = which
            answer = answers.get(
                (numbers.get(submission.outcome.place.event, 0), *submission.id), OutcomeStatus.NOT_TAKEN
            )
            board.store_answer(which, answer, submission.outcome.place.event)
            if answer is OutcomeStatus.NOT_TAKEN:
                self._untaken[submission.board, which] = submission
            self._records.expect(submission, answer)
        for key, sequence, link, found in records:
            which = self._boards[key].records = CommittedUpTo(sequence, link)
            if (key, which) in self._signed:
                self._records.note_verdict(self._signed[key, which], found)

    # What comes

    def _receive(self, about: str, payload: bytes) -> None:
        if about == HUB_ONLINE:
            return
        found = read_topic(about)
        if found is None:
            self._log(f"A message about {about[:100]!r} is refused: no board has this topic")
            return
        board, what = found
        if board not in self._seats.names():
            self._log(f"Board {board[:8]} is refused: this hub does not know it. Let it join the club again")
            return
        if what == "up":
            self._payloads[board] = payload
        elif what == "online":
            known, is_online = self._boards[board], payload == ONLINE
            if known.is_online and not is_online and known.note_drop(self._clock.now()):
                self._report_copied_key(board)
            known.note_presence(is_online, self._clock.wall())
            self._publisher.touch(board)
        self._changed.set()

    def _on_connection_to_broker(self, is_connected: bool) -> None:
        self._publisher.resend_all()  # the broker keeps nothing
        if not is_connected:
            self._mark_all_away()
        self._changed.set()

    def _mark_all_away(self) -> None:
        for known in filter(attrgetter("is_online"), tuple(self._boards.values())):
            known.note_presence(False, self._clock.wall())

    async def _keep_last_heard(self) -> None:
        while True:
            await self._clock.sleep(STORE_S)
            await self._store_last_heard()

    async def _store_last_heard(self) -> None:
        now, known = self._clock.wall(), {board: self._boards[board] for board in self._seats.names()}
        heard = {key: now if board.is_online else board.since for key, board in known.items() if board.since}
        if heard != self._stored_heard:
            store = partial(store_last_heard, self._competitions.journal, heard)
            if await self._clock.run_in_thread(store):
                self._stored_heard = heard

    def _on_reseated(self) -> None:
        self._tried = None
        self._publisher.touch(*self._seats.names())
        self._changed.set()

    async def _main_loop(self, organiser: Organiser) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            begun = self._clock.now()
            payloads, self._payloads = self._payloads, {}
            read = await self._clock.run_in_thread(
                partial(read_messages, payloads, self._signed, self._verify, self._log)
            )
            for message in read:
                if self._boards[message.board].hear(message.up):
                    self._report_copied_key(message.board)
                self._publisher.touch(message.board)
                self._publisher.set_beat(message.board, keeps_beat=message.is_padded)
            try:
                await self._accept_outcomes(organiser, read)
            except (JournalAway, JournalDamaged):
                self._payloads, self._tried = payloads | self._payloads, None
                self._clock.call_later(RETRY_S, self._wake)
                continue
            await self._forward_calls(organiser)
            for message in read:
                self._add_record_part(message)
            await self._publisher.publish()
            if (took := self._clock.now() - begun) > 0:  # meanwhile more comes, which is done together
                await self._clock.sleep(min(took, _MOST_REST_S))

    def _report_copied_key(self, board: str) -> None:
        """Report that two machines use this board's key."""
        self._log(f"Two machines use the key of board {board[:8]}, and cut each other off", board)
        self._boards[board].copies += 1
        self._clock.call_later(COPY_S, partial(self._clear_copied_key, board))

    def _clear_copied_key(self, board: str) -> bool:
        self._boards[board].copies -= 1
        self._publisher.touch(board)
        return self._wake()

    def _wake(self) -> bool:
        self._changed.set()
        return True

    # Outcomes

    async def _accept_outcomes(self, organiser: Organiser, read: Iterable[ReceivedMessage]) -> None:
        """Enter all outcomes that can be entered now.

        Raises `JournalAway`, `JournalDamaged`."""
        new = [submission for message in read for submission in message.new]
        state, tried = self._competitions.state, self._tried
        self._tried = state
        waiting = (  # what was not entered is tried again after a change alone
            [handed_in for handed_in in self._untaken.values() if may_be_entered(state, handed_in.outcome)]
            if state is not tried
            else []
        )
        by_event: defaultdict[UUID, list[HandedIn]] = defaultdict(list)
        elsewhere = []
        for submission in (*new, *waiting):
            if (why := self._reason_not_to_enter(submission)) is None:
                by_event[submission.outcome.place.event].append(submission)
            elif submission in new:
                self._log(f"An outcome of board {submission.board[:8]} is not taken: {why}", submission.board)
                elsewhere.append(submission)
        for event, handed_in in _batches(by_event):
            try:
                refuted = [*filter(self._records.is_wrong, handed_in)]  # a round that is drawn again after the check
                answers = await organiser.accept(event, handed_in, refuted=refuted)
            except RefusedRequest as refused:
                if refused.code == "not_kept":
                    raise JournalAway from refused
                self._log(f"Outcomes of event {event} are not taken: {refused}", handed_in[0].board)
                elsewhere += [submission for submission in handed_in if submission in new]
                continue
            for submission, answer in zip(handed_in, answers, strict=True):
                self._record_answer(submission, answer)
                if answer is OutcomeStatus.NOT_TAKEN and submission in new:
                    pair, at = pair_at(state, submission.outcome.place), _in_words(submission.outcome.place)
                    is_pair = pair is not None and submission.outcome.entrants in ((), pair.entrants)
                    why = f"it cannot be a result of {at}" if is_pair else f"no such pair plays at {at}"
                    self._log(f"An outcome of board {submission.board[:8]} is not taken: {why}", submission.board)
        if elsewhere:
            await self._clock.run_in_thread(partial(self._received.store_signed, elsewhere))
        for submission in elsewhere:
            self._record_answer(submission, OutcomeStatus.NOT_TAKEN)
        for board in read:
            known = self._boards[board.board]
            if board.upto is not None:
                known.outcomes = board.upto
            for signed in board.up.outcomes:
                if (which := CommittedUpTo(signed.number, signed.outcome.record)) in known.answers:
                    known.store_answer(which, *known.answers[which])

    def _reason_not_to_enter(self, submission: HandedIn) -> str | None:
        table = submission.outcome.place.table
        if goes_by_slip(submission.outcome, self._seats.order(submission.board)):
            return f"its game at table {table} goes on by slip"
        return self._why_not_from(submission.board, table)

    def _why_not_from(self, board: str, table: int) -> str | None:
        """Return the reason to refuse this board's report, or None."""
        return None if table in self._seats.stood_at(board) else f"it never stood at table {table}"

    def note_unentered(self, submission: HandedIn, answer: OutcomeStatus) -> None:
        """Record that the desk did not enter a result.

        The game was played at this machine. Its record is in this journal, and needs no check."""
        self._records.note_verdict(submission, RecordVerdict.SOUND)
        self._record_answer(submission, answer)
        self._changed.set()

    def _record_answer(self, submission: HandedIn, answer: OutcomeStatus) -> None:
        key = submission.board, committed_up_to(submission)
        self._signed[key] = submission
        self._boards[submission.board].store_answer(committed_up_to(submission), answer, submission.outcome.place.event)
        self._publisher.touch(submission.board)
        self._untaken.pop(key, None)
        if answer is OutcomeStatus.NOT_TAKEN:
            self._untaken[key] = submission
        self._records.expect(submission, answer)

    # Calls

    async def _forward_calls(self, organiser: Organiser) -> None:
        """Tell the desk which tables call an official.

        Calls that the hub refuses are left out. Failed writes are repeated later."""
        changes: defaultdict[UUID, list[tuple[KnownBoard, OfficialCall]]] = defaultdict(list)
        for board, known in self._boards.items():
            for call in known.changed_calls():
                if call.number in known.calls or (why := self._why_not_from(board, call.place.table)) is None:
                    changes[call.place.event].append((known, call))
                else:
                    self._log(f"A call of board {board[:8]} is refused: {why}", board)
        for event, several in changes.items():
            try:
                await organiser.do_many([known.request(call) for known, call in several], event=event)
            except RefusedRequest as refused:
                if refused.code == "not_kept":
                    self._log(f"A call for an official waits: {refused}")
                    self._clock.call_later(RETRY_S, self._wake)
                    continue
            for known, call in several:
                known.note_call(call, pair_at(self._competitions.state, call.place))

    # Records

    def _add_record_part(self, message: ReceivedMessage) -> None:
        part, known = message.up.part, self._boards[message.board]
        if part is not None:
            which = CommittedUpTo(part.number, part.link)
            if (message.board, which) in self._signed and known.add(part):
                self._to_check.put_nowait((message.board, which, known.data))

    async def _check_records(self, organiser: Organiser) -> None:
        while True:
            board, which, data = await self._to_check.get()
            handed_in, known = self._signed[board, which], self._boards[board]
            try:
                rules = self._publisher.rules.get(handed_in.outcome.place.event)
                found = (
                    RecordVerdict.NO_EVENT
                    if rules is None
                    else await self._checker.check(data, handed_in.outcome, rules)
                )
                if found not in (RecordVerdict.NO_EVENT, RecordVerdict.SOUND):
                    at = _in_words(handed_in.outcome.place)
                    which_record = f"The record of {at} of board {board[:8]}"
                    self._log(f"{which_record} does not bear its outcome out: {found.reason}", board)
                    self._records.note_verdict(handed_in, found)  # a result that is entered now is disputed with it
                    dispute = ChangeRequest(partial(dispute_by_record, outcome=handed_in.outcome))
                    await organiser.do_many([dispute], event=handed_in.outcome.place.event)
                keep = partial(self._received.keep_record, board, which.number, which.link, data, found)
                await self._clock.run_in_thread(keep)
            except (JournalAway, RefusedRequest, BrokenProcessPool):
                await self._clock.sleep(RETRY_S)
            else:
                known.records = which
                self._records.note_verdict(handed_in, found)
            if known.part_of == which.link:
                known.part_of, known.data = "", b""
            self._publisher.touch(board)
            self._changed.set()


def _in_words(place: PlayedFor) -> str:
    return f"round {place.round}, table {place.table}, game {place.game}"


def _batches(by_event: Mapping[UUID, Sequence[HandedIn]]) -> Iterator[tuple[UUID, Sequence[HandedIn]]]:
    for event, handed_in in by_event.items():
        for first in range(0, len(handed_in), _MOST_IN_BATCH):
            yield event, handed_in[first : first + _MOST_IN_BATCH]
