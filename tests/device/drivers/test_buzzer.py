"""The buzzer: which tones sound, for how long, and what ends them."""

from pathlib import Path

import pytest
from gpiozero import DigitalOutputDevice
from gpiozero.pins.mock import MockFactory, MockPWMPin
from tests.support.no_wires import NoWires

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.drivers.buzzer import MELODIES, Buzzer, Sound
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.twin.machine import Twin

GPIO = load("classic").buzzer_gpio


class Bench(NoWires):
    """A buzzer on gpiozero's own mock PWM pin."""

    def __init__(self, clock: ManualClock, *, volume: float = 1.0) -> None:
        self.clock = clock
        self.pin_factory = MockFactory(pin_class=MockPWMPin)
        self.inputs: list[Input] = []
        self.buzzer = Buzzer(GPIO, self, clock=clock, report=self.inputs.extend, volume=volume)

    @property
    def heard(self) -> tuple[float, float] | None:
        """Hertz and duty, or None in silence."""
        pin = self.pin_factory.pin(GPIO)
        return (pin.frequency, pin.state) if pin.frequency and pin.state else None

    async def listen(self, ms: int) -> list[tuple[float, int]]:
        """What is heard within so many milliseconds: hertz (0 is silence) and for how long."""
        heard: list[tuple[float, int]] = []
        for _ in range(ms):
            await self.clock.advance(0)
            await self.clock.run_ready_tasks()
            hertz = self.heard[0] if self.heard else 0
            lasted = heard.pop()[1] if heard and heard[-1][0] == hertz else 0
            heard.append((hertz, lasted + 1))
            await self.clock.advance(0.001)
        return heard

    def close(self) -> None:
        self.buzzer.close()
        self.pin_factory.reset()


@pytest.fixture
def bench() -> Bench:
    return Bench(ManualClock())


@pytest.mark.parametrize("sound", Sound)
async def test_every_sound_is_played_as_it_is_written_and_then_there_is_silence(bench: Bench, sound: Sound) -> None:
    tones = MELODIES[sound]
    bench.buzzer.play(sound)
    heard = await bench.listen(sum(ms for _, ms in tones) + 50)
    assert [hertz for hertz, _ in heard] == [hertz for hertz, _ in tones] + [0]
    for (_, lasted), (_, ms) in zip(heard, tones, strict=False):
        assert lasted == pytest.approx(ms, abs=1)


async def test_every_sound_differs_from_every_other(bench: Bench) -> None:
    assert len(set(MELODIES.values())) == len(Sound)


async def test_playing_a_sound_does_not_block(bench: Bench) -> None:
    before = bench.clock.now()
    bench.buzzer.play(Sound.WIN)
    assert bench.clock.now() == before


async def test_a_later_sound_takes_the_place_of_an_earlier_one(bench: Bench) -> None:
    bench.buzzer.play(Sound.WIN)
    await bench.listen(150)
    bench.buzzer.play(Sound.TICK)
    heard = await bench.listen(1000)
    assert [hertz for hertz, _ in heard] == [2400, 0]


async def test_between_sounds_the_pulses_are_off(bench: Bench) -> None:
    bench.buzzer.play(Sound.TICK)
    await bench.listen(60)
    pin = bench.pin_factory.pin(GPIO)
    assert (pin.frequency, pin.state) == (None, 0)


async def test_volume_narrows_the_pulses() -> None:
    loud, soft = Bench(ManualClock()), Bench(ManualClock(), volume=0.3)
    for bench in (loud, soft):
        bench.buzzer.play(Sound.TICK)
        await bench.clock.advance(0.001)
    assert [loud.heard, soft.heard] == [(2400, 0.5), (2400, pytest.approx(0.045))]


async def test_switched_off_it_does_not_even_open_the_pin() -> None:
    bench = Bench(ManualClock(), volume=0)
    bench.buzzer.play(Sound.WIN)
    await bench.listen(10)
    assert bench.pin_factory.pin(GPIO).function == "input"


async def test_closing_ends_the_sound_and_frees_the_pin(bench: Bench) -> None:
    bench.buzzer.play(Sound.WIN)
    await bench.listen(10)
    bench.buzzer.close()
    assert (await bench.listen(1000)) == [(0, 1000)]
    DigitalOutputDevice(GPIO, pin_factory=bench.pin_factory).close()


async def test_a_pin_that_cannot_be_opened_is_a_fault_once_until_it_sounds_again(bench: Bench) -> None:
    other = DigitalOutputDevice(GPIO, pin_factory=bench.pin_factory)
    for _ in range(3):
        bench.buzzer.play(Sound.TICK)
        await bench.listen(5)
    assert bench.inputs == [Fault(FaultKind.BUZZER_AWAY, "buzzer")]
    other.close()
    bench.buzzer.play(Sound.TICK)
    assert (await bench.listen(5))[0][0] == 2400
    assert bench.inputs == [Fault(FaultKind.BUZZER_AWAY, "buzzer"), FaultCleared(FaultKind.BUZZER_AWAY, "buzzer")]


# On pulses as lgpio makes them: by software, up to 20 ms late, in whole per cents, and left where they were at the end


def on_a_twin(folder: Path, *, volume: float) -> tuple[ManualClock, Twin, Buzzer]:
    clock, inputs = ManualClock(), list[Input]()
    twin = Twin(load("classic"), clock, folder=folder)
    return clock, twin, Buzzer(GPIO, twin.wires, clock=clock, report=inputs.extend, volume=volume)


@pytest.mark.parametrize("sound", Sound)
async def test_every_sound_is_heard_and_leaves_the_pin_low_whenever_it_begins(tmp_path: Path, sound: Sound) -> None:
    clock, twin, buzzer = on_a_twin(tmp_path, volume=0.6)
    for _ in range(80):
        before = twin.buzzer.pulses.risen(clock.now())
        buzzer.play(sound)
        await clock.advance(sum(ms for _, ms in MELODIES[sound]) / 1000 + 0.001)
        assert twin.buzzer.pulses.risen(clock.now()) > before
        assert (twin.buzzer.pulses.level(clock.now()), twin.buzzer_hz()) == (0, 0.0)
        await clock.advance(0.020_37)  # the next one begins elsewhere in the thread's sleep
    twin.close()


@pytest.mark.parametrize("after_ms", range(1, 60, 7))
async def test_a_sound_that_is_cut_short_leaves_the_pin_low(tmp_path: Path, after_ms: int) -> None:
    clock, twin, buzzer = on_a_twin(tmp_path, volume=1.0)
    buzzer.play(Sound.WIN)
    await clock.advance(after_ms / 1000)
    pulses = twin.wires.pin_factory.pin(GPIO).pulses
    buzzer.close()
    assert pulses.level(clock.now()) == 0
    twin.close()


@pytest.mark.parametrize("volume", [0.001, 0.05, 0.1, 0.14, 0.15, 0.2, 0.6, 1.0])
async def test_every_volume_above_zero_sounds(tmp_path: Path, volume: float) -> None:
    clock, twin, buzzer = on_a_twin(tmp_path, volume=volume)
    buzzer.play(Sound.SCORE)
    await clock.advance(0.05)
    assert twin.buzzer_hz() == 1568
    assert 0.01 <= twin.buzzer.state <= 0.5
    assert twin.buzzer.pulses.risen(clock.now()) > 0
    twin.close()


def test_no_tone_is_shorter_than_a_pi_can_make_it_heard() -> None:
    assert min(ms for tones in MELODIES.values() for hertz, ms in tones if hertz) >= 40
