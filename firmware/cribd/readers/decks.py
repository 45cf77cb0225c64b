"""Decks of tagged cards: which card has which tag.

Each deck is a TOML file in the board's data folder.
    # The number of each card's tag. `cribboard enroll --deck rouge` teaches what is missing.
    name = "rouge"

    [cards]
    AS = "04A3B2C1D0E5F6"

A tag belongs to one card of one deck. A damaged file is reported with its line and not used at all; the other decks
are. A file is replaced as a whole (a new one is written, synced and renamed), because power may go between any two
cards. A card is its notation here (`5H`): this layer knows nothing of the game (design law 3).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cribboard.validation import Message, placed
from cribd.causes import unreadable
from cribd.readers.labels import CARDS, LONGEST_NAME, is_deck_name
from cribd.toml import TomlError, read_toml

#: The order of a new pack, faces up, in which a deck is taught: spades and diamonds up, clubs and hearts down, as in
#: the packs of the United States Playing Card Company.
NEW_PACK = tuple(
    rank + suit
    for suit, ranks in (("S", "A23456789TJQK"), ("D", "A23456789TJQK"), ("C", "KQJT98765432A"), ("H", "KQJT98765432A"))
    for rank in ranks
)

#: A tag's number: 4, 7 or 10 bytes by ISO/IEC 14443-3, 5 by an RDM6300; others have up to 10 too.
_TAG = re.compile(r"(?:[0-9A-F]{2}){4,10}")


class DeckError(Exception):
    """The file of a deck is invalid or unreadable.

    `problems` has one sentence for each problem, with its line, and all problems at once."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class DecksBusy(Exception):  # noqa: N818 - it is no fault of the folder
    """Another program is changing the decks in this folder."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of up to 52 tagged cards.

    `cards` maps each tag to its card: `{"04A3B2C1": "5H"}`."""

    name: str
    cards: Mapping[str, str] = field(default_factory=dict)

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags by card, in the order of a new pack."""
        found = {card: tag for tag, card in self.cards.items()}
        return {card: found[card] for card in NEW_PACK if card in found}

    @property
    def missing(self) -> tuple[str, ...]:
        """The untagged cards, in the order of a new pack."""
        return tuple(card for card in NEW_PACK if card not in self.tags)

    def with_card(self, card: str, tag: str) -> Deck:
        """Return this deck with one more tagged card."""
        return Deck(self.name, {**self.cards, tag: card})

    def without(self, card: str) -> Deck:
        """Return this deck without this card."""
        return Deck(self.name, {tag: other for tag, other in self.cards.items() if other != card})


@dataclass(frozen=True, slots=True)
class Decks:
    """The loaded decks, and the problems of other deck files."""

    decks: tuple[Deck, ...] = ()
    problems: tuple[str, ...] = ()

    def find(self, uid: str) -> tuple[str, str] | None:
        """Return the deck's name and the tag's card, or None."""
        return next(((deck.name, deck.cards[uid]) for deck in self.decks if uid in deck.cards), None)

    def named(self, name: str) -> Deck | None:
        """Return the deck with this name, or None."""
        return next((deck for deck in self.decks if deck.name == name), None)


def is_tag(text: str) -> bool:
    """Whether this is 4 to 10 bytes in upper-case hex."""
    return _TAG.fullmatch(text) is not None


def folder_of(journal: Path) -> Path:
    """Return the folder of the decks, beside the journal."""
    return journal.parent / "decks"


def load_decks(folder: Path) -> Decks:
    """Load the valid decks in the folder, if it exists.

    `Decks.problems` tells what is wrong with the files that were not loaded."""
    decks: list[Deck] = []
    problems: list[str] = []
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".toml")
    except FileNotFoundError:
        return Decks()
    except OSError as wrong:
        return Decks(problems=(unreadable(folder, wrong),))
    for file in files:
        try:
            deck = _load(file)
        except DeckError as wrong:
            problems += wrong.problems
            continue
        loaded = Decks(tuple(decks))
        twice = [(tag, known) for tag in deck.cards if (known := loaded.find(tag)) is not None]
        for tag, (name, card) in twice:
            shared = Message(
                "deck.shared_tag",
                "the tag {tag} of its {card} is the {other} of the deck {deck} already; none of {name} is used until "
                "one of the two files is gone or mended.",
                tag=tag,
                card=deck.cards[tag],
                other=card,
                deck=name,
                name=deck.name,
            )
            problems.append(placed(file, shared))
        if not twice:
            decks.append(deck)
    return Decks(tuple(decks), tuple(problems))


def _load(file: Path) -> Deck:
    try:
        return read_deck(file.read_text(encoding="utf-8"), file.stem)
    except OSError as wrong:
        raise DeckError([unreadable(file, wrong)]) from wrong
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        problem = _at(line, Message("deck.no_text", "this is not text in UTF-8."))
        raise DeckError([_in_file(file, problem)]) from wrong
    except DeckError as wrong:
        raise DeckError(_in_file(file, problem) for problem in wrong.problems) from wrong


def _in_file(file: Path, problem: str) -> Message:
    return Message("deck.in_file", "{file}, {problem}", file=file, problem=problem)


def _at(line: int, problem: Message) -> Message:
    return placed(Message("line", "line {line}", line=line), problem)


def read_deck(text: str, name: str) -> Deck:
    """Read the deck `name` from its TOML text.

    Raises `DeckError` with every problem and its line."""
    try:
        values = read_toml(text)
    except TomlError as wrong:
        why = Message("deck.toml", "this is not valid TOML: {why}.", why=wrong.reason)
        raise DeckError([_at(wrong.line or 1, why)]) from wrong
    problems: list[str] = []

    def report(key: str, problem: Message) -> None:
        problems.append(_at(_line(text, key), problem))

    if not is_deck_name(name):
        named = Message(
            "deck.name", "a file is named for its deck, up to {most} small letters and digits.", most=LONGEST_NAME
        )
        problems.append(_at(1, named))
    if values.get("name") != name:
        report("name", Message("deck.other_name", 'name is "{name}" in the file of that name.', name=name))
    for key in values:
        if key not in ("name", "cards"):
            report(key, Message("deck.no_key", "there is no such key; allowed are name and cards."))
    cards = values.get("cards")
    if not isinstance(cards, dict):
        report("cards", Message("deck.no_cards", "the table [cards] is missing."))
        raise DeckError(problems)
    found: dict[str, str] = {}
    for card, tag in cards.items():
        if card not in CARDS:
            report(card, Message("deck.no_card", "{card} is not a card; a card is such as TH.", card=repr(card)))
        elif not isinstance(tag, str) or not is_tag(tag):
            no_tag = Message(
                "deck.no_tag", "{tag} is not a tag's number; it is 8 to 20 digits of upper-case hex.", tag=repr(tag)
            )
            report(card, no_tag)
        elif tag in found:
            report(card, Message("deck.tag_twice", "the tag {tag} is the {card} already.", tag=tag, card=found[tag]))
        else:
            found[tag] = card
    if problems:
        raise DeckError(problems)
    return Deck(name, found)


def _line(text: str, key: str) -> int:
    """Return the line number of a key, or of the last line."""
    wanted = re.compile(rf"""\s*\[?\s*["']?{re.escape(key)}\b""")
    lines = text.splitlines()
    return next((number for number, line in enumerate(lines, start=1) if wanted.match(line)), max(1, len(lines)))


def write_deck(deck: Deck) -> str:
    """Return the TOML text of a deck."""
    lines = (
        f"# The number of each card's tag. `cribboard enroll --deck {deck.name}` teaches what is missing.",
        f'name = "{deck.name}"',
        "",
        "[cards]",
        *(f'{card} = "{tag}"' for card, tag in deck.tags.items()),
    )
    return "\n".join(lines) + "\n"


def save_deck(folder: Path, deck: Deck) -> None:
    """Write the deck's file atomically. Raises OSError.

    A power cut leaves the old file or the new one."""
    folder.mkdir(parents=True, exist_ok=True)
    file = _file(folder, deck.name)
    beside = file.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as new:
        new.write(write_deck(deck))
        new.flush()
        os.fsync(new.fileno())
    beside.replace(file)
    _sync(folder)


def delete_deck(folder: Path, name: str) -> None:
    """Delete the deck's file. Raises OSError; FileNotFoundError if there is none."""
    _file(folder, name).unlink()
    _sync(folder)


def _file(folder: Path, name: str) -> Path:
    if not is_deck_name(name):  # no name leads out of the folder
        raise ValueError(f"{name!r} is not a name of a deck")
    return folder / f"{name}.toml"


def _sync(folder: Path) -> None:
    """Sync the folder, so that a power cut undoes no renaming."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Lock the decks against changes by other programs.

    Raises `DecksBusy` while another program has the lock. The lock is free again when that program ends."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as locked:
            raise DecksBusy(f"{folder}: another program is teaching decks here") from locked
        yield
