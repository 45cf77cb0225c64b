"""The players' settings from one evening to the next, as the journal keeps them. Both functions block."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields

from cribboard.rules import Way
from cribd.storage.journal import Journal
from cribd.table.menu import Settings
from cribd.table.owner_actions import tidy
from cribd.table.rule_sets import PRESETS, RuleSet, offered_by_label


def read_settings(
    journal: Journal, otherwise: Settings, *, languages: Sequence[str], offered: Sequence[RuleSet] = PRESETS
) -> Settings:
    """The settings as they were chosen last; what was never chosen, or is not understood or offered any more, is
    `otherwise`."""

    def kept(name: str, allowed: Sequence[str], default: str) -> str:
        value = journal.setting(name)
        return value if value is not None and value in allowed else default

    percents = {str(percent): percent for percent in range(1, 101)}
    return Settings(
        rules=offered_by_label(journal.setting("rules") or "", offered) or otherwise.rules,
        way=Way(kept("way", list(Way), otherwise.way)),
        language=kept("language", languages, otherwise.language),
        brightness=percents.get(journal.setting("brightness") or "", otherwise.brightness),
        sound=kept("sound", ("on", "off"), otherwise.sound),
        names=_names(journal.setting("names") or "[]"),
    )


def keep_settings(journal: Journal, settings: Settings) -> None:
    """Write the settings down; blocks."""
    chosen = {field.name: getattr(settings, field.name) for field in fields(settings)}
    as_text = {"rules": settings.rules.label, "names": json.dumps(settings.names)}
    journal.settle({name: str(value) for name, value in chosen.items()} | as_text)


def _names(text: str) -> tuple[str, ...]:
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    known = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return tuple(map(tidy, names)) if known else ()
