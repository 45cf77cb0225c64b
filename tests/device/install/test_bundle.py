"""A release file is checked before anything is installed from it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.places import ROOT
from tools import dist

from cribd.install.bundle import SUMS, unpack
from cribd.install.machine import InstallRefused
from cribd.install.preflight import ProcessFacts

PI = ProcessFacts("aarch64", 64, (3, 11), is_root=True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A release file as `make dist` packs it, with small files in the place of wheels."""
    wheel, wheels = tmp_path / "cribboard-1.0-py3-none-any.whl", tmp_path / "wheels"
    wheel.write_bytes(b"the wheel" * 1000)
    wheels.mkdir()
    (wheels / "polib-1.2.0-py2.py3-none-any.whl").write_bytes(b"another wheel")
    return dist.pack(wheel, ROOT / "requirements" / "pi.txt", wheels, tmp_path, version="1.0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "unpacked"
    made.mkdir()
    return made


def test_a_release_file_is_unpacked_as_the_source_of_a_release(file: Path, folder: Path) -> None:
    source = unpack(file, folder, PI)
    assert (source.version, source.project) == ("1.0", folder / "cribboard-1.0-py3-none-any.whl")
    assert source.project.read_bytes() == b"the wheel" * 1000
    assert source.lock.read_bytes() == (ROOT / "requirements" / "pi.txt").read_bytes()
    assert [wheel.name for wheel in (source.wheels or folder).iterdir()] == ["polib-1.2.0-py2.py3-none-any.whl"]


def test_the_sum_beside_the_file_is_that_of_the_file(file: Path) -> None:
    said = file.with_name(f"{file.name}.sha256").read_text(encoding="utf-8")
    assert said == f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"


@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.99])
def test_a_file_that_is_cut_off_is_refused_by_name(file: Path, folder: Path, part: float) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(InstallRefused) as refused:
        unpack(file, folder, PI)
    assert refused.value.problems == (phrase("problem.install.bundle_cut", file=file),)
    assert not any(folder.iterdir())


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_another_file_is_refused_by_name(tmp_path: Path, folder: Path, content: bytes) -> None:
    other = tmp_path / "other.pyz"
    other.write_bytes(content)
    with pytest.raises(InstallRefused) as refused:
        unpack(other, folder, PI)
    assert refused.value.problems == (phrase("problem.install.bundle_cut", file=other),)


def test_a_part_with_a_wrong_sum_is_named(file: Path, folder: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    for name in content:
        if name in ("__main__.py", SUMS):
            continue
        with zipfile.ZipFile(file, "w") as archive:
            for other, data in content.items():
                archive.writestr(other, data + b" " if other == name else data)
        with pytest.raises(InstallRefused) as refused:
            unpack(file, folder, PI)
        assert refused.value.problems == (phrase("problem.install.bundle_sum", file=file, name=name),)
    assert not any(folder.iterdir())


def test_a_part_that_the_list_lacks_is_refused(file: Path, folder: Path) -> None:
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("wheels/more.whl", b"more")
    with pytest.raises(InstallRefused) as refused:
        unpack(file, folder, PI)
    assert refused.value.problems == (phrase("problem.install.bundle_sum", file=file, name="wheels/more.whl"),)


@pytest.mark.parametrize(
    ("facts", "machine", "python"),
    [(replace(PI, processor="x86_64"), "x86_64", "3.11"), (replace(PI, python=(3, 12)), "aarch64", "3.12")],
)
def test_a_file_for_another_machine_is_refused_with_both(
    file: Path, folder: Path, facts: ProcessFacts, machine: str, python: str
) -> None:
    with pytest.raises(InstallRefused) as refused:
        unpack(file, folder, facts)
    both = {"processor": "aarch64", "pythons": "3.11 or 3.13", "machine": machine, "python": python}
    assert refused.value.problems == (phrase("problem.install.bundle_other", file=file, **both),)


@pytest.mark.slow
def test_a_shell_runs_the_file_itself(tmp_path: Path) -> None:
    """With the real wheel: a dry run of this machine's own installation, which changes nothing."""
    wheel, wheels = dist.build_wheel(tmp_path), tmp_path / "wheels"
    wheels.mkdir()
    here, python = ProcessFacts.here(), "{}.{}".format(*sys.version_info)
    processor = {"x86_64": "x86_64"}.get(here.processor, "aarch64")
    lock = ROOT / "requirements" / "pi.txt"
    made = dist.pack(wheel, lock, wheels, tmp_path, version="1.0", processor=processor, pythons=[python])
    ran = run(made)
    if ran.returncode == 0:
        first, *rest = ran.stdout.splitlines()
        assert first == phrase("problem.install.dry_run")
        assert phrase("problem.install.does.file", path="/usr/local/lib/systemd/system/cribd.service") in rest
    else:  # this machine is none that Cribboard runs on, and that is what it says
        assert ran.returncode == 2
        assert "Traceback" not in ran.stderr
        assert "Cribboard" in ran.stderr
    made.write_bytes(made.read_bytes()[:-1000])
    assert (run(made).returncode, run(made).stderr) == (2, f"{made} is cut off; copy the file again.\n")


def run(file: Path) -> subprocess.CompletedProcess[str]:
    """Runs the file as the manual says, as a dry run."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    return subprocess.run(
        ["sh", str(file), "--dry-run"], capture_output=True, text=True, check=False, env={"PATH": path}
    )


@pytest.mark.parametrize("python", dist.PYTHONS)
def test_each_python_gets_the_pins_that_hold_there(python: str) -> None:
    lock = (
        "a==1 ; python_full_version < '3.12' \\\n    --hash=sha256:" + "0" * 64 + "\n"
        "a==2 ; python_full_version >= '3.12' \\\n    --hash=sha256:" + "1" * 64 + "\n"
        "b==3 ; platform_machine == 'aarch64' \\\n    --hash=sha256:" + "2" * 64 + "\n"
    )
    first = f"a==1 --hash=sha256:{'0' * 64}" if python == "3.11" else f"a==2 --hash=sha256:{'1' * 64}"
    assert dist.pins_for(python, lock) == f"{first}\nb==3 --hash=sha256:{'2' * 64}\n"
