"""Runs the doctor on the running board.

A fault that it finds stands on the OLED, on the pages and in the journal of the system."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cribd.boards import Board
from cribd.clock import Clock
from cribd.config.config import Config
from cribd.daemon.device import Device
from cribd.doctor.examine import examine
from cribd.doctor.findings import Finding, Installation, Severity, in_words
from cribd.doctor.running_board import BoardFault
from cribd.inputs import Fault, FaultCleared, FaultKind
from cribd.text import load
from cribd.wires import Wires
from cribd.wires.pi import PiWires

#: How long after a fault was found the board is examined again.
REEXAMINE_S = 600.0

#: The check that the board makes all the time by itself.
_WATCHED = "power.voltage"


@dataclass(frozen=True, slots=True)
class Examination:
    """Examines a running board with the checks of the doctor.

    `wires` are the twin's wires, or None on a Pi. `root` is the folder of system files."""

    config: Config
    board: Board
    device: Device
    clock: Clock
    wires: Wires | None = None
    root: Path = Path("/")

    async def until_no_fault(self) -> None:
        """Examine the board at intervals until no fault is found.

        Faults that the board itself reports do not count."""
        while isinstance(_fault_to_report(await self.run("en")), Fault):
            await self.clock.sleep(REEXAMINE_S)

    async def run(self, language: str) -> Sequence[Finding]:
        """Examine the board in a thread, and return the findings.

        The first fault goes to the table. The findings include the board's own faults, in this language."""
        words = load(language)
        answer = [
            BoardFault(fault.kind, words.fault(fault), words.cause(fault))
            for fault in self.device.snapshot.faults
            if fault.kind is not FaultKind.DOCTOR
        ]
        findings = await self.clock.run_in_thread(lambda: self._examine(answer))
        self.device.table.post([_fault_to_report(findings)])
        return findings

    async def in_words(self, language: str) -> Sequence[dict[str, str]]:
        """Examine the board, and return the findings as JSON."""
        words = load(language)
        return [in_words(finding, words) for finding in await self.run(language)]

    def _examine(self, answer: Sequence[BoardFault]) -> Sequence[Finding]:
        ports = {reader.name: reader.port for reader in self.config.readers}
        with closing(PiWires(ports)) as own:
            at = Installation(
                config=self.config, board=self.board, wires=self.wires or own, clock=self.clock, root=self.root
            )
            return list(examine(at, answer=answer))


def _fault_to_report(findings: Sequence[Finding]) -> Fault | FaultCleared:
    """Return the first fault that only the doctor found, if any."""
    for finding in findings:
        if finding.severity is Severity.FAULT and not finding.check.endswith(".board") and finding.check != _WATCHED:
            return Fault(FaultKind.DOCTOR, "board", cause=finding.measured)
    return FaultCleared(FaultKind.DOCTOR, "board")
