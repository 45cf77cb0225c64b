"""`cribboard doctor`: what it prints, in both languages and as JSON, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.doctor_cases import CASES
from tests.support.patients import Patient

from cribd.__main__ import main
from cribd.cli.doctor import configured, report
from cribd.cli.errors import CommandRefused
from cribd.doctor.findings import Finding
from cribd.text import load


def examined(folder: Path, fault: str, *checks: str) -> list[Finding]:
    """What the doctor finds in these checks, with a fault of the table."""
    patient = Patient(folder)
    next(case for case in CASES if case.fault == fault).make(patient)
    return patient.examine(*checks)


@pytest.mark.parametrize(
    ("fault", "code"),
    [("the kernel does not tell the speed", 0), ("I²C runs at its default speed", 1), ("I²C is off", 2)],
)
def test_the_exit_code_is_that_of_the_worst_finding(tmp_path: Path, fault: str, code: int) -> None:
    for as_json in (False, True):
        findings = examined(tmp_path / str(as_json), fault, "buses.spi", "buses.i2c", "buses.speed")
        assert report(findings, load("en"), as_json=as_json) == code


def test_each_finding_is_a_line_and_its_remedy_is_below(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    findings = examined(tmp_path, "the plug of the OLED is out", "buses.i2c", "oled.address")
    report(findings, load("fr_CA"), as_json=False)
    out = capsys.readouterr().out

    def french(code: str, **values: object) -> str:
        return phrase(code, "fr_CA", **values)

    levels = {level: french(f"command.doctor.level.{level}") for level in ("ok", "warning", "fault", "not_looked_at")}
    off = french("problem.doctor.power_off")
    expected = [
        french("command.doctor.group.buses"),
        f"{levels['ok']} buses.i2c {french('problem.doctor.i2c.open', port=1)}",
        french("command.doctor.group.oled"),
        f"{levels['fault']} oled.address {french('problem.doctor.oled.nothing', address='0x3C')}",
        f"→ {french('problem.doctor.oled.nothing.remedy', off=off)}",
        ", ".join(
            french("command.doctor.count", level=name, count=int(level in ("ok", "fault")))
            for level, name in levels.items()
        ),
    ]
    assert [line.split() for line in out.splitlines()] == [line.split() for line in expected]


def test_json_has_every_finding_in_english(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(examined(tmp_path, "the plug of the OLED is out", "oled.address"), load("en"), as_json=True)
    [finding] = json.loads(capsys.readouterr().out)
    assert finding == {
        "check": "oled.address",
        "level": "fault",
        "measured": phrase("problem.doctor.oled.nothing", address="0x3C"),
        "remedy": phrase("problem.doctor.oled.nothing.remedy", off=phrase("problem.doctor.power_off")),
    }


def test_on_a_machine_without_a_board_the_command_finds_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 2
    findings = json.loads(capsys.readouterr().out)
    assert {"buses.spi", "oled.address", "buttons.chain"} <= {finding["check"] for finding in findings}


@pytest.mark.parametrize(
    ("environment", "journal"),
    [
        ("Environment=LG_WD=/run/cribboard PYTHONUNBUFFERED=1", "/var/lib/cribboard/journal.db"),
        ("Environment=LG_WD=/run/cribboard STATE_DIRECTORY=/mnt/state", "/mnt/state/journal.db"),
    ],
)
def test_without_a_file_the_configuration_and_the_journal_are_those_of_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: str, journal: str
) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    (tmp_path / "etc/cribboard").mkdir(parents=True)
    (tmp_path / "etc/cribboard/config.toml").write_text('[table]\nboard = "classic"\n', encoding="utf-8")
    config, board = configured(None, load("en"), tmp_path, lambda *_: environment)
    assert (board.name, str(config.journal_path)) == ("classic", journal)


def test_a_file_on_the_command_line_replaces_that_of_the_service(tmp_path: Path) -> None:
    (tmp_path / "etc/cribboard").mkdir(parents=True)
    (tmp_path / "etc/cribboard/config.toml").write_text('[table]\nboard = "classic"\n', encoding="utf-8")
    (tmp_path / "mine.toml").write_text('[table]\nboard = "triple"\n', encoding="utf-8")
    assert configured(tmp_path / "mine.toml", load("en"), tmp_path)[1].name == "triple"


def test_a_user_who_may_not_read_the_configuration_of_the_service_is_told_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "etc/cribboard/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("", encoding="utf-8")
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(CommandRefused) as refused:
        configured(None, load("fr_CA"), tmp_path)
    assert refused.value.sentences == (phrase("command.doctor.root", "fr_CA", file=file),)
