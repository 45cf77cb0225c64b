"""Switches off the board's machine, by systemd.

An unprivileged service may ask systemd-logind for it: `systemd/polkit/50-cribboard.rules` allows it. systemd then stops
the board as it stops every service: the LEDs go dark, the journal is closed, and the OLED keeps its last picture.
"""

from __future__ import annotations

import asyncio
import subprocess
from functools import partial
from pathlib import Path

from cribd.clock import Clock
from cribd.table.off_switch import PowerOff
from cribd.table.snapshot import Refusal
from cribd.terminal import complain

#: The folder that exists on every machine with systemd (sd_booted).
_SYSTEMD = Path("/run/systemd/system")
_COMMAND = ("systemctl", "--no-ask-password", "poweroff")
#: How long the board waits until systemd stops it. If it still runs then, something keeps the machine on.
_STOPPED_AFTER_S = 60.0


async def power_off(clock: Clock, *, systemd: Path = _SYSTEMD) -> Refusal:
    """Switch the machine off, or return a refusal."""
    if not systemd.is_dir():
        return Refusal("off_no_systemd")
    why = await clock.run_in_thread(partial(_ask, _COMMAND))
    if why:
        complain(f"The machine is not switched off: {why}")
        return Refusal("off_not_allowed")
    await clock.sleep(_STOPPED_AFTER_S)
    complain(f"The machine is not switched off after {_STOPPED_AFTER_S:.0f} seconds.")
    return Refusal("off_still_on")


def _ask(command: tuple[str, ...]) -> str:
    """Run the command; return the reason of a failure, or ""."""
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=_STOPPED_AFTER_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if asked.returncode == 0 else (asked.stderr.strip() or f"{command[0]} answers {asked.returncode}")


async def stay_off() -> Refusal:
    """Wait for ever, because a simulated board has no machine to switch off."""
    await asyncio.Event().wait()
    return Refusal("off_still_on")


def power_of(clock: Clock, *, simulated: bool) -> PowerOff:
    """Return `power_off`, or `stay_off` for a simulated board."""
    return stay_off if simulated else partial(power_off, clock)
