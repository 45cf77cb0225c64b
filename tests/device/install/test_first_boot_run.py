"""What a Raspberry Pi does with a card of `cribboard first-boot`, in a tree (`tests/support/first_boot_pi.py`)."""

from __future__ import annotations

import ssl
import stat
import subprocess
import threading
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.first_boot_pi import DEFAULTS, WORDS, Answers, Place, free_port, page_of

from cribd.clock import ManualClock
from cribd.install import first_boot_run
from cribd.install.first_boot_page import FirstBootProgress, FirstBootStep
from cribd.install.first_boot_run import CONFIG, CURRENT, RECORD, StepFailed, attempt, configure, run, with_values

# Installing


def test_a_first_start_installs_the_release_sets_the_board_and_remembers_it(place: Place) -> None:
    place.gives(page_pin="0420", table_board="classic", table_language="fr_CA", page_host="0.0.0.0")
    pi, progress = place.pi, FirstBootProgress(WORDS)
    attempt(pi, progress)
    config = place.config()
    assert config["page"]["pin"] == "0420"
    assert config["page"]["host"] == "0.0.0.0"
    assert (config["table"]["board"], config["table"]["language"]) == ("classic", "fr_CA")
    assert place.calls == ["install", "systemctl restart cribd.service"]
    assert place.record()["done"] == pi.settings["digest"]
    assert stat.S_IMODE((place.root / RECORD.lstrip("/")).stat().st_mode) == 0o600
    assert f'<a href="http://legion.local:{config["page"]["port"]}/">' in page_of(progress)


def test_a_second_start_does_nothing_that_was_done(place: Place) -> None:
    place.gives(page_pin="0420")
    attempt(place.pi, FirstBootProgress(WORDS))
    before = place.calls
    attempt(place.pi, FirstBootProgress(WORDS))
    assert place.calls == before


def test_a_lost_pin_is_set_anew_and_what_the_owner_changed_stays(place: Place) -> None:
    place.gives(page_pin="0420", table_board="classic")
    attempt(place.pi, FirstBootProgress(WORDS))
    file = place.root / CONFIG.lstrip("/")
    theirs = file.read_text().replace('board = "classic"', 'board = "triple"  # mine').replace('"0420"', '"9999"')
    file.write_text(theirs)
    place.gives("r2", page_pin="0420")
    attempt(place.pi, FirstBootProgress(WORDS))
    assert file.read_text() == theirs.replace('"9999"', '"0420"')
    assert place.calls.count("install") == 1


def test_a_changed_board_configuration_restarts_the_pi_once(place: Place) -> None:
    place.runs("echo dtparam=spi=on >>boot/firmware/config.txt", (place.root / "config.of.the.release").read_text())
    pi, progress = place.pi, FirstBootProgress(WORDS)
    with pytest.raises(StepFailed, match="restart"):
        attempt(pi, progress)
    assert place.calls == ["install", "systemctl reboot"]
    assert "done" not in place.record()
    (place.root / "proc/sys/kernel/random/boot_id").write_text("start-2\n")
    attempt(place.pi, progress)
    assert place.calls == ["install", "systemctl reboot"]
    assert "done" in place.record()


def test_wifi_is_switched_on_with_its_country(place: Place) -> None:
    place.settings["wifi"] = {"name": "W", "country": "CA", "key": "", "hidden": False, "wpa3": False}
    attempt(place.pi, FirstBootProgress(WORDS))
    radio = ["raspi-config nonint do_wifi_country CA", "rfkill unblock wifi", "nmcli radio wifi on"]
    assert place.calls == [*radio, "install"]


def says_its_options(place: Place) -> None:
    place.runs(f'echo "$@" >>{place.calls_file}', (place.root / "config.of.the.release").read_text())


@pytest.mark.parametrize("role", ["hub", "both", "board"])
def test_the_release_makes_of_the_pi_what_the_card_says_and_once(place: Place, role: str) -> None:
    says_its_options(place)
    place.settings["role"] = role
    attempt(place.pi, FirstBootProgress(WORDS))
    place.gives(page_pin="0420")  # the next card says the same of it: the owner may have changed it since
    attempt(place.pi, FirstBootProgress(WORDS))
    assert [call for call in place.calls if not call.startswith("systemctl")] == ["install", f"--as {role}"]
    place.settings["sha256"] = "2"
    attempt(place.pi, FirstBootProgress(WORDS))
    assert place.calls[-2:] == ["install", ""]


def test_a_card_may_change_what_the_pi_is_with_the_release_that_it_has(place: Place) -> None:
    says_its_options(place)
    attempt(place.pi, FirstBootProgress(WORDS))
    place.settings["role"] = "hub"
    attempt(place.pi, FirstBootProgress(WORDS))
    assert place.calls == ["install", "", "install", "--as hub"]
    (place.root / CURRENT.lstrip("/")).unlink()  # uninstalled meanwhile, and the card is written anew
    place.gives(page_pin="0420")
    attempt(place.pi, FirstBootProgress(WORDS))
    assert place.calls[4:6] == ["install", "--as hub"]


def test_a_new_release_on_the_card_is_installed(place: Place) -> None:
    attempt(place.pi, FirstBootProgress(WORDS))
    place.settings["sha256"] = "2"
    attempt(place.pi, FirstBootProgress(WORDS))
    assert place.calls == ["install", "install"]


def test_an_uninstalled_board_stays_uninstalled(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    attempt(place.pi, FirstBootProgress(WORDS))
    (place.root / CURRENT.lstrip("/")).unlink()
    monkeypatch.setattr(first_boot_run, "Pi", lambda _: place.pi)
    assert first_boot_run.main([]) == 0
    assert place.calls == ["install"]


# What goes wrong


def failing(place: Place, progress: FirstBootProgress) -> StepFailed:
    with pytest.raises(StepFailed) as failed:
        attempt(place.pi, progress)
    return failed.value


def test_a_release_that_refuses_says_its_last_line_and_is_tried_again(place: Place) -> None:
    """The second time it works: somebody has put in the network's cable."""
    place.runs("test -e cable || { echo one; echo 'apt-get <failed> & said {why}'; touch cable; false; }",
               (place.root / "config.of.the.release").read_text())  # fmt: skip
    seen: list[str] = []
    waits: list[float] = []
    port = free_port()

    class Clock(ManualClock):
        def wait(self, seconds: float) -> None:
            waits.append(seconds)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
                seen.append(answer.read().decode())

    place.clock = Clock()
    assert run(place.pi, WORDS, (port,)) == 0
    assert waits == [first_boot_run.PAUSE_S, first_boot_run.LINGER_S]
    failed, runs = seen
    assert "apt-get &lt;failed&gt; &amp; said {why}</p>" in failed
    assert '<html lang="fr-CA">' in failed
    assert "✗ échoué\xa0: Installer la version" in failed
    assert "Nouvel essai dans 30 secondes." in failed
    assert "<pre>one\napt-get &lt;failed&gt;" in failed
    assert "La planche tourne." in runs
    assert place.calls.count("install") == 2
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/")


def test_a_board_that_does_not_run_with_the_new_keys_gets_its_old_ones_back(place: Place) -> None:
    attempt(place.pi, FirstBootProgress(WORDS))
    old = (place.root / CONFIG.lstrip("/")).read_text()
    place.gives("r2", table_board="triple")
    spoken, silent = tomllib.loads(old)["page"]["port"], free_port()
    (place.root / CONFIG.lstrip("/")).write_text(old.replace(f"port = {spoken}", f"port = {silent}"))
    before = (place.root / CONFIG.lstrip("/")).read_text()
    failed = failing(place, FirstBootProgress(WORDS))
    assert (failed.code, failed.values["keys"]) == ("undone", "table.board")
    assert (place.root / CONFIG.lstrip("/")).read_text() == before
    assert place.calls[-3:] == [
        "systemctl restart cribd.service",
        "journalctl --no-pager -o cat -n 2 -u cribd.service -t cribboard",
        "systemctl restart cribd.service",
    ]


WHOLE = '{"host_name": "a", "language": "en", "wifi": null, "config": {}, "release": "x"}'
SPOILT = (
    *(
        "",
        "{",
        "[]",
        "{}",
        "\xff",
        WHOLE.replace("{}", "1"),
        WHOLE.replace("null", '{"name": "W"}'),
        WHOLE.replace('"a"', "1"),
    ),
    *(WHOLE.replace("{}", '{"page.pin": "1"}'), WHOLE.replace("{}", '{"page.pin": {"value": 1}}')),
)


@pytest.mark.parametrize("text", SPOILT)
def test_settings_that_cannot_be_read_are_named(place: Place, text: str) -> None:
    pi = place.pi
    (place.card / "settings.json").write_text(text, encoding="latin-1")
    with pytest.raises(StepFailed) as failed:
        attempt(pi, FirstBootProgress(WORDS))
    assert failed.value.code == "settings"
    assert "settings.json on the card cannot be read" in said(failed.value)


def said(failed: StepFailed) -> str:
    progress = FirstBootProgress(WORDS)
    progress.begin(FirstBootStep.CARD)
    progress.fail(failed.code, seconds=30, **failed.values)
    page = page_of(progress)
    return page.partition('<p class="failed">')[2].partition("</p>")[0]


def test_a_release_that_is_not_on_the_card_is_named(place: Place) -> None:
    place.release.unlink()
    assert said(failing(place, FirstBootProgress(WORDS))).startswith(
        f"The release file {place.release} is not on the card."
    )


def test_an_address_that_does_not_answer_is_named(place: Place) -> None:
    place.settings["release"] = f"https://127.0.0.1:{free_port()}/cribboard-1.0-aarch64.run"
    assert "cannot be fetched: [Errno 111] Connection refused. Is the Pi on the internet?" in said(
        failing(place, FirstBootProgress(WORDS))
    )


@contextmanager
def an_archive(folder: Path, monkeypatch: pytest.MonkeyPatch, handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """A server by https whose certificate this process trusts. Yields its address."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ("-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost")
    names = ("-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
    subprocess.run(["openssl", "req", *made, *names], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"https://localhost:{server.server_port}"
        server.shutdown()


def test_a_release_at_an_address_is_fetched_and_installed_and_a_cut_one_is_not(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = place.release.read_bytes()
    place.release.unlink()

    class Archive(Answers):
        def do_GET(self) -> None:  # noqa: N802 (the name that http.server calls)
            if self.path == "/elsewhere.run":
                self.send_response(302)
                self.send_header("Location", f"http://127.0.0.1:{board}/")
                self.end_headers()
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[:20] if self.path == "/cut.run" else data)

    board = place.config_port
    with an_archive(tmp_path, monkeypatch, Archive) as address:
        place.settings["release"] = f"{address}/cut.run"
        assert (
            said(failing(place, FirstBootProgress(WORDS)))
            == f"{address}/cut.run was cut off after 20 of {len(data)} bytes."
        )
        place.settings["release"] = f"{address}/elsewhere.run"
        assert "cannot be fetched: http://127.0.0.1:" in said(failing(place, FirstBootProgress(WORDS)))
        assert place.calls == []
        place.settings["release"] = f"{address}/cribboard-1.0-aarch64.run"
        attempt(place.pi, FirstBootProgress(WORDS))
    assert place.calls == ["install"]
    assert not (place.root / "var/tmp/cribboard-first-boot").exists()


def test_every_failure_is_worded_in_both_languages_with_what_it_is_about(place: Place) -> None:
    """Each code that a `StepFailed` carries is a text of the page, and each such text is sent."""
    source = Path(first_boot_run.__file__).read_text(encoding="utf-8")
    sent = {code for code in WORDS["en"] if f'"{code.removeprefix("failed.")}"' in source}
    assert {code for code in WORDS["en"] if code.startswith("failed.")} <= sent


# The configuration


def test_keys_are_set_over_their_comments_and_every_other_line_stays() -> None:
    made = with_values(DEFAULTS, {"page.pin": "0420", "table.board": "classic", "page.host": "0.0.0.0"})
    before, after = DEFAULTS.splitlines(), made.splitlines()
    assert [(old, new) for old, new in zip(before, after, strict=True) if old != new] == [
        ('# board = "continuous"', 'board = "classic"'),
        ('# host = "127.0.0.1"', 'host = "0.0.0.0"'),
        ('# pin = ""', 'pin = "0420"'),
    ]


@given(
    st.sampled_from(["", "[page]\n", "[page] # mine\nport = 1", '[page]\npin = "1"\n# pin = ""\n[table]', DEFAULTS]),
    st.dictionaries(st.sampled_from(["page.pin", "page.host", "table.board"]), st.text(st.characters(codec="utf-8"))),
)
def test_a_key_reads_back_as_its_value_and_the_others_as_before(text: str, values: dict[str, str]) -> None:
    made = tomllib.loads(with_values(text, values))
    for path, value in values.items():
        table, _, key = path.partition(".")
        assert made[table].pop(key) == value
    rest = tomllib.loads(text)
    for path in values:
        table, _, key = path.partition(".")
        rest.setdefault(table, {}).pop(key, None)
    assert made == rest


@pytest.mark.parametrize("text", ["page.pin = 'x'\n", "page = {pin = '1'}\n", "[page\n", 'a = """\n[page]\n"""\n'])
def test_a_file_that_is_written_otherwise_is_left_alone_and_named(place: Place, text: str) -> None:
    place.gives(page_pin="0420")
    file = place.root / CONFIG.lstrip("/")
    file.write_text(text)
    pi = place.pi
    pi.read()
    with pytest.raises(StepFailed) as failed:
        configure(pi, FirstBootProgress(WORDS))
    assert said(failed.value) == f"{CONFIG} cannot be changed by itself; set page.pin there yourself."
    assert file.read_text() == text
