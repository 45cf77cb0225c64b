"""`cribboard replay`: judges a record again and prints the game, one line for each act."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from cribd.cli.errors import Exit, refuse
from cribd.cli.options import add_language


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("record", type=Path, metavar="FILE")
    add_language(parser, "--language")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Print the game. Returns the exit code."""
    from cribd.cli.record_check import Break, broken, examine, unreadable
    from cribd.text import load

    phrases = load(options.language)
    try:
        text = sys.stdin.read() if str(options.record) == "-" else options.record.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        return refuse(unreadable(str(options.record), wrong, phrases))
    examined = examine(text)
    if isinstance(examined, Break):
        return refuse(*broken(examined, str(options.record), phrases))
    heading = examined.record.heading
    acts = [(number, examined.view(number)) for number in examined.ends[1:]]
    if options.json:
        shown = [{"number": n, "scores": [s.score for s in v.sides], "said": list(phrases.said(v))} for n, v in acts]
        print(json.dumps({"rules": heading.rules.label, "way": heading.way, "acts": shown}))
        return Exit.DONE
    for number, view in acts:
        scores = " – ".join(str(side.score) for side in view.sides)
        print(f"{number:>5}  {heading.spelling.write(view.said[0]):<26}{scores:>10}  {' · '.join(phrases.said(view))}")
    return Exit.DONE
