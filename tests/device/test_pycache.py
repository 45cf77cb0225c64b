"""What is kept beside the bytecode, and a catalogue that is compiled once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cribd import languages, pycache
from cribd.text import catalogue


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    return tmp_path


def test_what_was_made_from_the_same_sources_is_read_again(folder: Path) -> None:
    assert pycache.read("board", b"source", folder=folder) is None
    pycache.write("board", b"made", b"source", folder=folder)
    assert pycache.read("board", b"source", folder=folder) == b"made"
    assert pycache.read("board", b"another source", folder=folder) is None
    assert pycache.read("another", b"source", folder=folder) is None


def test_a_folder_that_is_missing_or_may_not_be_written_keeps_nothing(folder: Path) -> None:
    pycache.write("board", b"made", folder=folder / "missing")
    assert pycache.read("board", folder=folder / "missing") is None


def test_nothing_is_kept_where_python_writes_no_bytecode(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    pycache.write("board", b"made", folder=folder)
    assert not [*folder.iterdir()]


@pytest.mark.parametrize("language", ["en", "fr_CA"])
def test_a_catalogue_is_compiled_once_until_an_owner_changes_a_word(
    language: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = folder / "text"
    words.mkdir()
    for file in languages.CATALOGUES.glob("*.po"):
        shutil.copy(file, words)
    monkeypatch.setattr(languages, "CATALOGUES", words)
    monkeypatch.setattr(pycache, "FOLDER", folder)
    monkeypatch.setattr(pycache.read, "__kwdefaults__", {"folder": folder})
    monkeypatch.setattr(pycache.write, "__kwdefaults__", {"folder": folder})
    catalogue._english.cache_clear()
    first, texts = catalogue.open_catalogue(language), catalogue.texts(language)
    with monkeypatch.context() as unparsed:
        unparsed.setattr(catalogue, "parse", None)
        again = catalogue.open_catalogue(language)
        assert catalogue.texts(language) == texts
    assert again.gettext("page.language") == first.gettext("page.language")
    file = words / f"{language}.po"
    own = first.gettext("page.language")
    file.write_text(file.read_text(encoding="utf-8").replace(f'"{own}"', '"Changed"'), encoding="utf-8")
    catalogue._english.cache_clear()
    assert catalogue.open_catalogue(language).gettext("page.language") == "Changed"
    assert catalogue.texts(language)["page.language"] == "Changed"
    catalogue._english.cache_clear()
