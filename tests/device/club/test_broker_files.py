"""The files of mosquitto, and where there is no mosquitto."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cribd.clock import ManualClock
from cribd.club.broker import BrokerOfUnit, NoBroker, find_mosquitto, write_files
from cribd.club.keys import load_or_make


def test_nobody_else_reads_the_files_and_none_is_half_written(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    for _ in range(2):
        write_files(folder, load_or_make(tmp_path / "journal.db"), [], 8883)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {(file.name, file.stat().st_mode & 0o777) for file in folder.iterdir()} == {
        (name, 0o600) for name in ("mosquitto.conf", "access", "hub.pem", "removed.pem")
    }


def test_the_private_key_stays_in_its_own_file(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    write_files(folder, load_or_make(tmp_path / "journal.db"), [], 8883)
    assert not [file.name for file in folder.iterdir() if "PRIVATE" in file.read_text(encoding="ascii")]


def test_without_mosquitto_one_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("cribd.club.broker.PLACES", ())
    with pytest.raises(NoBroker, match="A club needs the program mosquitto: sudo apt install mosquitto"):
        find_mosquitto()


async def test_a_hub_that_is_a_service_says_once_that_its_broker_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mosquitto").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    clock, said = ManualClock(), list[str]()
    broker = BrokerOfUnit(load_or_make(tmp_path / "journal.db"), tmp_path / "broker", clock, said.append, port=8883)
    running = asyncio.create_task(broker.run())
    for _ in range(4):
        await clock.advance(5.0)
    assert said == ["The broker does not run: journalctl -u cribboard-broker says why"]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert not (tmp_path / "broker" / "mosquitto.conf").exists(), "systemd would start it again"
