"""The languages that the board speaks: those that have a catalogue among `phrases`. One more file is one more."""

from __future__ import annotations

from pathlib import Path

CATALOGUES = Path(__file__).parent / "phrases"


def languages() -> tuple[str, ...]:
    """The languages that have a catalogue, English first: "en", "fr_CA"."""
    names = sorted(file.stem for file in CATALOGUES.glob("*.po"))
    return tuple(sorted(names, key=lambda name: name != "en"))


def spellings() -> dict[str, str]:
    """What a language may be called on a command line: by its name, or by what comes before its country."""
    return {name.partition("_")[0]: name for name in reversed(languages())} | {name: name for name in languages()}


def catalogue(language: str) -> Path:
    """The file of a language. Raises ValueError, naming those there are, if there is none such."""
    if language not in languages():
        raise ValueError(f"language = {language!r}: allowed are {', '.join(languages())}")
    return CATALOGUES / f"{language}.po"
