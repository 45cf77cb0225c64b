"""The exit codes and the refusals of commands."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from cribboard.cards import NotationError
from cribboard.rules import RulesError
from cribd.causes import reason, unreadable
from cribd.text import Phrases


class Exit(IntEnum):
    """The exit code of a command.

    `DONE`: the command did what was asked. `PROBLEM`: it did, and found a problem (a record that is not sound, a deck
    that is not whole). `CANNOT`: the command cannot understand or do what was asked.
    """

    DONE = 0
    PROBLEM = 1
    CANNOT = 2


class CommandRefused(Exception):  # noqa: N818 (what somebody asked for)
    """A command cannot do what was asked.

    It has a sentence for each reason, and the exit `code`."""

    def __init__(self, *sentences: str, code: Exit = Exit.CANNOT) -> None:
        super().__init__(*sentences)
        self.sentences = sentences
        self.code = code


def refusal(wrong: Exception, words: Phrases) -> CommandRefused | None:
    """Return the refusal for an error of the user, or None."""
    from cribd.config.config import ConfigError

    match wrong:
        case CommandRefused():
            return wrong
        case RulesError():
            return CommandRefused(*(f"--rules {words.problem(problem)}" for problem in wrong.problems))
        case NotationError():
            return CommandRefused(words.say("command.no_card", text=repr(wrong.text)))
        case ConfigError():
            return CommandRefused(*map(words.problem, wrong.problems))
    return None


def read_file(path: Path, words: Phrases) -> bytes:
    """Read the bytes of a file. Raises `CommandRefused`."""
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise CommandRefused(words.problem(unreadable(path, wrong))) from wrong


def read_text(path: Path, words: Phrases) -> str:
    """Read the UTF-8 text of a file. Raises `CommandRefused`."""
    try:
        return read_file(path, words).decode()
    except UnicodeDecodeError as wrong:
        raise CommandRefused(words.problem(unreadable(path, wrong))) from wrong


def unwritable(path: Path | str, wrong: OSError, words: Phrases) -> str:
    """Return a sentence that says why a file cannot be written."""
    return words.say("command.unwritable", file=path, why=why(wrong, words))


def why(wrong: OSError, words: Phrases) -> str:
    """Return the operating system's reason, as part of a sentence.

    It is translated if the catalogue has it."""
    return words.problem(reason(wrong))
