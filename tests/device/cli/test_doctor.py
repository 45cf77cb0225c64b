"""`cribboard doctor`: what it prints, in both languages and as JSON, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
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
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "Bus",
        "bon buses.i2c le bus I²C 1 s’ouvre",
        "Écran OLED",
        "défaut oled.address rien ne répond à 0x3C, ni à aucune autre adresse",
        (
            "→ D’abord `sudo poweroff`, et débranchez l’alimentation du Pi et celle de la bande. Puis "
            "vérifiez la fiche de l’écran OLED et ses quatre fils : 3,3 V, masse, SDA à la broche 3, SCL à la broche 5."
        ),
        "bon : 1, avertissement : 0, défaut : 1, pas examiné : 0",
    ]


def test_json_has_every_finding_in_english(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(examined(tmp_path, "the plug of the OLED is out", "oled.address"), load("en"), as_json=True)
    [finding] = json.loads(capsys.readouterr().out)
    assert finding == {
        "check": "oled.address",
        "level": "fault",
        "measured": "nothing answers at 0x3C, nor at any other address",
        "remedy": "First `sudo poweroff`, and pull the power of the Pi and of the strip. "
        "Then check the plug of the OLED and its four wires: 3.3 V, ground, SDA to pin 3, SCL to pin 5.",
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
    assert refused.value.sentences == (
        f"{file} contient les NIP, et seul root peut le lire\u00a0: sudo cribboard doctor.",
    )
