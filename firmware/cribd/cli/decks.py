"""`cribboard decks`: manages the decks of tagged cards.

Reads and writes deck files only; `cribboard enroll` talks to a reader. Each answer is first plain data, which `--json`
prints.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from cribboard import Card
from cribd.cli.errors import CommandRefused, Exit, unwritable
from cribd.cli.options import add_journal, add_json, add_language, journal_path
from cribd.readers.decks import NEW_PACK, Deck, DecksBusy, delete_deck, folder_of, load_decks, only_writer, save_deck
from cribd.readers.labels import LONGEST_NAME, is_deck_name, write_label
from cribd.terminal import complain, say
from cribd.text import Phrases


def add_options(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(dest="what", metavar="WHAT")
    parts = [what.add_parser(name) for name in ("list", "show", "labels", "forget")]
    for part in parts[1:]:
        part.add_argument("name", metavar="NAME")
    parts[3].add_argument("cards", nargs="*", metavar="CARD")
    for command in (parser, *parts):
        default = {} if command is parser else {"default": argparse.SUPPRESS}
        add_journal(command, **default)
        add_language(command)
        add_json(command, **default)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Run a subcommand, or list the decks. Returns the exit code."""
    folder = deck_folder(options)
    match options.what:
        case "show":
            return _show(folder, options.name, words, as_json=options.json)
        case "labels":
            return _labels(options.name, words, as_json=options.json)
        case "forget":
            return _forget(folder, options, words)
    return _list(folder, words, as_json=options.json)


def deck_folder(options: argparse.Namespace) -> Path:
    """Return the folder of the decks, beside the journal. Raises `ConfigError`."""
    return folder_of(journal_path(options))


def name_problem(name: str, words: Phrases) -> str | None:
    """Return why this text cannot name a deck, or None."""
    if is_deck_name(name):
        return None
    return words.say("command.decks.name", name=repr(name), most=LONGEST_NAME)


def _list(folder: Path, words: Phrases, *, as_json: bool) -> int:
    found = load_decks(folder)
    code = Exit.PROBLEM if found.problems else Exit.DONE
    if as_json:
        decks = [_as_values(deck) for deck in found.decks]
        print(json.dumps({"folder": str(folder), "decks": decks, "problems": found.problems}, ensure_ascii=False))
        return code
    width = max((len(deck.name) for deck in found.decks), default=0)
    for deck in found.decks:
        missing = ""
        if len(deck.missing) > 8:
            missing = "; " + words.say("command.decks.next", card=deck.missing[0])
        elif deck.missing:
            missing = "; " + words.say("command.decks.missing", cards=" ".join(deck.missing))
        taught = words.say("command.decks.taught", taught=f"{len(deck.cards):>2}", all=len(NEW_PACK))
        print(f"{deck.name:<{width}}  {taught}{missing}")
    if not found.decks and not found.problems:
        say(words.say("command.decks.none", folder=folder))
    complain(*map(words.problem, found.problems))
    return code


def _as_values(deck: Deck) -> dict[str, Any]:
    return {"name": deck.name, "taught": len(deck.cards), "missing": list(deck.missing)}


def _show(folder: Path, name: str, words: Phrases, *, as_json: bool) -> int:
    deck = load_decks(folder).named(name)
    if deck is None:
        raise _no_such(folder, name, words)
    if as_json:
        print(json.dumps(_as_values(deck) | {"tags": dict(deck.tags)}))
        return Exit.DONE
    for card in NEW_PACK:
        print(f"{card}  {deck.tags.get(card) or words.say('command.decks.not_taught')}")
    return Exit.DONE


def _labels(name: str, words: Phrases, *, as_json: bool) -> int:
    if problem := name_problem(name, words):
        raise CommandRefused(problem)
    labels = {card: write_label(name, card) for card in NEW_PACK}
    print(json.dumps(labels) if as_json else "\n".join(labels.values()))
    return Exit.DONE


def _forget(folder: Path, options: argparse.Namespace, words: Phrases) -> int:
    name = options.name
    wanted = tuple(dict.fromkeys(str(Card.parse(card)) for card in options.cards))
    if not os.path.exists(folder):
        raise _no_such(folder, name, words)
    try:
        with only_writer(folder):
            deck = load_decks(folder).named(name)
            if deck is None and (wanted or not is_deck_name(name)):
                raise _no_such(folder, name, words)
            if deck is not None and wanted:
                if never := [card for card in wanted if card not in deck.tags]:
                    cards = " ".join(never)
                    raise CommandRefused(words.count("command.decks.never", len(never), cards=cards, deck=name))
                for card in wanted:
                    deck = deck.without(card)
                save_deck(folder, deck)
            else:
                delete_deck(folder, name)  # also a damaged file: the owner wants it gone
    except FileNotFoundError:
        raise _no_such(folder, name, words) from None
    except OSError as wrong:
        raise CommandRefused(unwritable(wrong.filename or folder, wrong, words), code=Exit.PROBLEM) from wrong
    except DecksBusy as wrong:
        raise CommandRefused(words.say("command.decks.busy", folder=folder), code=Exit.PROBLEM) from wrong
    if options.json:
        print(json.dumps({"deck": name, "forgotten": list(wanted) or "all"}))
    elif wanted:
        print(words.say("command.decks.forgotten", deck=name, cards=" ".join(wanted)))
    else:
        print(words.say("command.decks.forgotten_whole", deck=name))
    return Exit.DONE


def _no_such(folder: Path, name: str, words: Phrases) -> CommandRefused:
    """Return the refusal for a damaged or missing deck."""
    found = load_decks(folder)
    damaged = [problem for problem in found.problems if problem.startswith(f"{folder / name}.toml")]
    names = ", ".join(deck.name for deck in found.decks) or words.say("command.decks.no_decks")
    no_such = words.say("command.decks.no_such", deck=name, folder=folder, decks=names)
    return CommandRefused(*map(words.problem, damaged or [no_such]))
