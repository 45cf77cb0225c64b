"""A catalogue in which each phrase is its code, so that an output has no sentence in it: "⟨ask.lead side=…⟩".

Programs rely on codes, keys and numbers. Translators change sentences, and an output stays as it is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from string import Formatter
from unittest import mock

import polib

from .product import CATALOGUES, forget_phrases


@contextmanager
def spoken_in_codes(source: Path = CATALOGUES) -> Iterator[None]:
    """Within it every language of `source` says codes."""
    with mock.patch("cribd.languages.CATALOGUES", _written(source)):
        forget_phrases()
        try:
            yield
        finally:
            forget_phrases()


@cache
def _written(source: Path) -> Path:
    folder = tempfile.TemporaryDirectory()
    _FOLDERS.append(folder)
    for file in source.glob("*.po"):
        coded(file).save(str(Path(folder.name, file.name)))
    return Path(folder.name)


#: The folders that stay until the process ends.
_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def coded(file: Path) -> polib.POFile:
    """The catalogue, each text replaced by the code and the places that the phrase has in English."""
    entries = polib.pofile(str(file), encoding="utf-8")
    places = _places(file.with_name("en.po"))
    language = "" if file.stem == "en" else f"{file.stem.partition('_')[0]} "
    for entry in entries.translated_entries():
        text = f"⟨{language}{' '.join((entry.msgid, *places.get(entry.msgid, ())))}⟩"
        if entry.msgstr_plural:
            entry.msgstr_plural = dict.fromkeys(entry.msgstr_plural, text)
        else:
            entry.msgstr = text
    return entries


@cache
def _places(english: Path) -> dict[str, list[str]]:
    """For each code "name={name}" of what is filled in."""
    entries = polib.pofile(str(english), encoding="utf-8")
    return {
        entry.msgid: [
            f"{name}={{{name}}}"
            for name in sorted(
                {
                    place
                    for form in (entry.msgstr_plural or {0: entry.msgstr}).values()
                    for _, place, _, _ in Formatter().parse(form)
                    if place
                }
            )
        ]
        for entry in entries
    }
