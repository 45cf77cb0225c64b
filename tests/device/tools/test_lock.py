"""The locks: they pin what pyproject.toml asks for, all of it and no more, and pip installs nothing else."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tools.lock import FOLDER, LOCKS, PROCESSORS, PYTHONS, ROOT, PinnedRequirement, here, project, read

Requires = Callable[[str], list[str]]

LOCKED = {lock: read((FOLDER / f"{lock}.txt").read_text(encoding="utf-8")) for lock in LOCKS}
PLACES: list[Mapping[str, str]] = [
    {
        **here(),
        "implementation_name": "cpython",
        "platform_machine": processor,
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }
    for python in PYTHONS
    for processor in PROCESSORS
]


def holds(requirement: Requirement, place: Mapping[str, str], extras: Iterable[str]) -> bool:
    """Whether a requirement counts in this place for somebody who asks for these extras."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**place, "extra": extra}) for extra in ("", *extras))


def faults(
    asked: Sequence[str], pins: Sequence[PinnedRequirement], place: Mapping[str, str], requires: Requires
) -> Iterator[str]:
    """What is wrong with a lock in one place: `requires` says what a package asks for itself."""
    locked: dict[str, str] = {}
    for pin in pins:
        if pin.holds(place):
            if pin.name in locked:
                yield f"{pin.name} is locked twice"
            locked[pin.name] = pin.version
            if not pin.hashes:
                yield f"{pin.name} has no hash"
    waiting, seen = [Requirement(line) for line in asked], set[str]()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name not in locked:
            yield f"{wanted} is not locked"
        elif not wanted.specifier.contains(locked[name], prereleases=True):
            yield f"{wanted} is locked as {locked[name]}"
        if str(wanted) not in seen and name in locked:
            seen |= {str(wanted), name}
            further = map(Requirement, requires(name))
            waiting += [line for line in further if holds(line, place, wanted.extras)]
    yield from (f"{name} is locked, and nothing asks for it" for name in sorted(locked.keys() - seen))


#: What is only installed where the tests of the Pi's wires run. It asks for nothing.
ON_THE_WIRES = {"lgpio", "spidev"}


def installed(name: str) -> list[str]:
    return [] if name in ON_THE_WIRES else importlib.metadata.requires(name) or []


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place['python_version']}-{place['platform_machine']}")
@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_all_that_is_asked_for_and_nothing_else(lock: str, place: Mapping[str, str]) -> None:
    assert list(faults(project()[lock], LOCKED[lock], place, installed)) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_smaller_environments_have_the_same_versions(lock: str) -> None:
    whole = {(pin.name, pin.version): pin.hashes for pin in LOCKED["dev"]}
    others = {pin.name for pin in LOCKED[lock] if whole.get((pin.name, pin.version)) != pin.hashes}
    assert others == (ON_THE_WIRES if lock == "wires" else set())


def test_these_tests_run_with_what_is_locked() -> None:
    locked = {pin.name: pin.version for pin in LOCKED["dev"] if pin.holds(here())}
    assert {name: importlib.metadata.version(name) for name in locked} == locked


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_is_pins_and_hashes_and_names_no_place_that_they_come_from(lock: str) -> None:
    for line in (FOLDER / f"{lock}.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"#.*|[\w.-]+==[\w.]+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
        assert "://" not in line, line


def test_the_makefile_tries_the_pythons_that_are_locked() -> None:
    goals = [".venv/.ready-to-run", ".venv/.ready-to-test", ".venv-3.13/.ready-to-test", ".venv-wires/.ready"]
    make = ["make", "--dry-run", "--always-make", *goals]
    recipes = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tried = re.findall(r"^\.ci/environment \S+ (\w+)((?: 3\.\d+)*)$", recipes, re.MULTILINE)
    assert {lock for lock, _ in tried} == set(LOCKS) - {"pi"}  # for the system's Python, by the installer
    assert {python for _, pythons in tried for python in pythons.split()} == set(PYTHONS)


# What a lock may be spoilt by

PLACE = PLACES[0]
HASH = "0" * 64
GOOD = """\
a==1.5 \\
    --hash=sha256:{0}
b==2 ; python_version < '3.13' \\
    --hash=sha256:{0} \\
    --hash=sha256:{0}
"""
ASKS: dict[str, list[str]] = {"a": ["b>=1 ; python_version < '3.13'", "c ; extra == 'more'"], "b": []}


@pytest.mark.parametrize(
    ("spoilt", "asked", "said"),
    [
        ("", ["a>=1"], []),
        ("", ["A[more]>=1"], ['c; extra == "more" is not locked']),
        ("", ["a>=1.6"], ["a>=1.6 is locked as 1.5"]),
        ("", ["a", "d<2"], ["d<2 is not locked"]),
        ("", ["b"], ["a is locked, and nothing asks for it"]),
        ("e==1\n", ["a"], ["e has no hash", "e is locked, and nothing asks for it"]),
        (f"A==1.5 \\\n    --hash=sha256:{HASH}\n", ["a"], ["a is locked twice"]),
        (f"b==3 ; python_version >= '3.13' \\\n    --hash=sha256:{HASH}\n", ["a"], []),
    ],
)
def test_a_wrong_lock_is_found(spoilt: str, asked: list[str], said: list[str]) -> None:
    pins = read(GOOD.format(HASH) + spoilt)
    assert list(faults(asked, pins, PLACE, ASKS.__getitem__)) == said


@pytest.mark.parametrize("line", ["a>=1", "a", "a==1,<2"])
def test_a_line_that_leaves_a_choice_is_no_pin(line: str) -> None:
    with pytest.raises(ValueError, match=r"no single version|values to unpack"):
        list(faults([], read(line), PLACE, installed))


def a_wheel(folder: Path) -> Path:
    """The wheel of a package without contents, `nothing` 1.0."""
    wheel = folder / "nothing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("nothing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: nothing\nVersion: 1.0\n")
        file.writestr("nothing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("nothing-1.0.dist-info/RECORD", "")
    return wheel


@pytest.mark.long
@pytest.mark.slow
def test_a_file_that_is_not_the_locked_one_is_not_installed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "requirements").mkdir()
    right = hashlib.sha256(a_wheel(tmp_path).read_bytes()).hexdigest()
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}
    for locked, accepted in ((HASH, False), (right, True)):
        lock = tmp_path / "requirements" / "twin.txt"
        lock.write_text(f"nothing==1.0 --hash=sha256:{locked}\n", encoding="utf-8")
        ran = subprocess.run(
            [tmp_path / ".ci" / "environment", "made", "twin", python],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ("DO NOT MATCH THE HASHES" in ran.stderr) is not accepted, ran.stderr
        assert bool(list(tmp_path.glob("made/lib/python*/site-packages/nothing-1.0.dist-info"))) is accepted
