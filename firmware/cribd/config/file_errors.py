"""Files that people name, on the command line or in the configuration, and what is wrong with them.

Always one sentence that names the file, and never what Python says of it. That a file cannot be read is said in
English, as all that is told of configurations; `examining` says it of records in each language.
"""

from __future__ import annotations

from errno import errorcode
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cribd.text import Phrases

#: Reasons of the operating system that a catalogue has words for.
_IN_WORDS = frozenset(
    {"EACCES", "EEXIST", "EIO", "EISDIR", "ENAMETOOLONG", "ENOENT", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"}
)


def unreadable(path: Path | str, wrong: OSError | UnicodeDecodeError) -> str:
    """Why a file cannot be read: `mine.toml cannot be read: No such file or directory.`"""
    return f"{path} cannot be read: {_why(wrong)}."


def unwritable(path: Path | str, wrong: OSError, words: Phrases) -> str:
    """Why a file cannot be written."""
    return words.say("command.unwritable", file=path, why=why(wrong, words))


def why(wrong: OSError, words: Phrases) -> str:
    """What the operating system says, in a clause; what no catalogue has words for, as it says it."""
    code = errorcode.get(wrong.errno or 0, "")
    return words.say(f"command.why.{code}") if code in _IN_WORDS else _why(wrong)


def _why(wrong: OSError | UnicodeDecodeError) -> str:
    return "it is no text in UTF-8" if isinstance(wrong, UnicodeDecodeError) else wrong.strerror or str(wrong)
