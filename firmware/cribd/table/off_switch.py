"""The question whether to switch off, and what its answer does (rules reference, 7.24)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from cribd.clock import Clock
from cribd.table.commands import Mode
from cribd.table.interpret import asked_off
from cribd.table.snapshot import ConfirmOff, FromDesk, Refusal, SwitchedOff
from cribd.table.timers import Countdown

#: How long the board asks, and how long after the question begins an OK is still meant for the game.
_ASKS_S, _UNREAD_S = 10.0, 1.0

#: Switches the machine off. It returns only if the machine stays on, with the reason.
PowerOff = Callable[[], Awaitable[Refusal]]


async def no_power_off() -> Refusal:
    """Refuse to switch off, on a machine that nothing can switch off."""
    return Refusal("off_no_systemd")


class OffSwitch:
    """The switch of one table. `mode` gives the mode of the table, and `change` changes it."""

    def __init__(
        self, clock: Clock, power_off: PowerOff, *, mode: Callable[[], Mode], change: Callable[[Mode], None]
    ) -> None:
        self.power_off = power_off
        self._clock = clock
        self._read_at = 0.0
        self._mode = mode
        self._change = change
        self._asks = Countdown(clock, _ASKS_S, self._keep_on)

    def begin(self, mode: Mode) -> None:
        """Begin to wait for the answer, if this mode asks."""
        if isinstance(mode, ConfirmOff | FromDesk):
            self._read_at = self._clock.now() + _UNREAD_S
        if isinstance(mode, ConfirmOff):
            self._asks.restart()

    @property
    def is_unread(self) -> bool:
        """Whether the question, or a message of the desk, is too new to have been read: an OK was not meant for it."""
        return self._clock.now() < self._read_at

    def stop(self) -> None:
        """Stop waiting for the answer."""
        self._asks.stop()

    async def switch_off(self) -> Refusal:
        """Switch off; the table takes nothing more. If the machine stays on, go on as before, and return why."""
        covers = asked_off(self._mode()).covers
        self._change(SwitchedOff(covers))
        stays = await self.power_off()
        self._change(covers)
        return stays

    def _keep_on(self) -> None:
        """Return to the mode before the question, because nobody has answered."""
        if isinstance(mode := self._mode(), ConfirmOff):
            self._change(mode.covers)
