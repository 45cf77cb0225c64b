"""`make lock`: writes the locks in `requirements/`, which pin versions with the hashes of their files.

Each lock is complete: pip installs it with `--require-hashes`, and then this project without its dependencies. uv
resolves for every Python and processor at once; pip-tools resolves only for the machine it runs on. A locked version
stays, unless pyproject.toml forbids it or `--upgrade` asks for the newest.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "requirements"
#: Each lock with the extras of pyproject.toml that it covers. The first has the versions of the others.
LOCKS = {"dev": ("twin", "club", "dev"), "twin": ("twin", "club"), "pi": ("pi", "club"), "wires": ("wires",)}
#: What has no wheel anywhere and is compiled where it is installed.
COMPILED = ("spidev",)
#: What the project is installed on: Debian 12 has glibc 2.36, and Raspberry Pi OS of 64 bits is aarch64.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PROCESSORS = ("x86_64", "aarch64")
GLIBC = "2_36"

_PIN = re.compile(r"^(?P<requirement>[^#\s].*?)(?P<hashes>(?: \\\n +--hash=sha256:[0-9a-f]{64})*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PinnedRequirement:
    """One version of a package, with the marker that says where it applies, and the SHA-256 of all its files."""

    requirement: Requirement
    hashes: frozenset[str]

    @property
    def name(self) -> str:
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        """The pinned version. Raises ValueError unless exactly one version is pinned."""
        [only] = self.requirement.specifier
        if only.operator != "==":
            raise ValueError(f"{self.requirement} is no single version")
        return only.version

    def holds(self, place: Mapping[str, str]) -> bool:
        """Whether this pin applies in an environment with these values of the markers."""
        return self.requirement.marker is None or self.requirement.marker.evaluate(dict(place))


def read(text: str) -> list[PinnedRequirement]:
    """Read the pins of a lock. Raises `packaging.requirements.InvalidRequirement` at an invalid line."""
    return [
        PinnedRequirement(Requirement(found["requirement"]), frozenset(re.findall("[0-9a-f]{64}", found["hashes"])))
        for found in _PIN.finditer(text)
    ]


def here() -> dict[str, str]:
    """Return the values of the markers for the running Python."""
    return {name: str(value) for name, value in default_environment().items()}


def project() -> dict[str, list[str]]:
    """Return the requirements in pyproject.toml for each lock: dependencies, extras, and the build system."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = asked["project"]["optional-dependencies"]
    always = [*asked["project"]["dependencies"], *asked["build-system"]["requires"]]
    return {lock: [*always, *(line for name in names for line in extras[name])] for lock, names in LOCKS.items()}


def main(options: Sequence[str]) -> int:
    """Write every lock, and check that its packages have wheels for all Pythons and processors of the project."""
    FOLDER.mkdir(exist_ok=True)
    first, *others = LOCKS
    asked = project()
    _compile(first, asked[first], [*options])
    for lock in others:
        _compile(lock, asked[lock], [*options, f"--constraint={FOLDER / first}.txt"])
    for python in PYTHONS:
        for processor in PROCESSORS:
            print(f"CPython {python} on {processor}: looking for wheels …", flush=True)
            _look_for_wheels(first, python, processor)
    return 0


def _compile(lock: str, asked: Sequence[str], options: Sequence[str]) -> None:
    """Write one lock: uv resolves these requirements for the oldest Python and every newer one."""
    print(f"requirements/{lock}.txt …", flush=True)
    command = ["pip", "compile", "--quiet", "--universal", f"--python-version={PYTHONS[0]}", "--generate-hashes"]
    command += ["--only-binary=:all:", *(f"--no-binary={package}" for package in COMPILED), "--no-annotate"]
    command += ["--custom-compile-command=make lock", *options]
    _uv([*command, f"--output-file={FOLDER / lock}.txt", "-"], "\n".join(asked))


def _look_for_wheels(lock: str, python: str, processor: str) -> None:
    """Check that every package has a wheel. uv names a package without one, and fails."""
    with tempfile.TemporaryDirectory() as target:
        command = ["pip", "install", "--quiet", "--dry-run", "--no-deps", "--no-build", f"--target={target}"]
        command += [f"--python-version={python}", f"--python-platform={processor}-manylinux_{GLIBC}"]
        _uv([*command, f"--requirement={FOLDER / lock}.txt"])


def _uv(arguments: Sequence[str], stdin: str = "") -> None:
    subprocess.run([Path(sys.executable).with_name("uv"), *arguments], input=stdin, text=True, check=True, cwd=ROOT)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
