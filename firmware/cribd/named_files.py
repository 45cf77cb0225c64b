"""Files that people name, on the command line or in the configuration, and what is wrong with them.

Always one sentence that names the file, and never what Python says of it. In English, as all that is told of
configurations; `examining` says it of records in each language.
"""

from __future__ import annotations

from pathlib import Path


def unreadable(path: Path | str, wrong: OSError | UnicodeDecodeError) -> str:
    """Why a file cannot be read: `mine.toml cannot be read: No such file or directory.`"""
    return f"{path} cannot be read: {_why(wrong)}."


def unwritable(path: Path | str, wrong: OSError) -> str:
    """Why a file cannot be written."""
    return f"{path} cannot be written: {_why(wrong)}."


def _why(wrong: OSError | UnicodeDecodeError) -> str:
    return "it is no text in UTF-8" if isinstance(wrong, UnicodeDecodeError) else wrong.strerror or str(wrong)
