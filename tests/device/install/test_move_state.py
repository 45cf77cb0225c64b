"""The state folder of an installation may be elsewhere: the games go there, and no game is lost where that fails."""

from __future__ import annotations

import pytest
from tests.support import stand_ins
from tests.support.catalogues import has_phrase, phrase
from tests.support.installer import Installer, failing, settings
from tests.support.journals import ACTS, played
from tests.support.pi_in_a_tree import FAULTS, everything, started

from cribd.install import plan
from cribd.install.machine import InstallRefused, Machine


@pytest.mark.slow
def test_the_state_may_be_elsewhere_and_stays_there(installer: Installer, machine: Machine) -> None:
    installer.install("1.0", state="/mnt/stick")
    drop_in = machine.read("/etc/systemd/system/cribd.service.d/state.conf") or ""
    assert "RequiresMountsFor=/mnt/stick\n" in drop_in
    assert "ReadWritePaths=/mnt/stick\n" in drop_in
    installer.install("1.0")
    assert machine.read("/etc/systemd/system/cribd.service.d/state.conf") == drop_in


@pytest.mark.slow
def test_the_games_go_with_the_state_to_another_folder(installer: Installer, machine: Machine) -> None:
    """The release stays the same, and the board starts anew on the copy; its games so far stay where they were too."""
    old, new = machine.path("/var/lib/cribboard/journal.db"), machine.path("/mnt/stick/journal.db")
    old.parent.mkdir(parents=True, exist_ok=True)
    played(old, *ACTS)
    old.with_name("journal.db-wal").write_bytes(b"the last acts")
    games = old.read_bytes()
    installer.install("1.0")
    runs = len(started(machine))
    installer.install("1.0", state="/mnt/stick")
    assert new.read_bytes() == old.read_bytes() == games
    assert new.with_name("journal.db-wal").read_bytes() == b"the last acts"
    assert len(started(machine)) == runs + 1
    assert {path.name for path in new.parent.iterdir()} == {"journal.db", "journal.db-wal"}


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_where_the_state_cannot_move_the_board_runs_on_in_its_folder(
    installer: Installer, machine: Machine, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    installer.install("1.0")
    old, new = machine.path("/var/lib/cribboard/journal.db"), machine.path("/mnt/stick/journal.db")
    old.parent.mkdir(parents=True, exist_ok=True)
    played(old, *ACTS)
    before = settings(machine)
    if version == "1.0":  # nothing of the release fails: systemd does not start it
        monkeypatch.setattr(Machine, "must", failing(Machine.must, "restart"))
    installer.run = FAULTS["ends"]
    with pytest.raises(InstallRefused):
        installer.install(version, state="/mnt/stick")
    assert not new.exists()
    assert old.exists()
    assert settings(machine) == before
    assert plan.state_folder(machine) == "/var/lib/cribboard"
    assert stand_ins.alive(machine.root)


def test_two_journals_are_refused_before_anything_changes(installer: Installer, machine: Machine) -> None:
    for folder in ("/var/lib/cribboard", "/mnt/stick"):
        machine.path(folder).mkdir(parents=True, exist_ok=True)
        machine.path(f"{folder}/journal.db").write_text(folder, encoding="utf-8")
    before = everything(machine)
    with pytest.raises(InstallRefused) as refused:
        installer.install("1.0", state="/mnt/stick")
    assert refused.value.problems == (
        phrase("problem.install.two_states", one="/var/lib/cribboard", other="/mnt/stick"),
    )
    assert everything(machine) == before


@pytest.mark.parametrize("folder", ["mnt/stick", "/mnt/my stick", "/mnt/a\tb"])
def test_a_state_folder_that_systemd_cannot_name_is_refused(installer: Installer, folder: str) -> None:
    with pytest.raises(InstallRefused) as refused:
        installer.install("1.0", state=folder)
    assert has_phrase(str(refused.value), "problem.install.state")
