"""The steps of `make pi-vm`: their actions in the systems, and the conditions that must hold afterwards."""

from __future__ import annotations

import json
import random
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from tools import simulated_release
from tools.dist import ROOT
from tools.pi_vm import arm64, page
from tools.pi_vm.board import INSTALL, InstalledBoard, must_hold
from tools.pi_vm.container import Container
from tools.pi_vm.emulated import Emulated
from tools.pi_vm.system import make_files

CONFIG = "/etc/cribboard/config.toml"
FIRST, BROKEN, NEXT = "9.0.1", "9.0.2", "9.0.3"
CUTS = 10
_TRIAL = "/run/systemd/system/cribd.service"
_NEW = f"/opt/cribboard/releases/{NEXT}"
_LINKED = f"[ $(readlink /opt/cribboard/current) = releases/{NEXT} ]"
#: The steps of an update: the power is cut as soon as this holds.
UPDATE = {
    "the release file is unpacked": "ls -d /var/tmp/cribboard-*/wheels",
    "its environment is being made": f"[ -d {_NEW}/bin ]",
    "its packages are being installed": f"ls -d {_NEW}/lib/python3*/site-packages/aiohttp",
    "it is finished": f"[ -e {_NEW}/release.json ]",
    "it checks itself": "pgrep -f '[/]bin/cribboard release check'",
    "the unit of the trial is written": f"[ -e {_TRIAL} ]",
    "it runs on trial": "pgrep -f '[/]bin/cribboard run .*--keep-journal-version'",
    "its unit is written": f"grep -q 'board of {NEXT}' /usr/local/lib/systemd/system/cribd.service",
    "the link leads to it": _LINKED,
    "the trial is ended": f"{_LINKED} && [ ! -e {_TRIAL} ]",
    "it starts for good": f"{_LINKED} && pgrep -f '[c]urrent/bin/cribboard run'",
}
#: What an uninstallation leaves as it was, and what the system itself changes there.
FILE = {"cribboard-0.1.0-aarch64": f"cribboard-{FIRST}-x86_64"}
FOLDERS = "/etc /boot /usr/local /opt /var/lib"
_OF_THE_SYSTEM = re.compile(
    r"/var/lib/(systemd|dbus|polkit-1)|/etc/(machine-id|resolv\.conf|(group|gshadow|passwd|shadow|subuid|subgid)-)|/etc$"
)


def names() -> list[str]:
    """Return the names of the steps, in order."""
    return [
        name
        for name, value in vars(Tried).items()
        if callable(value) and not name.startswith("_") and name != "switch_on"
    ]


@dataclass
class Tried:
    """The systems in `folder`, and the observations made in them."""

    folder: Path
    seen: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        files, release = self.folder / "files", self.folder / "release"
        self._machine = Container(self.folder / "container", files, release=release)
        self._emulated = Emulated(self.folder / "emulated", files)
        self._board = InstalledBoard(self._machine, self.folder)
        self._before = self.folder / "before.json"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for system in (self._machine, self._emulated):
            if system.is_on:
                system.cut()

    def switch_on(self, step: str) -> None:
        """Switch on the system that a step needs, if the step before was left out."""
        system = self._emulated if step in ("stick", "read_only_root") else self._machine
        if step not in ("prepare", "installation", "aarch64") and not system.is_on:
            system.start()
            InstalledBoard(system, self.folder).runs()

    def _say(self, text: str) -> None:
        self.seen.append(text)
        print(f"          {text}", flush=True)

    def _files(self) -> dict[str, str]:
        """Return kind, mode, owner, target and checksum of each file in the folders that an installation changes."""
        found = {}
        listed = self._machine.must(f"find {FOLDERS} -printf '%p\\t%y %m %U:%G %l\\n'")
        for line in listed.splitlines():
            name, _, about = line.partition("\t")
            found[name] = about
        for line in self._machine.must(f"find {FOLDERS} -type f -exec sha256sum {{}} +").splitlines():
            found[line[66:]] += line[:64]
        return {name: about for name, about in found.items() if not _OF_THE_SYSTEM.match(name)}

    # The steps. Their names are what the command line calls them.

    def prepare(self) -> None:
        """Make the files of the system, its disks, and three release files."""
        make_files(self.folder / "files")
        self._machine.make()
        release = self._machine.release
        release.mkdir(exist_ok=True)
        for version in (FIRST, BROKEN, NEXT):
            if not any(release.glob(f"*{version}*.run")):
                simulated_release.make(release, version, starts=version != BROKEN)

    def installation(self) -> None:
        """Install a release from a read-only stick, without a network."""
        self._say(f"started in {self._machine.start():.0f} s")
        self._before.write_text(json.dumps(self._files()), encoding="utf-8")
        said = self._board.types("cd /mnt/release && sudo sh cribboard-0.1.0-aarch64.run --dry-run", FILE)
        must_hold("link /opt/cribboard/current to it" in said, said)
        began = time.monotonic()
        said = self._board.installs(FIRST)
        must_hold(said.endswith(f"Release {FIRST} runs."), said)
        self._say(f"installed in {time.monotonic() - began:.0f} s")
        # For the steps to come: the owner's page has a PIN, and answers in the emulated machine's network too.
        lines = f'[page]\\npin = "{page.PIN}"\\nhost = "0.0.0.0"\\n'
        self._machine.must(f"printf '{lines}' > {CONFIG}")
        self._board.types("sudo systemctl restart cribd")
        self._board.runs(FIRST)
        must_hold(FIRST in self._board.types("cribboard release list"), "the release is not listed")
        must_hold("/table" in self._board.types("journalctl -u cribd"), "the board says nothing in its log")

    def unit(self) -> None:
        """Check that the unit has its user and groups, and that its sandbox works."""
        shown = self._machine.must(
            "systemctl show cribd -p User,SupplementaryGroups,NoNewPrivileges,PrivateTmp,ProtectSystem,ProtectHome,"
            "DevicePolicy,MemoryMax,TasksMax,WatchdogUSec,NRestarts"
        )
        has = dict(line.split("=", 1) for line in shown.splitlines())
        wanted = {"User": "cribboard", "SupplementaryGroups": "gpio spi i2c dialout audio", "NoNewPrivileges": "yes"}
        wanted |= {"PrivateTmp": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "DevicePolicy": "closed"}
        wanted |= {"MemoryMax": str(160 << 20), "TasksMax": "48", "WatchdogUSec": "10s", "NRestarts": "0"}
        must_hold(has == wanted, f"the unit has {has}")
        status = self._machine.must("cat /proc/$(systemctl show -P MainPID cribd)/status")
        process = dict(re.findall(r"^(\w+):\s*(.*)$", status, re.MULTILINE))
        must_hold({process["CapEff"], process["CapBnd"]} == {"0" * 16}, "it has capabilities")
        must_hold((process["NoNewPrivs"], process["Seccomp"]) == ("1", "2"), "its system calls are not filtered")
        must_hold(process["Uid"].split()[0] == self._machine.must("id -u cribboard"), "it has another user")
        inside = "nsenter -t $(systemctl show -P MainPID cribd) -m setpriv --reuid cribboard --clear-groups sh -c"
        for folder in ("/etc/cribboard", "/opt/cribboard", "/usr", "/var/lib", "/home", "/boot/firmware", "/mnt/state"):
            must_hold(self._machine.run(f"{inside} 'touch {folder}/x'")[0], f"it may write to {folder}")
        self._machine.must(f"{inside} 'touch /var/lib/cribboard/x && rm /var/lib/cribboard/x'")
        exposure = self._machine.must("systemd-analyze security --no-pager cribd")
        self._say(f"exposure {re.findall(r'level for .*: ([0-9.]+)', exposure)[0]}")

    def doctor(self) -> None:
        """Let the doctor examine the machine, and the self-test test a simulated board."""
        code, said = self._machine.run("sudo cribboard doctor")
        must_hold(code == 1, f"the doctor ends with {code}: {said}")  # a warning: this is no Raspberry Pi
        found = json.loads(self._machine.run("cribboard doctor --json")[1])
        self._say("warnings: " + " ".join(one["check"] for one in found if one["level"] == "warning"))
        self._board.types("sudo systemctl stop cribd")
        walk = "cribboard selftest --twin --fingers --pace 0.1 --no-browser --journal /tmp/selftest/journal.db"
        self._say(
            self._machine.must(f"mkdir -p /tmp/selftest; {walk} keys screen sound", timeout_s=900).splitlines()[-1]
        )
        self._machine.must("systemctl start cribd")
        self._board.runs()

    def settings(self) -> None:
        """Check that systemd has the watchdog of the machine set, and that the log is small."""
        has = self._machine.must("systemctl show -p RuntimeWatchdogUSec -p RebootWatchdogUSec | sort").split()
        must_hold(has == ["RebootWatchdogUSec=15s", "RuntimeWatchdogUSec=15s"], f"the watchdog is {has}")
        self._machine.must("journalctl --flush")
        size = self._machine.must("journalctl -b -u systemd-journald -o cat | grep 'System Journal' | tail -1")
        must_hold("max 32M" in size, size)

    def power_off(self) -> None:
        """Check that the board may switch its machine off, and do nothing else."""
        for refused in (
            *("systemctl --no-ask-password reboot", "systemctl --no-ask-password restart systemd-networkd"),
            *("systemctl --no-ask-password halt", "timedatectl --no-ask-password set-ntp true"),
            "hostnamectl --no-ask-password hostname other",
        ):
            must_hold(self._machine.run(f"runuser -u cribboard -- {refused}")[0], f"it may {refused}")
        page.ask_as_owner(self._machine, "/table/owner", {"do": "switch_off"})
        must_hold(self._machine.wait_off(120), "the machine is not off after the owner's request")
        self._machine.start()
        self._board.runs(FIRST)

    def failing_update(self) -> None:
        """Update to a release that does not start, and check that the earlier release still runs."""
        page.play(self._machine)
        must_hold(page.Watcher(self._machine).until(lambda view: view["number"] > 20, 300), "the robots do not play")
        before = sum(self._board.kept().lines)
        said = self._board.installs(BROKEN, fails=True)
        must_hold(said.endswith(f"Release {FIRST} runs again.") and "This release does not start." in said, said)
        self._say(" ".join(said.splitlines()[-2:]))
        self._board.runs(FIRST)
        must_hold(sum(self._board.kept().lines) >= before, "an event of a game is missing")

    def good_update(self) -> None:
        """Update to a good release and return to the earlier one; check that every game is kept."""
        before = sum(self._board.kept().lines)
        began = time.monotonic()
        self._say(self._board.installs(NEXT).splitlines()[-1])
        self._say(f"updated in {time.monotonic() - began:.0f} s")
        self._board.runs(NEXT)
        must_hold(sum(self._board.kept().lines) >= before, "an event is missing after the update")
        self._board.types("sudo cribboard release use NAME", {"NAME": FIRST})
        self._board.runs(FIRST)
        must_hold(sum(self._board.kept().lines) >= before, "an event is missing after the return")

    def hub(self) -> None:
        """Make the board a hub with its broker, update it, and make it a board again."""
        broker, ours = "systemctl is-active cribboard-broker", "[m]osquitto.-c./run/cribboard"
        self._board.types(f"cd /mnt/release && {INSTALL} --as hub", FILE)
        must_hold(page.ask(self._machine, "/desk"), "there is no desk")
        self._machine.must(f"for try in $(seq 20); do {broker} && exit; sleep 0.5; done; exit 1")
        self._machine.must(f"pkill -KILL -f {ours} && sleep 2 && pgrep -f {ours}")
        self._machine.must(f"printf '%s\n' {page.PIN} > /tmp/pin; echo one two three four five > /tmp/phrase")
        journal = "--journal /var/lib/cribboard/journal.db --phrase-file /tmp/phrase"
        self._machine.must(f"cribboard event backup --club --config {CONFIG} {journal} --pin-file /tmp/pin /srv")
        self._machine.must(f"systemctl stop cribd && cribboard event restore {journal} /srv/*.club")
        self._machine.must("systemctl start cribd && rm /srv/*.club")
        must_hold("service.broker" in self._machine.run("sudo cribboard doctor")[1], "the doctor knows no hub")
        shown = self._machine.must("systemctl show cribd -p MemoryMax,PrivateDevices,SupplementaryGroups").split()
        must_hold(shown == ["MemoryMax=268435456", "SupplementaryGroups=", "PrivateDevices=yes"], f"it has {shown}")
        self._board.installs(NEXT)
        must_hold(page.ask(self._machine, "/desk"), "there is no desk after the update")
        self._machine.must(f"sleep 2; {broker}")
        self._machine.must(f"systemctl stop cribd; sleep 1; ! pgrep -f {ours}")
        self._board.types(f"cd /mnt/release && {INSTALL} --as both", FILE)
        self._board.runs(FIRST)
        must_hold(page.ask(self._machine, "/table"), "the hub is no board")
        self._machine.must(f"sleep 2; {broker}")
        self._board.types(f"cd /mnt/release && {INSTALL} --as board", FILE)
        self._board.runs(FIRST)
        must_hold(self._machine.run(broker)[0], "the broker runs beside the board")
        self._machine.must(f"cribboard release remove {NEXT}")

    def cuts_in_play(self) -> None:
        """Cut the power ten times while robots play, and check each time that all shown events are kept."""
        for _ in range(CUTS):
            self._cut_in_play(self._machine, self._board, random.uniform(0, 15))

    def _cut_in_play(self, system: Container | Emulated, board: InstalledBoard, after_s: float) -> None:
        """Play, cut the power after so many seconds, start, and check the journal against the page."""
        watcher = page.Watcher(system)
        page.play(system)
        must_hold(watcher.until(lambda view: True, 120), "the page shows no game")
        first = watcher.events
        must_hold(watcher.until(lambda view: view["number"] != first, 120), "the robots do not play")
        time.sleep(after_s)
        system.cut()
        shown, started_s = watcher.view, system.start()
        board.runs()
        kept = board.kept()
        must_hold(kept.has(shown), f"the page had shown event {shown['number']}; the journal has {kept.lines}")
        self._say(f"event {shown['number']} was shown, {kept.lines[-1]} are kept, started in {started_s:.0f} s")

    def cuts_in_an_update(self) -> None:
        """Cut the power in each step of an update; check that a board runs, and that the next update completes."""
        if NEXT in self._board.types("cribboard release list"):
            self._board.types("sudo cribboard release remove NAME", {"NAME": NEXT})
        for step, holds in UPDATE.items():
            before = sum(self._board.kept().lines)
            self._machine.must(f"systemd-run --quiet --unit=update sh /mnt/release/cribboard-{NEXT}-x86_64.run")
            # The installer is held still as soon as it has come so far, so that the cut is in this step.
            held = f"pkill -STOP -f [c]ribboard-{NEXT}-x86_64.run"
            self._machine.must(f"until {{ {holds}; }} >/dev/null 2>&1; do :; done; {held}")
            self._machine.cut()
            self._machine.start()
            self._board.runs()
            found, began = self._board.release, time.monotonic()
            self._board.installs(NEXT)
            self._board.runs(NEXT)
            must_hold(sum(self._board.kept().lines) >= before, "an event of a game is missing")
            self._say(f"{step}: {found} ran; the next update took {time.monotonic() - began:.0f} s")
            self._machine.must(f"cribboard release use {FIRST} && cribboard release remove {NEXT}", timeout_s=300)

    def state_elsewhere(self) -> None:
        """Move the journal to another partition, and check that its games go with it."""
        before = sum(self._board.kept().lines)
        self._board.types("cd /mnt/release && sudo sh cribboard-0.1.0-aarch64.run --state /mnt/state", FILE)
        self._board.runs(FIRST)
        must_hold(sum(self._board.kept().lines) >= before, "an event of a game is missing")
        self._machine.must("ls /mnt/state/journal.db")
        self._cut_in_play(self._machine, self._board, 5)

    def emulated(self) -> None:
        """Start the same disks in an emulated machine, whose kernel has a watchdog and counts memory."""
        self._machine.run("systemctl poweroff")
        must_hold(self._machine.wait_off(120), "the container is not off")
        self._emulated.folder.mkdir(exist_ok=True)
        for name in ("root.img", "state.img"):
            images = self._machine.folder / name, self._emulated.folder / name
            subprocess.run(["cp", "--sparse=always", *images], check=True)
        self._say(f"started in {self._emulated.start():.0f} s")
        board = InstalledBoard(self._emulated, self.folder)
        board.runs(FIRST)
        chip = self._emulated.must("cd /sys/class/watchdog/watchdog0; cat state timeout identity").splitlines()
        must_hold(chip[:2] == ["active", "15"], f"the watchdog is {chip}")
        group = "cd /sys/fs/cgroup/system.slice/cribd.service"
        most, used, tasks = self._emulated.must(f"{group}; cat memory.max memory.peak pids.peak").split()
        must_hold(int(most) == 160 << 20, f"the board may use {most} bytes")
        self._say(f"watchdog {chip[2]}; {int(used) >> 20} MB and {tasks} tasks at most")

    def stick(self) -> None:
        """Plug in a USB stick, and check that it is mounted and that copies, pulling it out, and a restore work."""
        board, machine = InstalledBoard(self._emulated, self.folder), self._emulated
        mounted = "mountpoint -q /media/cribboard"
        machine.make_stick("CRIBBOARD")
        machine.plug()
        machine.must(f"until {mounted}; do sleep 0.3; done")
        said = json.loads(page.ask_as_owner(machine, "/table/backup", {}))
        must_hold(said["there"] and said["last"] and not said["problem"], f"the owner's page says {said}")
        copy = board.types("sudo cribboard backup").splitlines()[0]
        must_hold(copy.startswith("/media/cribboard/cribboard-"), f"the copy is {copy}")
        machine.pull()
        machine.must(f"while {mounted}; do sleep 0.3; done")
        must_hold(
            not json.loads(page.ask_as_owner(machine, "/table/backup"))["there"], "the page shows the stick still"
        )
        machine.plug()
        machine.must(f"until {mounted}; do sleep 0.3; done")
        before = len(board.kept().games)
        board.types("sudo systemctl stop cribd")
        self._say(board.types("sudo cribboard restore FILE", {"FILE": f"--instead {copy}"}).splitlines()[0])
        machine.must("systemctl start cribd")
        board.runs(FIRST)
        must_hold(len(board.kept().games) == before, "a game is missing after the restore")
        machine.must("umount /media/cribboard")
        machine.pull()

    def read_only_root(self) -> None:
        """Check that with overlayroot the root is never written, and that a game goes on after a power cut."""
        board, machine = InstalledBoard(self._emulated, self.folder), self._emulated
        machine.must("echo 'overlayroot=\"tmpfs:recurse=0\"' > /etc/overlayroot.conf; touch /srv/before; sync")
        machine.run("systemctl poweroff")
        must_hold(machine.wait_off(300), "the machine is not off")
        machine.start()
        board.runs(FIRST)
        mounts = machine.must("findmnt -no FSTYPE /; findmnt -no FSTYPE,OPTIONS /mnt/state; touch /srv/after")
        must_hold(mounts.startswith("overlay\next4 rw"), f"mounted is {mounts}")
        self._cut_in_play(machine, board, 5)
        must_hold(machine.run("ls /srv/before /srv/after")[1].count("No such") == 1, "the root was written")
        machine.must('sudo overlayroot-chroot sh -c ": > /etc/overlayroot.conf"')
        machine.run("systemctl poweroff")
        must_hold(machine.wait_off(300), "the machine is not off")
        machine.start()
        must_hold(machine.must("findmnt -no FSTYPE /") == "ext4", "the root is still an overlay")
        machine.cut()
        self._machine.start()

    def uninstallation(self) -> None:
        """Uninstall the board, and check that everything is as it was before."""
        self._board.types("cd /mnt/clone && sudo make uninstall ARGS=--dry-run")
        self._board.types("cd /mnt/clone && sudo make uninstall")
        must_hold(self._machine.run(f"ls {CONFIG} /var/lib/cribboard/journal.db")[0] == 0, "the games do not stay")
        self._board.types("cd /mnt/clone && sudo make uninstall ARGS=--purge")
        before, after = json.loads(self._before.read_text(encoding="utf-8")), self._files()
        changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
        must_hold(not changed, "; ".join(f"{name}: {before.get(name)} → {after.get(name)}" for name in changed))
        self._say(f"{len(after)} files and folders are as before")

    def aarch64(self) -> None:
        """Install the release file of `make dist` without a network, in a Debian tree of arm64."""
        tree = self.folder / "arm64"
        arm64.make_tree(tree)
        subprocess.run("make dist", shell=True, cwd=ROOT, check=True)
        began = time.monotonic()
        [file] = (ROOT / "dist").glob("cribboard-*-aarch64.run")
        said = arm64.install(tree, file)
        must_hold("runs." in said and "can run here" in said, said)
        self._say(f"installed in {time.monotonic() - began:.0f} s")
