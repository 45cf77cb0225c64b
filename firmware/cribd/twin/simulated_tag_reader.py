"""A simulated tag reader, used to try `cribboard enroll`.

    python -m cribd.twin.simulated_tag_reader pn532 /dev/shm/tags

A line that is typed puts cards on the reader: an empty one the next card of the pack, `5H` that card, `5H 6H` two at
once, and `-` takes all of them away. The chip and its wire are those of the board's twin.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from cribd.clock import SystemClock
from cribd.terminal import plain_output
from cribd.twin.readers import Readers
from cribd.twin.tags import CARDS, tag_of
from cribd.twin.uart import SerialLine
from cribd.wires import ReaderKind, ReaderWire

#: The order of a new pack, faces up: spades and diamonds from ace to king, clubs and hearts from king to ace.
_RANKS = "A23456789TJQK"
NEW_PACK = tuple(rank + suit for suit in "SDCH" for rank in (_RANKS if suit in "SD" else _RANKS[::-1]))


def put_cards_on_reader(typed: Iterable[str], readers: Readers, wire: ReaderWire) -> None:
    """Put the cards of each typed line on the reader."""
    pack = iter(NEW_PACK)
    for line in typed:
        cards = [] if line.strip() == "-" else line.upper().split() or [card for card in [next(pack, "")] if card]
        if unknown := [card for card in cards if card not in CARDS]:
            print(f"{' '.join(unknown)}: the pack has no such card.", flush=True)
            continue
        readers.put_tags_in_field(wire.name, tuple(tag_of(card, wire.kind) for card in cards))
        print(f"On the reader: {' '.join(cards) or 'nothing'}.", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Run the simulated reader until stdin ends."""
    parser = argparse.ArgumentParser(
        prog="python -m cribd.twin.simulated_tag_reader", description="A simulated reader of tags."
    )
    parser.add_argument("kind", choices=[kind.value for kind in ReaderKind if kind.reads_tags])
    parser.add_argument("port", type=Path, metavar="PORT", help="where it is plugged in, such as /dev/shm/tags")
    options = parser.parse_args(arguments)
    kind = ReaderKind(options.kind)
    wire = ReaderWire(kind=kind, baud=kind.default_baud)
    line = SerialLine(options.port, SystemClock(), baud=wire.baud)
    readers = Readers([wire], SystemClock(), lambda _: line)
    line.plug()
    threading.Thread(target=lambda: asyncio.run(readers.run()), daemon=True).start()
    print(f"{options.port} is plugged in. Enter puts the next card of a new pack there; Ctrl-D ends.", flush=True)
    try:
        put_cards_on_reader(sys.stdin, readers, wire)
    finally:
        line.unplug()
    return 0


if __name__ == "__main__":
    try:
        with plain_output():
            sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
