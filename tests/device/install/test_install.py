"""Installing, updating and uninstalling as a whole, in a tree, with a real board where its journal matters."""

from __future__ import annotations

import shutil
import subprocess
import sys
import urllib.request
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from tests.support import stand_ins
from tests.support.catalogues import has_phrase, phrase
from tests.support.installer import PI, Installer, failing, settings
from tests.support.journals import ACTS, played
from tests.support.pi_in_a_tree import FAULTS, everything, started
from tests.support.places import ROOT

from cribd.clock import SystemClock
from cribd.install import changes, migrate, plan, preflight, releases
from cribd.install import install as installation
from cribd.install.__main__ import wording
from cribd.install.machine import InstallRefused, Machine
from cribd.install.plan import COMMAND, CONFIG


def test_a_dry_run_says_every_change_and_makes_none(installer: Installer, machine: Machine) -> None:
    machine.write("/packages", "python3-venv\n")
    before = everything(machine)
    installer.install("1.0", dry_run=True)
    assert everything(machine) == before
    assert [call for call in stand_ins.calls(machine.root) if call.split()[0] not in ("dpkg-query", "getent")] == [
        "systemctl is-enabled --quiet cribd.service"
    ]
    first, packages, build, *rest = installer.said
    assert first == phrase("problem.install.dry_run")
    assert packages == phrase("problem.install.does.packages", names="python3-lgpio python3-spidev")
    assert build == phrase("problem.install.does.build", version="1.0", folder="/opt/cribboard/releases")
    assert rest[-1] == phrase("problem.install.does.switch", link="/opt/cribboard/current")
    for command in ("groupadd --system gpio", "systemd-sysusers cribboard.conf"):
        assert phrase("problem.install.does.command", command=command) in rest
    for path in ("/etc/udev/rules.d/60-cribboard.rules", "/usr/local/lib/systemd/system/cribd.service"):
        assert phrase("problem.install.does.file", path=path) in rest
    lines = "[all] · dtparam=spi=on · dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
    assert phrase("problem.install.does.block", path="/boot/firmware/config.txt", lines=lines) in rest


def test_a_dry_run_is_said_in_french_too(installer: Installer) -> None:
    installer.install("1.0", dry_run=True)
    french = [wording("fr_CA.UTF-8")(line) for line in installer.said]
    assert french[0] == phrase("problem.install.dry_run", "fr_CA")
    assert phrase("problem.install.does.file", "fr_CA", path="/etc/udev/rules.d/60-cribboard.rules") in french
    assert not set(french) & set(installer.said)
    assert [*map(wording("de_DE.UTF-8"), installer.said)] == installer.said


@pytest.mark.slow
def test_an_installation_is_repeated_without_a_change_and_undone_whole(
    installer: Installer, machine: Machine, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port of the configuration that is shipped may be in use on this machine, so it is another here."""
    files = tmp_path / "systemd"
    shutil.copytree(plan.shipped(), files)
    shipped = (files / "config.toml").read_text(encoding="utf-8")
    (files / "config.toml").write_text(shipped.replace("# port = 8121", f"port = {port}"), encoding="utf-8")
    monkeypatch.setattr(plan, "shipped", lambda: files)
    machine.path(CONFIG).unlink()
    machine.path("/etc/cribboard").rmdir()
    before = settings(machine)
    installer.real = True
    installer.install("1.0")
    assert installer.said[-2:] == [
        phrase("problem.install.done", release="1.0"),
        phrase("problem.install.reboot"),
    ]
    assert machine.path(COMMAND).is_symlink()
    after, runs = everything(machine), started(machine)
    installer.install("1.0")
    assert installer.said[-1] == phrase("problem.install.done", release="1.0")
    assert started(machine) == runs
    assert everything(machine) == after
    installer.uninstall()
    assert not stand_ins.alive(machine.root)
    assert machine.read(CONFIG) is not None
    assert machine.path("/var/lib/cribboard/journal.db").exists()
    installer.real = False
    installer.install("1.0")
    installer.uninstall(purge=True)
    assert installer.said[0] == phrase("problem.install.purged")
    assert settings(machine) == before
    assert not machine.path("/var/lib/cribboard").exists()
    assert changes.read_manifest(machine) == []


@pytest.mark.slow
def test_an_update_that_fails_leaves_everything_as_it_was(
    installer: Installer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    installer.install("1.0")
    before = settings(machine)
    installer.run = FAULTS["ends"]
    with pytest.raises(InstallRefused) as refused:
        installer.install("2.0")
    assert refused.value.problems[-1] == phrase("problem.install.returned", release="1.0")
    assert settings(machine) == before
    assert stand_ins.alive(machine.root)
    installer.run = ""
    installer.install("2.0")
    assert releases.current(machine) == "2.0"
    assert [release.name for release in releases.releases(machine)] == ["2.0", "1.0"]


@pytest.mark.slow
@pytest.mark.parametrize("write", range(1, 6))
def test_where_the_disk_is_full_in_an_update_the_earlier_release_runs_on(
    installer: Installer, machine: Machine, monkeypatch: pytest.MonkeyPatch, write: int
) -> None:
    """The disk is full from this write on: the release's description, the two files of the trial, the list of changes,
    the unit. Nothing can be written then, nor while the update is undone."""
    installer.install("1.0")
    before, count = settings(machine), 0
    write_as_always = Machine.write

    def write_until_full(machine: Machine, *args: Any) -> None:
        nonlocal count
        count += 1
        if count >= write:
            raise OSError(ENOSPC, "No space left on device", str(machine.path(args[0])))
        write_as_always(machine, *args)

    with monkeypatch.context() as full:
        full.setattr(Machine, "write", write_until_full)
        with pytest.raises((InstallRefused, OSError), match="No space left on device"):
            installer.install("2.0")
    assert count >= write
    assert releases.current(machine) == "1.0"
    assert stand_ins.alive(machine.root)
    assert settings(machine) == before
    assert started(machine)[-1].startswith("1.0 ")
    installer.install("2.0")
    assert releases.current(machine) == "2.0"
    installer.uninstall()


@pytest.mark.slow
def test_a_release_that_cannot_be_built_changes_nothing(installer: Installer, machine: Machine) -> None:
    installer.install("1.0")
    before, runs = settings(machine), started(machine)
    installer.fails = True
    with pytest.raises(InstallRefused) as refused:
        installer.install("2.0")
    assert has_phrase(str(refused.value), "problem.install.command_failed", command="false", code=1)
    assert settings(machine) == before
    assert started(machine) == runs


@pytest.mark.slow
def test_an_installation_of_the_earlier_kind_is_moved_with_its_journal(installer: Installer, machine: Machine) -> None:
    old_kind(machine)
    games = machine.path(f"{migrate.OLD_STATE}/journal.db").read_bytes()
    installer.run = FAULTS["ends"]
    before = settings(machine)
    with pytest.raises(InstallRefused) as refused:
        installer.install("1.0")
    assert has_phrase(str(refused.value), "problem.install.not_ready", release="1.0")
    assert settings(machine) == before
    assert machine.path(f"{migrate.OLD_STATE}/journal.db").read_bytes() == games
    assert machine.path("/var/lib/cribboard").resolve() == machine.path(migrate.OLD_STATE)
    installer.run = ""
    installer.real = True
    installer.install("1.0")
    assert machine.path("/var/lib/cribboard/journal.db").exists()
    assert not machine.path("/var/lib/cribboard").is_symlink()
    assert not machine.path(migrate.OLD_STATE).exists()
    assert machine.read(migrate.OLD_UNIT) is None
    assert machine.path("/opt/cribboard/README.md").exists()
    assert f"chown -R cribboard:cribboard {machine.path('/var/lib/cribboard')}" in stand_ins.calls(machine.root)


def old_kind(machine: Machine) -> None:
    """A clone with its environment, its unit, and the state of a dynamic user with a game in it."""
    machine.path("/opt/cribboard/.venv/bin").mkdir(parents=True)
    machine.path("/opt/cribboard/README.md").write_text("a clone", encoding="utf-8")
    machine.write(
        migrate.OLD_UNIT, "[Service]\nExecStart=/opt/cribboard/.venv/bin/cribboard run\nDynamicUser=yes\n", 0o644
    )
    machine.path(migrate.OLD_STATE).mkdir(parents=True)
    played(machine.path(f"{migrate.OLD_STATE}/journal.db"), *ACTS)
    machine.path("/var/lib/cribboard").symlink_to("private/cribboard")


@pytest.mark.slow
def test_a_board_becomes_a_hub_or_both_stays_so_after_an_update_and_becomes_a_board_again(
    installer: Installer, machine: Machine
) -> None:
    installer.install("1.0")
    installer.install("1.0", role="hub")
    assert "mosquitto" in (machine.read("/packages") or "")
    assert "systemctl disable --now mosquitto.service" in stand_ins.calls(machine.root)
    installer.install("2.0")
    releases.activate(machine, releases.named(machine, "1.0"), SystemClock())
    installer.install("1.0")
    hub = f"--config {machine.path(CONFIG)} --no-browser --broker"
    assert started(machine)[2:] == [
        f"{version} hub {hub}{trial}" for version in ("1.0", "2.0", "1.0") for trial in (" --keep-journal-version", "")
    ]
    installer.install("1.0", role="both")
    assert started(machine)[-1] == f"1.0 run --config {machine.path(CONFIG)} --broker"
    installer.install("2.0")
    assert plan.role_of(machine) == "both"
    installer.install("1.0", role="board")
    assert started(machine)[-1] == f"1.0 run --config {machine.path(CONFIG)}"
    assert plan.role_of(machine) == "board"
    installer.uninstall()


@pytest.mark.slow
def test_a_board_whose_hub_does_not_start_is_a_board_again(installer: Installer, machine: Machine) -> None:
    installer.run = '[ "$1" = run ] || { echo "The port is taken." >&2; exit 1; }'
    installer.install("1.0")
    before = settings(machine)
    with pytest.raises(InstallRefused) as refused:
        installer.install("1.0", role="hub")
    assert refused.value.problems == (
        phrase("problem.install.not_ready", release="1.0", seconds=30, said="The port is taken."),
        phrase("problem.install.returned", release="1.0"),
    )
    assert settings(machine) == before
    assert started(machine)[-1] == f"1.0 run --config {machine.path(CONFIG)}"
    assert stand_ins.alive(machine.root)


@pytest.mark.slow
def test_a_hub_serves_the_desk_and_leaves_nothing_when_it_is_removed(installer: Installer, machine: Machine) -> None:
    before = settings(machine)
    installer.real = True
    installer.install("1.0", role="hub")
    port = plan.page_address(machine).port
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/desk", timeout=10) as answer:
        assert answer.status == 200
    assert machine.path("/run/cribboard/broker/mosquitto.conf").exists(), "systemd starts the broker by this"
    assert machine.read(f"{plan.UNITS}/cribboard-broker.path") is not None
    installer.uninstall(purge=True)
    assert not stand_ins.alive(machine.root)
    assert settings(machine) == before


def test_a_hub_without_mosquitto_and_without_a_network_is_refused_before_anything_changes(
    installer: Installer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Machine, "run", failing(Machine.run, "install"))
    before = settings(machine)
    with pytest.raises(InstallRefused) as refused:
        installer.install("1.0", role="hub")
    assert refused.value.problems == (phrase("problem.install.package", package="mosquitto", said="-"),)
    assert settings(machine) == before


def test_nothing_is_changed_where_anything_is_missing(
    installer: Installer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.write("/etc/os-release", "ID=other\n")
    machine.path("/boot/firmware/config.txt").unlink()
    monkeypatch.setattr(preflight, "ROOM_MB", 10**9)
    before = everything(machine)
    with pytest.raises(InstallRefused) as refused:
        installer.install("1.0")
    assert [problem.split(";")[0].split(":")[0] for problem in refused.value.problems] == [
        "This system is other",
        refused.value.problems[1].split(";")[0],
        "There is no config.txt in /boot/firmware or /boot",
    ]
    assert everything(machine) == before


def test_only_root_uninstalls(installer: Installer, machine: Machine) -> None:
    with pytest.raises(InstallRefused, match="Only root"):
        installation.uninstall(machine, replace(PI, is_root=False), installer.said.append, purge=False, dry_run=False)


def test_an_unfinished_release_is_removed_and_a_name_that_is_taken_gets_a_number(
    installer: Installer, machine: Machine
) -> None:
    machine.path("/opt/cribboard/releases/1.0/bin").mkdir(parents=True)
    first = releases.build(machine, installer.wanted("1.0").source)
    assert first.name == "1.0"
    assert releases.build(machine, installer.wanted("1.0").source) == first
    changed = installer.wanted("1.0").source
    changed.project.write_text("another wheel of this version", encoding="utf-8")
    second = releases.build(machine, changed)
    assert (second.name, second.version, second.number) == ("1.0-2", "1.0", 2)


def test_a_release_is_called_finished_only_when_all_of_it_is_on_the_disk(
    installer: Installer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut just after that left a release whose unit was empty, which no later installation could mend."""
    done: list[str] = []
    run, write = Machine.run, Machine.write

    def noted_run(machine: Machine, *command: str, timeout_s: float | None = None) -> subprocess.CompletedProcess[str]:
        done.append(" ".join(command))
        return run(machine, *command, timeout_s=timeout_s)

    def noted_write(machine: Machine, absolute: str, text: str, mode: int | None = None) -> None:
        done.append(f"write {absolute}")
        write(machine, absolute, text, mode)

    monkeypatch.setattr(Machine, "run", noted_run)
    monkeypatch.setattr(Machine, "write", noted_write)
    release = releases.build(machine, installer.wanted("1.0").source)
    assert done[-2:] == [f"sync --file-system {machine.path(release.folder)}", f"write {release.folder}/release.json"]


def test_the_installer_needs_the_standard_library_alone() -> None:
    """As root runs it before there is an environment."""
    code = (
        f"import sys; sys.path[:0] = ['{ROOT}/board', '{ROOT}/firmware']; before = set(sys.modules)\n"
        "import cribd.install.__main__\n"
        "print([name for name in sys.modules if name.startswith('cribd.') and '.install' not in name])"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['cribd.causes', 'cribd.monotonic', 'cribd.clock']"
