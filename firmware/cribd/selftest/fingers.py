"""Simulated fingers for a self-test on the twin.

They see only the twin's chips. They press what is asked and nothing else, so what they find is a fault of the twin.
"""

from __future__ import annotations

from collections.abc import Callable

from cribd.clock import Clock
from cribd.inputs import Key
from cribd.robots.press_and_scan import Presser
from cribd.selftest.scene import area_of
from cribd.selftest.steps import (
    AllLightsStep,
    HoleStep,
    KeyStep,
    LightStep,
    ReaderStep,
    ScreenStep,
    SelfTestStep,
    SoundStep,
)
from cribd.selftest.walk import Scene
from cribd.twin.machine import Twin

#: How long a finger stays down, and how long it stays up.
_DOWN_S, _UP_S = 0.03, 0.04
#: How often the fingers look whether the board has answered, and how often they try before they give up.
_LOOK_S, _PATIENCE_S = 0.01, 0.5
#: The number of scans for which a finger stays down, and then up; and the longest time for these scans.
_SCANS, _SCANNED_S = 4, 1.0
_TRIES = 2
#: How long they look at a light or at the screen, and listen to a sound.
_SEE_S, _LOOK_AT_SCREEN_S, _LISTEN_S = 0.12, 1.5, 2.2
_CARD = "5H"


class SimulatedFingers(Presser):
    """Simulated fingers for a self-test on `twin`.

    Give every scene to `see`, and await `run` until it is cancelled."""

    _down_s = _DOWN_S

    def __init__(self, twin: Twin, clock: Clock) -> None:
        super().__init__(twin, clock)
        self._scene: Scene | None = None

    def see(self, scene: Scene) -> None:
        """Note the scene that the board shows."""
        self._scene = scene

    async def run(self) -> None:
        """Do each step that the board asks for, until cancelled."""
        while True:
            scene = self._scene
            if scene is not None and scene.step is not None and scene.fault is None:
                await self._do(scene, scene.step)
            await self.pass_time(_LOOK_S)

    async def press(self, track: int, *holes: int) -> None:
        """Press these holes for a few scans, then release them.

        On a busy machine scans come late."""
        for act in (self.twin.press, self.twin.release):
            for hole in holes:
                act(track, hole)
            enough = self.twin.buttons.scans + _SCANS
            await self.pass_time(_DOWN_S)
            await self._notices(lambda enough=enough: self.twin.buttons.scans >= enough, _SCANNED_S)  # type: ignore[misc]

    async def _do(self, scene: Scene, step: SelfTestStep) -> None:
        match step:
            case HoleStep(side, hole):
                for _ in range(_TRIES):
                    await self.press(side, hole)
                    if await self._is_answered(scene.step):
                        return
                await self._say(Key.OK, scene)
            case KeyStep(key, side):
                await self.key(key, side)
                await self._is_answered(scene.step)
            case LightStep(led):
                await self._look_at_light(scene, led)
            case AllLightsStep():
                await self.pass_time(_SEE_S)
                await self._say(Key.OK, scene)
            case ScreenStep(area):
                seen = await self._notices(lambda: self._is_lit(area_of(area)), _LOOK_AT_SCREEN_S)
                await self._say(Key.OK if seen else Key.CHALLENGE, scene)
            case SoundStep():
                heard = await self._notices(lambda: bool(self.twin.buzzer_hz()), _LISTEN_S)
                await self._say(Key.OK if heard else Key.CHALLENGE, scene)
            case ReaderStep(reader):
                for _ in range(_TRIES):
                    await self.twin.present_cards(_CARD, reader=reader)
                    if await self._is_answered(scene.step):
                        return
                await self._say(Key.OK, scene)

    async def _look_at_light(self, scene: Scene, led: int) -> None:
        """Tell the board whether the LED is dark.

        OK says that it is dark. A lit LED needs no key, except that GO says so once the board has stopped to ask."""
        await self.pass_time(_SEE_S)
        now = self._scene
        if now is None or now.step != scene.step:
            return
        is_dark = not [*(any(light[:3]) for light in self.twin.leds()), *self.twin.pin_leds()][led]
        if now.paused:
            await self._say(Key.OK if is_dark else Key.GO, now)
        elif is_dark:
            await self.pass_time(_SEE_S * 2)  # or the board takes it for an answer to the LED before
            await self._say(Key.OK, now)

    async def _notices(self, is_there: Callable[[], bool], seconds: float) -> bool:
        """Return whether `is_there` becomes true within these seconds."""
        waited = 0.0
        while not is_there():
            if waited > seconds:
                return False
            await self.pass_time(_LOOK_S)
            waited += _LOOK_S
        return True

    def _is_lit(self, area: tuple[int, int, int, int]) -> bool:
        """Whether most dots of this rectangle of the screen are lit."""
        x, y, width, height = area
        view, columns = self.twin.oled(), self.twin.board.oled.width
        if not view.on:
            return False
        dots = [
            view.pixels[(row * columns + column) // 8] >> 7 - column % 8 & 1
            for row in range(y, y + height)
            for column in range(x, x + width)
        ]
        return sum(dots) * 2 > len(dots)

    async def _say(self, key: Key, scene: Scene) -> None:
        """Press a key, if the board still asks the same question."""
        now = self._scene
        if now is not None and (now.step, now.paused) == (scene.step, scene.paused):
            await self.key(key, None if key is Key.UNDO else 0)
            await self._is_answered(scene.step, paused=scene.paused)

    async def _is_answered(self, step: SelfTestStep | None, *, paused: bool | None = None) -> bool:
        """Return whether the board soon goes on to another question."""
        waited = 0.0
        await self.pass_time(_UP_S)
        while waited < _PATIENCE_S:
            now = self._scene
            if now is None or now.step != step or paused not in (None, now.paused):
                return True
            await self.pass_time(_LOOK_S)
            waited += _LOOK_S
        return False
