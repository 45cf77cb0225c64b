"""`cribboard selftest`: what it prints, what it keeps, its exit code, and when it refuses."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cribd.__main__ import main
from cribd.cli.selftest import PROGRESS_OF_TWIN

PATIENCE_S = 60.0  # of real time; only a test that fails takes it

Typed = Callable[..., subprocess.CompletedProcess[str]]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_DATA_HOME": str(folder), "LC_ALL": "C.UTF-8"}


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    """Types the command in a process of its own, since it takes the signals and reads the terminal."""

    def run(*words: str, keys: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cribd", "selftest", *words]
        return subprocess.run(
            command, input=keys, capture_output=True, text=True, timeout=PATIENCE_S, env=environment(tmp_path)
        )

    return run


def progress(folder: Path) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((folder / "cribboard" / PROGRESS_OF_TWIN).read_text(encoding="utf-8"))
    return results["results"]  # type: ignore[no-any-return]


@pytest.mark.slow
def test_fingers_at_a_board_without_a_fault_find_it_right(typed: Typed) -> None:
    ran = typed("--twin", "--fingers", "readers", "screen", "keys")
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("Keys: press each")
    assert lines[1] == "Blue: press the key GO."
    assert lines[-4:] == ["Keys: 8 of 8 right", "Screen: 5 of 5 right", "Readers: 1 of 1 right", "Everything is right."]


@pytest.mark.slow
def test_json_names_each_step_with_what_it_found_in_english(typed: Typed) -> None:
    ran = typed(
        "--twin", "--board", "classic", "--fingers", "--fault", "stuck:red 12", "holes", "--json", "--lang", "fr"
    )
    assert ran.returncode == 1
    report = json.loads(ran.stdout)
    assert (report["board"], report["complete"], report["right"]) == ("classic", True, 121)
    assert 0 < report["light_ms"]["median"] <= report["light_ms"]["longest"]
    assert [step for step in report["steps"] if step["outcome"] != "ok"] == [
        {
            "step": "hole red 12",
            "part": "holes",
            "outcome": "stuck",
            "other": None,
            "light_ms": None,
            "text": "Red 12: is down, and nobody presses it",
        }
    ]
    assert "Bleu\u00a0: enfoncez le trou 1." in ran.stderr, "what is asked is for people"


@pytest.mark.slow
def test_letters_answer_too_and_q_stops(typed: Typed, tmp_path: Path) -> None:
    ran = typed("--twin", "keys", keys="\no" + "u" + "\n" + "q")
    assert ran.returncode == 1
    assert "Keys: 0 of 8 right" in ran.stdout
    assert "6 steps are left: `cribboard selftest --resume` goes on." in ran.stdout
    assert {name: result["outcome"] for name, result in progress(tmp_path).items()} == {
        "key go blue": "missed",
        "key ok blue": "missed",
    }


@pytest.mark.slow
def test_a_run_that_is_stopped_goes_on_where_it_was(typed: Typed, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cribd", "selftest", "--twin", "screen"]
    running = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(tmp_path)
    )
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write("oc")
    running.stdin.flush()
    while "bottom left" not in running.stdout.readline():
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=PATIENCE_S)[0]
    assert running.returncode == 1
    assert "top right: is not lit" in said
    assert "3 steps are left" in said
    assert len(progress(tmp_path)) == 2

    went_on = typed("--twin", "--resume", "--fingers", "screen", "readers")
    assert went_on.returncode == 1
    assert "Screen: 4 of 5 right" in went_on.stdout
    assert "top left" not in went_on.stdout, "it is not asked again"

    again = typed("--twin", "--again", "--fingers", "screen", "--lang", "fr")
    assert again.returncode == 0
    assert [line for line in again.stdout.splitlines() if "cette partie" in line.lower()] == [
        "Cette partie de l’écran est-elle allumée\u00a0: haut droite? OK\u00a0: oui; CONTESTER\u00a0: non."
    ]
    assert "Tout est en ordre." in again.stdout
    assert "reader reader" in progress(tmp_path), "what was not asked is kept"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fingers"], "--board, --fault and --fingers are for a simulated board: add --twin."),
        (["--twin", "--fault", "kettle"], "kettle is not a fault; allowed are"),
        (["--twin", "--pace", "0"], "--pace 0.0: from 0.1 to 3600 seconds are allowed."),
        (["--twin", "--patience", "nan"], "--patience nan: from 0.1 to 3600 seconds are allowed."),
        (
            ["--twin", "kettle"],
            "kettle is no part of a board: keys, screen, lights, holes, sound, readers are allowed.",
        ),
        (["--twin", "--resume"], "selftest-twin.json does not exist: there is no test to go on with."),
        ([], "To test a simulated board: cribboard selftest --twin"),
    ],
)
def test_what_it_cannot_do_is_refused_in_a_sentence(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It comes to no part of a board, and so to no signal or terminal: it needs no process of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["selftest", *words]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert out == ""


def test_results_of_another_board_are_left_alone(typed: Typed, tmp_path: Path) -> None:
    file = tmp_path / "cribboard" / PROGRESS_OF_TWIN
    file.parent.mkdir()
    file.write_text('{"board": "classic", "results": {}}', encoding="utf-8")
    ran = typed("--twin", "--resume")
    assert ran.returncode == 2
    assert f"{file} has no results of the board continuous." in ran.stderr
    assert "classic" in file.read_text(encoding="utf-8")


def test_beside_a_board_that_runs_it_says_how_to_stop_it(typed: Typed, tmp_path: Path) -> None:
    journal = tmp_path / "cribboard" / "journal.db"
    journal.parent.mkdir()
    with journal.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = typed()
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.splitlines() == [
        "A board runs and holds the parts: stop it first (`sudo systemctl stop cribd`), and start it again afterwards."
    ]
