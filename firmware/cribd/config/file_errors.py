"""Why a file that a person names cannot be read, in one sentence."""

from __future__ import annotations

from errno import errorcode
from pathlib import Path

from cribboard.validation import Message

#: Reasons of the operating system that a catalogue has words for.
_IN_WORDS = frozenset(
    {
        *("EACCES", "ECONNREFUSED", "EEXIST", "EHOSTUNREACH", "EIO", "EISDIR", "ENAMETOOLONG", "ENOENT", "ENOSPC"),
        *("ENOTDIR", "EPERM", "EROFS"),
    }
)


def unreadable(path: Path | str, wrong: OSError | UnicodeDecodeError) -> Message:
    """Why a file cannot be read: `mine.toml cannot be read: No such file or directory.`"""
    return Message("file.unreadable", "{file} cannot be read: {why}.", file=path, why=reason(wrong))


def reason(wrong: OSError | UnicodeDecodeError) -> str:
    """The reason of the operating system, or that the bytes are no text, as a clause: a `Message` where the catalogues
    have it."""
    if isinstance(wrong, UnicodeDecodeError):
        return Message("file.why.no_text", "it is not text in UTF-8")
    said = (wrong.strerror or str(wrong)).replace("{", "{{").replace("}", "}}")
    code = errorcode.get(wrong.errno or 0, "")
    return Message(f"file.why.{code}", said) if code in _IN_WORDS else wrong.strerror or str(wrong)
