"""Scans of the button chain become presses of holes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.places import DATA_SHEETS
from tests.support.spots import HOLED

from cribd.boards import Board, load
from cribd.drivers.button_chain import ButtonChain
from cribd.inputs import ChipPlace, Fault, FaultCleared, FaultKind, FaultPlace, HolePlace, HolePressed, Input

SHEETS = DATA_SHEETS
PERIOD = 0.005


class Bench:
    """A board's chain as its bytes: buttons are held down and let go, and scans are fed at their time."""

    def __init__(self, board: Board, *, debounce_ms: float = 10.0, stuck_s: float = 10.0) -> None:
        self.board = board
        self.holes = ButtonChain(board, debounce_ms=debounce_ms, stuck_s=stuck_s)
        self.at = 100.0

    def wire(self, *down: tuple[int, int]) -> bytes:
        """What a good chain answers while these (track, hole) are down: written bit by bit, as the board file says."""
        chain = self.board.chain
        bits = [1] * (8 * chain.chips) + [chain.far_level] * 8
        bits[: len(chain.near_pattern)] = map(int, chain.near_pattern)
        for track, hole in down:
            place = self.board.tracks[track].holes[hole - 1].input
            assert place is not None
            bits[place] = chain.pressed_level
        return bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8))

    def scan(self, *scans: bytes, period: float = PERIOD) -> list[Input]:
        inputs: list[Input] = []
        for data in scans:
            inputs += self.holes.feed(data, self.at)
            self.at += period
        return inputs

    def quiet(self, scans: int = 3) -> Bench:
        assert self.scan(*[self.wire()] * scans) == []
        return self


@pytest.fixture(params=["continuous", "classic"])
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(load(request.param)).quiet()


def press(*holes: tuple[int, int]) -> list[Input]:
    return [HolePressed(track, hole) for track, hole in holes]


def test_the_bytes_of_the_data_sheet_are_read_as_it_says() -> None:
    continuous = load("continuous")
    chain = replace(continuous.chain, chips=2)
    spots = [replace(continuous.tracks[0].holes[0], input=place) for place in range(6, 16)]
    board = replace(continuous, chain=chain, tracks=(replace(continuous.tracks[0], holes=tuple(spots)),))
    examples = {row["why"]: bytes.fromhex(row["received"]) for row in SHEETS["hc165"]["transfer"]}
    nothing = next(data for why, data in examples.items() if "all open" in why)
    first = next(data for why, data in examples.items() if "first button" in why)
    lost = next(data for why, data in examples.items() if "first bit is lost" in why)

    whole = next(data for why, data in examples.items() if why.startswith("mode 2: the clock rests high"))

    for three in (whole, lost):
        holes = ButtonChain(board, debounce_ms=10)
        assert holes.scan_bytes == len(nothing)
        assert [holes.feed(nothing, at * PERIOD) for at in range(4)] == [[]] * 4
        assert [holes.feed(first, at * PERIOD) for at in range(4, 7)] == [[], press((0, 1)), []]
        assert [holes.feed(three, at * PERIOD) for at in range(7, 10)] == [[], press((0, 1), (0, 2), (0, 3)), []]


def test_a_press_is_accepted_at_the_second_equal_scan_and_reported_once(bench: Bench) -> None:
    down = bench.wire((0, 29))
    assert bench.scan(down) == []
    assert bench.scan(down) == press((0, 29))
    assert bench.scan(*[down] * 50) == []
    assert bench.scan(*[bench.wire()] * 50) == []


def test_every_hole_is_known_by_its_number(bench: Bench) -> None:
    for track in bench.board.tracks:
        for hole in range(1, len(track.holes) + 1):
            assert bench.scan(*[bench.wire((track.side, hole))] * 3) == press((track.side, hole))
            assert bench.scan(*[bench.wire()] * 4) == []


def test_holes_pressed_in_one_scan_are_reported_together(bench: Bench) -> None:
    down = bench.wire((0, 1), (0, 2), (1, 61))
    inputs = bench.scan(down, down)
    assert sorted(inputs, key=str) == sorted(press((0, 1), (0, 2), (1, 61)), key=str)
    more = bench.wire((0, 1), (0, 2), (1, 61), (1, 30))
    assert bench.scan(more, more) == press((1, 61), (1, 30)), "61 went down just before, on the same track"


@pytest.mark.parametrize("apart", [1, 3, 11])
def test_a_hole_that_follows_another_of_its_track_within_60_ms_comes_with_it(bench: Bench, apart: int) -> None:
    one, both = bench.wire((1, 2)), bench.wire((1, 2), (1, 3))
    assert bench.scan(*[one] * (apart + 1)) == press((1, 2)), "the first is told at once"
    assert bench.scan(*[both] * 50) == press((1, 2), (1, 3))
    assert bench.scan(*[bench.wire()] * 5, one, one) == press((1, 2))


def test_a_third_finger_comes_with_those_that_went_down_just_before(bench: Bench) -> None:
    held = [(0, 5), (0, 6), (0, 7)]
    assert bench.scan(*[bench.wire(*held[:1])] * 9) == press(held[0])
    assert bench.scan(*[bench.wire(*held[:2])] * 9) == press(*held[:2])
    assert bench.scan(*[bench.wire(*held)] * 9) == press(*held[1:]), "the first has been down for longer"


def test_a_finger_that_rests_on_a_hole_does_not_spoil_the_next_press(bench: Bench) -> None:
    rests, both = bench.wire((0, 5)), bench.wire((0, 5), (0, 9))
    assert bench.scan(*[rests] * 14) == press((0, 5))
    assert bench.scan(both, both) == press((0, 9))


def test_a_finger_that_was_taken_away_does_not_spoil_the_next_press(bench: Bench) -> None:
    one, other = bench.wire((0, 5)), bench.wire((0, 9))
    assert bench.scan(one, one, one, other, other, other) == press((0, 5), (0, 9))


def test_fingers_on_the_two_tracks_do_not_spoil_each_other(bench: Bench) -> None:
    one, both = bench.wire((0, 5)), bench.wire((0, 5), (1, 9))
    assert bench.scan(one, one, both, both, both) == press((0, 5), (1, 9))


def test_one_scan_alone_presses_nothing(bench: Bench) -> None:
    assert bench.scan(bench.wire((0, 7)), bench.wire(), bench.wire((0, 7)), bench.wire(), bench.wire()) == []


def test_a_contact_that_bounces_within_the_bounce_time_is_one_press() -> None:
    bench = Bench(load("classic"), debounce_ms=20).quiet()
    up, down = bench.wire(), bench.wire((1, 5))
    bounces = bench.scan(down, down, up, up, down, down, down, *[up] * 10, period=0.004)
    assert bounces == press((1, 5))


def test_a_release_that_bounces_within_the_bounce_time_is_no_second_press() -> None:
    bench = Bench(load("classic"), debounce_ms=20).quiet()
    up, down = bench.wire(), bench.wire((1, 5))
    assert bench.scan(*[down] * 20) == press((1, 5))
    assert bench.scan(up, up, down, down, up, up, up, up, up) == []
    assert bench.scan(down, down) == press((1, 5))


def test_a_tap_shorter_than_the_bounce_time_can_be_repeated() -> None:
    bench = Bench(load("classic"), debounce_ms=20).quiet()
    up, down = bench.wire(), bench.wire((1, 5))
    assert bench.scan(down, down, *[up] * 8) == press((1, 5))
    assert bench.scan(down, down, *[up] * 8) == press((1, 5))


def test_the_bounce_time_counts_seconds_and_not_scans() -> None:
    bench = Bench(load("classic"), debounce_ms=20).quiet()
    up, down = bench.wire(), bench.wire((1, 5))
    assert bench.scan(down, down, up, up, down, down, period=0.021) == press((1, 5), (1, 5))


def test_one_bouncing_button_does_not_hold_up_another(bench: Bench) -> None:
    one, both = bench.wire((0, 3)), bench.wire((0, 3), (1, 8))
    assert bench.scan(one, one) == press((0, 3))
    other = bench.wire((1, 8))
    assert bench.scan(other, both, other) == press((1, 8))


def test_a_stuck_button_is_noticed_and_ignored(bench: Bench) -> None:
    down = bench.wire((1, 14))
    assert bench.scan(down, down) == press((1, 14))
    assert bench.scan(*[down] * 1998) == []  # 10 s less two scans
    assert bench.scan(down, down, down) == [Fault(FaultKind.BUTTON_STUCK, HolePlace(1, 14))]
    assert bench.scan(*[down] * 5000) == []
    also = bench.wire((1, 14), (0, 2))
    assert bench.scan(also, also) == press((0, 2))
    assert bench.scan(bench.wire(), bench.wire()) == [FaultCleared(FaultKind.BUTTON_STUCK, HolePlace(1, 14))]
    assert bench.scan(*[bench.wire()] * 3, down, down) == press((1, 14))


def test_a_button_that_was_let_go_is_not_stuck_later(bench: Bench) -> None:
    down, up = bench.wire((1, 14)), bench.wire()
    assert bench.scan(down, down, *[up] * 5) == press((1, 14))
    assert bench.scan(up, up, up, period=20) == []


def test_each_stuck_button_has_its_own_time(bench: Bench) -> None:
    one, both = bench.wire((0, 1)), bench.wire((0, 1), (0, 2))
    bench.scan(one, one)
    bench.scan(both, both, period=4)
    assert bench.scan(both, both, period=3) == [Fault(FaultKind.BUTTON_STUCK, HolePlace(0, 1))]
    assert bench.scan(both, both, period=3) == [Fault(FaultKind.BUTTON_STUCK, HolePlace(0, 2))]


def test_a_button_that_is_down_from_the_start_is_stuck_and_presses_nothing() -> None:
    bench = Bench(load("continuous"))
    down = bench.wire((0, 121), (1, 3))
    faults = bench.scan(down, down, down)
    assert set(faults) == {
        Fault(FaultKind.BUTTON_STUCK, HolePlace(0, 121)),
        Fault(FaultKind.BUTTON_STUCK, HolePlace(1, 3)),
    }
    up = bench.wire((0, 121))
    assert bench.scan(up, up) == [FaultCleared(FaultKind.BUTTON_STUCK, HolePlace(1, 3))]
    assert bench.scan(*[up] * 3000, down, down) == press((1, 3))


def broken_ways(bench: Bench) -> dict[str, tuple[bytes, ChipPlace | str]]:
    """What the wire shows when something is wrong with the chain, and where it is."""
    good = bench.wire()
    bits = "".join(f"{byte:08b}" for byte in good)
    chips = bench.board.chain.chips

    def packed(text: str) -> bytes:
        return int(text, 2).to_bytes(len(good))

    return {
        "no chip answers, the wire is low": (bytes(len(good)), "near end"),
        "no chip answers, the wire is high": (b"\xff" * len(good), "near end"),
        "the first two bits are lost": (packed(bits[2:] + "00"), "near end"),
        "the first bit is lost, and the far end is not what it should be": (packed(bits[1:] + "1"), "near end"),
        "a bit too many at the near end": (packed("1" + bits[:-1]), "near end"),
        "a whole chip is missing at the near end": (good[1:] + b"\0", "near end"),
        "it never loads": (bytes([good[0] ^ 0xFF]) + good[1:], "near end"),
        "cut in two, the far part low": (good[:5] + bytes(len(good) - 5), ChipPlace(6)),
        "one chip too few": (good[: chips - 1] + b"\0\0", ChipPlace(chips)),
        "cut in two, the far part high": (good[:5] + b"\xff" * (len(good) - 5), "far end"),
        "one chip too many": (good[:chips] + b"\xff", "far end"),
        "a bit too many in the middle": (packed(bits[:40] + "1" + bits[40:-1]), "far end"),
        "a scan too short": (good[:-1], "near end"),
        "no answer": (b"", "near end"),
    }


@pytest.mark.parametrize("way", broken_ways(Bench(load("classic"))))
def test_a_chain_that_is_broken_is_a_fault_once_and_presses_nothing(bench: Bench, way: str) -> None:
    data, where = broken_ways(bench)[way]
    assert bench.scan(data, data) == [Fault(FaultKind.CHAIN_BROKEN, where)]
    assert bench.scan(*[data] * 3000) == []
    assert bench.scan(*[bench.wire()] * 10) == [FaultCleared(FaultKind.CHAIN_BROKEN, where)]
    assert bench.scan(*[bench.wire((0, 9))] * 2) == press((0, 9))


@pytest.mark.parametrize("name", HOLED)
@pytest.mark.parametrize("lost", [0.0, 0.5, 1.0], ids=["never", "now and then", "always"])
def test_every_button_is_read_whether_the_first_bit_comes_or_not(name: str, lost: float) -> None:
    """On a Pi 5 a scan may lose it."""
    bench, rng = Bench(load(name)).quiet(), Random(165)

    def scan(times: int, *down: tuple[int, int]) -> list[Input]:
        whole = bench.wire(*down)
        short = (int.from_bytes(whole) << 1 & (1 << 8 * len(whole)) - 1).to_bytes(len(whole))
        return bench.scan(*(short if rng.random() < lost else whole for _ in range(times)))

    for track in bench.board.tracks:
        for hole in range(1, bench.board.game_hole + 1):
            assert scan(3, (track.side, hole)) == press((track.side, hole))
            assert scan(16) == []


def test_an_answer_of_the_wrong_length_is_a_fault_at_once(bench: Bench) -> None:
    assert bench.scan(b"") == [Fault(FaultKind.CHAIN_BROKEN, "near end")]


def test_a_single_scan_of_noise_is_no_fault_and_loses_no_press(bench: Bench) -> None:
    noise = bytes(bench.holes.scan_bytes)
    down = bench.wire((0, 9))
    assert bench.scan(noise, *[bench.wire()] * 4) == []
    assert bench.scan(noise, down) == []
    assert bench.scan(down) == press((0, 9))
    assert bench.scan(noise, *[bench.wire()] * 4) == []


def test_equal_scans_count_only_when_nothing_came_between(bench: Bench) -> None:
    down = bench.wire((0, 9))
    assert bench.scan(down, bytes(bench.holes.scan_bytes), down) == []
    assert bench.scan(down) == press((0, 9))


def test_a_chain_that_fails_every_other_time_is_a_fault(bench: Bench) -> None:
    noise, good = bytes(bench.holes.scan_bytes), bench.wire()
    assert bench.scan(*[noise, good] * 500) == [Fault(FaultKind.CHAIN_BROKEN, "near end")]
    assert bench.scan(*[good] * 5) == [FaultCleared(FaultKind.CHAIN_BROKEN, "near end")]


def test_a_broken_chain_tells_one_place_until_it_is_mended(bench: Bench) -> None:
    low, short = bytes(bench.holes.scan_bytes), bench.wire()[:-2] + b"\0\0"
    assert bench.scan(low, low, short, short, low) == [Fault(FaultKind.CHAIN_BROKEN, "near end")]
    assert bench.scan(*[bench.wire()] * 5) == [FaultCleared(FaultKind.CHAIN_BROKEN, "near end")]


def test_a_button_pressed_while_the_chain_was_away_is_no_press(bench: Bench) -> None:
    down = bench.wire((0, 9))
    bench.scan(b"", b"")
    assert bench.scan(*[down] * 10) == [FaultCleared(FaultKind.CHAIN_BROKEN, "near end")]
    assert bench.scan(down, period=11) == []
    assert bench.scan(down) == [Fault(FaultKind.BUTTON_STUCK, HolePlace(0, 9))]
    up = bench.wire()
    assert bench.scan(*[up] * 4, down, down) == [FaultCleared(FaultKind.BUTTON_STUCK, HolePlace(0, 9)), *press((0, 9))]


def test_a_finger_that_stays_while_the_chain_is_away_presses_once(bench: Bench) -> None:
    down = bench.wire((0, 9))
    assert bench.scan(down, down) == press((0, 9))
    bench.scan(b"")
    assert bench.scan(*[down] * 10) == [FaultCleared(FaultKind.CHAIN_BROKEN, "near end")]
    assert bench.scan(*[bench.wire()] * 4, down, down) == press((0, 9))


def test_a_hand_on_the_whole_last_chip_is_no_press() -> None:
    bench = Bench(load("continuous")).quiet()
    last = range(8 * bench.board.chain.chips - 8, 8 * bench.board.chain.chips)
    palm = [(t.side, n) for t in bench.board.tracks for n, spot in enumerate(t.holes, 1) if spot.input in last]
    assert len(palm) == 8
    assert bench.scan(*[bench.wire(*palm)] * 5) == [Fault(FaultKind.CHAIN_BROKEN, ChipPlace(bench.board.chain.chips))]


def test_a_chain_with_inverted_levels_reads_the_same() -> None:
    board = load("classic")
    board = replace(board, chain=replace(board.chain, far_level=1, pressed_level=1, near_pattern="0110"))
    holes = ButtonChain(board, debounce_ms=10)
    idle = bytes([0b01100000]) + bytes(board.chain.chips - 1) + b"\xff"
    place = board.tracks[1].holes[9].input
    assert place is not None
    down = (int.from_bytes(idle) | 1 << (8 * len(idle) - 1 - place)).to_bytes(len(idle))
    assert [holes.feed(data, at * PERIOD) for at, data in enumerate([idle, idle, down, down])][-1] == press((1, 10))


def test_inputs_that_no_hole_uses_are_not_looked_at() -> None:
    board = load("classic")
    track = board.tracks[0]
    board = replace(board, tracks=(replace(track, holes=track.holes[:10]), board.tracks[1]))
    bench = Bench(board).quiet()
    unused = track.holes[30].input
    assert unused is not None
    data = (int.from_bytes(bench.wire()) ^ 1 << (8 * bench.holes.scan_bytes - 1 - unused)).to_bytes(
        bench.holes.scan_bytes
    )
    assert bench.scan(*[data] * 5) == []


CLASSIC = load("classic")
SPOTS = [(track.side, hole) for track in CLASSIC.tracks for hole in range(1, 53)]  # none on the last chips' whole byte


@given(st.lists(st.tuples(st.sets(st.sampled_from(SPOTS), max_size=3), st.integers(4, 9)), max_size=12))
def test_a_button_held_down_is_reported_once_or_with_the_next_press(
    story: list[tuple[set[tuple[int, int]], int]],
) -> None:
    bench = Bench(CLASSIC).quiet()
    since: dict[tuple[int, int], int] = {}
    scan = 0
    for down, scans in story:
        inputs = bench.scan(*[bench.wire(*down)] * scans, period=0.0049)
        new = down - since.keys()
        tracks = {track for track, _ in new}
        just_before = {spot for spot in down & since.keys() if spot[0] in tracks and scan - since[spot] <= 12}
        assert sorted(inputs, key=str) == sorted(press(*new, *just_before), key=str)
        since = {spot: since.get(spot, scan) for spot in down}
        scan += scans


def chatter() -> st.SearchStrategy[list[bytes]]:
    bench = Bench(CLASSIC)
    sane = st.sets(st.sampled_from(SPOTS), max_size=3).map(lambda down: bench.wire(*down))
    return st.lists(st.one_of(sane, st.binary(max_size=20), st.just(bench.wire())), max_size=60)


@given(chatter())
def test_for_any_scans_faults_and_mends_alternate_and_presses_need_a_good_chain(scans: Iterable[bytes]) -> None:
    bench = Bench(CLASSIC)
    wrong: set[tuple[FaultKind, FaultPlace]] = set()
    for data in scans:
        for given_input in bench.scan(data):
            match given_input:
                case Fault(kind, where):
                    assert (kind, where) not in wrong
                    wrong.add((kind, where))
                case FaultCleared(kind, where):
                    wrong.remove((kind, where))
                case HolePressed(track, hole):
                    assert not any(kind is FaultKind.CHAIN_BROKEN for kind, _ in wrong)
                    assert (FaultKind.BUTTON_STUCK, HolePlace(track, hole)) not in wrong
                case _:
                    pytest.fail(f"{given_input} is no input of the holes")


@given(chatter())
def test_the_short_cut_for_equal_scans_gives_the_same_inputs(scans: list[bytes]) -> None:
    quick, slow = Bench(CLASSIC, stuck_s=0.04), Bench(CLASSIC, stuck_s=0.04)
    for data in [copy for scan in scans for copy in (scan, scan, scan)]:
        slow.holes._settled = None  # the quick way is closed
        assert quick.scan(data) == slow.scan(data)
