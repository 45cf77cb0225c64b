"""A card of Raspberry Pi OS, the release for it, and `cribboard first-boot` typed for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support.places import ROOT
from tools import dist

from cribd.__main__ import main

STOCK = {
    "config.txt": "dtparam=audio=on\n",
    "cmdline.txt": "console=tty1 root=PARTUUID=1234-02 rootwait\n",
    "meta-data": "instance_id: rpios-image\n",
    "user-data": "#cloud-config\n# nothing\n",
    "network-config": "network:\n  version: 2\n",
}


def release_in(folder: Path, name: str, **about: Any) -> Path:
    """A release file as `make dist` packs it, with small files in the place of wheels."""
    work = folder / f"of-{name}"
    (work / "wheels").mkdir(parents=True)
    wheel = work / "cribboard-1.0-py3-none-any.whl"
    wheel.write_bytes(name.encode())
    return dist.pack(wheel, ROOT / "requirements" / "pi.txt", work / "wheels", work, version=name, **about)


class Typed:
    """Types the command for this card, and keeps what it printed."""

    def __init__(self, card: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.card, self._capsys = card, capsys
        self.out = self.err = ""

    def __call__(self, *words: object, lang: str = "en") -> int:
        code = main(["first-boot", str(self.card), *map(str, words), *(["--lang", lang] if lang else [])])
        self.out, self.err = self._capsys.readouterr()
        return code

    def read(self, name: str) -> Any:
        """A file of the card, as a YAML parser reads it."""
        return yaml.safe_load((self.card / name).read_text(encoding="utf-8"))


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def secret(folder: Path, text: str) -> Path:
    file = folder / f"secret-{len(list(folder.glob('secret-*')))}"
    file.write_bytes(text.encode())
    return file
