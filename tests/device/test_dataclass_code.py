"""The code of dataclasses that is kept beside the bytecode."""

from __future__ import annotations

import dataclasses
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cribd.dataclass_code import forget_dataclass_code, reuse_dataclass_code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    yield tmp_path
    vars(dataclasses).pop("exec", None)


def made(folder: Path) -> tuple[type, Callable[[], None]]:
    keep = reuse_dataclass_code(folder)

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


def test_a_second_start_compiles_no_dataclass(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = compiled(monkeypatch)
    _, keep = made(folder)
    assert sources
    keep()
    sources.clear()
    peg, _ = made(folder)
    assert not sources
    assert repr(peg(1, hole=7)).endswith("Peg(side=1, hole=7)")
    assert peg(0, 3) < peg(1, 0)
    assert peg(0, 3) == peg(0, hole=3)


def test_a_changed_class_is_compiled_anew(folder: Path) -> None:
    _, keep = made(folder)
    keep()
    reuse_dataclass_code(folder)

    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Peg:
        side: int
        hole: int = 0
        colour: str = "blue"

    assert repr(Peg(1)).endswith("Peg(side=1, hole=0, colour='blue')")


@pytest.mark.parametrize("cut", [0, 1, 16, 17, 100], ids="{} bytes".format)
def test_a_file_that_is_cut_is_made_anew(folder: Path, cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _, keep = made(folder)
    keep()
    [file] = folder.iterdir()
    file.write_bytes(file.read_bytes()[:cut])
    peg, keep = made(folder)
    assert peg(2).hole == 0
    keep()
    sources = compiled(monkeypatch)
    made(folder)
    assert not sources


def test_a_folder_that_may_not_be_written_is_no_error(folder: Path) -> None:
    peg, keep = made(folder / "missing")
    keep()
    assert peg(2).side == 2


def test_nothing_is_written_where_python_writes_no_bytecode(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    _, keep = made(folder)
    keep()
    assert not [*folder.iterdir()]


def test_classes_with_the_same_fields_share_stored_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        keep = reuse_dataclass_code(folder)
        sources = compiled(monkeypatch)

        @dataclasses.dataclass(frozen=True, slots=True)
        class Hole:
            number: int

        @dataclasses.dataclass(frozen=True, slots=True)
        class Seat:
            number: int

        keep()
    assert not sources
    assert (repr(Hole(3))[-14:], repr(Seat(4))[-14:]) == ("Hole(number=3)", "Seat(number=4)")


def test_what_is_forgotten_is_freed_and_read_again_for_the_next_class(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = reuse_dataclass_code(folder)
    fields = [f"field_{number}" for number in range(200)]
    dataclasses.make_dataclass("Many", fields)
    keep()
    sources = compiled(monkeypatch)
    reuse_dataclass_code(folder)
    tracemalloc.start()
    try:
        dataclasses.make_dataclass("Many", fields)
        held, _ = tracemalloc.get_traced_memory()
        forget_dataclass_code()
        freed = held - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    [file] = folder.iterdir()
    assert freed > 0.9 * file.stat().st_size
    dataclasses.make_dataclass("Many", fields)
    assert not sources
