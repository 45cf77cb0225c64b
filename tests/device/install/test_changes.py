"""What an installation changes is made once, and undone exactly."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import stand_ins
from tests.support.disks import Flushed
from tests.support.pi_in_a_tree import everything

from cribd.install import changes
from cribd.install.changes import BEGIN, END, MANIFEST, Block, Change, Command, File, Link, WordsOut
from cribd.install.machine import InstallRefused, Machine

NEW = File("/etc/cribboard.d/new.conf", "ours\n")
OVER = File("/etc/old.conf", "ours\n")
BLOCK = Block("/boot/firmware/config.txt", ("[all]", "dtparam=spi=on"))
WORDS = WordsOut("/boot/firmware/cmdline.txt", ("console=serial0,115200",))
LINK = Link("/usr/local/bin/cribboard", "/opt/cribboard/current/bin/cribboard")
GROUP = Command(("groupadd", "--system", "spi"), ("getent", "group", "spi"), ("groupdel", "spi"))
PLAN: list[Change] = [NEW, OVER, BLOCK, WORDS, LINK, GROUP]


@pytest.fixture
def before(machine: Machine) -> dict[str, str]:
    machine.write("/etc/old.conf", "somebody's\n")
    return everything(machine)


@pytest.mark.parametrize("change", PLAN, ids=lambda change: change.key)
def test_a_change_is_made_and_undone_exactly(machine: Machine, before: dict[str, str], change: Change) -> None:
    assert not change.is_done(machine)
    changes.apply_changes(machine, [change])
    assert change.is_done(machine)
    assert changes.uninstall(machine, purge=False) == []
    assert everything(machine) == before


def test_all_changes_are_undone_in_reverse(machine: Machine, before: dict[str, str]) -> None:
    changes.apply_changes(machine, PLAN)
    assert [one.change for one in changes.read_manifest(machine)] == PLAN
    changes.uninstall(machine, purge=False)
    assert everything(machine) == before


def test_a_second_run_changes_nothing(machine: Machine) -> None:
    changes.apply_changes(machine, PLAN)
    after = everything(machine)
    assert changes.apply_changes(machine, PLAN).made == ()
    assert everything(machine) == after
    assert len([call for call in stand_ins.calls(machine.root) if call.startswith("groupadd")]) == 1


def test_uninstalling_keeps_what_was_there_before(machine: Machine) -> None:
    machine.must("groupadd", "--system", "spi")
    machine.write("/etc/old.conf", OVER.text)
    before = everything(machine)
    changes.apply_changes(machine, [OVER, GROUP])
    changes.uninstall(machine, purge=True)
    assert everything(machine) == before


def test_a_change_that_fails_undoes_those_before_it(machine: Machine, before: dict[str, str]) -> None:
    fails = Command(("false",), ("false",))
    with pytest.raises(InstallRefused, match="false failed with code 1"):
        changes.apply_changes(machine, [*PLAN, fails])
    assert everything(machine) == before


def test_a_run_that_is_undone_leaves_what_an_earlier_run_made(machine: Machine, before: dict[str, str]) -> None:
    changes.apply_changes(machine, [OVER, BLOCK])
    earlier = everything(machine)
    run = changes.apply_changes(machine, [File(OVER.path, "newer\n"), Block(BLOCK.path, ("dtparam=spi=off",)), GROUP])
    assert machine.read(OVER.path) == "newer\n"
    changes.undo_run(machine, run)
    assert everything(machine) == earlier
    changes.uninstall(machine, purge=False)
    assert everything(machine) == before


def test_an_update_keeps_what_was_there_before_the_first_installation(machine: Machine, before: dict[str, str]) -> None:
    changes.apply_changes(machine, [OVER])
    changes.apply_changes(machine, [File(OVER.path, "newer\n")])
    changes.uninstall(machine, purge=False)
    assert everything(machine) == before


def test_what_a_newer_release_no_longer_changes_is_undone(machine: Machine, before: dict[str, str]) -> None:
    changes.apply_changes(machine, [OVER, NEW])
    changes.undo_left_over(machine, [OVER])
    assert machine.read(NEW.path) is None
    assert [one.change for one in changes.read_manifest(machine)] == [OVER]


def test_lines_that_somebody_adds_later_stay(machine: Machine) -> None:
    changes.apply_changes(machine, [BLOCK, WORDS, OVER])
    config = machine.read(BLOCK.path) or ""
    machine.write(BLOCK.path, f"first=1\n{config}last=1\n")
    machine.write(WORDS.path, "console=tty1 root=/dev/sda quiet\n")
    machine.write(OVER.path, "mine now\n")
    changes.uninstall(machine, purge=True)
    left = machine.read(BLOCK.path) or ""
    assert left.startswith("first=1\n# For more options")
    assert left.endswith("[all]\nlast=1\n")
    assert BEGIN not in left
    assert END not in left
    assert machine.read(WORDS.path) == "console=serial0,115200 console=tty1 root=/dev/sda quiet\n"
    assert machine.read(OVER.path) == "mine now\n"


def test_a_file_without_an_end_of_line_is_restored_byte_by_byte(machine: Machine) -> None:
    text = "[pi5]\r\ndtparam=spi=off"
    machine.path(BLOCK.path).write_bytes(text.encode() + b"\xff")
    changes.apply_changes(machine, [BLOCK])
    assert b"off\xff\n# Cribboard: begin" in machine.path(BLOCK.path).read_bytes()
    changes.uninstall(machine, purge=False)
    assert machine.path(BLOCK.path).read_bytes() == text.encode() + b"\xff"


def test_a_file_of_the_owner_is_not_overwritten_and_stays_until_a_purge(machine: Machine) -> None:
    config = File("/etc/cribboard/config.toml", "# ours\n", owners=True)
    changes.apply_changes(machine, [config])
    machine.write(config.path, "# the owner's\n")
    changes.apply_changes(machine, [File(config.path, "# ours, newer\n", owners=True)])
    assert machine.read(config.path) == "# the owner's\n"
    assert [one.change.path for one in changes.uninstall(machine, purge=False)] == [config.path]  # type: ignore[union-attr]
    assert machine.read(config.path) == "# the owner's\n"
    assert changes.uninstall(machine, purge=True) == []
    assert not machine.path("/etc/cribboard").exists()


def test_a_command_that_makes_files_effective_runs_once(machine: Machine) -> None:
    reload = ("systemctl", "daemon-reload")
    changes.apply_changes(machine, [File("/etc/a", "a", then=reload), File("/etc/b", "b", then=reload)])
    assert stand_ins.calls(machine.root) == ["systemctl daemon-reload"]


def test_a_damaged_manifest_is_refused_by_name(machine: Machine) -> None:
    machine.write(MANIFEST, '[{"change": {"kind": "Nothing"}}]')
    with pytest.raises(InstallRefused, match=r"/var/lib/cribboard-install\.json is damaged"):
        changes.apply_changes(machine, PLAN)


def test_a_second_installation_waits_outside(machine: Machine) -> None:
    running = pytest.raises(InstallRefused, match="Another installation of Cribboard is running")
    with machine.locked(), running, machine.locked():
        pass
    with machine.locked():
        pass


def test_a_file_is_replaced_whole_and_keeps_its_mode(machine: Machine, tmp_path: Path) -> None:
    file = machine.path("/etc/old.conf")
    file.write_text("old", encoding="utf-8")
    file.chmod(0o600)
    machine.write("/etc/old.conf", "new", 0o644)
    assert (file.read_text(encoding="utf-8"), file.stat().st_mode & 0o777) == ("new", 0o600)
    assert [path.name for path in file.parent.iterdir() if "cribboard" in path.name] == []


class PowerCut(BaseException):
    """Nothing is done after it, not even what a program does at its end."""


@pytest.mark.parametrize("after", [False, True], ids=["before the change", "after the change"])
@pytest.mark.parametrize("cut", PLAN, ids=lambda change: change.key)
def test_after_a_power_cut_the_next_run_completes_it_and_an_uninstallation_undoes_all(
    machine: Machine, before: dict[str, str], monkeypatch: pytest.MonkeyPatch, cut: Change, after: bool
) -> None:
    apply = type(cut).apply

    def cut_off(change: Change, machine: Machine) -> None:
        if after or change != cut:
            apply(change, machine)  # type: ignore[arg-type]
        if change == cut:
            raise PowerCut

    with monkeypatch.context() as power:
        power.setattr(type(cut), "apply", cut_off)
        power.setattr(changes, "undo_run", lambda *_: None)
        with pytest.raises(PowerCut):
            changes.apply_changes(machine, PLAN)
    assert cut.is_done(machine) == after
    changes.apply_changes(machine, PLAN)
    assert changes.pending(machine, PLAN) == []
    changes.uninstall(machine, purge=False)
    assert everything(machine) == before


@pytest.mark.parametrize("cut", PLAN, ids=lambda change: change.key)
def test_an_uninstallation_that_was_cut_off_is_completed_by_the_next(
    machine: Machine, before: dict[str, str], monkeypatch: pytest.MonkeyPatch, cut: Change
) -> None:
    changes.apply_changes(machine, PLAN)
    undo = type(cut).undo

    def cut_off(change: Change, machine: Machine, there: object) -> None:
        undo(change, machine, there)  # type: ignore[arg-type]
        if change == cut:
            raise PowerCut

    with monkeypatch.context() as power:
        power.setattr(type(cut), "undo", cut_off)
        with pytest.raises(PowerCut):
            changes.uninstall(machine, purge=False)
    changes.uninstall(machine, purge=False)
    assert everything(machine) == before


def test_what_fat_has_beside_the_name_of_a_boot_file_is_on_the_disk_too(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a power cut within half a minute may leave a Pi with an empty command line, which does not start."""
    flushed, file = Flushed(monkeypatch), machine.path("/boot/firmware/cmdline.txt")
    machine.write("/boot/firmware/cmdline.txt", "console=tty1 rootwait\n")
    assert flushed.since_the_name(file) == {file, file.parent}
