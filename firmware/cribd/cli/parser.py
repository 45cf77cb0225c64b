"""The command line's parser, help and error messages.

No command has a text of its own: what it does is `command.does.COMMAND` in the catalogues, what an argument takes
`command.takes.COMMAND.ARGUMENT`, or `command.takes.ARGUMENT` where several commands share it, an example
`command.example.COMMAND`, and what stands for a value `command.value.NAME`. A catalogue is read when somebody asks for
help or mistypes, and not before.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from cribd.cli.language import help_language
from cribd.text import Phrases, load

#: Patterns of the errors of argparse. Each key is the end of a phrase code under `command.mistake`.
_MISTAKES = {
    "missing": r"the following arguments are required: (?P<names>.+)",
    "one_missing": r"one of the arguments (?P<names>.+) is required",
    "unknown": r"unrecognized arguments: (?P<text>.+)",
    "ambiguous": r"ambiguous option: (?P<text>.+) could match (?P<names>.+)",
    "choice": r"invalid choice: (?P<text>.+) \(choose from (?P<names>.+)\)",
    "no_int": r"invalid int value: (?P<text>.+)",
    "no_round": r"invalid round_number value: (?P<text>.+)",
    "no_entrants": r"invalid entrant_numbers value: (?P<text>.+)",
    "no_captain": r"invalid captain_number value: (?P<text>.+)",
    "no_float": r"invalid float value: (?P<text>.+)",
    "not_with": r"not allowed with argument (?P<names>.+)",
    "one": r"expected (one|at least one) argument",
    "at_most_one": r"expected at most one argument",
    "some": r"expected (?P<text>\d+) arguments?",
    "no_value": r"ignored explicit argument (?P<text>.+)",
}


class Parser(argparse.ArgumentParser):
    """A parser with help and errors in the user's language.

    The words of the command line, `typed`, show the language. `details` gives the lines at the end of the help."""

    def __init__(self, *, typed: Sequence[str] = (), **kwargs: Any) -> None:
        self._typed = typed
        self.details: Callable[[Phrases], Iterable[str]] | None = None
        super().__init__(**kwargs)

    def words(self) -> Phrases:
        """Return the phrases in the user's language."""
        return load(help_language(self._typed))

    def add_subparsers(self, **kwargs: Any) -> Any:
        """Add subcommands to this command, in the same language."""
        return super().add_subparsers(action=_Parts, parser_class=partial(type(self), typed=self._typed), **kwargs)  # type: ignore[call-overload]

    def format_usage(self) -> str:
        """Return the usage line."""
        self.formatter_class = partial(_Formatter, words=self.words())
        return super().format_usage()

    def format_help(self) -> str:
        """Return the whole help text of this command."""
        words, path = self.words(), path_of(self.prog)
        self.formatter_class = partial(_Formatter, words=words)
        self.description = words.say(f"command.does.{path}")
        lines = [super().format_help().rstrip()]
        if self.details is not None:
            lines += ["", *self.details(words)]
        if (example := words.say(f"command.example.{path}")) != f"command.example.{path}":
            lines += ["", words.say("command.example"), *(f"  {line}" for line in example.split(" | "))]
        return "\n".join([*lines, ""])

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error, and exit with code 2."""
        self.print_usage(sys.stderr)
        say = self.words().say
        self.exit(2, say("command.mistake", command=self.prog, mistake=self._mistake(message)) + "\n")

    def _mistake(self, message: str) -> str:
        argument, mistake = re.fullmatch(r"(?:argument ([^:]+): )?(.*)", message, re.DOTALL).groups()  # type: ignore[union-attr]
        say = self.words().say
        for code, pattern in _MISTAKES.items():
            if found := re.fullmatch(pattern, mistake, re.DOTALL):
                values = found.groupdict()
                if "names" in values:
                    names = re.split(r", |(?<=\w) (?=-)", values["names"])
                    values["names"] = ", ".join(map(self._named, names))
                mistake = say(f"command.mistake.{code}", **values)
                break
        if argument is None:
            return mistake
        return say("command.mistake.at", argument=self._named(argument), mistake=mistake)

    def _named(self, argument: str) -> str:
        return value_name(argument.strip("'"), self.words())


class _Parts(argparse._SubParsersAction):  # type: ignore[type-arg]
    """The subcommands of a command."""

    def __init__(self, *arguments: Any, **kwargs: Any) -> None:
        super().__init__(*arguments, **kwargs)
        self._name_parser_map = self.choices = _Choices()  # before the first is added

    def add_parser(self, name: str, **kwargs: Any) -> Any:
        return super().add_parser(name, **kwargs | {"help": name})

    def add_later(self, name: str, define: Callable[[Parser], None]) -> None:
        """Add a subcommand, but make its parser only when needed.

        The parser is needed when the user types the subcommand, or asks for its help."""
        parser_class: Any = self._parser_class
        self._parser_class: Any = lambda **kwargs: _Later(partial(parser_class, **kwargs), define)
        try:
            self.add_parser(name)
        finally:
            self._parser_class = parser_class


@dataclass(frozen=True, slots=True)
class _Later:
    """A subcommand's parser that is made at its first use."""

    make: Callable[[], Parser]
    define: Callable[[Parser], None]


class _Choices(dict[str, Any]):
    """The subcommands' parsers by name, each made at its first use."""

    def __getitem__(self, name: str) -> Any:
        parser = super().__getitem__(name)
        if isinstance(parser, _Later):
            later, self[name] = parser, (parser := parser.make())
            later.define(parser)
        return parser

    def values(self) -> Any:
        return [self[name] for name in self]


class _Formatter(argparse.HelpFormatter):
    """Writes the help of a command in the language of `words`."""

    def __init__(self, prog: str, words: Phrases, **kwargs: Any) -> None:
        super().__init__(prog, **kwargs)
        self._words = words

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        prefix = self._words.say("command.usage") + " " if prefix is None else prefix
        super().add_usage(usage, actions, groups, prefix)

    def start_section(self, heading: str | None) -> None:
        code = {"positional arguments": "command.help.arguments", "options": "command.help.options"}.get(heading or "")
        super().start_section(self._words.say(code) if code else heading)

    def add_argument(self, action: argparse.Action) -> None:
        if action.help is None:  # argparse lists none without one; the text is in the catalogue
            action.help = "-"
        super().add_argument(action)

    def _expand_help(self, action: argparse.Action) -> str:
        return takes(self._prog, action, self._words)

    def _metavar_formatter(self, action: argparse.Action, default_metavar: str) -> Callable[[int], tuple[str, ...]]:
        names = super()._metavar_formatter(action, default_metavar)
        if isinstance(action, argparse._SubParsersAction._ChoicesPseudoAction):
            return names
        return lambda size: tuple(value_name(name, self._words) for name in names(size))


def path_of(prog: str) -> str:
    """Return a command's path in phrase codes, such as `event.check_in`."""
    return ".".join(prog.split()[1:]).replace("-", "_") or "cribboard"


def takes(prog: str, action: argparse.Action, words: Phrases) -> str:
    """Return the description of an argument or subcommand, or ""."""
    path, name = path_of(prog), action.dest.replace("-", "_")
    if name == argparse.SUPPRESS:
        name = "command"
    if isinstance(action, argparse._SubParsersAction._ChoicesPseudoAction):
        codes = [f"command.does.{path_of(f'{prog} {name}')}"]
    else:
        codes = [f"command.takes.{path}.{name}", f"command.takes.{name}"]
    return next((text for code in codes if (text := words.say(code)) != code), "")


def value_name(name: str, words: Phrases) -> str:
    """Translate a name in capitals, such as FILE; return others unchanged."""
    if not name.isupper():
        return name
    code = f"command.value.{re.sub(r'[^a-z]', '_', name.lower())}"
    return name if (text := words.say(code)) == code else text
