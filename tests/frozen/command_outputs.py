"""Outputs of commands: for the given records, for hands, rules and decks, and for mistyped words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import cycle, product
from pathlib import Path
from unittest import mock

from .file_outputs import values_of
from .given import parts, records
from .product import RULES
from .text import Terminal, changes, shortened

Output = Callable[[Terminal], list[str]]


def commands(part: str) -> list[str]:
    """The given commands of this part."""
    return parts("commands")[part].splitlines()


def write(name: str) -> str:
    """Write a given record to the folder. Returns its file name."""
    Path(f"{name}.txt").write_text(records()[name], encoding="utf-8")
    return f"{name}.txt"


def of_record(record: str) -> Output:
    """What commands print about a record."""

    def output(terminal: Terminal) -> list[str]:
        name = write(record)
        one, other = ("en", "fr") if len(record) % 2 else ("fr", "en")
        middle = records()[record].count("\n") // 2
        return [
            *terminal.run(f"record verify {name}"),
            *terminal.run(f"record claims {name} --lang {one}"),
            *terminal.run(f"record show {name} --at {middle} --lang {other}"),
            *terminal.run(f"replay {name} --json --lang fr", shown=False),
        ]

    return output


def of_each_act(terminal: Terminal) -> list[str]:
    """Games act by act, in both languages."""
    lines = []
    for name in ("six-card-verify", "verify-acc-muggins"):
        write(name)
        for language in ("en", "fr"):
            lines += terminal.run(f"replay {name}.txt --language {language}")
    return lines


def of_claims_as_json(terminal: Terminal) -> list[str]:
    """A game as JSON: every claim, one act, every act."""
    write("verify-muggins")
    lines = terminal.run("record verify verify-muggins.txt --json") + terminal.run(
        "record verify verify-muggins.txt --lang fr"
    )
    lines += terminal.run("record claims verify-muggins.txt --json")
    for place in ("--at 40", "--deal 2", "--hole blue:12"):
        lines += terminal.run(f"record show verify-muggins.txt {place} --json")
        lines += terminal.run(f"record show verify-muggins.txt {place}")
    return lines + terminal.run(f"replay {write('six-card-trust')} --json")


def of_broken_records(terminal: Terminal) -> list[str]:
    """Damaged records, and acts that a record does not have."""
    sound = records()["five-card-verify"]
    rows = sound.splitlines()
    broken = {
        "empty": "",
        "other-form": sound.replace("Cribboard record 1", "Cribboard record 2"),
        "other-rules": sound.replace("Rules: five-card", "Rules: seven-card"),
        "other-way": sound.replace("Way: verify", "Way: guess"),
        "no-way": sound.replace("Way: verify\n", ""),
        "same-name": sound.replace("Red: Réjean", "Red: "),
        "altered": sound.replace(" called 2 ", " called 3 ", 1),
        "altered-and-chained": "\n".join(rows[:-1]).replace(" called 2 ", " called 3 ", 1) + "\n",
        "line-is-missing": "\n".join([*rows[:20], *rows[21:]]) + "\n",
        "nonsense": "\n".join([*rows[:20], "  99 somebody coughs", *rows[21:]]) + "\n",
        "no-chain": "\n".join(rows[:-1]) + "\n",
        "other-chain": "\n".join([*rows[:-1], "Chain: " + "0" * 64]) + "\n",
        "cut-short": sound[: len(sound) // 2],
    }
    lines = []
    for (name, text), language in zip(broken.items(), cycle(("en", "fr"))):
        Path(f"{name}.txt").write_text(text, encoding="utf-8")
        lines += terminal.run(f"record verify {name}.txt --lang {language}")
        lines += terminal.run(f"record verify {name}.txt --json")
    lines += terminal.run("replay altered.txt")
    lines += terminal.run("record show altered.txt")
    lines += terminal.run("statistics altered.txt --json")
    Path("latin.txt").write_bytes(sound.encode("latin-1"))
    Path("sound.txt").write_text(sound, encoding="utf-8")
    for language in ("en", "fr"):
        for command in (
            *("record verify latin.txt", "record verify nowhere.txt", "replay nowhere.txt", "statistics nowhere.txt"),
            *("record show sound.txt --at 9999", "record show sound.txt --deal 99", "record show sound.txt --deal 0"),
            *("record show sound.txt --hole green:3", "record show sound.txt --hole blue:x"),
            "record show sound.txt --hole blue:30",
        ):
            lines += terminal.run(f"{command} --lang {language}")
    lines += terminal.run("record verify - --json", stdin=sound)
    return lines + terminal.run("replay - --json", stdin="nonsense")


def of_statistics(terminal: Terminal) -> list[str]:
    """The statistics of all given games."""
    everything = " ".join(write(name) for name in records() if "trust" in name or "walk" in name)
    for name in ("six-card-verify", "six-card-auto", "verify-acc-muggins", "three-player-verify"):
        write(name)
    some = "six-card-verify.txt six-card-auto.txt verify-acc-muggins.txt three-player-verify.txt"
    return [
        *shortened(terminal.run(f"statistics {some}"), most=30),
        *terminal.run(f"statistics {some} --lang fr"),
        *shortened(terminal.run(f"statistics {some} --json"), most=120),
        *terminal.run(f"statistics {everything} --json", shown=False)[1:],
        *terminal.run("statistics six-card-trust.txt --lang fr"),
    ]


def of_hands(terminal: Terminal) -> list[str]:
    """Counts of hands, and wrong arguments."""
    lines = []
    for hand, language in zip(commands("hands"), cycle(("en", "fr"))):
        lines += terminal.run(f"{hand} --lang {language}")
        lines += shortened(terminal.run(f"{hand} --json"), most=24)
    for hand, language in product(commands("no hands"), ("en", "fr")):
        lines += terminal.run(f"{hand} --lang {language}")
    return lines


def of_discards(terminal: Terminal) -> list[str]:
    """Ranked discards, and wrong arguments."""
    lines = []
    for hand, language in product((*commands("discards"), *commands("no discards")), ("en", "fr")):
        lines += terminal.run(f"{hand} --lang {language}")
    for hand in commands("discards"):
        lines += shortened(terminal.run(f"{hand} --json"), most=24)
    return lines


def of_rules(terminal: Terminal) -> list[str]:
    """Every value of every preset."""
    lines = []
    for command in ("rules", "rules list --lang fr", "rules list --json", "rules show acc --lang fr"):
        lines += terminal.run(command)
    before: dict[str, str] = {}
    for preset in RULES:
        lines += shortened(terminal.run(f"rules show {preset} --json"), most=14)
        lines += terminal.run(f"rules show {preset} --lang fr", shown=False)
        values = values_of(terminal, preset)
        lines += [*changes(values, before), ""]
        before = values
    return lines + terminal.run("rules show seven-card") + terminal.run("rules show seven-card --json")


_IN_FRENCH_TOO = ("count 5H", "decks", "demo --slips", "demo --games 0", "record list", "enroll --deck r")


def of_mistakes(terminal: Terminal) -> list[str]:
    """The help of each command, and its errors for mistyped words."""
    Path("here").write_text("", encoding="utf-8")
    lines = []
    for command in ("", *commands("commands")):
        lines += terminal.run(f"{command} --help".strip())
    for command in ("", *commands("mistyped")):
        lines += terminal.run(command)
        if command.startswith(_IN_FRENCH_TOO):
            lines += terminal.run(f"{command} --lang fr")
    return lines


def of_decks(terminal: Terminal) -> list[str]:
    """Right deck files, and wrong ones."""
    folder = Path("data", "cribboard", "decks")
    folder.mkdir(parents=True)
    for name, text in parts("decks").items():
        folder.joinpath(f"{name}.toml").write_text(text, encoding="utf-8")
    folder.joinpath("latin.toml").write_bytes('name = "é"'.encode("latin-1"))
    lines = []
    for command in commands("decks"):
        lines += terminal.run(command)
    return lines


def of_robots(terminal: Terminal) -> list[str]:
    """The diary of robots who play a short game, with the lights."""
    Path("short.toml").write_text(
        'preset = "six-card"\nname = "Court"\ntarget = 31\nskunk_line = 16\n', encoding="utf-8"
    )
    lines = []
    with mock.patch("cribd.cli.demo.LINE_S", math.inf):  # how far it is depends on the machine
        for way, more in (("verify", "--wrong 0.2 --slips 0.1"), ("trust", "")):
            lines += terminal.run(f"demo --rules short.toml --way {way} --seed 4 {more} --diary {way}.txt --json")
            lines += _without_repeats(Path(f"{way}.txt").read_text(encoding="utf-8").splitlines())
        return [*lines, *terminal.run("demo --rules short.toml --way trust --language fr")]


def _without_repeats(lines: list[str]) -> list[str]:
    """The lines, without lights that are the same as before."""
    lights, changed = "", []
    for line in lines:
        if line.startswith('{"lights"'):
            if line == lights:
                continue
            lights = line
        changed.append(line)
    return changed


def outputs() -> Mapping[str, Output]:
    """What makes each output, by its name."""
    return {
        **{f"records/{name}": of_record(name) for name in records()},
        "records-act-by-act": of_each_act,
        "records-as-json": of_claims_as_json,
        "records-broken": of_broken_records,
        "statistics": of_statistics,
        "count": of_hands,
        "discard": of_discards,
        "rules": of_rules,
        "usage": of_mistakes,
        "decks": of_decks,
        "demo": of_robots,
    }
