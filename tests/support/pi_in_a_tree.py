"""A Raspberry Pi as a tree of files, and releases in it whose command runs a real daemon, on simulated wires."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from tests.support import stand_in_board
from tests.support.places import ROOT

from cribd.install import releases
from cribd.install.machine import Machine
from cribd.install.plan import ROLES

CONFIG_TXT = """\
# For more options and information see
# http://rptl.io/configtxt
#dtparam=i2c_arm=on
dtparam=audio=on
camera_auto_detect=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""
CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootfstype=ext4 fsck.repair=yes rootwait\n"
SYSTEM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n'


def pi_in(tree: Path, model: str = "Raspberry Pi 4 Model B Rev 1.4") -> Machine:
    """The files of a Pi that an installation reads."""
    for path, text in {
        "etc/os-release": SYSTEM,
        "etc/group": "root\ndialout\naudio\n",
        "etc/passwd": "root\n",
        "proc/device-tree/model": f"{model}\0",
        "proc/net/tcp": "  sl  local_address rem_address\n",
        "boot/firmware/config.txt": CONFIG_TXT,
        "boot/firmware/cmdline.txt": CMDLINE,
        "packages": "python3-venv\npython3-lgpio\npython3-spidev\n",
    }.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")
    for folder in (
        "opt",
        "run",
        "var/lib",
        "etc/systemd/system/multi-user.target.wants",
        "usr/local/bin",
        "usr/local/lib",
    ):
        (tree / folder).mkdir(parents=True, exist_ok=True)
    return Machine(tree)


def everything(machine: Machine) -> dict[str, str]:
    """Every file and link of the tree, but for the log of the stand-ins."""
    tree = machine.root
    return {
        str(path.relative_to(tree)): str(path.readlink()) if path.is_symlink() else path.read_bytes().decode("latin-1")
        for path in sorted(tree.rglob("*"))
        if path.name != "calls" and (path.is_symlink() or path.is_file())
    } | {str(path.relative_to(tree)): "" for path in tree.rglob("*") if path.is_dir()}


UNIT_TEXT = (ROOT / "systemd" / "cribd.service").read_text(encoding="utf-8")
#: What the release's command does instead of running a board, by the name of the fault.
FAULTS = {
    "ends": 'printf "The bus is broken.\\nMend it.\\n" >&2; exit 1',
    "never ready": "exec sleep 60",
    "no page": "exec \"$PYTHON\" -S -c 'from cribd.sd_notify import *; import time; notify(READY); time.sleep(60)'",
}


def command_text(machine: Machine, name: str, *, run: str, real: bool) -> str:
    """The command of a release. `run` is shell before a board starts.

    With `real` it is that of this source tree, on simulated wires. Else nothing is checked and the board is a stand-in,
    which starts in a tenth of the time.
    """
    check = 'exec "$PYTHON" -m cribd "$@"' if real else "exit 0"
    twin = '$([ "$work" = hub ] || echo --twin)'
    board = f'-m cribd "$work" {twin} --no-browser "$@"' if real else f'-I -S "{stand_in_board.__file__}" "$2"'
    return (
        "#!/bin/sh\n"
        f'export PYTHON="{sys.executable}" PYTHONPATH="{ROOT}/board:{ROOT}/firmware"\n'
        f'case "$1" in run|hub) ;; *) {check} ;; esac\n'
        f'echo "{name} $*" >> {machine.path("/started")}\n'
        f'{run or ":"}\nwork="$1"; shift; exec "$PYTHON" {board}\n'
    )


def fill(machine: Machine, folder: Path, name: str, *, run: str = "", real: bool = False) -> None:
    """What pip makes of the source: the command and the unit."""
    unit = folder / "lib/python3.11/site-packages/cribd/install/systemd/cribd.service"
    unit.parent.mkdir(parents=True)
    unit.write_text(UNIT_TEXT.replace("electronic cribbage board", f"board of {name}"), encoding="utf-8")
    for role in filter(None, ROLES.values()):
        shutil.copy(ROOT / "systemd" / role, unit.with_name(role))
    (folder / "bin").mkdir(exist_ok=True)
    command = folder / "bin/cribboard"
    command.write_text(command_text(machine, name, run=run, real=real), encoding="utf-8")
    command.chmod(0o755)


def make_release(machine: Machine, name: str, number: int, *, run: str = "", real: bool = False) -> releases.Release:
    """A finished release."""
    release = releases.Release(name, name, number, "3.11", f"sha256 of {name}")
    fill(machine, machine.path(release.folder), name, run=run, real=real)
    about = {key: getattr(release, key) for key in release.__slots__}
    machine.path(f"{release.folder}/{releases.ABOUT}").write_text(json.dumps(about), encoding="utf-8")
    return release


def started(machine: Machine) -> list[str]:
    """What the releases were started with: name and arguments."""
    log = machine.path("/started")
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []
