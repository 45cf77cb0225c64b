"""When the board speaks and when it must not: quiet hours, the menu's sound, the language, the configuration."""

from __future__ import annotations

import asyncio
import os
import time as clocks
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, time

import pytest
from tests.support.catalogues import phrase
from tests.support.fake_speaker import FakeSpeaker
from tests.support.moments import BLUE, RED, Story

from cribboard import Card
from cribboard.actions import LayCard
from cribd.clock import ManualClock
from cribd.config.config import Config, VoiceConfig, changed
from cribd.config.quiet_hours import QuietHours
from cribd.table.snapshot import Pending
from cribd.voice.speech_process import Speech
from cribd.voice.voice import Voice


class Table:
    """A game, the voice that hears of it, and whoever listens."""

    def __init__(self, quiet: str = "", now: str = "12:00") -> None:
        self.heard: list[Speech | None] = []
        self.sound = "on"
        self.story = Story("verify", dealer=RED).starter("9D")
        self.clock = ManualClock(wall=datetime.fromisoformat(f"2026-01-01T{now}").replace(tzinfo=UTC))
        hours = QuietHours.parse(quiet) if quiet else None
        self.voice = Voice(FakeSpeaker(self.heard.append), clock=self.clock, quiet=hours, sound=lambda: self.sound)
        self.speaking = asyncio.create_task(self.voice.run())

    async def lay(self, seat: int, card: str, language: str = "en") -> list[Speech | None]:
        """What is heard when this card is laid."""
        await self.clock.run_ready_tasks()
        self.voice.publish(self.story.shows(language=language))
        self.heard.clear()
        self.story.do(LayCard(seat, Card.parse(card)))
        self.voice.publish(self.story.shows(language=language))
        return self.heard


def number(count: int, language: str = "en", voice: str = "en-us") -> Speech:
    """The running count, as it is said of a card."""
    return Speech(f"{phrase(f'number.{count}', language).capitalize()}.", voice)


@pytest.fixture
async def tables() -> AsyncIterator[list[Table]]:
    opened: list[Table] = []
    yield opened
    for table in opened:
        table.speaking.cancel()
        await asyncio.gather(table.speaking, return_exceptions=True)


@pytest.fixture
def in_montreal() -> Iterator[None]:
    """Five hours behind UTC in January."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "EST5EDT"
    clocks.tzset()
    yield
    os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
    clocks.tzset()


async def test_the_voice_says_news_in_the_language_of_the_table(tables: list[Table]) -> None:
    tables.append(table := Table())
    assert await table.lay(BLUE, "7H") == [number(7)]
    assert await table.lay(RED, "TD", "fr_CA") == [number(17, "fr_CA", "fr-ca")]


async def test_a_press_before_its_commit_is_not_announced(tables: list[Table]) -> None:
    tables.append(table := Table())
    await table.lay(BLUE, "7H")
    table.heard.clear()
    before = table.story.shows()
    table.story.do(LayCard(RED, Card.parse("TD")))
    table.voice.publish(replace(before, pending=Pending(RED, 8)))
    assert table.heard == []
    table.voice.publish(table.story.shows())
    assert table.heard == [number(17)]


async def test_switching_the_sound_off_ends_the_present_announcement(tables: list[Table]) -> None:
    tables.append(table := Table())
    table.sound = "off"
    assert await table.lay(BLUE, "7H") == [None]
    table.sound = "on"
    assert await table.lay(RED, "TD") == [number(17)]


@pytest.mark.usefixtures("in_montreal")
@pytest.mark.parametrize(
    ("now", "silent"), [("02:59", False), ("03:00", True), ("12:59", True), ("13:00", False), ("17:00", False)]
)
async def test_quiet_hours_are_those_of_the_clock_on_the_wall(tables: list[Table], now: str, silent: bool) -> None:
    """The board's clock is UTC; the owner's is on the wall."""
    tables.append(table := Table("22:00-08:00", now))
    assert await table.lay(BLUE, "7H") == ([None] if silent else [number(7)])


@pytest.mark.parametrize(
    ("hours", "inside", "outside"),
    [
        ("22:00-08:00", ("22:00", "00:00", "07:59"), ("08:00", "12:00", "21:59")),
        ("12:30-13:00", ("12:30", "12:59"), ("12:29", "13:00", "00:00")),
        ("00:00-23:59", ("00:00", "23:58"), ("23:59",)),
    ],
)
def test_quiet_hours_may_go_past_midnight(hours: str, inside: tuple[str, ...], outside: tuple[str, ...]) -> None:
    quiet = QuietHours.parse(hours)
    assert all(quiet.includes(time.fromisoformat(now)) for now in inside)
    assert not any(quiet.includes(time.fromisoformat(now)) for now in outside)


@pytest.mark.parametrize(
    "text", ["22-8", "22:00", "24:00-08:00", "08:00-08:00", "22:00 - 08:00", "22:60-08:00", "٢٢:٠٠-08:00"]
)
def test_impossible_quiet_hours_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        QuietHours.parse(text)


class TestTheConfiguration:
    def test_a_board_speaks_only_if_it_is_configured_to(self) -> None:
        assert not VoiceConfig().speaks

    def test_a_board_whose_voice_has_no_volume_needs_no_espeak(self) -> None:
        assert not VoiceConfig(on="on", volume=0).speaks

    def test_one_key_makes_it_speak(self) -> None:
        assert changed(Config(), {"voice": {"on": "on"}}).voice.speaks
