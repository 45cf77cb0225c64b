"""The exit codes of the commands, and their error messages in the language of the command."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path

from cribboard.cards import NotationError
from cribboard.rules import RulesError
from cribd.file_errors import reason, unreadable
from cribd.terminal import complain
from cribd.text import Phrases


class Exit(IntEnum):
    """The exit code of a command.

    `DONE`: the command did what was asked. `PROBLEM`: it did, and found a problem (a record that is not sound, a deck
    that is not whole). `CANNOT`: the command cannot understand or do what was asked.
    """

    DONE = 0
    PROBLEM = 1
    CANNOT = 2


class UnreadableFile(OSError):  # noqa: N818 (a state of the disk, not an error of the caller)
    """A named file cannot be read, or is not text: its `path`, and the reason."""

    def __init__(self, path: Path, wrong: OSError | UnicodeDecodeError) -> None:
        super().__init__(unreadable(path, wrong).rstrip("."))
        self.path = path
        self.wrong = wrong


def read_file(path: Path) -> bytes:
    """Read the bytes of a named file. Raises `UnreadableFile`."""
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise UnreadableFile(path, wrong) from wrong


def read_text(path: Path) -> str:
    """Read the text of a named file, in UTF-8. Raises `UnreadableFile`."""
    try:
        return read_file(path).decode()
    except UnicodeDecodeError as wrong:
        raise UnreadableFile(path, wrong) from wrong


def refuse(*sentences: str, code: Exit = Exit.CANNOT) -> Exit:
    """Print a line for each problem to stderr, and return the exit code."""
    complain(*sentences)
    return code


def refuse_problems(problems: Iterable[str], words: Phrases, *, before: str = "", code: Exit = Exit.CANNOT) -> Exit:
    """Print a line for each problem, in the language of the command, and return the exit code."""
    return refuse(*(before + words.problem(each) for each in problems), code=code)


def refuse_rules(wrong: RulesError, words: Phrases) -> Exit:
    """Print a line for each problem in the value of `--rules`, and return the exit code."""
    return refuse_problems(wrong.problems, words, before="--rules ")


def refuse_card(wrong: NotationError, words: Phrases) -> Exit:
    """Refuse a word that is not a card."""
    return refuse(words.say("command.no_card", text=repr(wrong.text)))


def unwritable(path: Path | str, wrong: OSError, words: Phrases) -> str:
    """Why a file cannot be written, in one sentence."""
    return words.say("command.unwritable", file=path, why=why(wrong, words))


def not_read(named: UnreadableFile, words: Phrases) -> str:
    """Why a named file cannot be read, in one sentence."""
    return words.problem(unreadable(named.path, named.wrong))


def why(wrong: OSError, words: Phrases) -> str:
    """The reason of the operating system as a clause, translated if the catalogue has it."""
    return words.problem(reason(wrong))
