"""`cribboard first-boot`: prepares the SD card of a Raspberry Pi.

The Pi installs the board at its first start. The command asks nothing. What is not given is as on the card, or the
default. Passwords and PINs come from a file or standard input, since everybody on a machine sees its command lines.
"""

from __future__ import annotations

import argparse
import hashlib
import secrets
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cribboard.rules import RULES
from cribboard.validation import Message
from cribd.boards import NAMES
from cribd.causes import unreadable
from cribd.cli.errors import CommandRefused, Exit, read_text, unwritable
from cribd.cli.options import add_language
from cribd.config.config import Config, ConfigError, changed, configure
from cribd.install import first_boot
from cribd.install.first_boot import FirstBootSettings, Wifi
from cribd.install.machine import InstallRefused
from cribd.install.plan import ROLES, PageAddress
from cribd.languages import languages
from cribd.terminal import say
from cribd.text import Phrases, texts

#: The beginning of the codes of the phrases for the page on the Pi.
_PAGE = "command.first_boot.page."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--name", metavar="NAME")
    parser.add_argument("--wifi", metavar="NAME")
    secret = parser.add_mutually_exclusive_group()
    secret.add_argument("--wifi-password-file", type=Path, metavar="FILE")
    secret.add_argument("--open", action="store_true")
    parser.add_argument("--country", metavar="CODE")
    parser.add_argument("--hidden", action="store_true")
    parser.add_argument("--wpa3", action="store_true")
    parser.add_argument("--pin-file", type=Path, metavar="FILE")
    parser.add_argument("--as", dest="role", choices=ROLES)
    parser.add_argument("--board", metavar="NAME")
    parser.add_argument("--rules", metavar="NAME")
    parser.add_argument("--release", metavar="FILE|URL")
    parser.add_argument("--anywhere", action="store_true")
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Write the SD card. Returns the exit code."""
    folder: Path = options.folder
    try:
        if not options.anywhere:
            first_boot.check_partition(folder)
        before = first_boot.on_card(folder)
        settings, release = _wanted(options, before, words)
        moved = first_boot.write_card(folder, settings, release, page_words())
    except InstallRefused as wrong:
        raise CommandRefused(*map(words.problem, wrong.problems)) from wrong
    except OSError as wrong:
        raise CommandRefused(unwritable(wrong.filename or folder, wrong, words)) from wrong
    for name, aside in moved:
        say(words.say("command.first_boot.kept", name=name, aside=aside))
    _tell(settings, words, again=before is not None)
    return Exit.DONE


def page_words() -> dict[str, dict[str, str]]:
    """Return the texts of the first-boot page, by language."""
    return {
        language: {code.removeprefix(_PAGE): text for code, text in texts(language).items() if code.startswith(_PAGE)}
        for language in languages()
    }


def _wanted(
    options: argparse.Namespace, before: FirstBootSettings | None, words: Phrases
) -> tuple[FirstBootSettings, Path | None]:
    """Return the new settings, and the release file to copy.

    Raises `InstallRefused` with every problem, `CommandRefused`, `ConfigError`, OSError."""
    settings = before or FirstBootSettings()
    problems: list[str] = []
    if str(options.pin_file) == str(options.wifi_password_file) == "-":
        raise InstallRefused(
            Message("first_boot.one_input", "Only one of --pin-file and --wifi-password-file can be standard input.")
        )
    if options.name is not None:
        settings = replace(settings, host_name=options.name)
    if options.role is not None:
        settings = replace(settings, role=options.role)
    if before is None or options.lang is not None:
        settings = replace(settings, language=options.language)
    settings = replace(settings, config={**settings.config, **_config(options, before, words, problems)})
    try:
        settings = replace(settings, wifi=_wifi(options, settings.wifi, words))
    except InstallRefused as wrong:
        problems += wrong.problems
    problems += first_boot.problems(settings)
    release = None
    try:
        settings, release = _release(options, settings)
    except InstallRefused as wrong:
        problems += wrong.problems
    if problems:
        raise InstallRefused(*problems)
    return settings, release


def _config(
    options: argparse.Namespace, before: FirstBootSettings | None, words: Phrases, problems: list[str]
) -> dict[str, dict[str, str]]:
    """Return the command's settings for the board's configuration, by key."""
    given = {"table.board": options.board, "table.rules": options.rules}
    if before is None or options.lang is not None:
        given["table.language"] = options.language
    if before is None:
        given["page.host"] = "0.0.0.0"
    if options.pin_file is not None:
        given["page.pin"] = _secret(options.pin_file, words)
    values = {key: value for key, value in given.items() if value is not None}
    earlier = {} if before is None else {key: setting["value"] for key, setting in before.config.items()}
    problems += _invalid_values({**earlier, **values})
    run = secrets.token_hex(4)
    return {key: {"value": value, "run": run} for key, value in values.items()}


def _invalid_values(values: Mapping[str, str]) -> list[str]:
    """List a problem for each value that is not allowed.

    Only built-in boards and rules are on the Pi."""
    found: list[str] = []
    for key, names in (("table.board", NAMES), ("table.rules", tuple(RULES))):
        if (value := values.get(key)) is not None and value not in names:
            found.append(
                Message(
                    "first_boot.value",
                    "--{option} {value}: allowed are {allowed}.",
                    option=key.partition(".")[2],
                    value=repr(value),
                    allowed=" ".join(names),
                )
            )
    if found:
        return found
    tree: dict[str, dict[str, str]] = {}
    for key, value in values.items():
        table, _, name = key.partition(".")
        tree.setdefault(table, {})[name] = value
    try:
        changed(Config(), tree)
        configure(None, tree)
    except ConfigError as wrong:
        found += wrong.problems
    return found


def _wifi(options: argparse.Namespace, before: Wifi | None, words: Phrases) -> Wifi | None:
    """Return the wireless network from the options, or else `before`.

    Raises `InstallRefused`, `CommandRefused`."""
    if options.wifi is None:
        if options.wifi_password_file or options.open or options.country or options.hidden or options.wpa3:
            raise InstallRefused(
                Message("first_boot.no_wifi", "--wifi is needed beside the other options of a Wi-Fi network.")
            )
        return before
    if options.wifi_password_file is None and not options.open:
        raise InstallRefused(
            Message(
                "first_boot.no_password",
                "--wifi needs --wifi-password-file FILE (- for standard input), or --open for a network without a "
                "password.",
            )
        )
    password = "" if options.open else _secret(options.wifi_password_file, words)
    key = "" if options.open else first_boot.wifi_key(options.wifi, password, wpa3=options.wpa3)
    country = options.country if options.country is not None else before.country if before else ""
    return Wifi(name=options.wifi, country=country, key=key, hidden=options.hidden, wpa3=options.wpa3 and bool(key))


def _secret(file: Path, words: Phrases) -> str:
    """Read a password or PIN from a file or stdin. Raises `CommandRefused`."""
    try:
        text = sys.stdin.buffer.readline().decode() if str(file) == "-" else read_text(file, words)
    except UnicodeDecodeError as wrong:
        raise CommandRefused(words.problem(unreadable(file, wrong))) from wrong
    return text.removeprefix("\ufeff").partition("\n")[0].removesuffix("\r")


def _release(options: argparse.Namespace, settings: FirstBootSettings) -> tuple[FirstBootSettings, Path | None]:
    """Add the release of the program to the settings.

    Returns the settings, and the release file to copy if there is one.

    Raises `InstallRefused`, OSError."""
    name: str | None = options.release
    if name is None and settings.release:
        return settings, None
    if name is not None and "://" in name:
        if not name.startswith("https://") or not name.endswith(".run") or not name.isascii() or not name.isprintable():
            raise InstallRefused(
                Message(
                    "first_boot.address",
                    "--release {address}: allowed is an address that begins with https:// and ends in .run.",
                    address=repr(name),
                )
            )
        return replace(settings, release=name, sha256=""), None
    folder: Path = options.folder
    file = first_boot.release_file(folder) if name is None else Path(name)
    if not options.anywhere:
        first_boot.check_release(file)
    if file.resolve().parent in (folder.resolve(), (folder / first_boot.FOLDER).resolve()):
        with file.open("rb") as data:
            sha256 = hashlib.file_digest(data, "sha256").hexdigest()
        return replace(settings, release=file.name, sha256=sha256), None
    return settings, file


def _tell(settings: FirstBootSettings, words: Phrases, *, again: bool) -> None:
    """Print the next steps for the user."""
    tell, name = words.say, settings.host_name
    say(tell("command.first_boot.again" if again else "command.first_boot.next", name=name))
    if settings.wifi is not None:
        say(tell("command.first_boot.wifi", wifi=settings.wifi.name))
    if settings.wifi is not None and settings.wifi.wpa3:
        say(tell("command.first_boot.plain"))
    where = "command.first_boot.hub" if settings.role == "hub" else "command.first_boot.board"
    say(tell(where, name=name, port=PageAddress().port))
    if not settings.config.get("page.pin", {}).get("value"):
        say(tell("command.first_boot.no_pin"))
