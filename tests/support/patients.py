"""A patient of the doctor: a board on the twin in a healthy machine, which a case then spoils in one way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, field, replace
from errno import ENOENT
from pathlib import Path
from typing import Any

from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.config.config import Config, changed
from cribd.doctor.examine import CHECKS, examine
from cribd.doctor.findings import Finding, Installation
from cribd.storage.open_journal import open_or_repair_journal
from cribd.twin.faults import FaultName
from cribd.twin.machine import Twin
from cribd.wires import Spi

BOARD = load("continuous")

#: The files of a healthy Pi. FOLDER is the folder of the patient.
FILES = {
    "proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
    "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n',
    "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
    "proc/412/comm": "ssh-agent\n",
    "sys/bus/i2c/devices/i2c-1/of_node/clock-frequency": (400_000).to_bytes(4).decode("latin-1"),
    "proc/bus/input/devices": 'I: Bus=0003 Vendor=046d\nN: Name="Logitech K120"\nB: EV=120013\n',
    "proc/cmdline": "console=tty1 root=/dev/mmcblk0p2\n",
    "proc/consoles": "tty1                 -WU (EC p  )    4:1\n",
    "proc/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n",
    "run/systemd/timesync/synchronized": "",
}
#: Links of a healthy Pi.
LINKS = {"proc/412/fd/3": "/dev/null", "dev/serial0": "ttyS0"}
#: What the commands of a healthy Pi answer.
ANSWERS = {
    "getconf LONG_BIT": "64",
    "vcgencmd get_throttled": "throttled=0x0",
    "df --output=avail -B1 /var/lib/cribboard": "     Avail\n5000000000",
    "hostname -I": "192.168.1.5",
    "systemctl show cribd -p LoadState,ActiveState,UnitFileState,NRestarts":
        "LoadState=loaded\nActiveState=inactive\nUnitFileState=enabled\nNRestarts=0",
    "systemctl show cribd -p User,Group,SupplementaryGroups":
        "User=cribboard\nGroup=cribboard\nSupplementaryGroups=gpio spi i2c dialout audio",
    "id -nG cribboard": "cribboard",
    "systemctl show -p RuntimeWatchdogUSec --value": "15s",
}  # fmt: skip
#: The configuration of a healthy Pi.
CONFIG = {"readers": [{"name": "scanner", "port": "/dev/serial0"}], "page": {"port": 0}}


@dataclass
class SpoiltWires:
    """The twin's wires, which a case may spoil. They are good until then."""

    twin: Twin
    spi_error: OSError | None = None
    i2c_error: OSError | None = None
    pins_error: OSError | None = None
    longest: int | None = None
    """The most bytes of a transfer; a longer one times out."""
    asked: Callable[[int], int] | None = None
    """Answers a read of a byte at an address, in place of the bus."""
    scan: Callable[[Spi, bytes], list[int]] | None = None
    """Makes a transfer, in place of the bus."""
    own_machine: bool = False
    """Whether the twin's machine is behind them, and not the faked files alone."""

    @property
    def root(self) -> Path:
        return self.twin.wires.root if self.own_machine else self.twin.wires.folder.parent / "root"

    @property
    def pin_factory(self) -> Any:
        if self.pins_error is not None:
            raise self.pins_error
        return self.twin.wires.pin_factory

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        if self.spi_error is not None:
            raise self.spi_error
        opened = self.twin.wires.spi(select, hz=hz, mode=mode)
        return opened if self.scan is None and self.longest is None else _SpoiltSpi(self, opened)

    def i2c(self, port: int) -> Any:
        if self.i2c_error is not None:
            raise self.i2c_error
        bus = self.twin.wires.i2c(port)
        if self.asked is not None:
            bus.read_byte = self.asked
        return bus

    def serial(self, name: str) -> str:
        return self.twin.wires.serial(name)

    def close(self) -> None:
        self.twin.wires.close()


@dataclass
class _SpoiltSpi:
    wires: SpoiltWires
    bus: Spi

    def transfer(self, data: Sequence[int]) -> list[int]:
        sent = bytes(data)
        if self.wires.longest is not None and len(sent) > self.wires.longest:
            raise TimeoutError(110, "Connection timed out")
        return self.bus.transfer(sent) if self.wires.scan is None else self.wires.scan(self.bus, sent)

    def close(self) -> None:
        self.bus.close()


class SteppedClock(ManualClock):
    """A manual clock for two: a thread that waits lets the loop work meanwhile, for as long by this clock."""

    loop: asyncio.AbstractEventLoop | None = None

    def wait(self, seconds: float) -> None:
        if self.loop is None:
            super().wait(seconds)
        else:
            asyncio.run_coroutine_threadsafe(self.advance(seconds), self.loop).result()


@dataclass
class Patient:
    """A board on the twin, and a machine of files and commands around it.

    `wired` is the board that the twin has, `board` the one that the doctor expects. With `chips_run` the chips of
    tag readers run; with `late_mode` SPI0 is that of a Pi 5. `around` are entered while the doctor works.
    """

    folder: Path
    board: Board = BOARD
    wired: Board = BOARD
    config: Config = field(default_factory=Config)
    files: dict[str, str] = field(default_factory=lambda: dict(FILES))
    links: dict[str, str] = field(default_factory=lambda: dict(LINKS))
    answers: dict[str, str] = field(default_factory=lambda: dict(ANSWERS))
    modes: dict[str, int] = field(default_factory=dict)
    spoil_wires: list[Callable[[SpoiltWires], object]] = field(default_factory=list)
    around: list[AbstractContextManager[object]] = field(default_factory=list)
    clock: SteppedClock = field(default_factory=SteppedClock)
    chips_run: bool = False
    late_mode: bool = False

    def __post_init__(self) -> None:
        self.journal.parent.mkdir(parents=True)
        self.configure(journal=str(self.journal), **CONFIG)
        opened, _ = open_or_repair_journal(self.journal, ManualClock())
        opened.close()

    @property
    def root(self) -> Path:
        return self.folder / "root"

    @property
    def journal(self) -> Path:
        return self.folder / "var/lib/cribboard/journal.db"

    def configure(self, **values: Any) -> None:
        """Change the configuration."""
        self.config = changed(self.config, values)

    def run(self, *words: str) -> str:
        """Answer a command."""
        line = " ".join(words).replace(str(self.folder), "")
        if line not in self.answers:
            raise FileNotFoundError(ENOENT, "No such file or directory", words[0])
        return self.answers[line]

    def wires(self, spoil: Callable[[SpoiltWires], object]) -> None:
        """Spoil the wires in this way, once the twin is there."""
        self.spoil_wires.append(spoil)

    def examine(self, *checks: str) -> list[Finding]:
        """What the doctor finds in these checks, or in all."""
        for name, text in self.files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_bytes(text.replace("FOLDER", str(self.folder)).encode("latin-1"))
        for name, mode in self.modes.items():
            (self.root / name).chmod(mode)
        for name, target in self.links.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).symlink_to(target)
        readers = [reader.wire for reader in self.config.readers]
        twin = Twin(self.wired, self.clock, folder=self.folder / "dev", readers=readers, late_mode=self.late_mode)
        wires = SpoiltWires(twin)
        with closing(twin), ExitStack() as around:
            for reader in readers:
                twin.wires.line(reader.name)
            for spoil in self.spoil_wires:
                spoil(wires)
            for manager in self.around:
                around.enter_context(manager)
            at = Installation(
                config=self.config, board=self.board, wires=wires, clock=twin.clock, root=self.root, run=self.run
            )
            chosen = [check for check in CHECKS if not checks or f"{check.group}.{check.name}" in checks]
            if not self.chips_run:
                return list(examine(at, chosen))

            async def beside_the_chips() -> list[Finding]:
                self.clock.loop = asyncio.get_running_loop()
                running = asyncio.create_task(twin.run())
                try:
                    return await asyncio.to_thread(lambda: list(examine(at, chosen)))
                finally:
                    running.cancel()
                    self.clock.loop = None

            return asyncio.run(beside_the_chips())


@dataclass(frozen=True)
class Case:
    """A fault, how it is made, and the check that must find it."""

    check: str
    fault: str
    make: Callable[[Patient], object]
    twin: FaultName | None = None
    """The fault of the twin that this is."""


def with_chips(board: Board, chips: int) -> Board:
    """The board with another number of chips in its chain."""
    return replace(board, chain=replace(board.chain, chips=chips))
