"""The language of a command's output, help and errors."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import zip_longest

from cribd.languages import environment_language, spellings


def output_language(options: argparse.Namespace) -> str:
    """Return the language of a command's output."""
    if options.lang is not None:
        return spellings()[options.lang]
    return "en" if options.json else environment_language()


def help_language(typed: Sequence[str]) -> str:
    """Return the language for a command's help and errors.

    The words `typed` may be wrong. Without `--lang`, the language is the environment's, or English for JSON."""
    for word, following in zip_longest(typed, typed[1:], fillvalue=""):
        option, equals, value = word.partition("=")
        if len(option) > len("--l") and "--language".startswith(option):  # or `--lang`, or another beginning
            known = spellings().get(value if equals else following)
            if known is not None:
                return known
    return "en" if "--json" in typed else environment_language()
