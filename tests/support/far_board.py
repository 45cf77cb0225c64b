"""A board in a process of its own that plays games of a club, and prints a line when the hub has answered them.

    python -m tests.support.far_board FOLDER CERTIFICATE HUB HOST PORT GAMES

CERTIFICATE is the file of the board's, and HUB that of the hub's. It stays on until it is ended: records come last.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.support.club_evenings import HUB, club_table, until

from cribd.clock import SystemClock
from cribd.club.certificates import tls_to_hub
from cribd.club.connection import board_connection
from cribd.club.keys import load_or_make
from cribd.club.transport import Transport

#: How long a bad network may take.
PATIENCE_S = 60.0


async def play(folder: Path, certificate: str, hub: str, host: str, port: int, games: int) -> None:
    tls = tls_to_hub(load_or_make(folder / "journal.db"), certificate, hub)

    def connect(board: str) -> Transport:
        return board_connection(board, lambda: [(host, port)], SystemClock(), tls=tls)

    async with club_table(folder, HUB, connect) as table:
        for _ in range(games):
            await until(lambda: table.now.event is not None, "a game that is due", PATIENCE_S)
            await table.play()
        await until(lambda: not table.journal.outbox.waiting(HUB), "the answers of the hub", PATIENCE_S)
        print("answered", flush=True)
        await asyncio.Event().wait()


def main() -> None:
    folder, certificate, hub, host, port, games = sys.argv[1:]
    own, of_hub = (Path(file).read_text(encoding="ascii") for file in (certificate, hub))
    asyncio.run(play(Path(folder), own, of_hub, host, int(port), int(games)))


if __name__ == "__main__":
    main()
