"""`make dist`: makes the release file, which installs or updates a Pi without a network.

It is one zip archive that Python runs, behind a few lines of shell: this project's wheel, the wheels that
`requirements/pi.txt` pins for a Pi and both Pythons of Debian, and a list of the SHA-256 of each.
`cribd.install.bundle` reads it.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

from tools.lock import here, read

from cribd.install.bundle import ABOUT, LOCK, SUMS, WHEELS

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.13")
PROCESSOR = "aarch64"
#: Debian 12 has glibc 2.36; these are the names of wheels that run there.
PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_28", "manylinux_2_34", "manylinux_2_36")
#: The time of everything in the archive, so that the same files make the same archive.
TIME = (2026, 1, 1, 0, 0, 0)
#: The archive follows this: a shell runs it, and Python finds the archive behind it. A file that is cut off has none.
HEAD = b"""\
#!/bin/sh
python3 -c 'import sys, zipfile; sys.exit(not zipfile.is_zipfile(sys.argv[1]))' "$0" || {
    echo "$0 is cut off; copy the file again." >&2
    exit 2
}
exec python3 "$0" "$@"
"""
#: What Python runs. It takes the installer out of the wheel, since that reads files that are shipped with it.
MAIN = """\
import sys, tempfile, zipfile, zlib

with tempfile.TemporaryDirectory(prefix="cribboard-", dir="/var/tmp") as folder:
    try:
        with zipfile.ZipFile(sys.argv[0]) as archive:
            wheel = next(name for name in archive.namelist() if name.startswith("cribboard-"))
            zipfile.ZipFile(archive.open(wheel)).extractall(folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, StopIteration):
        sys.exit(sys.argv[0] + " is damaged; copy the file again.")
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    from cribd.install.__main__ import main

    words = sys.argv[1:]
    sys.exit(main(words if words[:1] == ["uninstall"] else ["install", "--from", sys.argv[0], *words]))
"""


def main(
    folder: Path = ROOT / "dist",
    *,
    tree: Path = ROOT,
    lock: str = "pi",
    processor: str = PROCESSOR,
    pythons: Sequence[str] = PYTHONS,
) -> Path:
    """Make the release file of this source tree, and a file with its checksum beside it. Returns its path.

    `lock` is the name of the lock, without its ending."""
    version = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    pins = ROOT / "requirements" / f"{lock}.txt"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        wheel = build_wheel(Path(work), tree)
        wheels = Path(work) / "wheels"
        for python in pythons:
            download(wheels, python, pins, processor)
        made = pack(wheel, pins, wheels, folder, version=version, processor=processor, pythons=pythons)
    print(f"{made} ({made.stat().st_size // 1_000_000} MB)")
    return made


def build_wheel(folder: Path, tree: Path = ROOT) -> Path:
    """Build this project's wheel. It needs no network: hatchling is in the environment."""
    pip("wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder), str(tree))
    (wheel,) = folder.glob("cribboard-*.whl")
    return wheel


def download(folder: Path, python: str, lock: Path, processor: str) -> None:
    """Download the wheels that the lock pins for this processor and this Python."""
    platforms = [word for name in PLATFORMS for word in ("--platform", f"{name}_{processor}")]
    target = [*platforms, "--python-version", python, "--implementation", "cp", "--only-binary", ":all:", "--no-deps"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as pins:
        pins.write(pins_for(python, lock.read_text(encoding="utf-8"), processor))
        pins.flush()
        pip("download", "--dest", str(folder), *target, "--require-hashes", "--requirement", pins.name)


def pins_for(python: str, lock: str, processor: str = PROCESSOR) -> str:
    """Return the pins for this Python and processor without markers, which pip would judge for its own Python."""
    place = here() | {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": processor,
        "sys_platform": "linux",
    }
    pins = [pin for pin in read(lock) if pin.holds(place)]
    return "".join(
        f"{pin.name}=={pin.version}" + "".join(f" --hash=sha256:{sha256}" for sha256 in sorted(pin.hashes)) + "\n"
        for pin in pins
    )


def pack(
    wheel: Path,
    lock: Path,
    wheels: Path,
    folder: Path,
    *,
    version: str,
    processor: str = PROCESSOR,
    pythons: Sequence[str] = PYTHONS,
) -> Path:
    """Pack these files into the release file. Returns its path."""
    about = {"version": version, "wheel": wheel.name, "processor": processor, "pythons": [*pythons]}
    content = {wheel.name: wheel.read_bytes(), LOCK: lock.read_bytes(), ABOUT: json.dumps(about).encode()}
    content |= {WHEELS + file.name: file.read_bytes() for file in sorted(wheels.glob("*.whl"))}
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in content.items())
    made = folder / f"cribboard-{version}-{processor}.run"
    made.write_bytes(HEAD)
    with zipfile.ZipFile(made, "a") as archive:
        for name, data in {"__main__.py": MAIN.encode(), SUMS: sums.encode(), **content}.items():
            archive.writestr(zipfile.ZipInfo(name, TIME), data)
    whole = hashlib.sha256(made.read_bytes()).hexdigest()
    made.with_name(f"{made.name}.sha256").write_text(f"{whole}  {made.name}\n", encoding="utf-8")
    return made


def pip(*words: str) -> None:
    """Run pip with these arguments. Raises CalledProcessError."""
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    subprocess.run([sys.executable, "-m", "pip", words[0], *quiet, *words[1:]], check=True)


if __name__ == "__main__":
    main()
