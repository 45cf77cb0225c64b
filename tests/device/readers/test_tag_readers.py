"""The protocols of tag readers: the examples of their data sheets first, then damage on the wire."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.places import DATA_SHEETS

from cribd.inputs import Input, MultipleTags, ReadFailed, TagRead
from cribd.readers import LinkState
from cribd.readers.pn532 import ACK, NACK, Frames, Pn532, Response, SpecialFrame, command, tag_numbers
from cribd.readers.rdm6300 import Rdm6300
from cribd.wires import ReaderKind

SHEETS: dict[str, Any] = DATA_SHEETS
RDM, PN = SHEETS["rdm6300"], SHEETS["pn532"]
FRAMES = [bytes.fromhex(frame["wire"]) for frame in RDM["frame"]]
GOOD, OTHER = FRAMES
FAILED = ReadFailed("reader")
SAM, RETRIES, NONE = (PN["command"][at] for at in (1, 2, 3))
WAKE = bytes.fromhex(PN["wake"])


def split(data: bytes, cuts: set[int]) -> list[bytes]:
    places = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    return [data[begin:end] for begin, end in pairwise(places)]


@pytest.mark.parametrize("kind", [kind for kind in ReaderKind if kind.reads_tags])
def test_each_kind_that_reads_tags_has_a_data_sheet_with_its_speed(kind: ReaderKind) -> None:
    assert SHEETS[kind]["baud"] == kind.default_baud


class TestRdm6300:
    @pytest.mark.parametrize("frame", RDM["frame"])
    def test_a_frame_of_the_sheet_is_its_tag(self, frame: dict[str, str]) -> None:
        assert Rdm6300("north").feed(bytes.fromhex(frame["wire"])) == [TagRead(frame["uid"], "north")]

    def test_a_resting_tag_is_reported_at_each_poll(self) -> None:
        assert Rdm6300().feed(GOOD * 5) == [TagRead("62E3086CED")] * 5

    @pytest.mark.parametrize("bit", range(8, 13 * 8))
    def test_one_wrong_bit_between_head_and_tail_reads_no_tag(self, bit: int) -> None:
        wrong = bytearray(GOOD)
        wrong[bit // 8] ^= 1 << bit % 8
        inputs = Rdm6300().feed(bytes(wrong) + OTHER)
        assert inputs[-1] == TagRead("01000734E0")
        assert set(inputs[:-1]) == {FAILED}

    @pytest.mark.parametrize("keep", range(1, 14))
    def test_half_a_frame_is_a_failed_reading_and_never_joins_the_next(self, keep: int) -> None:
        assert Rdm6300().feed(GOOD[:keep] + OTHER) == [FAILED, TagRead("01000734E0")]

    @pytest.mark.parametrize("lost", range(1, 13))
    def test_a_frame_without_its_beginning_is_a_failed_reading(self, lost: int) -> None:
        assert Rdm6300().feed(GOOD[lost:] + OTHER) == [FAILED, TagRead("01000734E0")]

    @pytest.mark.parametrize("lost", range(1, 13))
    def test_a_frame_that_lost_a_byte_or_has_one_too_many_is_no_tag(self, lost: int) -> None:
        assert Rdm6300().feed(GOOD[:lost] + GOOD[lost + 1 :]) == [FAILED]
        assert Rdm6300().feed(GOOD[:lost] + b"0" + GOOD[lost:]) == [FAILED]

    def test_noise_between_frames_is_ignored(self) -> None:
        assert Rdm6300().feed(b"\x00\xff5H\r\n" + GOOD + b"\x00" * 50) == [TagRead("62E3086CED")]

    def test_an_endless_frame_fills_no_memory(self) -> None:
        decoder = Rdm6300()
        for _ in range(100):
            assert decoder.feed(b"\x02"[:0] + b"0" * 4096) == []
        assert len(decoder._buffer) <= 13
        assert decoder.feed(b"\x03") == [FAILED]

    @given(
        st.lists(st.sampled_from([GOOD, OTHER, b"\x02", b"\x03", b"0", b"\xff", GOOD[:7]])), st.sets(st.integers(0, 90))
    )
    def test_any_split_of_the_bytes_reads_the_same(self, pieces: list[bytes], cuts: set[int]) -> None:
        data = b"".join(pieces)
        many = Rdm6300()
        assert Rdm6300().feed(data) == [given_input for piece in split(data, cuts) for given_input in many.feed(piece)]


class TestFrames:
    @pytest.mark.parametrize("example", PN["command"], ids=lambda each: each["name"])
    def test_a_command_is_framed_as_in_the_manual(self, example: dict[str, str]) -> None:
        says = bytes.fromhex(example["says"])
        assert command(says[6], says[7:-2]) == says

    @pytest.mark.parametrize("example", PN["command"], ids=lambda each: each["name"])
    def test_an_answer_is_read_as_in_the_manual(self, example: dict[str, str]) -> None:
        says, answers = bytes.fromhex(example["says"]), bytes.fromhex(example["answers"])
        assert Frames().feed(answers) == [Response(says[6] + PN["answers_with"], answers[7:-2])]

    @pytest.mark.parametrize("name", ["ack", "nack", "error"])
    def test_ack_nack_and_error_frames_are_recognised(self, name: str) -> None:
        assert Frames().feed(bytes.fromhex(PN["short"][name])) == [SpecialFrame(name)]

    def test_ack_and_nack_of_the_host_are_framed_as_in_the_manual(self) -> None:
        assert (bytes.fromhex(PN["short"]["ack"]), bytes.fromhex(PN["short"]["nack"])) == (ACK, NACK)

    def test_an_extended_frame_is_read_too(self) -> None:
        body = bytes((int(PN["to_host"], 16), 0x41)) + bytes(range(256))
        high, low = divmod(len(body), 256)
        frame = bytes.fromhex(PN["extended"]["begins"]) + bytes((high, low, -(high + low) & 0xFF)) + body
        assert Frames().feed(frame + bytes((-sum(body) & 0xFF, 0))) == [Response(0x41, bytes(range(256)))]

    def test_an_extended_frame_longer_than_there_can_be_is_not_waited_for(self) -> None:
        frames = Frames()
        assert frames.feed(bytes.fromhex(PN["extended"]["begins"]) + b"\xff\xff\x02") == [SpecialFrame.DAMAGED]
        assert frames.feed(bytes.fromhex(SAM["answers"])) == [Response(0x15, b"")]

    @pytest.mark.parametrize("bit", range(3 * 8, 21 * 8))
    def test_a_wrong_bit_is_found_by_one_of_the_checks(self, bit: int) -> None:
        wrong = bytearray(bytes.fromhex(PN["targets"][2]["answers"]))
        wrong[bit // 8] ^= 1 << bit % 8
        assert not any(isinstance(frame, Response) for frame in Frames().feed(bytes(wrong)))

    def test_an_endless_frame_fills_no_memory(self) -> None:
        frames = Frames()
        for _ in range(100):
            frames.feed(b"\x00\xff" * 1000)
        assert len(frames._buffer) <= 300

    @given(
        st.lists(
            st.sampled_from(
                [
                    ACK,
                    NACK,
                    *(bytes.fromhex(each["answers"]) for each in PN["targets"]),
                    b"\x00\xff",
                    b"\xff\xff",
                    b"\x00",
                ]
            )
            | st.binary(max_size=9)
        ),
        st.sets(st.integers(0, 200)),
    )
    def test_any_split_of_the_bytes_reads_the_same(self, pieces: list[bytes], cuts: set[int]) -> None:
        data = b"".join(pieces)
        many = Frames()
        assert Frames().feed(data) == [frame for piece in split(data, cuts) for frame in many.feed(piece)]


class Talk:
    """A PN532 at the other end, as the manual has it: what the driver says is seen, what it hears is given."""

    def __init__(self) -> None:
        self.driver = Pn532("north")
        self.now = 50.0
        self.inputs: list[Input] = self.driver.tick(self.now)

    def link(self) -> LinkState:
        return self.driver.link

    def said(self) -> bytes:
        return self.driver.to_send()

    def answer(self, *frames: str | bytes) -> list[Input]:
        data = b"".join(frame if isinstance(frame, bytes) else bytes.fromhex(frame) for frame in frames)
        return self.driver.feed(data, self.now)

    def wait(self, seconds: float) -> list[Input]:
        """Time passes, and the driver is ticked whenever it wants to be."""
        until, inputs = self.now + seconds, []
        while self.driver.due <= until:
            self.now = max(self.now, self.driver.due)
            inputs += self.driver.tick(self.now)
        self.now = until
        return inputs

    def polls(self) -> Talk:
        """As far as the question for tags."""
        for asked in (SAM, RETRIES):
            self.said()
            assert self.answer(ACK, asked["answers"]) == []
        assert self.said() == bytes.fromhex(NONE["says"])
        return self


class TestPn532:
    def test_the_pn532_is_woken_configured_and_polled_for_two_tags(self) -> None:
        talk = Talk()
        assert talk.said() == WAKE + bytes.fromhex(SAM["says"])
        assert talk.link() is LinkState.UNKNOWN
        talk.answer(ACK, SAM["answers"])
        assert talk.link() is LinkState.ANSWERING
        assert talk.said() == bytes.fromhex(RETRIES["says"])
        talk.answer(ACK, RETRIES["answers"])
        for _ in range(3):
            assert talk.said() == bytes.fromhex(NONE["says"])
            assert talk.answer(ACK, NONE["answers"]) == []
            assert talk.said() == b""
            assert talk.wait(0.1) == []

    @pytest.mark.parametrize("example", PN["targets"], ids=lambda each: " ".join(each["uids"]) or "none")
    def test_the_tags_of_an_answer_are_those_of_the_manual(self, example: dict[str, Any]) -> None:
        uids = tuple(example["uids"])
        assert tag_numbers(bytes.fromhex(example["answers"])[7:-2]) == uids
        one, many = [TagRead(uid, "north") for uid in uids], [MultipleTags(uids, "north")]
        assert Talk().polls().answer(ACK, example["answers"]) == (many if len(uids) > 1 else one)

    @pytest.mark.parametrize("said", ["", "01", "01 01 00 04", "01 01 00 04 08 05 01 02 03 04 05", "00 00", "03"])
    def test_an_answer_that_makes_no_sense_is_no_tag(self, said: str) -> None:
        assert tag_numbers(bytes.fromhex(said)) is None

    def test_a_resting_tag_is_reported_in_each_frame(self) -> None:
        talk = Talk().polls()
        for _ in range(3):
            assert talk.answer(ACK, PN["targets"][1]["answers"]) == [TagRead("12345678", "north")]
            talk.wait(0.1)
            talk.said()

    def test_a_damaged_answer_is_asked_for_again_and_nothing_is_lost(self) -> None:
        talk = Talk().polls()
        wrong = bytearray(bytes.fromhex(PN["targets"][1]["answers"]))
        wrong[15] ^= 4
        assert talk.answer(ACK, bytes(wrong)) == []
        assert talk.said() == NACK
        assert talk.answer(PN["targets"][1]["answers"]) == [TagRead("12345678", "north")]

    def test_an_answer_that_stays_damaged_is_one_failed_reading_after_all_retries(self) -> None:
        talk = Talk().polls()
        wrong = bytearray(bytes.fromhex(PN["targets"][1]["answers"]))
        wrong[15] ^= 4
        assert [given_input for _ in range(8) for given_input in talk.answer(ACK, bytes(wrong))] == []
        assert talk.answer(ACK, bytes(wrong)) == [ReadFailed("north")]
        assert talk.said().endswith(WAKE + bytes.fromhex(SAM["says"]))

    def test_a_cut_off_answer_is_dropped_and_a_fault_if_it_repeats(self) -> None:
        talk = Talk().polls()
        two = bytes.fromhex(PN["targets"][3]["answers"])
        assert talk.answer(ACK, two[:18]) == []
        assert talk.wait(0.6) == []
        assert talk.said().endswith(bytes.fromhex(NONE["says"]))
        assert talk.answer(ACK, two) == [MultipleTags(("12345678", "9ABCDEF0"), "north")]
        talk.wait(0.06)
        inputs = []
        for _ in range(3):
            talk.answer(ACK, two[:18])
            inputs += talk.wait(0.51)
        assert inputs == [ReadFailed("north")]

    def test_a_lost_ack_is_no_harm_if_the_answer_comes(self) -> None:
        assert Talk().polls().answer(PN["targets"][1]["answers"]) == [TagRead("12345678", "north")]

    def test_an_answer_that_it_did_not_ask_for_is_ignored(self) -> None:
        talk = Talk()
        assert talk.answer(ACK, PN["targets"][1]["answers"]) == []
        talk.polls().answer(ACK, NONE["answers"])
        assert talk.answer(PN["targets"][1]["answers"]) == [], "nothing was asked: it is the answer to something older"

    def test_an_error_frame_begins_anew(self) -> None:
        talk = Talk().polls()
        talk.answer(ACK, PN["short"]["error"])
        assert talk.said().endswith(WAKE + bytes.fromhex(SAM["says"]))

    def test_a_chip_that_does_not_answer_is_silent_and_is_woken_every_second(self) -> None:
        talk = Talk()
        talk.wait(0.35)
        assert talk.link() is LinkState.SILENT
        assert talk.said() == (WAKE + bytes.fromhex(SAM["says"])) * 3
        assert talk.wait(0.9) == []
        assert talk.said() == b""
        talk.wait(0.1)
        assert talk.said() == WAKE + bytes.fromhex(SAM["says"])
        talk.answer(ACK, SAM["answers"])
        assert talk.link() is LinkState.ANSWERING

    def test_a_chip_that_falls_silent_is_set_up_again(self) -> None:
        talk = Talk().polls()
        talk.wait(0.35)
        assert talk.said().endswith(WAKE + bytes.fromhex(SAM["says"]))
        assert talk.link() is LinkState.ANSWERING, "one that was switched off and on is back before anybody notices"
        talk.wait(0.35)
        assert talk.link() is LinkState.SILENT

    @given(
        st.lists(
            st.binary(max_size=12) | st.sampled_from([ACK, NACK, bytes.fromhex(PN["targets"][3]["answers"])]),
            max_size=30,
        )
    )
    def test_any_bytes_leave_the_decoder_working_and_its_buffer_small(self, pieces: list[bytes]) -> None:
        talk = Talk()
        for piece in pieces:
            talk.answer(piece)
            talk.wait(0.07)
        assert len(talk.driver._frames._buffer) <= 300
        talk.said()
        talk.wait(10)
        assert bytes.fromhex(SAM["says"]) in talk.said()

    @given(
        st.lists(
            st.sampled_from([ACK, NACK, *(bytes.fromhex(each["answers"]) for each in PN["targets"])])
            | st.binary(max_size=9)
        ),
        st.sets(st.integers(0, 200)),
    )
    def test_any_split_of_the_bytes_reads_the_same(self, pieces: list[bytes], cuts: set[int]) -> None:
        data = b"".join(pieces)
        one, many = Talk().polls(), Talk().polls()
        assert one.answer(data) == [given_input for piece in split(data, cuts) for given_input in many.answer(piece)]
        assert one.said() == many.said()
