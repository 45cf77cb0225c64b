"""The doctor finds every fault that a test can make, in both languages; `--remake` writes docs/doctor.md again."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.doctor_cases import BROKER, CASES, FOR_A_PERSON, HUB, RIGHT
from tests.support.goldens import Approved, compare_text
from tests.support.patients import Case, Patient
from tests.support.places import ROOT

from cribboard.validation import Message
from cribd.boards import NAMES
from cribd.boards import load as load_board
from cribd.doctor.examine import CHECKS
from cribd.doctor.findings import Finding, Severity
from cribd.text import load
from cribd.twin.faults import FaultName

HEAD = (Path(__file__).parent / "doctor_head.md").read_text(encoding="utf-8")


def found(case: Case, folder: Path) -> Finding:
    """What the check of the case finds first, apart from what is right."""
    patient = Patient(folder)
    case.make(patient)
    findings = patient.examine(case.check)
    return next(finding for finding in findings if finding.severity is not Severity.OK)


def said(text: str, language: str, folder: Path) -> str:
    return load(language).problem(text).replace(str(folder), "") if text else ""


@pytest.fixture(scope="module")
def every_finding(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Case, Path, Finding]]:
    """Each case, with its folder and what was found."""
    made = []
    for number, case in enumerate(CASES):
        folder = tmp_path_factory.mktemp(f"case{number}")
        made.append((case, folder, found(case, folder)))
    return made


@pytest.mark.parametrize("late_mode", [False, True], ids=["", "spi0-of-a-pi-5"])
@pytest.mark.parametrize("name", NAMES)
def test_a_healthy_board_has_no_fault(tmp_path: Path, name: str, late_mode: bool) -> None:
    board = load_board(name)
    findings = Patient(tmp_path, board=board, wired=board, late_mode=late_mode).examine()
    assert [finding for finding in findings if finding.severity is not Severity.OK] == []
    lacks = {"service.broker"} | ({"strip.pins"} if board.on_spi else {"buses.spi", "strip.frame", "buttons.chain"})
    assert {finding.check for finding in findings} == {f"{check.group}.{check.name}" for check in CHECKS} - lacks


def test_a_hub_is_examined_without_the_parts_of_a_board(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    HUB(patient)
    patient.answers[BROKER] = "active"
    findings = patient.examine()
    assert {finding.severity for finding in findings} == {Severity.OK}
    groups = {finding.check.partition(".")[0] for finding in findings}
    assert groups == {"machine", "power", "journal", "clock", "network", "service", "update"}
    assert {"service.unit", "service.broker"} < {finding.check for finding in findings}


def test_every_check_can_find_a_fault(every_finding: list[tuple[Case, Path, Finding]]) -> None:
    bad = {finding.check for *_, finding in every_finding if finding.severity is not Severity.NOT_LOOKED_AT}
    assert bad == {f"{check.group}.{check.name}" for check in CHECKS}


def test_every_fault_of_the_twin_is_found_by_a_check_unless_it_needs_a_finger_or_an_eye() -> None:
    assert {case.twin for case in CASES if case.twin} == set(FaultName) - FOR_A_PERSON


def test_every_fault_has_a_remedy(every_finding: list[tuple[Case, Path, Finding]]) -> None:
    for _, _, finding in every_finding:
        assert finding.remedy or finding.severity is Severity.NOT_LOOKED_AT
        assert finding.severity is not Severity.OK


def codes_in(value: object) -> set[str]:
    """The codes of a message, and of those in it."""
    if not isinstance(value, Message):
        return set()
    return {value.code}.union(*map(codes_in, value.values.values()))


def test_every_message_of_the_doctor_is_seen_in_a_test(
    every_finding: list[tuple[Case, Path, Finding]], tmp_path: Path
) -> None:
    written = {
        node.args[0].value
        for path in (ROOT / "firmware/cribd/doctor").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message"
        if isinstance(node.args[0], ast.Constant)
    }
    findings = [*Patient(tmp_path / "healthy").examine(), *(finding for *_, finding in every_finding)]
    for number, case in enumerate(RIGHT):
        patient = Patient(tmp_path / str(number))
        case.make(patient)
        right = patient.examine(case.check)
        assert {finding.severity for finding in right} == {Severity.OK}, case.fault
        findings += right
    seen = set().union(*(codes_in(text) for finding in findings for text in (finding.measured, finding.remedy)))
    assert written - seen == set(SEEN_ELSEWHERE)


#: Messages that other tests of this folder read.
SEEN_ELSEWHERE = (
    "doctor.programs.hidden",
    *(f"doctor.board.{code}" for code in ("fault", "fault_alone", "holds", "no_pages", "right", "silent", "stop")),
)


def test_a_process_that_only_root_may_look_at_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    iterdir = Path.iterdir

    def refused(path: Path) -> object:
        if path.name == "fd":
            raise PermissionError(13, "Permission denied", str(path))
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", refused)
    [finding] = Patient(tmp_path).examine("buses.programs")
    assert finding.severity is Severity.NOT_LOOKED_AT
    assert [load("fr_CA").problem(text) for text in (finding.measured, finding.remedy)] == [
        phrase("problem.doctor.programs.hidden", "fr_CA"),
        phrase("problem.doctor.as_root", "fr_CA"),
    ]


def test_reading_the_journal_makes_no_file_beside_it(tmp_path: Path) -> None:
    """A file that root makes there would keep the board's user from its journal."""
    patient = Patient(tmp_path)
    [finding] = patient.examine("journal.file")
    assert finding.severity is Severity.OK
    assert [file.name for file in patient.journal.parent.iterdir()] == ["journal.db"]


def test_the_document_has_every_fault_with_its_words_and_its_remedy(
    every_finding: list[tuple[Case, Path, Finding]], request: pytest.FixtureRequest
) -> None:
    lines = [HEAD.rstrip("\n"), ""]
    group = ""
    for case, folder, finding in every_finding:
        if case.check.partition(".")[0] != group:
            group = case.check.partition(".")[0]
            title = load("en").say(f"command.doctor.group.{group}")
            lines += [] if group == CASES[0].check.partition(".")[0] else [""]
            lines += [f"## {title}", "", "| Check | Fault | Level | The doctor says | What to do |"]
            lines.append("| --- | --- | --- | --- | --- |")
        level = load("en").say(f"command.doctor.level.{finding.severity}")
        cells = [
            f"`{case.check}`",
            f"{case.fault} (`{case.twin}`)" if case.twin else case.fault,
            level,
            *(said(t, "en", folder) for t in (finding.measured, finding.remedy)),
        ]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |".replace("|  |", "| |"))
    text = "\n".join(lines) + "\n"
    compare_text(ROOT / "docs" / "doctor.md", text, remake=bool(request.config.getoption("--remake")))


def test_every_finding_is_said_in_french(every_finding: list[tuple[Case, Path, Finding]], approved: Approved) -> None:
    text = ""
    for case, folder, finding in every_finding:
        level = load("fr_CA").say(f"command.doctor.level.{finding.severity}")
        text += f"{case.check} ({case.fault})\n  {level}: {said(finding.measured, 'fr_CA', folder)}\n"
        text += f"  → {said(finding.remedy, 'fr_CA', folder)}\n" if finding.remedy else ""
    approved("findings.fr_CA", text)
