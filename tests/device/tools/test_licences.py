"""The licences of what is installed: each is found, wherever a package says it, and none is made up."""

from __future__ import annotations

from importlib.metadata import PathDistribution, distribution
from pathlib import Path

import pytest
from tools.licences import licence, main
from tools.lock import FOLDER, here, read

LOCKED = [pin.name for pin in read((FOLDER / "dev.txt").read_text(encoding="utf-8")) if pin.holds(here())]


@pytest.mark.parametrize("name", LOCKED)
def test_every_package_that_is_installed_has_a_licence(name: str) -> None:
    assert licence(distribution(name))


def package(folder: Path, metadata: str, text: str | None = None) -> PathDistribution:
    """A package that says so of itself, and brings that text."""
    info = folder / "nothing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: nothing\nVersion: 1.0\n{metadata}\n", encoding="utf-8"
    )
    (info / "RECORD").write_text("nothing-1.0.dist-info/LICENSE.txt,,\n" if text else "", encoding="utf-8")
    if text:
        (info / "LICENSE.txt").write_text(text, encoding="utf-8")
    return PathDistribution(info)


@pytest.mark.parametrize(
    ("metadata", "text", "said"),
    [
        ("License-Expression: MIT", None, "MIT"),
        ("License: Apache-2.0", None, "Apache-2.0"),
        ("Classifier: License :: OSI Approved :: MIT License", None, "MIT License"),
        (
            "Classifier: License :: OSI Approved\nClassifier: License :: Public Domain",
            None,
            "OSI Approved, Public Domain",
        ),
        ("License: UNKNOWN", "\nMIT License\n\nCopyright", "MIT License"),
        ("License-File: LICENSE.txt", "The Unlicence\n", None),
        ("License: UNKNOWN", "Copyright 2026 by nobody\n\nAll rights reserved.", None),
        ("License: Copyright\n        All rights reserved.", None, None),
        ("Classifier: Programming Language :: Python", None, None),
        ("License:", None, None),
    ],
)
def test_a_licence_is_what_the_package_says_and_nothing_else(
    tmp_path: Path, metadata: str, text: str | None, said: str | None
) -> None:
    assert licence(package(tmp_path, metadata, text)) == said


def test_an_unknown_licence_ends_the_command_in_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main() == 0
    assert len(capsys.readouterr().out.splitlines()) == len(LOCKED)
    monkeypatch.setattr("tools.licences.licence", lambda package: None if package.name == "segno" else "MIT")
    assert main() == 1
    assert capsys.readouterr().err == "No licence is known of: segno\n"
