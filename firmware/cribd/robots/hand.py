"""How a robot holds a card before each kind of reader, and what may go wrong with it.

It never looks at the board. The cards are those of the twin's own deck, with labels for a noisy scanner, since plain
notation has no check digit that finds a wrong bit.
"""

from __future__ import annotations

from random import Random

from cribd.clock import ManualClock
from cribd.config.config import Config
from cribd.readers.decks import Deck, folder_of, keep
from cribd.readers.labels import write_label
from cribd.twin.machine import Twin
from cribd.twin.noise import REPEATS, Mishap, Noise
from cribd.twin.tags import CARDS, DECKS, tag_of, tags

#: A little longer than the time in which the board takes a card for a repeat.
_REST_S = 1.2
#: A tag of no deck.
_STRANGE = "DEADBEEF"


class Hand:
    """Holds cards before the one reader of `twin`."""

    def __init__(self, twin: Twin, clock: ManualClock, noise: Noise | None) -> None:
        self._twin = twin
        self._clock = clock
        self._noise = noise
        self._wire = twin.readers[0]
        self._others = Random(1)
        self._seen: dict[str, float] = {}
        self._held = ""
        if noise is not None:
            twin.wires.line(self._wire.name).noise = noise.wire

    def rest(self, card: str) -> float:
        """Seconds to wait before this card is held up, so that it is no repeat."""
        before = self._seen.get(card)
        return 0.0 if before is None else max(0.0, before + _REST_S - self._clock.now())

    async def hold_up(self, card: str) -> None:
        """Hold a card before the reader; it stays there until `take_away`."""
        mishap = None if self._noise is None else self._noise.next_mishap()
        self._held = card
        if mishap is Mishap.MISSED:
            return
        if not self._wire.kind.reads_tags:
            labelled = self._noise is not None and card in CARDS
            label = write_label(DECKS[self._wire.kind.reads], card) if labelled else card
            for _ in range(REPEATS if mishap is Mishap.REPEATED else 1):
                self._twin.scan(f"{label}\r".encode(), self._wire.name)
            return
        if card not in CARDS:
            self._twin.lay_card(self._wire.name, _STRANGE)
            return
        other = [self._others.choice(CARDS)] if mishap is Mishap.STACKED else []
        uids = (tag_of(stacked, self._wire.kind) for stacked in dict.fromkeys([card, *other]))
        self._twin.lay_card(self._wire.name, *uids)

    def take_away(self) -> None:
        """Take the card away."""
        self._seen[self._held] = self._clock.now()
        if self._wire.kind.reads_tags:
            self._twin.take_card(self._wire.name)


def teach_twin(config: Config) -> None:
    """Save the decks of tagged cards of the twin in the board's data folder. Raises OSError."""
    for kind in {reader.wire.kind for reader in config.readers}:
        if kind.reads_tags:
            deck = Deck(DECKS[kind.reads], {tag: card for card, tag in tags(kind)})
            keep(folder_of(config.journal_path), deck)
