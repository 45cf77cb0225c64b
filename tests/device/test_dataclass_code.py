"""The code of dataclasses that is kept beside the bytecode."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cribd.dataclass_code import reuse_dataclass_code


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    yield tmp_path / "dataclasses.code"
    vars(dataclasses).pop("exec", None)


def made(file: Path) -> tuple[type, Callable[[], None]]:
    keep = reuse_dataclass_code(file)

    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Peg:
        side: int
        hole: int = 0

    return Peg, keep


def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that are compiled from now on."""
    sources: list[str] = []

    def counted(source: str, *rest: str) -> object:
        sources.append(source)
        return compile(source, *rest)

    monkeypatch.setattr("cribd.dataclass_code.compile", counted, raising=False)
    return sources


def test_a_second_start_compiles_no_dataclass(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = compiled(monkeypatch)
    _, keep = made(file)
    assert sources
    keep()
    sources.clear()
    peg, _ = made(file)
    assert not sources
    assert repr(peg(1, hole=7)).endswith("Peg(side=1, hole=7)")
    assert peg(0, 3) < peg(1, 0)
    assert peg(0, 3) == peg(0, hole=3)


def test_a_changed_class_is_compiled_anew(file: Path) -> None:
    _, keep = made(file)
    keep()
    reuse_dataclass_code(file)

    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Peg:
        side: int
        hole: int = 0
        colour: str = "blue"

    assert repr(Peg(1)).endswith("Peg(side=1, hole=0, colour='blue')")


@pytest.mark.parametrize("content", [b"", b"\xe3", b"no code", b"N"], ids=["empty", "cut", "other", "None"])
def test_a_file_that_cannot_be_read_is_made_anew(file: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(content)
    peg, keep = made(file)
    assert peg(2).hole == 0
    keep()
    sources = compiled(monkeypatch)
    made(file)
    assert not sources


def test_a_folder_that_may_not_be_written_is_no_error(file: Path) -> None:
    peg, keep = made(file.parent / "missing" / file.name)
    keep()
    assert peg(2).side == 2


def test_nothing_is_written_where_python_writes_no_bytecode(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    _, keep = made(file)
    keep()
    assert not file.exists()
