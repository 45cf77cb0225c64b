"""A Raspberry Pi as a tree of files, with stand-ins for Debian's programs on the PATH."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import stand_ins
from tests.support.first_boot_card import STOCK, Typed, release_in
from tests.support.first_boot_pi import DEFAULTS, PROGRAMS, Place, a_board
from tests.support.installer import Installer
from tests.support.pi_in_a_tree import pi_in

from cribd.install import releases
from cribd.install.machine import Machine
from cribd.install.plan import CONFIG


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.long)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    tree = tmp_path / "pi"
    tree.mkdir()
    for name, value in stand_ins.on_path(tree, tmp_path / "bin").items():
        monkeypatch.setenv(name, value)
    yield pi_in(tree)
    stand_ins.stop(tree)


@pytest.fixture
def port(machine: Machine) -> int:
    """A configuration with a port that is free."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = int(free.getsockname()[1])
    machine.path(CONFIG).parent.mkdir(parents=True)
    machine.write(CONFIG, f"[page]\nport = {number}\n", 0o644)
    return number


@pytest.fixture
def installer(machine: Machine, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    made = Installer(machine, tmp_path)
    monkeypatch.setattr(releases, "_fill", made.fill)
    return made


@pytest.fixture
def board() -> Iterator[int]:
    with a_board() as port:
        yield port


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: int) -> Place:
    """A Pi with stand-ins that only say that they were called; its board answers."""
    made = Place(tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in PROGRAMS:
        (programs / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{made.calls_file}\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    made.runs("true", DEFAULTS.replace("# port = 8121", f"port = {board}"))
    return made


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return release_in(tmp_path, "1.0")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """The boot partition of a card that Raspberry Pi Imager wrote, without customisation."""
    folder = tmp_path / "bootfs"
    folder.mkdir()
    for name, text in STOCK.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def typed(card: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    return Typed(card, capsys)
