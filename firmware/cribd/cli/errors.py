"""What a command says of a file or disk that fails, in the language of the command."""

from __future__ import annotations

from errno import errorcode
from pathlib import Path

from cribd.config.file_errors import reason
from cribd.text import Phrases

#: Reasons of the operating system that a catalogue has words for.
_IN_WORDS = frozenset(
    {"EACCES", "EEXIST", "EIO", "EISDIR", "ENAMETOOLONG", "ENOENT", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"}
)


def unwritable(path: Path | str, wrong: OSError, words: Phrases) -> str:
    """Why a file cannot be written."""
    return words.say("command.unwritable", file=path, why=why(wrong, words))


def why(wrong: OSError, words: Phrases) -> str:
    """What the operating system says, in a clause; in its own words where no catalogue has any."""
    code = errorcode.get(wrong.errno or 0, "")
    return words.say(f"command.why.{code}") if code in _IN_WORDS else reason(wrong)
