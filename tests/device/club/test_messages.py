"""What boards and the hub tell each other: it comes through whole, from an older release and a newer one too, and
whatever else comes is refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cribd.club.board_status import CountShown, CountWords, GameShown, GameWords, MatchShown, StepShown
from cribd.club.messages import (
    MOST_BYTES,
    SEALED_SIZE,
    AwaitedRound,
    BoardToHub,
    CommittedUpTo,
    DueGame,
    EventSeal,
    HubToBoard,
    NotUnderstood,
    OfficialCall,
    Order,
    OutcomeAnswer,
    ReceivedSummary,
    RecordPart,
    ReportedFault,
    ReportedStatus,
    SignedOutcome,
    TableMove,
    read_down,
    read_up,
    write,
)
from cribd.club.signatures import signed_text
from cribd.club.transport import HUB_ONLINE, read_topic, topic
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import Meeting, TakenGame

numbers = st.integers(0, 2**53 - 1)
texts = st.text(st.characters(exclude_categories=("C", "Z")), max_size=12)
french = texts.map(lambda text: f"{text}\u00a0: {text}\u202f!")
places = st.builds(PlayedFor, st.uuids(), numbers, numbers, numbers)


def tuples(of: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, max_size=4).map(tuple)


outcomes = st.builds(
    Outcome, place=places, scores=tuples(numbers), broken_off=st.booleans(), record=texts, entrants=tuples(numbers)
)
counts = st.builds(
    CountShown,
    number=numbers,
    deal=numbers,
    cards=tuples(texts),
    points=numbers,
    due=st.none() | numbers,
    starter=texts,
    steps=tuples(st.builds(StepShown, tuples(texts), numbers)),
    words=tuples(st.builds(CountWords, language=texts, who=french, what=french, steps=tuples(french), ruling=french)),
)
matches = st.builds(MatchShown, games=tuples(numbers), points=tuples(numbers), of=numbers, standings=texts)
games = st.builds(
    GameShown,
    event=st.uuids(),
    round=numbers,
    table=numbers,
    game=numbers,
    names=tuples(texts),
    scores=tuples(numbers),
    backs=tuples(numbers),
    target=numbers,
    deal=numbers,
    dealer=st.none() | numbers,
    starter=texts,
    laid=tuples(texts),
    count=st.none() | numbers,
    winner=st.none() | numbers,
    number=numbers,
    rules=texts,
    way=texts,
    phase=texts,
    acts=st.none() | numbers,
    in_hand=tuples(st.none() | numbers),
    laid_by=tuples(numbers),
    counted=tuples(texts),
    last_count=st.none() | counts,
    match=st.none() | matches,
    board=texts,
    words=tuples(st.builds(GameWords, texts, french, tuples(french), french)),
)
statuses = st.builds(
    ReportedStatus,
    release=texts,
    protocol=numbers,
    journal=numbers,
    faults=tuples(st.builds(ReportedFault, texts, texts)),
    reader=texts,
    backlog=numbers,
    table=numbers,
    rehearsal=numbers,
    plays=st.none() | places,
    not_begun=tuples(places),
    start=numbers,
)
ups = st.builds(
    BoardToHub,
    status=statuses,
    calls=tuples(st.builds(OfficialCall, numbers, places, numbers)),
    outcomes=tuples(st.builds(SignedOutcome, numbers, outcomes, st.binary(max_size=80))),
    part=st.none() | st.builds(RecordPart, numbers, texts, numbers, numbers, st.binary(max_size=80)),
    game=st.none() | games,
)
upto = st.builds(CommittedUpTo, numbers, texts)
downs = st.builds(
    HubToBoard,
    have=st.none()
    | st.builds(
        ReceivedSummary,
        outcomes=upto,
        records=upto,
        part_of=texts,
        got=numbers,
        answers=tuples(st.builds(OutcomeAnswer, numbers, texts, st.sampled_from(OutcomeStatus))),
    ),
    order=st.builds(
        Order,
        release=texts,
        protocol=numbers,
        table=numbers,
        due=st.none()
        | st.builds(
            DueGame,
            place=places,
            names=tuples(texts),
            entrants=tuples(numbers),
            rules=texts,
            captains=tuples(texts),
            is_play_off=st.booleans(),
            meeting=st.builds(Meeting, numbers, numbers, tuples(numbers), numbers),
            is_sealed=st.booleans(),
        ),
        waits=st.none() | st.builds(AwaitedRound, numbers, tuples(st.builds(TableMove, texts, numbers)), tuples(texts)),
        is_paused=st.booleans(),
        word=texts,
        word_number=numbers,
        rehearsal=numbers,
        takes=tuples(st.builds(TakenGame, places, st.booleans())),
    ),
    events=tuples(st.builds(EventSeal, st.uuids(), st.booleans())),
    rulings=tuples(numbers),
)


def of_any_shape(floats: st.SearchStrategy[float]) -> st.SearchStrategy[object]:
    return st.recursive(
        st.none() | st.booleans() | st.integers() | floats | st.text(),
        lambda of: st.lists(of) | st.dictionaries(st.text(), of),
    )


anything = of_any_shape(st.floats())
in_json = of_any_shape(st.floats(allow_nan=False, allow_infinity=False))  # JSON has neither (RFC 8259, 6)


@settings(max_examples=30, deadline=None)
@given(ups, downs)
def test_what_is_sent_comes_in_unchanged(up: BoardToHub, down: HubToBoard) -> None:
    assert read_up(write(up)) == up
    assert read_down(write(down)) == down


@settings(max_examples=30, deadline=None)
@given(st.binary())
def test_any_bytes_are_a_message_or_are_refused_in_a_sentence(payload: bytes) -> None:
    for read in (read_up, read_down):
        assert_read_or_refused(read, payload)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_value_in_any_field_is_a_message_or_is_refused_in_a_sentence(data: st.DataObject) -> None:
    message = data.draw(ups | downs)
    read = read_up if isinstance(message, BoardToHub) else read_down
    values = json.loads(write(message))
    inside = values
    while True:
        name = data.draw(st.sampled_from(sorted(inside)))
        if not isinstance(inside[name], dict) or not inside[name] or data.draw(st.booleans()):
            break
        inside = inside[name]
    inside[name] = data.draw(anything)
    assert_read_or_refused(read, json.dumps(values).encode())


def assert_read_or_refused(read: Callable[[bytes], BoardToHub | HubToBoard], payload: bytes) -> None:
    try:
        message = read(payload)
    except NotUnderstood as refused:
        said = str(refused)
    else:
        said = write(message).decode()
    assert said.translate({0xA0: " ", 0x202F: " "}).isprintable()


@settings(max_examples=30, deadline=None)
@given(ups, downs, in_json)
def test_a_field_of_a_newer_release_is_ignored_wherever_it_stands(
    up: BoardToHub, down: HubToBoard, value: object
) -> None:
    def with_field(values: object) -> object:
        match values:
            case dict():
                return {name: with_field(entry) for name, entry in values.items()} | {"of a newer release": value}
            case list():
                return [with_field(entry) for entry in values]
        return values

    newer = [json.dumps(with_field(json.loads(write(message)))).encode() for message in (up, down)]
    assume(all(len(payload) <= MOST_BYTES for payload in newer))
    assert read_up(newer[0]) == up
    assert read_down(newer[1]) == down


@settings(max_examples=30, deadline=None)
@given(ups, downs)
def test_a_field_that_an_older_release_does_not_send_has_its_default(up: BoardToHub, down: HubToBoard) -> None:
    for message, read in ((up, read_up), (down, read_down)):
        assert read(b"{}") == type(message)()
        for left_out in fields(message):
            values = json.loads(write(message))
            del values[left_out.name]
            older = read(json.dumps(values).encode())
            assert getattr(older, left_out.name) == getattr(type(message)(), left_out.name)
    order = json.loads(write(down))["order"]
    for left_out in fields(Order):
        older = read_down(json.dumps({"order": {k: v for k, v in order.items() if k != left_out.name}}).encode())
        assert older.order == Order(**{**_shallow(down.order), left_out.name: getattr(Order(), left_out.name)})


def _shallow(value: Any) -> dict[str, Any]:
    assert is_dataclass(value)
    return {field.name: getattr(value, field.name) for field in fields(value)}


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"hello", "a message is an object in JSON"),
        (b"\xff", "a message is an object in JSON"),
        (b"[" * 60_000, "a message is an object in JSON"),
        (b"[]", "the message is an object"),
        (b"1" * 50_000, "a message is an object in JSON"),
        (b'{"status": {"backlog": -1}}', "backlog cannot be -1"),
        (b'{"status": {"backlog": true}}', "backlog cannot be True"),
        (b'{"status": {"release": "a\\nb"}}', "release cannot be 'a\\nb'"),
        (b'{"status": {"backlog": NaN}}', "a message is an object in JSON"),
        (b'{"game": {"event": "x"}}', "event cannot be 'x'"),
        (b'{"status": {"release": "\\ud800"}}', "release cannot be '\\ud800'"),
        (b'{"calls": [{"number": 1, "side": 0}]}', "an entry of calls lacks place"),
        (b'{"outcomes": [{"number": 1, "signature": "%"}]}', "an entry of outcomes lacks outcome"),
        (b" " * (MOST_BYTES + 1), f"a message has at most {MOST_BYTES} bytes, not {MOST_BYTES + 1}"),
    ],
)
def test_an_invalid_message_is_refused_with_its_field(payload: bytes, why: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        read_up(payload)
    assert str(refused.value) == why


def test_messages_about_a_sealed_event_have_one_length() -> None:
    outcome = Outcome(place=PlayedFor(UUID(int=1), 1, 2, 1), scores=(121, 90), broken_off=False, record="a link")
    with_result = BoardToHub(outcomes=(SignedOutcome(1, outcome, b"signature"),))
    assert len(write(BoardToHub(), SEALED_SIZE)) == len(write(with_result, SEALED_SIZE)) == SEALED_SIZE
    assert read_up(write(with_result, SEALED_SIZE)) == with_result


def test_a_message_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(NotUnderstood, match=f"at most {SEALED_SIZE} bytes"):
        write(BoardToHub(status=ReportedStatus(release="b" * SEALED_SIZE)), SEALED_SIZE)
    with pytest.raises(NotUnderstood, match=f"at most {MOST_BYTES} bytes"):
        write(BoardToHub(status=ReportedStatus(release="b" * MOST_BYTES)))


def test_a_topic_names_a_board_by_its_key_and_nothing_else() -> None:
    board = "0123456789abcdef" * 4
    assert read_topic(topic(board, "up")) == (board, "up")
    for other in (HUB_ONLINE, topic(board[1:], "up"), topic(board.upper(), "up"), topic(board, "sideways"), ""):
        assert read_topic(other) is None


def test_a_signature_holds_for_one_outcome_of_one_board_alone() -> None:
    place = PlayedFor(UUID(int=1), 1, 2, 1)
    outcome = Outcome(place=place, scores=(121, 90), broken_off=False, record="a link", entrants=(3, 4))
    others = [
        replace(outcome, place=replace(place, event=UUID(int=2))),
        *(
            replace(outcome, place=other)
            for other in (replace(place, round=9), replace(place, table=9), replace(place, game=9))
        ),
        replace(outcome, scores=(121, 91)),
        replace(outcome, broken_off=True),
        replace(outcome, record="another link"),
        replace(outcome, entrants=(4, 3)),
    ]
    texts = {signed_text(one, "one board") for one in [outcome, *others]} | {signed_text(outcome, "another board")}
    assert len(texts) == len(others) + 2
