"""The release on simulated wires differs from that of `make dist` in a few lines, which still stand where they did."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support.places import ROOT
from tools import simulated_release
from tools.simulated_release import BROKEN, POWER, WIRES, replace_line


@pytest.mark.parametrize("edit", [WIRES, POWER, BROKEN], ids=["wires", "power", "broken"])
def test_each_line_that_is_changed_stands_there_once(tmp_path: Path, edit: tuple[str, str, str]) -> None:
    name, old, new = edit
    (tmp_path / name).parent.mkdir(parents=True)
    shutil.copy(ROOT / name, tmp_path / name)
    replace_line(tmp_path, *edit)
    changed = (tmp_path / name).read_text(encoding="utf-8")
    assert changed == (ROOT / name).read_text(encoding="utf-8").replace(old, new)
    compile(changed, name, "exec")


def test_replacing_a_line_that_is_missing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text("something else\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="'upgrade' stands there 0 times"):
        simulated_release.replace_line(tmp_path, "run.py", "upgrade\n", "")
