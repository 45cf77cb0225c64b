"""A board looks for the hub of its club when it is not where it was, and knows it by its key."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from cribd.clock import ManualClock
from cribd.club import discovery
from cribd.club.hub_place import HubPlace
from cribd.club.membership import Membership, keep_membership, read_membership
from cribd.daemon.hub_search import EVERY_S, LOOK_S, HubSearch
from cribd.storage.journal import Journal

HUB = "ab" * 32
MEMBER = Membership(name="Rimouski", hub="h", certificate="c", addresses=("192.168.1.20",), port=8883)


async def find(places: Sequence[HubPlace], found: discovery.Found, _clock: object) -> None:
    """Look into a network in which these hubs are."""
    found(places)
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("key", "then"),
    [(HUB, ("192.168.1.77", "192.168.1.20")), ("cd" * 32, ("192.168.1.20",))],
    ids=["the hub", "somebody else's hub"],
)
async def test_from_the_second_attempt_on_a_hub_at_another_address_is_found_and_kept(
    key: str, then: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "browse", partial(find, [HubPlace("192.168.1.77", name="Rimouski", key=key)]))
    clock = ManualClock()
    journal = Journal(tmp_path / "journal.db", clock)
    keep_membership(journal, MEMBER)
    search = HubSearch(MEMBER, HUB, journal, clock)
    assert search.addresses() == [("192.168.1.20", 8883)]
    await clock.advance(LOOK_S + 1)
    assert read_membership(journal) == MEMBER, "the first attempt is not looked for"
    search.addresses()
    await clock.advance(LOOK_S + 1)
    assert search.addresses() == [(address, 8883) for address in then]
    membership = read_membership(journal)
    assert membership is not None
    assert membership.addresses == then
    await clock.advance(EVERY_S)
    await search.stop()
    journal.close()
