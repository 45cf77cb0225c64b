"""What the board prints of its faults: each once with its cause, and once that it is mended."""

from dataclasses import replace

import pytest

from cribd.causes import cause
from cribd.daemon.fault_log import FaultLog
from cribd.inputs import Fault, FaultKind
from cribd.table.snapshot import Snapshot

LIGHTS = Fault(FaultKind.LIGHTS_AWAY, "strip", "/dev/spidev0.0 is missing")
READER = Fault(FaultKind.READER_SILENT, "scanner")


def test_a_fault_is_printed_once_with_its_cause_and_once_when_it_is_mended(capsys: pytest.CaptureFixture[str]) -> None:
    log = FaultLog()
    for faults in ((LIGHTS,), (LIGHTS,), (replace(LIGHTS, cause="other words"),), (LIGHTS, READER), (READER,), ()):
        log.publish(Snapshot(faults=faults))
    assert capsys.readouterr().err.splitlines() == [
        "Fault lights_away (strip): /dev/spidev0.0 is missing.",
        "Fault reader_silent (scanner).",
        "Mended lights_away (strip).",
        "Mended reader_silent (scanner).",
    ]


@pytest.mark.parametrize(
    ("error", "clause"),
    [
        (OSError(110, "Connection timed out"), "Connection timed out (errno 110)"),
        (FileNotFoundError(2, "No such file", "/dev/ttyACM0"), "/dev/ttyACM0: No such file (errno 2)"),
        (OSError("spidev is missing"), "spidev is missing"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_the_cause_of_an_error_has_its_file_and_its_number(error: Exception, clause: str) -> None:
    assert cause(error) == clause
