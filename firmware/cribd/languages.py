"""The languages of the board, from the catalogues in `cribd/text`."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

CATALOGUES = Path(__file__).parent / "text"


def languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue, English first: "en", "fr_CA".

    A catalogue that is added later is found after a restart."""
    return _languages_in(CATALOGUES)


@cache
def _languages_in(folder: Path) -> tuple[str, ...]:
    names = sorted(file.stem for file in folder.glob("*.po"))
    return tuple(sorted(names, key=lambda name: name != "en"))


def spellings() -> dict[str, str]:
    """Return the languages by each name that a command line accepts."""
    return {name.partition("_")[0]: name for name in reversed(languages())} | {name: name for name in languages()}


def environment_language() -> str:
    """Return the language that the environment variables ask for.

    The rules are those of `setlocale` and gettext. English if the variables name no language with a catalogue."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "C")
    asked = os.environ.get("LANGUAGE", "").split(":") if locale.partition(".")[0] not in ("C", "POSIX") else []
    return next(filter(None, (known_as(name.partition(".")[0].partition("@")[0]) for name in (*asked, locale))), "en")


def known_as(name: str) -> str | None:
    """Return the language with this name, or None.

    "fr_CA" is known as `fr_CA`, `fr-CA`, `fr_FR` and `fr`."""
    known = spellings()
    name = name.replace("-", "_")
    return known.get(name) or known.get(name.partition("_")[0])


def catalogue_path(language: str) -> Path:
    """Return the catalogue file of a language.

    Raises ValueError with the list of languages if the language is unknown."""
    if language not in languages():
        raise ValueError(f"language = {language!r}: allowed are {', '.join(languages())}")
    return CATALOGUES / f"{language}.po"
