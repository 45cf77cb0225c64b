"""`cribboard replay`: prints the game of a record, judged again."""

from __future__ import annotations

import argparse
import json

from cribd.cli.errors import Exit
from cribd.cli.options import add_json, add_language
from cribd.cli.record_verify import checked_audit, read_record
from cribd.text import Phrases


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="FILE")
    add_language(parser, "--language")
    add_json(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Print the game. Returns the exit code."""
    audit = checked_audit(read_record(options.record, words), options.record, words)
    heading = audit.record.heading
    acts = [(number, audit.view(number)) for number in audit.ends[1:]]
    if options.json:
        shown = [{"number": n, "scores": [s.score for s in v.sides], "said": list(words.said(v))} for n, v in acts]
        print(json.dumps({"rules": heading.rules.label, "way": heading.way, "acts": shown}))
        return Exit.DONE
    for number, view in acts:
        scores = " – ".join(str(side.score) for side in view.sides)
        print(f"{number:>5}  {heading.spelling.write(view.said[0]):<26}{scores:>10}  {' · '.join(words.said(view))}")
    return Exit.DONE
