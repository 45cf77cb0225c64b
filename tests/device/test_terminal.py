"""What a command prints shows all that it holds: no file, no name and no line of a record writes over a verdict."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.catalogues import phrase
from tests.support.places import A_GAME, ROOT

from cribd.__main__ import main
from cribd.table.card_actions import not_a_card
from cribd.terminal import OutputLost, complain, plain_output, printable

ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT / 'board'}:{ROOT / 'firmware'}"}
#: Clears the screen; C1 in one character; turns the direction of writing; hides; half a character; ends the line.
HOSTILE = (
    "\x1b[2J\x1b[H",
    "\x9b2J",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u2060",
    "\ufeff",
    "\r",
    "\b",
    "\x00",
    "\x7f",
    "\u2028",
)
ALL = "".join(HOSTILE)
HONEST = (
    *("Zoë", "Réjean Côté", "Łukasz", "李小龍", "ქეთი", "Ὀδυσσεύς", "مريم", "Maude 🎉", "👩‍🚀", "👩🏽‍⚕️", "🏳️‍🌈", "❤️‍🔥"),
    *("e\u0301", "fifteen\u00a0two", "« quinze\u202f!", "5♥ V♣", "½ – “x”"),
)


def seen(text: str) -> bool:
    """Whether nothing in these lines is hidden or moves anything."""
    return all(char == "\n" or char.isprintable() or category(char) == "Zs" for char in text.replace("\u200d", ""))


@pytest.mark.parametrize("text", HONEST)
def test_names_in_any_script_are_printed_unchanged(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    "text", [*HOSTILE, "\ud800", "a\nb", "\t", "a\u200db", "\u200d🎉", "🎉\u200d", "\u202a\U000e0041"]
)
def test_invisible_characters_are_printed_as_escapes(text: str) -> None:
    shown = printable(text)
    assert seen(shown)
    assert "\u200d" not in shown
    assert json.loads(f'"{shown}"') == text


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_printable_json_reads_back_as_the_same_value(text: str) -> None:
    shown = printable(json.dumps([text], ensure_ascii=False))
    assert json.loads(shown) == [text]
    assert "\n" not in shown
    assert seen(shown)
    assert printable(shown) == shown


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
def test_letters_that_the_terminal_lacks_are_spelled_out_too(encoding: str) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    with redirect_stdout(out), plain_output():
        print(json.dumps(["5♥ é 🎉"], ensure_ascii=False), flush=True)
    assert json.loads(out.buffer.getvalue().decode(encoding)) == ["5♥ é 🎉"]


# Whatever is printed


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    try:
        code = main(list(map(str, arguments)))
    except SystemExit as ended:
        code = int(ended.code or 0)
    out, err = capsys.readouterr()
    assert "Traceback" not in err, arguments
    assert seen(out + err), (arguments, out + err)
    if "--json" in arguments and out:
        json.loads(out)
    return code, out + err


@pytest.mark.slow
def test_no_line_of_a_record_can_overwrite_its_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = A_GAME.read_text(encoding="utf-8").split("\n")
    forged = tmp_path / "game.txt"
    for at in (0, 1, 4, 6, 9, 40, len(lines) - 2):
        for digits in ("", "9" * 5000):
            text = "\n".join([*lines[:at], f"{lines[at]}{ALL}{digits}{forged}: sound, 500 events", *lines[at + 1 :]])
            forged.write_text(text, encoding="utf-8", newline="")
            for what in ("verify", "claims", "show"):
                assert said(capsys, "record", what, forged)[0] == 1
            assert said(capsys, "record", "verify", forged, "--json", "--lang", "fr")[0] == 1
            assert said(capsys, "statistics", forged)[0] == 1
            assert said(capsys, "replay", forged)[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("hostile", [ALL, "\n"])
def test_neither_a_file_nor_its_name_can_overwrite_the_terminal(
    hostile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quoted = json.dumps(f"x{hostile}y.toml")
    texts = (
        *(
            f"table.blue = {quoted}",
            f"{quoted} = 1",
            f"preset = {quoted}",
            f"name = {quoted}",
            f"cards = {{AS = {quoted}}}",
        ),
        f"x = {hostile}",
    )
    (tmp_path / "decks").mkdir()
    plain, odd = tmp_path / "decks" / "rouge.toml", f"rouge{hostile}z: OK.toml".replace("\0", "")
    journal = ("--journal", str(tmp_path / "journal.db"))
    for file, text in (*((plain, text) for text in texts), (plain.with_name(odd), texts[0])):
        file.write_text(text, encoding="utf-8", newline="")
        for arguments in (
            ("run", "--config", file),
            ("run", "--twin", "--board", file),
            ("rules", "check", file),
            ("rules", "check", file, "--json"),
            ("count", "--rules", file, "5H", "5C", "5S", "JD", "5D"),
            ("record", "--config", file),
            ("record", "verify", file),
            ("statistics", "--config", file),
            ("decks", *journal),
            ("decks", "--json", *journal),
            ("decks", "show", odd, *journal),
            ("demo", "--rules", file),
        ):
            code, output = said(capsys, *arguments)
            assert code in (1, 2), arguments
            assert not any(line.startswith(("z: OK", "y.toml")) for line in output.splitlines()), output
    commands = (
        ["count", f"5H{hostile}"],
        ["rules", "show", f"x{hostile}"],
        [f"x{hostile}"],
        ["record", f"--x{hostile}"],
    )
    for asked in commands:
        assert said(capsys, *asked)[0] == 2


def test_log_lines_of_libraries_are_made_printable_too() -> None:
    program = (
        "import logging, sys; from cribd.terminal import plain_output\n"
        "with plain_output():\n"
        f"    for hostile in {HOSTILE!r}: logging.getLogger('aiohttp.server').error('GET /%s', hostile)\n"
    )
    err = subprocess.run([sys.executable, "-c", program], capture_output=True, env=ENVIRONMENT).stderr.decode()
    assert len(err.splitlines()) == len(HOSTILE)
    assert seen(err)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_screen_shows_control_characters_of_a_reader_escaped(hostile: str) -> None:
    assert seen(not_a_card(hostile, lambda _: False).values["text"])


# Nobody listens


def test_a_closed_output_stops_a_command_but_not_the_board() -> None:
    with open("/dev/full", "w") as full, redirect_stdout(full), redirect_stderr(full):
        with plain_output(required=True), pytest.raises(OutputLost, match="No space"):
            print("sound", flush=True)
        with plain_output(required=False):
            print("The board is at http://127.0.0.1", flush=True)
            complain("A reader is away.")


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "show", "fadoq"], ["count", "5H", "5C", "5S", "JD", "5D"]])
def test_an_answer_lost_to_a_full_disk_is_reported(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "cribd", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
        )
    no_room = phrase("command.no_room", why=phrase("problem.file.why.ENOSPC"))
    assert (ended.returncode, ended.stderr) == (1, f"{no_room}\n")


def test_nothing_is_printed_after_the_reader_of_the_pipe_has_gone() -> None:
    asked = subprocess.Popen(
        [sys.executable, "-m", "cribd", "rules", "show", "fadoq"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert asked.stdout is not None
    asked.stdout.close()
    assert asked.wait() == 1
    assert asked.stderr is not None
    with asked.stderr as complaints:
        assert complaints.read() == b""
