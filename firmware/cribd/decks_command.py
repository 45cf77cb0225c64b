"""`cribboard decks`: the decks of tagged cards that the board knows, one of them, its labels, and how to forget it.

Only looks at files and changes them: it never talks to a reader. Teaching is `cribboard enroll`, in `enroll_command`.
Each answer is first plain data, which `--json` prints as it is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cribboard import Card, NotationError
from cribd.named_files import unwritable
from cribd.readers.decks import NEW_PACK, Deck, DecksBusy, folder_of, forget, keep, load_decks, only_writer
from cribd.readers.labels import LONGEST_NAME, is_deck_name, write_label


def add_to(commands: Any) -> None:
    """Add the command to the command line."""
    decks = commands.add_parser("decks", help="list the decks of tagged cards, show one, or forget it")
    _say_where(decks)
    decks.add_argument("--json", action="store_true")
    decks.set_defaults(command=run)
    what = decks.add_subparsers(dest="what", metavar="WHAT")
    lists = what.add_parser("list", help="the decks there are, and how much of each was taught")
    show = what.add_parser("show", help="the tag of each card of a deck")
    labels = what.add_parser("labels", help="the 52 texts to print as QR codes or Code 128, for a deck without tags")
    forgets = what.add_parser("forget", help="forget a deck, or one card of it")
    for each in (show, labels, forgets):
        each.add_argument("name", metavar="NAME", help="the name of a deck")
    forgets.add_argument("cards", nargs="*", metavar="CARD", help="only these cards, such as 5H")
    for each in (lists, show, labels, forgets):
        _say_where(each, default=argparse.SUPPRESS)
        each.add_argument("--json", action="store_true", default=argparse.SUPPRESS)


def _say_where(parser: argparse.ArgumentParser, **default: Any) -> None:
    parser.add_argument(
        "--journal", metavar="FILE", help="where the games are kept: the decks are beside it", **default
    )
    parser.add_argument("--config", type=Path, metavar="FILE", **default)


def run(options: argparse.Namespace) -> int:
    """Do what the command line says."""
    from cribd.config import ConfigError

    try:
        folder = deck_folder(options)
    except ConfigError as wrong:
        return _complain(wrong.problems)
    match options.what:
        case "show":
            return _show(folder, options.name, as_json=options.json)
        case "labels":
            return _labels(options.name, as_json=options.json)
        case "forget":
            return _forget(folder, options.name, options.cards, as_json=options.json)
    return _list(folder, as_json=options.json)


def deck_folder(options: argparse.Namespace) -> Path:
    """Where the decks are, by the command line or else by the configuration. Raises `ConfigError`."""
    from cribd.config import load_config

    journal = Path(options.journal) if options.journal else load_config(options.config).journal_path
    return folder_of(journal)


def name_problem(name: str) -> str | None:
    """What is wrong with this name for a deck, in one sentence."""
    if is_deck_name(name):
        return None
    return f"{name!r} is no name for a deck: allowed are up to {LONGEST_NAME} small letters (a to z) and digits."


def _list(folder: Path, *, as_json: bool) -> int:
    found = load_decks(folder)
    if as_json:
        decks = [_told(deck) for deck in found.decks]
        print(json.dumps({"folder": str(folder), "decks": decks, "problems": found.problems}, ensure_ascii=False))
        return 1 if found.problems else 0
    width = max((len(deck.name) for deck in found.decks), default=0)
    for deck in found.decks:
        print(f"{deck.name:<{width}}  {len(deck.cards):>2} of {len(NEW_PACK)}{_what_is_missing(deck)}")
    if not found.decks and not found.problems:
        print(f"{folder}: no deck was taught yet. The first: cribboard enroll --deck rouge.")
    return _complain(found.problems, 1) if found.problems else 0


def _told(deck: Deck) -> dict[str, Any]:
    return {"name": deck.name, "taught": len(deck.cards), "missing": list(deck.missing)}


def _what_is_missing(deck: Deck) -> str:
    if not deck.missing:
        return ""
    if len(deck.missing) > 8:
        return f"; next: {deck.missing[0]}"
    return f"; missing: {' '.join(deck.missing)}"


def _show(folder: Path, name: str, *, as_json: bool) -> int:
    found = load_decks(folder)
    deck = found.named(name)
    if deck is None:
        return _no_such(folder, name)
    if as_json:
        print(json.dumps(_told(deck) | {"tags": dict(deck.tags)}))
        return 0
    for suit in "SDCH":
        for card in (each for each in NEW_PACK if each.endswith(suit)):
            print(f"{card}  {deck.tags.get(card, 'not taught')}")
    return 0


def _labels(name: str, *, as_json: bool) -> int:
    if problem := name_problem(name):
        return _complain([problem])
    labels = {card: write_label(name, card) for card in NEW_PACK}
    print(json.dumps(labels) if as_json else "\n".join(labels.values()))
    return 0


def _forget(folder: Path, name: str, cards: Iterable[str], *, as_json: bool) -> int:
    try:
        wanted = tuple(str(Card.parse(card)) for card in cards)
    except NotationError as wrong:
        return _complain([f"{wrong}."])
    if not folder.exists():
        return _no_such(folder, name)
    try:
        with only_writer(folder):
            deck = load_decks(folder).named(name)
            if deck is None and (wanted or not is_deck_name(name)):
                return _no_such(folder, name)
            if deck is not None and (never := [card for card in wanted if card not in deck.tags]):
                return _complain([f"{' '.join(never)}: the deck {name} was never taught this."])
            if wanted and deck is not None:
                for card in wanted:
                    deck = deck.without(card)
                keep(folder, deck)
            else:
                forget(folder, name)  # a damaged file too: it is what a person would do with it
    except FileNotFoundError:
        return _no_such(folder, name)
    except OSError as wrong:
        return _complain([unwritable(wrong.filename or folder, wrong)], 1)
    except DecksBusy as busy:
        return _complain([f"{busy}."], 1)
    if as_json:
        print(json.dumps({"deck": name, "forgotten": list(wanted) or "all"}))
    else:
        print(f"{name}: {' '.join(wanted) or 'the whole deck'} forgotten.")
    return 0


def _no_such(folder: Path, name: str) -> int:
    """Say why this deck cannot be had: it is damaged, or there is none."""
    found = load_decks(folder)
    damaged = [problem for problem in found.problems if problem.startswith(f"{folder / name}.toml")]
    names = ", ".join(deck.name for deck in found.decks) or "none"
    return _complain(damaged or [f"{name}: there is no such deck; the decks in {folder} are: {names}."])


def _complain(problems: Iterable[str], code: int = 2) -> int:
    for problem in problems:
        print(problem, file=sys.stderr)
    return code
