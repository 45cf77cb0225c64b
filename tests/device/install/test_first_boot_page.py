"""The page that shows a first start: its steps, both languages, and the way to the board."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import ThreadingHTTPServer

import pytest
from playwright.sync_api import sync_playwright
from tests.support.browser import FLAGS, installed_chromium
from tests.support.first_boot_pi import DEFAULTS, WORDS, Answers, Place, a_board, free_port, page_of

from cribd.install.first_boot_page import FirstBootProgress, FirstBootStep, serve
from cribd.install.first_boot_run import attempt, run


@pytest.fixture
def shown() -> Iterator[tuple[FirstBootProgress, str]]:
    """Progress at the installation, and the address of its page."""
    progress = FirstBootProgress(WORDS)
    server = serve(progress, (0,), "127.0.0.1")
    assert server is not None
    progress.begin(FirstBootStep.CARD)
    progress.begin(FirstBootStep.INSTALL)
    yield progress, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def ask(address: str, **headers: str) -> tuple[str, dict[str, str]]:
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        return answer.read().decode(), dict(answer.headers)


def test_the_page_shows_each_step_as_done_at_work_later_or_not_needed(shown: tuple[FirstBootProgress, str]) -> None:
    page, headers = ask(shown[1])
    states = [line for line in page.splitlines() if line.startswith("<li ")]
    assert states == [
        '<li class="done">✓ done: Read the card</li>',
        '<li class="skipped">– not needed: Switch Wi-Fi on</li>',
        '<li class="skipped">– not needed: Fetch the release</li>',
        '<li class="at">… at it: Install the release (this takes longest)</li>',
        '<li class="later">· later: Set what the card says</li>',
        '<li class="later">· later: Start the board</li>',
    ]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"


def test_the_page_speaks_both_languages(shown: tuple[FirstBootProgress, str]) -> None:
    page, _ = ask(f"{shown[1]}/?language=fr_CA")
    assert "… en cours\xa0: Installer la version (c’est le plus long)" in page
    assert '<a href="?language=en" lang="en">English</a>' in page
    assert ask(f"{shown[1]}/?language=tlh")[0] == ask(shown[1])[0]


def test_the_page_says_nothing_that_a_browser_would_run(shown: tuple[FirstBootProgress, str]) -> None:
    progress, address = shown
    progress.log("<script>alert(1)</script>\n\n & 'more'\n")
    progress.fail("install", seconds=1, said='"><img src=x onerror=alert(1)>')
    progress.finish(8121)
    for host in ('"><script>', "evil.example/x", "a b", "x" * 999):
        page, _ = ask(f"{address}/?language=%22%3E%3Cscript%3E", Host=host)
        assert page.count("<script") == 1
        assert "<img" not in page
        assert 'href="http://cribboard.local:8121/"' in page
    assert 'href="http://[fe80::1]:8121/"' in ask(address, Host="[fe80::1]:80")[0]


@pytest.mark.parametrize("path", ["/other", "/../etc/passwd", "/page.css/", "//x"])
def test_other_addresses_are_not_found(shown: tuple[FirstBootProgress, str], path: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as wrong:
        ask(shown[1] + path)
    assert wrong.value.code == 404
    wrong.value.close()


def test_a_port_that_is_taken_is_passed_over_and_the_log_says_where_the_page_is(
    place: Place, capfd: pytest.CaptureFixture[str]
) -> None:
    taken, other = ThreadingHTTPServer(("", 0), Answers), free_port()
    with taken:
        assert run(place.pi, WORDS, (taken.server_port, other)) == 0
        assert f"This page is on port {other}." in capfd.readouterr().err
        assert run(place.pi, WORDS, (taken.server_port,)) == 0
        assert "No page shows the installation" in capfd.readouterr().err


def test_a_board_without_a_page_is_said_to_run(place: Place) -> None:
    place.runs("true", DEFAULTS.replace("# port = 8121", 'port = "off"'))
    progress = FirstBootProgress(WORDS)
    attempt(place.pi, progress)
    assert place.calls[-1] == "systemctl is-active --quiet cribd.service"
    assert "Its configuration says that it serves no page." in page_of(progress)


@pytest.mark.slow
@pytest.mark.browser
def test_a_browser_follows_the_page_to_the_board_even_if_the_page_goes_away() -> None:
    """The Pi restarts, and a telephone that slept meanwhile finds the board by itself."""
    progress = FirstBootProgress(WORDS)
    server = serve(progress, (0,), "127.0.0.1")
    assert server is not None
    progress.begin(FirstBootStep.INSTALL)
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=installed_chromium(), args=FLAGS).new_page()
        wrong: list[str] = []
        page.on("console", lambda message: wrong.append(message.text) if "Content Security" in message.text else None)
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.get_by_text("at it: Install the release").wait_for()
        progress.fail("install", seconds=30, said="no network")
        page.get_by_text("could not be installed: no network").wait_for()
        if pictures := os.environ.get("PICTURES"):
            page.screenshot(path=f"{pictures}/first-boot.png", full_page=True)
        port = free_port()
        progress.begin(FirstBootStep.BOARD)
        page.get_by_text("at it: Start the board").wait_for()
        progress.finish(port)  # the board is about to answer
        page.get_by_text("The board runs.").wait_for()
        server.shutdown()
        server.server_close()
        page.get_by_text("The Pi does not answer now").wait_for()
        with a_board(port):
            page.get_by_text("the pegs wait").wait_for()
            assert page.url == f"http://127.0.0.1:{port}/"
    assert wrong == []
