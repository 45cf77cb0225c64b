"""Switches the board off, after a question (7.24)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from cribd.clock import Clock
from cribd.table.commands import Mode
from cribd.table.interpret import asked_off
from cribd.table.snapshot import ConfirmOff, DeskMessageMode, Refusal, SwitchedOff
from cribd.table.timers import Countdown

#: How long the board asks, and how long after the question begins an OK is still meant for the game.
_ASKS_S, _UNREAD_S = 10.0, 1.0

#: Switches the machine off. It returns only if the machine stays on, with the reason.
PowerOff = Callable[[], Awaitable[Refusal]]


async def no_power_off() -> Refusal:
    """Return a refusal, because no program can switch this machine off."""
    return Refusal("off_no_systemd")


class OffSwitch:
    """Asks the players whether to switch off, and switches off.

    `mode` gives the mode of the table, and `change` changes it."""

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
        """Record that a new mode appears on the screen.

        Only the question whether to switch off and the desk's messages matter here. For a second an OK is still meant
        for the game, and is ignored. Without an answer the question closes."""
        if isinstance(mode, ConfirmOff | DeskMessageMode):
            self._read_at = self._clock.now() + _UNREAD_S
        if isinstance(mode, ConfirmOff):
            self._asks.restart()

    @property
    def is_unread(self) -> bool:
        """Whether the question or message is too new for an OK."""
        return self._clock.now() < self._read_at

    def stop(self) -> None:
        """Stop waiting for the answer."""
        self._asks.stop()

    async def switch_off(self) -> Refusal:
        """Switch off the machine; return a refusal if it stays on."""
        covers = asked_off(self._mode()).covers
        self._change(SwitchedOff(covers))
        stays = await self.power_off()
        self._change(covers)
        return stays

    def _keep_on(self) -> None:
        """Close the question, because nobody answered in time."""
        if isinstance(mode := self._mode(), ConfirmOff):
            self._change(mode.covers)
