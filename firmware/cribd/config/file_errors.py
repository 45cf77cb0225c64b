"""Why a file that a person names cannot be read, in one sentence."""

from __future__ import annotations

from pathlib import Path


def unreadable(path: Path | str, wrong: OSError | UnicodeDecodeError) -> str:
    """Why a file cannot be read, in English: `mine.toml cannot be read: No such file or directory.`"""
    return f"{path} cannot be read: {reason(wrong)}."


def reason(wrong: OSError | UnicodeDecodeError) -> str:
    """The reason of the operating system, or that the bytes are no text, as a clause."""
    return "it is not text in UTF-8" if isinstance(wrong, UnicodeDecodeError) else wrong.strerror or str(wrong)
