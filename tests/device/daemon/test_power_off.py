"""The board asks systemd to switch its machine off, and says why if the machine stays on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cribd.clock import ManualClock
from cribd.daemon.power_off import power_off
from cribd.table.snapshot import Refusal


def systemctl(folder: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> Path:
    """A `systemctl` that writes down what it is asked, and then does this. Returns where it writes."""
    asked, program = folder / "asked", folder / "systemctl"
    program.write_text(f'#!/bin/sh\necho "$@" >> {asked}\n{does}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return asked


async def test_without_systemd_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = systemctl(tmp_path, monkeypatch, "exit 0")
    assert await power_off(ManualClock(), systemd=tmp_path / "none") == Refusal("off_no_systemd")
    assert not asked.exists()


async def test_a_service_that_may_not_says_so_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    systemctl(tmp_path, monkeypatch, "echo 'Call to PowerOff failed: Access denied' >&2; exit 1")
    assert await power_off(ManualClock(), systemd=tmp_path) == Refusal("off_not_allowed")
    assert "Call to PowerOff failed: Access denied" in capsys.readouterr().err


async def test_without_systemctl_switching_off_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert await power_off(ManualClock(), systemd=tmp_path) == Refusal("off_not_allowed")


async def test_a_machine_that_was_asked_is_off_or_says_after_a_minute_that_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, clock = systemctl(tmp_path, monkeypatch, "exit 0"), ManualClock()
    off = asyncio.create_task(power_off(clock, systemd=tmp_path))
    await clock.advance(59)
    assert asked.read_text() == "--no-ask-password poweroff\n"
    assert not off.done()
    await clock.advance(2)
    assert off.result() == Refusal("off_still_on")
