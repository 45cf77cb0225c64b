"""`cribboard decks`: lists the decks of tagged cards, shows one, prints its labels, or forgets it.

Reads and writes deck files only; `cribboard enroll` talks to a reader. Each answer is first plain data, which `--json`
prints.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cribd.cli.errors import Exit, refuse, refuse_card, refuse_problems, unwritable
from cribd.cli.options import add_language, journal_path
from cribd.readers.decks import NEW_PACK, Deck, DecksBusy, folder_of, forget, keep, load_decks, only_writer
from cribd.readers.labels import LONGEST_NAME, is_deck_name, write_label
from cribd.terminal import say

if TYPE_CHECKING:
    from cribd.text import Phrases


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    _say_where(parser)
    add_language(parser)
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=run)
    what = parser.add_subparsers(dest="what", metavar="WHAT")
    lists = what.add_parser("list")
    show = what.add_parser("show")
    labels = what.add_parser("labels")
    forgets = what.add_parser("forget")
    for command in (show, labels, forgets):
        command.add_argument("name", metavar="NAME")
    forgets.add_argument("cards", nargs="*", metavar="CARD")
    for command in (lists, show, labels, forgets):
        _say_where(command, default=argparse.SUPPRESS)
        add_language(command)
        command.add_argument("--json", action="store_true", default=argparse.SUPPRESS)


def _say_where(parser: argparse.ArgumentParser, **default: Any) -> None:
    parser.add_argument("--journal", metavar="FILE", **default)
    parser.add_argument("--config", type=Path, metavar="FILE", **default)


def run(options: argparse.Namespace) -> int:
    """List, show, print or forget decks. Returns the exit code."""
    from cribd.config.config import ConfigError
    from cribd.text import load

    words = load(options.language)
    try:
        folder = deck_folder(options)
    except ConfigError as wrong:
        return refuse_problems(wrong.problems, words)
    match options.what:
        case "show":
            return _show(folder, options.name, words, as_json=options.json)
        case "labels":
            return _labels(options.name, words, as_json=options.json)
        case "forget":
            return _forget(folder, options, words)
    return _list(folder, words, as_json=options.json)


def deck_folder(options: argparse.Namespace) -> Path:
    """The folder of the decks, beside the journal. Raises `ConfigError`."""
    return folder_of(journal_path(options))


def name_problem(name: str, words: Phrases) -> str | None:
    """Why this cannot be the name of a deck, in a sentence; None if it can."""
    if is_deck_name(name):
        return None
    return words.say("command.decks.name", name=repr(name), most=LONGEST_NAME)


def _list(folder: Path, words: Phrases, *, as_json: bool) -> int:
    found = load_decks(folder)
    if as_json:
        decks = [_told(deck) for deck in found.decks]
        print(json.dumps({"folder": str(folder), "decks": decks, "problems": found.problems}, ensure_ascii=False))
        return Exit.PROBLEM if found.problems else Exit.DONE
    width = max((len(deck.name) for deck in found.decks), default=0)
    for deck in found.decks:
        taught = words.say("command.decks.taught", taught=f"{len(deck.cards):>2}", all=len(NEW_PACK))
        print(f"{deck.name:<{width}}  {taught}{_what_is_missing(deck, words)}")
    if not found.decks and not found.problems:
        say(words.say("command.decks.none", folder=folder))
    return refuse_problems(found.problems, words, code=Exit.PROBLEM) if found.problems else Exit.DONE


def _told(deck: Deck) -> dict[str, Any]:
    return {"name": deck.name, "taught": len(deck.cards), "missing": list(deck.missing)}


def _what_is_missing(deck: Deck, words: Phrases) -> str:
    if not deck.missing:
        return ""
    if len(deck.missing) > 8:
        return f"; {words.say('command.decks.next', card=deck.missing[0])}"
    return f"; {words.say('command.decks.missing', cards=' '.join(deck.missing))}"


def _show(folder: Path, name: str, words: Phrases, *, as_json: bool) -> int:
    found = load_decks(folder)
    deck = found.named(name)
    if deck is None:
        return _no_such(folder, name, words)
    if as_json:
        print(json.dumps(_told(deck) | {"tags": dict(deck.tags)}))
        return Exit.DONE
    for suit in "SDCH":
        for card in (name for name in NEW_PACK if name.endswith(suit)):
            print(f"{card}  {deck.tags.get(card) or words.say('command.decks.not_taught')}")
    return Exit.DONE


def _labels(name: str, words: Phrases, *, as_json: bool) -> int:
    if problem := name_problem(name, words):
        return refuse(problem)
    labels = {card: write_label(name, card) for card in NEW_PACK}
    print(json.dumps(labels) if as_json else "\n".join(labels.values()))
    return Exit.DONE


def _forget(folder: Path, options: argparse.Namespace, words: Phrases) -> int:
    from cribboard import Card, NotationError

    name = options.name
    try:
        wanted = tuple(dict.fromkeys(str(Card.parse(card)) for card in options.cards))
    except NotationError as wrong:
        return refuse_card(wrong, words)
    if not os.path.exists(folder):
        return _no_such(folder, name, words)
    try:
        with only_writer(folder):
            deck = load_decks(folder).named(name)
            if deck is None and (wanted or not is_deck_name(name)):
                return _no_such(folder, name, words)
            if deck is not None and (never := [card for card in wanted if card not in deck.tags]):
                return refuse(words.count("command.decks.never", len(never), cards=" ".join(never), deck=name))
            if wanted and deck is not None:
                for card in wanted:
                    deck = deck.without(card)
                keep(folder, deck)
            else:
                forget(folder, name)  # also a damaged file: the owner wants it gone
    except FileNotFoundError:
        return _no_such(folder, name, words)
    except OSError as wrong:
        return refuse(unwritable(wrong.filename or folder, wrong, words), code=Exit.PROBLEM)
    except DecksBusy:
        return refuse(words.say("command.decks.busy", folder=folder), code=Exit.PROBLEM)
    if options.json:
        print(json.dumps({"deck": name, "forgotten": list(wanted) or "all"}))
    elif wanted:
        print(words.say("command.decks.forgotten", deck=name, cards=" ".join(wanted)))
    else:
        print(words.say("command.decks.forgotten_whole", deck=name))
    return Exit.DONE


def _no_such(folder: Path, name: str, words: Phrases) -> int:
    """Refuse, because the deck is damaged or does not exist."""
    found = load_decks(folder)
    damaged = [problem for problem in found.problems if problem.startswith(f"{folder / name}.toml")]
    names = ", ".join(deck.name for deck in found.decks) or words.say("command.decks.no_decks")
    no_such = words.say("command.decks.no_such", deck=name, folder=folder, decks=names)
    return refuse_problems(damaged or [no_such], words)
