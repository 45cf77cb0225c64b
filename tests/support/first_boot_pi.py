"""A Raspberry Pi in a tree that reads a card of `cribboard first-boot`, and a web server in the place of its board.

The programs of the system are stand-ins. The release file is a shell script, which does to the tree what an
installation does to a Pi.
"""

from __future__ import annotations

import json
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.places import ROOT

from cribd.cli.first_boot import page_words
from cribd.clock import ManualClock
from cribd.install.first_boot_page import FirstBootProgress
from cribd.install.first_boot_run import CONFIG, RECORD, Pi

WORDS = page_words()
DEFAULTS = (ROOT / "systemd" / "config.toml").read_text(encoding="utf-8")
PROGRAMS = ("systemctl", "journalctl", "raspi-config", "rfkill", "nmcli")


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<title>Cribboard</title>the pegs wait")

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def a_board(port: int = 0) -> Iterator[int]:
    """A web server in the place of the board. Yields its port."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


class Place:
    """A Pi whose card was written, and what was called on it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.calls_file = folder / "pi", folder / "calls"
        self.clock: ManualClock = ManualClock()
        self.card = self.root / "boot/firmware/cribboard"
        for name in ("boot/firmware/cribboard", "etc/cribboard", "opt/cribboard", "proc/sys/kernel/random", "var/lib"):
            (self.root / name).mkdir(parents=True)
        (self.root / "proc/sys/kernel/random/boot_id").write_text("start-1\n")
        (self.root / "boot/firmware/config.txt").write_text("[all]\n")
        self.release = self.card / "cribboard-1.0-aarch64.run"
        self.runs("true")
        self.settings: dict[str, Any] = {
            "host_name": "legion",
            "language": "fr_CA",
            "wifi": None,
            "config": {},
            "release": self.release.name,
            "sha256": "1",
        }

    @property
    def pi(self) -> Pi:
        """The Pi, after what is in `settings` was written to its card."""
        (self.card / "settings.json").write_text(json.dumps(self.settings), encoding="utf-8")
        return Pi(self.card, self.root, self.clock)

    def runs(self, script: str, config: str = DEFAULTS) -> None:
        """The release file does this, and then what an installation does."""
        (self.root / "config.of.the.release").write_text(config, encoding="utf-8")
        self.release.write_text(
            f"cd {self.root}\necho install >>{self.calls_file}\n{script} || exit 2\n"
            "test -e etc/cribboard/config.toml || cp config.of.the.release etc/cribboard/config.toml\n"
            "ln -sfn releases/1.0 opt/cribboard/current\n"
        )

    def gives(self, run_word: str = "r1", **values: str) -> None:
        for key, value in values.items():
            self.settings["config"][key.replace("_", ".", 1)] = {"value": value, "run": run_word}

    def config(self) -> dict[str, Any]:
        return tomllib.loads((self.root / CONFIG.lstrip("/")).read_text(encoding="utf-8"))

    @property
    def config_port(self) -> int:
        """The port of the board, by the configuration that the release brings."""
        port: int = tomllib.loads((self.root / "config.of.the.release").read_text())["page"]["port"]
        return port

    @property
    def calls(self) -> list[str]:
        return self.calls_file.read_text().splitlines() if self.calls_file.exists() else []

    def record(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.root / RECORD.lstrip("/")).read_text())
        return found


def page_of(progress: FirstBootProgress, language: str = "en") -> str:
    return progress.page(language, "legion.local")


def free_port() -> int:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        return server.server_port
