"""What mosquitto is told: whom it lets in, which topics each of them has, and where there is no mosquitto."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cribd.clock import ManualClock
from cribd.club.broker import Admitted, BrokerOfUnit, NoBroker, access, find_mosquitto, write_files
from cribd.club.keys import load_or_make

HUB, BOARD, OTHER = "0a" * 32, "1b" * 32, "2c" * 32


def lines_of(user: str, text: str) -> list[str]:
    """The lines of the access list that count for a user."""
    blocks = [block.splitlines() for block in text.split("\n\n")]
    return next(lines[1:] for lines in blocks if lines[0] == f"user {user}")


def test_a_board_writes_what_it_says_and_reads_what_it_is_told() -> None:
    assert lines_of(BOARD, access(HUB, [OTHER, BOARD])) == [
        f"topic write cribboard/1/{BOARD}/up",
        f"topic write cribboard/1/{BOARD}/online",
        f"topic read cribboard/1/{BOARD}/down",
        "topic read cribboard/1/hub/online",
    ]


def test_no_board_has_a_line_about_another() -> None:
    assert OTHER not in "".join(lines_of(BOARD, access(HUB, [OTHER, BOARD])))


@pytest.mark.parametrize("name", ["", "+", "#", "hub", "1B" * 32, f"{BOARD}\ntopic readwrite #"])
def test_what_is_no_identity_gets_no_line(name: str) -> None:
    assert access(HUB, [name]) == access(HUB, [])


def test_nobody_else_reads_the_files_and_none_is_half_written(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    for _ in range(2):
        write_files(folder, load_or_make(tmp_path / "journal.db"), Admitted(frozenset([BOARD])), 8883)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {(file.name, file.stat().st_mode & 0o777) for file in folder.iterdir()} == {
        (name, 0o600) for name in ("mosquitto.conf", "access", "hub.pem", "removed.pem")
    }


def test_the_private_key_stays_in_its_own_file(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    write_files(folder, load_or_make(tmp_path / "journal.db"), Admitted(), 8883)
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
    broker = BrokerOfUnit(load_or_make(tmp_path / "journal.db"), tmp_path / "broker", clock, said.append)
    running = asyncio.create_task(broker.run())
    for _ in range(4):
        await clock.advance(5.0)
    assert said == ["The broker does not run: journalctl -u cribboard-broker says why"]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert not (tmp_path / "broker" / "mosquitto.conf").exists(), "systemd would start it again"
