"""A deck is taught by the command itself, at readers of both kinds on real pseudo-terminals, with plug and kill."""

from __future__ import annotations

import json
import os
import pty
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.catalogues import phrase
from tests.support.places import ROOT
from tests.support.sweeps import one_in

from cribd.readers.decks import NEW_PACK, Deck, load_decks, save_deck
from cribd.twin import simulated_tag_reader
from cribd.twin.chips.pn532 import Pn532Chip
from cribd.twin.chips.rdm6300 import Rdm6300Chip

PATIENCE_S = 60


class Reader:
    """A tag reader on a serial wire: the twin's chip behind a pseudo-terminal under /dev, with a plug."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._folder = Path(tempfile.mkdtemp(dir="/dev/shm", prefix="cribboard-"))
        self.port = self._folder / "reader"
        self._chip: Pn532Chip | Rdm6300Chip = Pn532Chip() if kind == "pn532" else Rdm6300Chip()
        self._guard = threading.Lock()
        self._ends: tuple[int, int] | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._talk, daemon=True)
        self._thread.start()

    def plug(self) -> None:
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        with self._guard:
            self._ends = ours, theirs
            if isinstance(self._chip, Pn532Chip):
                self._chip.power_on()
        self.port.symlink_to(os.ttyname(theirs))

    def unplug(self) -> None:
        with self._guard:
            ends, self._ends = self._ends, None
        if ends is not None:
            self.port.unlink()
            for end in ends:
                os.close(end)

    def put(self, *uids: str) -> None:
        """These cards lie on the reader now, and no other."""
        with self._guard:
            self._say(self._chip.put_tags_in_field(uids) or [])

    def _talk(self) -> None:
        while not self._over.wait(0.01):
            with self._guard:
                if self._ends is None:
                    continue
                if isinstance(self._chip, Rdm6300Chip):
                    self._say([self._chip.frame()])
                elif select.select([self._ends[0]], [], [], 0)[0]:
                    self._say(self._chip.receive(os.read(self._ends[0], 4096)))

    def _say(self, frames: list[bytes]) -> None:
        for frame in frames:
            if self._ends is not None and frame:
                try:
                    os.write(self._ends[0], frame)
                except BlockingIOError:
                    return  # nobody reads

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self.unplug()
        shutil.rmtree(self._folder)


@pytest.fixture(params=["rdm6300", "pn532"][:: one_in(2)])
def reader(request: pytest.FixtureRequest) -> Iterator[Reader]:
    reader = Reader(request.param)
    reader.plug()
    yield reader
    reader.close()


def tag(kind: str, number: int) -> str:
    return f"{'0D00' if kind == 'rdm6300' else '04'}{number:06X}"


class Teaching:
    """The command under way, and what it says: one line of JSON for everything that happens."""

    def __init__(self, folder: Path, reader: Reader, deck: str = "rouge") -> None:
        self._reader = reader
        self._process = subprocess.Popen(
            command(folder, reader, deck, "--json"),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def says(self) -> dict[str, Any]:
        """The next thing that it says."""
        said: dict[str, Any] = json.loads(next_line(self._process))
        return said

    def teach(self, *numbers: int) -> None:
        """Put these cards on the reader, one after the other."""
        for number in numbers:
            self._reader.put(tag(self._reader.kind, number))
            said = self.says()
            assert (said["event"], said["card"]) == ("taught", NEW_PACK[number])
        self._reader.put()

    def press(self, key: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(key)
        self._process.stdin.flush()

    def ends(self, how: int | None = None) -> tuple[int, str]:
        """Wait for its end, or bring it about by a signal; its exit code, and what it said on stderr."""
        if how is not None:
            self._process.send_signal(how)
        _, err = self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode, err


def next_line(process: subprocess.Popen[str]) -> str:
    """The next line that a program prints."""
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], PATIENCE_S)[0], "it says nothing"
    line = process.stdout.readline()
    assert line, process.stderr and process.stderr.read()
    return line


def command(folder: Path, reader: Reader, deck: str, *more: str) -> list[str]:
    config = folder / "cribboard.toml"
    config.write_text(f'[[readers]]\nname = "tags"\nkind = "{reader.kind}"\nport = "{reader.port}"\n')
    journal = str(folder / "journal.db")
    return [
        sys.executable,
        "-m",
        "cribd",
        "enroll",
        "--deck",
        deck,
        "--config",
        str(config),
        "--journal",
        journal,
        *more,
    ]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": f"{ROOT / 'board'}:{ROOT / 'firmware'}", "PYTHONUNBUFFERED": "1"}


def deck_of(reader: Reader, *numbers: int, name: str = "rouge") -> Deck:
    return Deck(name, {tag(reader.kind, number): NEW_PACK[number] for number in numbers})


def test_a_whole_deck_is_taught_and_an_interrupted_session_resumes(tmp_path: Path, reader: Reader) -> None:
    decks = tmp_path / "decks"
    teaching = Teaching(tmp_path, reader)
    assert teaching.says() == {"event": "begins", "deck": "rouge", "taught": 0, "of": 52, "wanted": "AS"}
    teaching.teach(*range(10))
    assert teaching.ends(signal.SIGKILL)[0] == -signal.SIGKILL
    assert load_decks(decks).named("rouge") == deck_of(reader, *range(10))

    teaching = Teaching(tmp_path, reader)
    assert teaching.says()["wanted"] == "JS"
    teaching.teach(*range(10, 20))
    assert teaching.ends(signal.SIGINT)[0] == 130
    assert load_decks(decks).named("rouge") == deck_of(reader, *range(20))

    teaching = Teaching(tmp_path, reader)
    assert teaching.says()["taught"] == 20
    teaching.teach(*range(20, 52))
    assert teaching.says() == {"event": "ends", "deck": "rouge", "taught": 52, "of": 52, "wanted": None}
    assert teaching.ends() == (0, "")
    assert load_decks(decks).decks == (deck_of(reader, *range(52)),)


def test_a_card_twice_is_refused_and_the_last_is_taken_back(tmp_path: Path, reader: Reader) -> None:
    save_deck(tmp_path / "decks", deck_of(reader, 51, name="bleue"))
    teaching = Teaching(tmp_path, reader)
    teaching.says()
    teaching.teach(0, 1)
    reader.put(tag(reader.kind, 51))
    refused = teaching.says()
    assert (refused["why"], refused["known_in"], refused["known_as"]) == ("known", "bleue", "AH")
    teaching.press("u")
    taken_back = teaching.says()
    assert (taken_back["event"], taken_back["card"], taken_back["wanted"]) == ("taken_back", "2S", "2S")
    assert load_decks(tmp_path / "decks").named("rouge") == deck_of(reader, 0)
    teaching.press("q")
    assert teaching.says()["event"] == "ends"
    assert teaching.ends() == (1, "")


def test_two_cards_at_once_are_never_taught(tmp_path: Path, reader: Reader) -> None:
    teaching = Teaching(tmp_path, reader)
    teaching.says()
    reader.put(tag(reader.kind, 0), tag(reader.kind, 1))
    said = teaching.says()
    assert (said["event"], said["why"]) == ("refused", "two" if reader.kind == "pn532" else "unread")
    assert load_decks(tmp_path / "decks").decks == ()
    assert teaching.ends(signal.SIGINT)[0] == 130


def test_a_reader_that_is_pulled_out_is_waited_for(tmp_path: Path, reader: Reader) -> None:
    teaching = Teaching(tmp_path, reader)
    teaching.says()
    teaching.teach(0)
    reader.unplug()
    assert teaching.says()["event"] == "reader_away"
    reader.plug()
    assert teaching.says()["event"] == "reader_back"
    teaching.teach(1)
    assert teaching.ends(signal.SIGINT)[0] == 130


def test_a_port_in_use_is_reported_with_a_remedy(tmp_path: Path, reader: Reader) -> None:
    first = Teaching(tmp_path, reader)
    first.says()
    first.teach(0)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    code, err = Teaching(elsewhere, reader).ends()
    assert code == 2
    assert err == f"{phrase('command.enroll.held', port=reader.port)}\n"
    assert first.ends(signal.SIGINT)[0] == 130


@pytest.mark.parametrize("kind", ["pn532", "rdm6300"])
def test_teaching_can_be_tried_without_a_reader_as_the_manual_says(tmp_path: Path, kind: str) -> None:
    page = (ROOT / "docs" / "decks.md").read_text(encoding="utf-8").partition("### Without a reader")[2]
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="cribboard-") as memory:
        here = (("/dev/shm", memory), ("/tmp", str(tmp_path)), ("pn532", kind), (".venv/bin/python", sys.executable))
        for there, instead in (*here, (".venv/bin/cribboard", f"{sys.executable} -m cribd")):
            page = page.replace(there, instead)
        plugged, taught = (block.partition("```")[0].strip() for block in page.split("```sh")[1:3])
        configure, teach = taught.splitlines()
        lent = subprocess.Popen(
            shlex.split(plugged), env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert "is plugged in" in next_line(lent)
        subprocess.run(["sh", "-c", configure], check=True)
        teaching = subprocess.Popen(
            shlex.split(f"{teach} --json"), env=environment(), stdout=subprocess.PIPE, text=True
        )
        assert json.loads(next_line(teaching))["wanted"] == "AS"
        assert lent.stdin is not None
        for typed, on_reader, event, taken in (
            ("", "AS", "taught", 1), ("", "2S", "taught", 2), ("-", "nothing", "", 2), ("5H 6H", "5H 6H", "refused", 2),
        ):  # fmt: skip
            lent.stdin.write(f"{typed}\n")
            lent.stdin.flush()
            assert next_line(lent) == f"On the reader: {on_reader}.\n"
            if event:
                said = json.loads(next_line(teaching))
                assert (said["event"], said["taught"]) == (event, taken)
        ran, _ = lent.communicate("1H\n", timeout=PATIENCE_S)
        assert ran == "1H: the pack has no such card.\n"
        assert json.loads(next_line(teaching))["event"] == "reader_away"
        teaching.terminate()
        teaching.communicate(timeout=PATIENCE_S)
    assert lent.returncode == 0
    assert load_decks(tmp_path / "tags" / "decks").named("rouge") is not None


def test_the_simulated_pack_lies_as_a_new_pack_does() -> None:
    assert simulated_tag_reader.NEW_PACK == NEW_PACK


def test_one_deck_at_a_time_is_taught_in_a_folder(tmp_path: Path) -> None:
    readers = [Reader("pn532"), Reader("pn532")]
    for each in readers:
        each.plug()
    first = Teaching(tmp_path, readers[0])
    first.says()
    code, err = Teaching(tmp_path, readers[1], "bleue").ends()
    assert (code, err) == (2, f"{phrase('command.decks.busy', folder=tmp_path / 'decks')}\n")
    assert first.ends(signal.SIGINT)[0] == 130
    for each in readers:
        each.close()


# As a person sees it


def test_at_a_terminal_a_person_sees_how_far_it_is_and_which_card_is_wanted(tmp_path: Path) -> None:
    reader = Reader("pn532")
    reader.plug()
    save_deck(tmp_path / "decks", deck_of(reader, *range(16)))
    pid, number = pty.fork()
    if not pid:
        os.execve(sys.executable, command(tmp_path, reader, "rouge"), environment())
    seen = ""

    def sees(wanted: str) -> None:
        nonlocal seen
        while wanted not in seen:
            assert select.select([number], [], [], PATIENCE_S)[0], f"no {wanted!r} in {seen!r}"
            seen += os.read(number, 65536).decode()
        seen = seen.partition(wanted)[2]

    sees(phrase("command.enroll.keys"))
    sees(f"[########------------------] {phrase('command.enroll.put', number=17, all=52, card='4 of diamonds')}")
    reader.put(tag("pn532", 16))
    sees(phrase("command.enroll.taught", card="4 of diamonds"))
    sees(phrase("command.enroll.put", number=18, all=52, card="5 of diamonds"))
    reader.put(tag("pn532", 3))
    sees(phrase("command.enroll.refused.known", card="4 of spades", deck="rouge"))
    os.write(number, b"u")
    sees(phrase("command.enroll.taken_back", card="4 of diamonds"))
    os.write(number, b"\x03")
    sees(phrase("command.enroll.kept", n=16, all=52))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 130
    os.close(number)
    reader.close()
