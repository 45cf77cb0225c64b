"""The reasons why a file, a device or the journal fails."""

from __future__ import annotations

from errno import errorcode
from pathlib import Path

from cribboard.validation import Message

__all__ = ["IN_WORDS", "OF_SQLITE", "Message", "cause", "of_sqlite", "reason", "unreadable"]

#: Errors of the operating system for which the catalogues have words.
IN_WORDS = frozenset(
    {
        *("EACCES", "ECONNREFUSED", "EEXIST", "EHOSTUNREACH", "EIO", "EISDIR", "ENAMETOOLONG", "ENOENT", "ENOSPC"),
        *("ENOTDIR", "EPERM", "EROFS"),
    }
)
#: Messages of SQLite for which the catalogues have words, each with the end of its code.
OF_SQLITE = {
    "attempt to write a readonly database": "READONLY",
    "database disk image is malformed": "CORRUPT",
    "database is locked": "BUSY",
    "database or disk is full": "FULL",
    "disk I/O error": "IOERR",
    "file is not a database": "NOTADB",
    "unable to open database file": "CANTOPEN",
}


def unreadable(path: Path | str, wrong: OSError | UnicodeDecodeError) -> Message:
    """Return the message that a file cannot be read."""
    return Message("file.unreadable", "{file} cannot be read: {why}.", file=path, why=reason(wrong))


def reason(wrong: OSError | UnicodeDecodeError) -> str:
    """Return why a file cannot be read or written.

    The reason is part of a sentence, and a `Message` if the catalogues have the words."""
    if isinstance(wrong, UnicodeDecodeError):
        return Message("file.why.no_text", "it is not text in UTF-8")
    said = (wrong.strerror or str(wrong)).replace("{", "{{").replace("}", "}}")
    code = errorcode.get(wrong.errno or 0, "")
    return Message(f"file.why.{code}", said) if code in IN_WORDS else wrong.strerror or str(wrong)


def cause(wrong: Exception) -> str:
    """Return why a device fails, as part of a sentence.

    For an error of the operating system, it has the error number and, if known, the file. For other errors it is their
    own text, a `Message` if they have one."""
    if not isinstance(wrong, OSError) or wrong.errno is None or not wrong.strerror:
        return next((text for text in wrong.args if isinstance(text, str)), "") or type(wrong).__name__
    said, file = reason(wrong), wrong.filename
    if file is None:
        return Message("device.why", "{why} (errno {errno})", why=said, errno=wrong.errno)
    return Message("device.why_at", "{file}: {why} (errno {errno})", file=file, why=said, errno=wrong.errno)


def of_sqlite(wrong: Exception) -> str:
    """Return SQLite's error as part of a sentence.

    It is a `Message` if the catalogues have it."""
    said = str(wrong)
    return Message(f"file.why.{OF_SQLITE[said]}", said) if said in OF_SQLITE else said
