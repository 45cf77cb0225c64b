"""Goldens: what was looked at and approved. A text is a file; pictures are text files with one a language.

A picture is a line with its language, and then its rows of dots: `#` is lit, `.` is dark. An empty line separates two
pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import unified_diff
from pathlib import Path

import pytest
from PIL import Image
from tests.support.places import ROOT

FOLDER = ROOT / "tests" / "device" / "display" / "golden"

Rows = tuple[str, ...]
#: Compares the pictures of a moment, by language, with its golden file.
Golden = Callable[[str, Mapping[str, Image.Image]], None]

#: Compares a text with its golden file in the folder of the test.
Approved = Callable[[str, str], None]

DOTS = str.maketrans("01", ".#")


def rows_of(picture: Image.Image) -> Rows:
    """The rows of a one-bit picture from the top, one sign a dot."""
    assert picture.mode == "1"
    dots = "".join(f"{byte:08b}" for byte in picture.tobytes()).translate(DOTS)
    stride = (picture.width + 7) // 8 * 8
    return tuple(dots[at : at + picture.width] for at in range(0, stride * picture.height, stride))


def read(text: str) -> dict[str, Rows]:
    """The pictures of a golden file by language."""
    blocks = (block.split() for block in text.split("\n\n"))
    return {language: tuple(rows) for language, *rows in blocks}


def written(pictures: Mapping[str, Rows]) -> str:
    """The text of a golden file."""
    return "\n".join("".join(f"{line}\n" for line in (language, *rows)) for language, rows in pictures.items())


def difference(approved: Rows, made: Rows) -> str:
    """Where two pictures differ, and that part of both; empty if they are equal."""
    sizes = [f"{len(rows[0])} × {len(rows)}" for rows in (approved, made)]
    if sizes[0] != sizes[1]:
        return f"the approved picture has {sizes[0]} dots, this one {sizes[1]}"
    unlike = [
        (x, y)
        for y, pair in enumerate(zip(approved, made, strict=True))
        for x, (one, other) in enumerate(zip(*pair, strict=True))
        if one != other
    ]
    if not unlike:
        return ""
    columns, lines = ((min(places), max(places)) for places in zip(*unlike, strict=True))
    left, right, top, bottom = *columns, *lines
    parts = ["\n".join(row[left : right + 1] for row in rows[top : bottom + 1]) for rows in (approved, made)]
    where = f"{len(unlike)} dots differ, in rows {top} to {bottom} and columns {left} to {right}"
    return f"{where}\napproved:\n{parts[0]}\nnow:\n{parts[1]}"


def compare(name: str, pictures: Mapping[str, Image.Image], *, remake: bool) -> None:
    """Compares the pictures in every language, dot by dot, with the golden file of that name.

    `remake` writes the file instead, and fails: somebody must look at it before it is committed.
    """
    file = FOLDER / f"{name}.txt"
    made = {language: rows_of(picture) for language, picture in pictures.items()}
    if remake:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(written(made), encoding="utf-8")
        pytest.fail(f"{file.name} was made again: look at it before you commit it")
    assert file.exists(), f"golden/{name}.txt is missing: --remake makes it"
    approved = read(file.read_text(encoding="utf-8"))
    assert approved.keys() == made.keys(), f"golden/{name}.txt holds {', '.join(approved)}; shown are {', '.join(made)}"
    for language, rows in made.items():
        if unlike := difference(approved[language], rows):
            pytest.fail(
                f"golden/{name}.txt, {language}: {unlike}\nIf it is better, --remake makes it again.", pytrace=False
            )


def names(family: str) -> set[str]:
    """The moments of this family that have a golden file."""
    return {file.stem for file in (FOLDER / family).iterdir()}


def compare_text(file: Path, text: str, *, remake: bool) -> None:
    """Compare a text with its golden file. `remake` writes the file instead where it differs, and fails."""
    approved = file.read_text(encoding="utf-8") if file.exists() else ""
    if text == approved:
        return
    if remake:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        pytest.fail(f"{file.name} was made again: look at it before you commit it")
    changes = list(unified_diff(approved.splitlines(), text.splitlines(), "approved", "now", n=1, lineterm=""))
    pytest.fail("\n".join([*changes[:40], "If it is better, --remake makes it again."]), pytrace=False)
