"""`docs/architecture.md` and `docs/where.md` are true: rooms, import contracts, files and names exist."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WHERE = (ROOT / "docs" / "where.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
WALKS = ("One press, from finger to LED", "One scan, from reader to screen", "One web request, from socket to answer")
FOLDERS = {"cribboard": ROOT / "board", "cribd": ROOT / "firmware"}


def section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def named(walk: str) -> Iterator[tuple[str, str]]:
    """Each file of a walk with each function that is named after it, and each file alone with ""."""
    file = ""
    for name in re.findall(r"`([^`]+)`", section(walk)):
        if name.startswith(("cribboard/", "cribd/")):
            file = name
            yield file, ""
        elif re.fullmatch(r"_?[A-Z]\w+\.\w+|_?[a-z]\w+", name):
            yield file, name


def defined(file: str) -> set[str]:
    """The names of a file: `hole_action`, `Table.post`, `BLINK_S`, `ButtonsConfig.hold_s`."""
    text = (FOLDERS[file.partition("/")[0]] / file).read_text(encoding="utf-8")
    if file.endswith(".js"):
        return set(re.findall(r"(?m)^(?:export )?(?:async )?(?:function|const|class) (\w+)", text))
    return set(names_in(ast.parse(text)))


def names_in(parent: ast.Module | ast.ClassDef, of: str = "") -> Iterator[str]:
    """The functions, classes, constants and fields of a module or a class, those of a class with its name."""
    for node in parent.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield of + name
            case ast.ClassDef(name=name):
                yield of + name
                yield from names_in(node, f"{name}.")
            case ast.Assign(targets=targets):
                yield from (
                    of + name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
                )
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield of + name


def test_the_rooms_stand_in_the_order_of_the_layers() -> None:
    (layers,) = (contract["layers"] for contract in CONTRACTS if contract.get("containers") == ["cribd"])
    rooms = [room for layer in layers for room in layer.split(" | ")]
    assert re.findall(r"(?m)^\| `(\w+)` \|", section("Rooms")) == rooms


def test_every_room_exists_and_every_package_and_module_is_a_room() -> None:
    there = {path.stem for path in (ROOT / "firmware" / "cribd").iterdir() if (path / "__init__.py").exists()}
    there |= {path.stem for path in (ROOT / "firmware" / "cribd").glob("*.py")} - {"__init__"}
    assert set(re.findall(r"(?m)^\| `(\w+)` \|", section("Rooms"))) == there


def test_every_import_contract_is_named() -> None:
    assert re.findall(r"(?m)^- \*(.+)\*$", section("Rooms")) == [contract["name"] for contract in CONTRACTS]


def test_every_module_of_the_game_that_the_page_names_exists() -> None:
    about = section("Rooms").partition("In the game,")[2].partition("\n\n")[0]
    modules = re.findall(r"`([\w/]+)`", about)
    assert len(modules) > 20
    for module in modules:
        paths = [ROOT / "board" / "cribboard" / folder / module for folder in (".", "deal")]
        assert any(path.is_dir() or path.with_suffix(".py").exists() for path in paths), module


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_names_files_and_functions_that_exist(walk: str) -> None:
    steps = list(named(walk))
    assert len({file for file, _ in steps}) > 5
    for file, function in steps:
        assert (FOLDERS[file.partition("/")[0]] / file).exists(), file
        assert not function or function in defined(file), f"{file}: {function}"


@pytest.mark.parametrize("walk", WALKS)
def test_the_steps_of_a_walk_are_numbered(walk: str) -> None:
    numbers = [int(number) for number in re.findall(r"(?m)^(\d+)\. ", section(walk))]
    assert numbers == list(range(1, len(numbers) + 1))


def test_each_behaviour_has_one_row_and_its_file_and_names_exist() -> None:
    rows = re.findall(r"(?m)^\| (.+) \| `(\S+)`: (.+) \|$", WHERE)
    assert len(rows) == WHERE.count("\n| ") - 2 * WHERE.count("\n## ")
    assert len({what for what, _, _ in rows}) == len(rows)
    for what, file, names in rows:
        assert {name.strip("`") for name in names.split(", ")} <= defined(file), what
