"""The players' settings and the owner's policy.

Players decide in the menu (`Settings`), the owner in the configuration (`Policy`).

The journal keeps the settings from one evening to the next; `read_settings` and `keep_settings` block. Where both speak
of one thing, the settings go first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from cribboard.rules import RULES, Rules, Way
from cribd.storage.journal import Journal
from cribd.table.owner_actions import tidy
from cribd.table.rule_sets import PRESETS, RuleSet, offered_by_label
from cribd.table.snapshot import JudgeCall


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices in the menu and on the owner's page."""

    rules: Rules = RULES["six-card"]
    """The rules of the next game."""
    way: Way = Way.VERIFY
    """The way of the next game, on a board that reads cards."""
    language: str = "en"
    """The language of the board: en, fr_CA."""
    brightness: int = 100
    """The brightness of the LEDs, in percent."""
    sound: str = "on"
    """Whether the buzzer and the voice make sound: on, off."""
    names: tuple[str, ...] = ()
    """The names of the sides, by track; if all are empty, those of the configuration apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The decisions of the board's owner in the configuration."""

    languages: tuple[str, ...]
    """The languages that the board speaks."""
    pages: Callable[[JudgeCall | None], int]
    """On how many pages the count judge's answer is shown."""
    release_after_ms: int | None
    """The time until a trusted peg in hand is released; 0 releases it at once, None never."""
    rest_after_s: float | None = None
    """The time without an input until lights and screen are dim; None never."""
    cards: bool = True
    """Whether the board has a card reader."""
    house_rules: tuple[RuleSet, ...] = ()
    """The rules that are offered beside the presets."""
    names: tuple[str, ...] = ()
    """The names of the sides, by track; "" for a side without one."""


def read_settings(
    journal: Journal, otherwise: Settings, *, languages: Sequence[str], offered: Sequence[RuleSet] = PRESETS
) -> Settings:
    """Read the last stored settings from the journal.

    A value that is missing, unreadable or no longer offered is replaced by that of `otherwise`."""

    def chosen(name: str, allowed: Sequence[str], default: str) -> str:
        value = journal.setting(name)
        return value if value is not None and value in allowed else default

    percents = {str(percent): percent for percent in range(1, 101)}
    return Settings(
        rules=offered_by_label(journal.setting("rules") or "", offered) or otherwise.rules,
        way=Way(chosen("way", list(Way), otherwise.way)),
        language=chosen("language", languages, otherwise.language),
        brightness=percents.get(journal.setting("brightness") or "", otherwise.brightness),
        sound=chosen("sound", ("on", "off"), otherwise.sound),
        names=_names(journal.setting("names") or "[]"),
    )


def keep_settings(journal: Journal, settings: Settings) -> None:
    """Write the settings to the journal. Raises `JournalAway`."""
    chosen = {field.name: getattr(settings, field.name) for field in fields(settings)}
    as_text = {"rules": settings.rules.label, "names": json.dumps(settings.names)}
    journal.write_settings({name: str(value) for name, value in chosen.items()} | as_text)


def _names(text: str) -> tuple[str, ...]:
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    known = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return tuple(map(tidy, names)) if known else ()
