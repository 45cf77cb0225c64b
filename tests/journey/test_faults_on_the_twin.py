"""Faults of the hardware in the middle of a game: the board names them, the game goes on, and heals by itself."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.seat import BOARD, Seat, seat

from cribboard import Card
from cribd.clock import ManualClock
from cribd.daemon.examination import Examination
from cribd.doctor.findings import Severity
from cribd.inputs import Fault, FaultKind, HolePlace, Key, NewGameAsked
from cribd.storage.archive import Archive, EndedGame
from cribd.storage.open_journal import open_or_repair_journal
from cribd.table.snapshot import Refusal
from cribd.text import load
from cribd.twin.faults import FaultName, TwinFault, default
from cribd.web.kiosk.shared.pin import MustWait, PinAuthenticator

BLUE, RED = 0, 1
HEALS_S = 2.0


def refusal(at: Seat) -> Refusal | None:
    return at.fingers.snapshot.refusal


def points_in_hand(at: Seat) -> int | None:
    position = at.device.table.position
    return None if position is None or position.claim is None else position.claim.points


async def test_contacts_that_bounce_20_ms_press_once(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        at.twin.make(TwinFault(FaultName.BOUNCE, 20))
        await at.fingers.scan(Card.parse("5D"))
        await at.fingers.scan(Card.parse("TD"))
        position = at.device.table.position
        assert position is not None
        await at.fingers.press(BLUE, 2)  # fifteen for two: in hand, and not released by a bounce
        claim = at.device.table.position.claim  # type: ignore[union-attr]
        assert claim is not None
        assert (claim.points, claim.state.value) == (2, "in-hand")
        await at.fingers.key(Key.OK, BLUE)
        assert at.device.table.position.pegs[BLUE].front == 2  # type: ignore[union-attr]
        assert at.faults() == ()


async def test_a_stuck_button_is_named_and_every_other_hole_still_counts(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        at.twin.make(TwinFault(FaultName.STUCK, (RED, 40)))
        await at.time(11)
        assert at.faults() == (Fault(FaultKind.BUTTON_STUCK, HolePlace(1, 40)),)
        await at.fingers.scan(Card.parse("5D"))
        await at.fingers.scan(Card.parse("TD"))
        await at.fingers.press(BLUE, 2)
        await at.fingers.key(Key.OK, BLUE)
        assert at.device.table.position.pegs[BLUE].front == 2  # type: ignore[union-attr]
        at.twin.mend(FaultName.STUCK)
        await at.time(HEALS_S)
        assert at.faults() == ()


@pytest.mark.parametrize("name", [FaultName.CHAIN_LOW, FaultName.CHAIN_HIGH])
async def test_a_cut_button_chain_presses_nothing_and_is_found_again(tmp_path: Path, name: FaultName) -> None:
    async with seat(tmp_path) as at:
        before = at.device.table.position
        at.twin.make(default(name, BOARD))
        await at.time(0.5)
        [fault] = at.faults()
        assert fault.kind is FaultKind.CHAIN_BROKEN
        assert fault.cause
        assert at.device.table.position == before
        at.twin.mend(name)
        await at.time(HEALS_S)
        assert at.faults() == ()
        assert at.device.table.position == before


async def test_lights_before_a_cut_are_right_and_those_beyond_come_back(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        cut = BOARD.strip.count // 2
        at.twin.make(TwinFault(FaultName.STRIP_CUT, cut))
        dark_beyond = at.twin.leds()[cut:]
        await at.fingers.scan(Card.parse("5D"))
        await at.fingers.scan(Card.parse("TD"))
        for side in (BLUE, RED):
            at.twin.press(side, 2)
            await at.time(0.1)
            at.twin.release(side, 2)
        assert at.twin.leds()[cut:] == dark_beyond
        at.twin.mend(FaultName.STRIP_CUT)
        await at.time(HEALS_S)
        shown = at.twin.leds()
        at.twin.unplug("strip")
        at.twin.plug("strip")
        await at.time(HEALS_S)
        assert at.twin.leds() == shown, "what the cut left is what a whole frame shows"


async def test_half_messages_of_a_reader_lay_no_card_and_the_next_whole_one_counts(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        before = at.device.table.position
        at.twin.make(TwinFault(FaultName.HALF_FRAMES, 50))
        at.twin.scan(b"5D\r")
        await at.time(1)
        assert at.device.table.position == before
        at.twin.mend(FaultName.HALF_FRAMES)
        await at.time(HEALS_S)
        await at.fingers.scan(Card.parse("5D"))
        assert at.device.table.position.count == 5  # type: ignore[union-attr]


@pytest.mark.parametrize("name", [FaultName.DISK_FULL, FaultName.READ_ONLY])
async def test_a_disk_that_takes_nothing_refuses_a_card_loses_none_and_is_mended_by_itself(
    tmp_path: Path, name: FaultName
) -> None:
    async with seat(tmp_path) as at:
        await at.fingers.scan(Card.parse("5D"))
        before = at.device.table.position
        at.twin.make(default(name, BOARD))
        at.twin.scan(b"TD\r")
        await at.time(0.1)
        assert at.device.table.position == before
        assert [fault.kind for fault in at.faults()] == [FaultKind.JOURNAL_AWAY]
        phrases = load("en")
        assert phrases.fault(at.faults()[0]) == "Nothing can be saved"
        assert phrases.cause(at.faults()[0])
        refused = refusal(at)
        assert refused is not None
        assert phrases.refusal(refused) == ("Not saved: disk full?", "Try again later")
        await at.fingers.key(Key.MENU)
        assert at.fingers.snapshot.menu is not None, "what needs no journal goes on"
        await at.fingers.key(Key.MENU, long=True)
        at.twin.scan(b"TD\r")
        await at.time(0.1)
        assert refusal(at) == refused
        at.twin.mend(name)
        await at.time(HEALS_S)
        assert at.faults() == ()
        assert refusal(at) is None
        await at.fingers.scan(Card.parse("TD"))
        position = at.device.table.position
        assert position is not None
        assert position.count == 15
    journal, aside = open_or_repair_journal(tmp_path / "journal.db", ManualClock())
    stored = journal.latest_game()
    journal.close()
    assert aside is None
    assert stored is not None
    assert stored.game.position == position


async def test_a_refusal_stands_until_the_disk_takes_what_is_written(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        at.twin.make(TwinFault(FaultName.DISK_FULL))
        at.twin.scan(b"TD\r")
        await at.time(30)
        assert [fault.kind for fault in at.faults()] == [FaultKind.JOURNAL_AWAY]
        assert refusal(at) is not None


async def test_a_press_blinks_within_20_ms_and_stands_when_a_slow_disk_has_it(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        await at.fingers.scan(Card.parse("5D"))
        await at.fingers.scan(Card.parse("TD"))
        at.twin.make(TwinFault(FaultName.SLOW_FSYNC, 2))
        led = BOARD.tracks[BLUE].holes[1].led
        assert at.twin.leds()[led].level == 0
        at.twin.press(BLUE, 2)
        await at.time(0.02)
        lit = at.twin.leds()[led]
        assert lit.level > 0
        await at.time(0.25)
        assert at.twin.leds()[led].level == 0, "it blinks: nothing is settled"
        at.twin.release(BLUE, 2)
        await at.time(1.7)
        assert points_in_hand(at) is None
        await at.time(0.1)
        assert points_in_hand(at) == 2
        at.twin.key_down(Key.OK, BLUE)
        await at.time(0.1)
        at.twin.key_up(Key.OK, BLUE)
        await at.time(2.1)
        assert at.device.table.position.pegs[BLUE].front == 2  # type: ignore[union-attr]
        assert at.twin.leds()[led] == lit
        await at.time(0.25)
        assert at.twin.leds()[led] == lit, "it stands"
        assert at.faults() == ()


async def test_a_voltage_that_is_too_low_is_said_once_and_mended_once_and_the_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with seat(tmp_path) as at:
        at.twin.make(TwinFault(FaultName.UNDERVOLTAGE))
        await at.time(HEALS_S)
        [fault] = at.faults()
        assert fault.kind is FaultKind.UNDERVOLTAGE
        assert (load("en").fault(fault), load("en").cause(fault)) == ("Power is too weak", "the voltage is too low now")
        await at.fingers.scan(Card.parse("5D"))
        await at.time(60)
        examination = Examination(at.config, BOARD, at.device, at.clock, wires=at.twin.wires, root=tmp_path)
        power = [finding for finding in await examination.run("en") if finding.check.startswith("power.voltage")]
        assert [finding.severity for finding in power] == [Severity.FAULT]
        assert [fault.kind for fault in at.faults() if fault.kind is FaultKind.DOCTOR] == []
        at.twin.mend(FaultName.UNDERVOLTAGE)
        await at.time(HEALS_S)
        assert at.faults() == ()
        assert at.device.table.position.count == 5  # type: ignore[union-attr]
    said = [line for line in capsys.readouterr().err.splitlines() if "undervoltage" in line]
    assert said == ["Fault undervoltage (power): the voltage is too low now.", "Mended undervoltage (power)."]


async def test_a_clock_that_jumps_ten_years_in_a_game_orders_and_ends_nothing_wrongly(tmp_path: Path) -> None:
    played = Seat(tmp_path)
    played.twin.make(TwinFault(FaultName.CLOCK_JUMP, 10))
    pin = PinAuthenticator("4711", played.twin.clock)
    try:
        await played.begin()
        await played.fingers.scan(Card.parse("5D"))
        await played.fingers.scan(Card.parse("TD"))
        await played.fingers.press(BLUE, 2)
        while not isinstance(pin.authenticate("0000", "a phone"), MustWait):
            pass
        before, shown = played.device.table.position, played.fingers.snapshot
        played.twin.mend(FaultName.CLOCK_JUMP)
        await played.time(0.5)
        assert played.device.table.position == before, "nothing has timed out"
        assert played.fingers.snapshot == shown
        assert isinstance(pin.authenticate("4711", "a phone"), MustWait), "the wait is not over"
        await played.fingers.key(Key.OK, BLUE)
        await played.fingers.scan(Card.parse("6D"))
        played.device.table.post([NewGameAsked()])
        await played.time(0.1)
    finally:
        await played.end()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as file:
        lines = file.execute("SELECT at, seconds, boot FROM line WHERE game = 1 ORDER BY number").fetchall()
    years = [at[:4] for at, _, _ in lines]
    assert years == sorted(years)
    assert set(years) == {"2016", "2026"}
    assert [seconds for _, seconds, _ in lines] == sorted(seconds for _, seconds, _ in lines)
    assert lines[-1][1] - lines[0][1] < 60, "the monotonic time has not jumped"
    [ended] = Archive(tmp_path / "journal.db").page(9)
    assert isinstance(ended, EndedGame)
    assert (ended.id, ended.begun.year, ended.ended.year) == (1, 2016, 2026)


async def test_a_reader_that_comes_back_under_another_name_is_found_within_2_s(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        await at.fingers.scan(Card.parse("5D"))
        at.twin.make(TwinFault(FaultName.READER_MOVES))
        await at.time(HEALS_S)
        assert at.faults() == ()
        await at.fingers.scan(Card.parse("TD"))
        at.twin.mend(FaultName.READER_MOVES)
        await at.time(HEALS_S)
        assert at.faults() == ()
        await at.fingers.scan(Card.parse("6D"))
        assert at.device.table.position.count == 21  # type: ignore[union-attr]


async def test_a_reader_under_another_name_can_be_unplugged_too(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        at.twin.unplug("reader")
        at.twin.make(TwinFault(FaultName.READER_MOVES))
        await at.time(HEALS_S)
        assert [fault.kind for fault in at.faults()] == [FaultKind.READER_SILENT]
        at.twin.plug("reader")
        await at.time(HEALS_S)
        assert at.faults() == ()


async def test_an_oled_that_loses_its_power_for_a_moment_shows_the_newest_picture_again(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        at.twin.make(TwinFault(FaultName.OLED_RESETS, 10))
        assert not at.twin.oled().on
        await at.time(HEALS_S)
        right = at.twin.oled()
        assert right.on
        await at.time(7.9)
        assert at.twin.oled() == right
        await at.time(0.2)
        assert not at.twin.oled().on
        await at.fingers.scan(Card.parse("5D"))
        await at.time(HEALS_S)
        shown = at.twin.oled()
        assert shown.on
        assert shown != right
        at.twin.mend(FaultName.OLED_RESETS)
        await at.time(30)
        assert at.twin.oled() == shown
        assert at.faults() == ()
