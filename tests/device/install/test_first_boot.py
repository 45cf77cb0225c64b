"""`cribboard first-boot` writes a card from which a Raspberry Pi installs the board, and which changes it later.

cloud-init and netplan judge the files in `tests/wires/test_cloud_init.py`; here a YAML parser reads them."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.support.places import ROOT
from tools import dist

from cribd.__main__ import main
from cribd.cli.first_boot import page_words
from cribd.install.first_boot import Settings, Wifi, network_config, problems, user_data, wifi_key
from cribd.install.machine import InstallRefused

STOCK = {
    "config.txt": "dtparam=audio=on\n",
    "cmdline.txt": "console=tty1 root=PARTUUID=1234-02 rootwait\n",
    "meta-data": "instance_id: rpios-image\n",
    "user-data": "#cloud-config\n# nothing\n",
    "network-config": "network:\n  version: 2\n",
}


def release_in(folder: Path, name: str, **about: Any) -> Path:
    """A release file as `make dist` packs it, with small files in the place of wheels."""
    work = folder / f"of-{name}"
    (work / "wheels").mkdir(parents=True)
    wheel = work / "cribboard-1.0-py3-none-any.whl"
    wheel.write_bytes(name.encode())
    return dist.pack(wheel, ROOT / "requirements" / "pi.txt", work / "wheels", work, version=name, **about)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return release_in(tmp_path, "1.0")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """The boot partition of a card that Raspberry Pi Imager wrote, without customisation."""
    folder = tmp_path / "bootfs"
    folder.mkdir()
    for name, text in STOCK.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


class Typed:
    """Types the command for this card, and keeps what it printed."""

    def __init__(self, card: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.card, self._capsys = card, capsys
        self.out = self.err = ""

    def __call__(self, *words: object, lang: str = "en") -> int:
        code = main(["first-boot", str(self.card), *map(str, words), *(["--lang", lang] if lang else [])])
        self.out, self.err = self._capsys.readouterr()
        return code

    def read(self, name: str) -> Any:
        """A file of the card, as a YAML parser reads it."""
        return yaml.safe_load((self.card / name).read_text(encoding="utf-8"))


@pytest.fixture
def typed(card: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    return Typed(card, capsys)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def secret(folder: Path, text: str) -> Path:
    file = folder / f"secret-{len(list(folder.glob('secret-*')))}"
    file.write_bytes(text.encode())
    return file


# What is written


def test_a_card_without_options_gets_the_defaults_and_the_release(typed: Typed, release: Path) -> None:
    assert typed("--release", release) == 0
    user = typed.read("user-data")
    assert (user["hostname"], user["users"]) == ("cribboard", [])
    assert "/boot/firmware/cribboard/first-boot.pyz" in user["bootcmd"][0][2]
    assert typed.read("network-config") == {
        "network": {"version": 2, "ethernets": {"eth0": {"dhcp4": True, "optional": True}}}
    }
    assert (typed.card / "cribboard" / release.name).read_bytes() == release.read_bytes()
    settings = typed.read("cribboard/settings.json")
    assert settings["release"] == release.name
    assert settings["sha256"] == hashlib.sha256(release.read_bytes()).hexdigest()
    assert {key: each["value"] for key, each in settings["config"].items()} == {
        "table.language": "en",
        "page.host": "0.0.0.0",
    }
    assert (typed.card / "cmdline.txt").read_text() == STOCK["cmdline.txt"]
    assert (typed.card / "user-data").read_text().startswith("#cloud-config\n")


def test_it_says_what_to_do_next_in_both_languages(typed: Typed, release: Path) -> None:
    typed("--release", release, "--name", "legion")
    assert "http://legion.local shows what the Pi does" in typed.out
    assert "The board is then at http://legion.local:8121" in typed.out
    assert "No PIN is set" in typed.out
    typed(lang="fr")
    assert "La carte est changée." in typed.out


def test_a_wireless_network_is_written_as_its_key_and_never_as_its_password(
    typed: Typed, release: Path, tmp_path: Path
) -> None:
    """The key is that of IEEE 802.11, J.4.2, test case 1."""
    file = secret(tmp_path, "password\n")
    assert typed("--release", release, "--wifi", "IEEE", "--wifi-password-file", file, "--country", "CA") == 0
    assert typed.read("network-config")["network"]["wifis"] == {
        "wlan0": {
            "dhcp4": True,
            "optional": True,
            "regulatory-domain": "CA",
            "access-points": {"IEEE": {"password": "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"}},
        }
    }
    assert (typed.card / "cmdline.txt").read_text().endswith(" rootwait cfg80211.ieee80211_regdom=CA\n")
    assert not any(b"password\n" in data or b'"password"\n' in data for data in everything(typed.card).values())
    assert "The Pi joins the Wi-Fi network IEEE." in typed.out


@pytest.mark.parametrize(
    ("options", "point"),
    [
        (("--open",), {}),
        (("--open", "--hidden"), {"hidden": True}),
        (("--wpa3",), {"auth": {"key-management": "sae", "password": "it is 0k: yes"}}),
    ],
)
def test_open_hidden_and_wpa3_networks_are_written_in_netplans_words(
    typed: Typed, release: Path, tmp_path: Path, options: tuple[str, ...], point: dict[str, Any]
) -> None:
    password = () if "--open" in options else ("--wifi-password-file", secret(tmp_path, "it is 0k: yes\r\nmore"))
    assert typed("--release", release, "--wifi", "no", "--country", "NO", *options, *password) == 0
    wlan = typed.read("network-config")["network"]["wifis"]["wlan0"]
    assert wlan["access-points"] == {"no": point}
    assert wlan["regulatory-domain"] == "NO"
    assert ("plain text" in typed.out) == ("--wpa3" in options)


def test_the_boards_keys_are_those_that_were_given(typed: Typed, release: Path, tmp_path: Path) -> None:
    pin = secret(tmp_path, "0420\n")
    options = ("--pin-file", pin, "--board", "triple", "--rules", "three-player")
    assert typed("--release", release, *options, lang="fr") == 0
    config = typed.read("cribboard/settings.json")["config"]
    assert {key: each["value"] for key, each in config.items()} == {
        "table.board": "triple",
        "table.rules": "three-player",
        "table.language": "fr_CA",
        "page.host": "0.0.0.0",
        "page.pin": "0420",
    }
    assert len({each["run"] for each in config.values()}) == 1
    assert "NIP" not in typed.out


def test_a_password_may_come_from_standard_input(typed: Typed, release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(b"\xef\xbb\xbf1234\r\n")

    monkeypatch.setattr(sys, "stdin", Input)
    assert typed("--release", release, "--pin-file", "-") == 0
    assert typed.read("cribboard/settings.json")["config"]["page.pin"]["value"] == "1234"


def test_a_release_that_is_on_the_card_is_found_and_stays(typed: Typed, release: Path) -> None:
    on_card = typed.card / release.name
    on_card.write_bytes(release.read_bytes())
    assert typed() == 0
    assert typed.read("cribboard/settings.json")["release"] == release.name
    assert on_card.exists()
    assert not (typed.card / "cribboard" / release.name).exists()


def test_an_address_is_written_as_it_is(typed: Typed) -> None:
    address = "https://example.org/cribboard-1.0-aarch64.run"
    assert typed("--release", address) == 0
    assert typed.read("cribboard/settings.json")["release"] == address


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1).filter(
    lambda name: len(name.encode()) <= 32
) | st.sampled_from(
    ["yes", "no", "null", "~", "0123", "1e3", "- a", "a: b", "'", '"', "\\", "# x", "🎉", "{}", "!x", "=", " a "]
)
PASSWORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=63) | NAMES


@given(NAMES, PASSWORDS, st.from_regex(r"\A[A-Z]{2}\Z"), st.booleans())
def test_whatever_a_network_is_called_a_yaml_parser_reads_the_same(
    name: str, password: str, country: str, hidden: bool
) -> None:
    wifi = Wifi(name=name, country=country, key=wifi_key(name, password, wpa3=True), hidden=hidden, wpa3=True)
    settings = Settings(host_name="0123", wifi=wifi)
    assert problems(settings) == []
    wlan = yaml.safe_load(network_config(settings))["network"]["wifis"]["wlan0"]
    assert wlan["regulatory-domain"] == country
    (read,) = wlan["access-points"]
    assert read == name
    assert wlan["access-points"][name]["auth"]["password"] == password
    assert json.loads(network_config(settings).partition("\n")[2]) == yaml.safe_load(network_config(settings))
    assert yaml.safe_load(user_data(settings))["hostname"] == "0123"


# A card that was written before


def test_a_change_keeps_everything_that_is_not_given_and_is_a_new_instance(
    typed: Typed, release: Path, tmp_path: Path
) -> None:
    """cloud-init sets the network once for each instance-id."""
    password = secret(tmp_path, "password")
    wifi = ("--wifi", "IEEE", "--wifi-password-file", password, "--country", "CA")
    typed("--release", release, "--name", "legion", *wifi, "--board", "classic", lang="fr")
    before = {name: typed.read(name) for name in ("user-data", "network-config", "cribboard/settings.json")}
    first = typed.read("meta-data")["instance-id"]
    assert typed("--pin-file", secret(tmp_path, "2468"), lang="") == 0
    assert typed.read("meta-data")["instance-id"] != first
    assert typed.read("user-data") == before["user-data"]
    assert typed.read("network-config") == before["network-config"]
    settings = typed.read("cribboard/settings.json")
    assert settings["config"].pop("page.pin")["value"] == "2468"
    assert settings == before["cribboard/settings.json"]
    assert {path.name for path in typed.card.iterdir()} - {"cribboard"} == {
        *STOCK,
        "user-data.1.old",
        "network-config.1.old",
    }


def test_the_same_pin_given_once_more_is_a_change_too(typed: Typed, release: Path, tmp_path: Path) -> None:
    pin = secret(tmp_path, "2468")
    typed("--release", release, "--pin-file", pin)
    first = typed.read("cribboard/settings.json")["config"]["page.pin"]
    typed("--pin-file", pin)
    assert typed.read("cribboard/settings.json")["config"]["page.pin"] != first


def test_a_new_release_takes_the_place_of_the_one_on_the_card(typed: Typed, release: Path, tmp_path: Path) -> None:
    typed("--release", release)
    newer = release_in(tmp_path, "2.0")
    assert typed("--release", newer) == 0
    assert [path.name for path in (typed.card / "cribboard").glob("*.run")] == [newer.name]


def test_another_instance_id_on_the_kernels_command_line_is_set_too(typed: Typed, release: Path) -> None:
    """Raspberry Pi Imager writes one there, and cloud-init takes it before that of meta-data."""
    line = "console=tty1 ds=nocloud;h=pi;i=rpi-imager-17;x=1 cfg80211.ieee80211_regdom=GB rootwait\n"
    (typed.card / "cmdline.txt").write_text(line)
    typed("--release", release)
    instance = typed.read("meta-data")["instance-id"]
    assert (typed.card / "cmdline.txt").read_text() == line.replace("rpi-imager-17", instance)


def test_somebodys_own_files_are_kept_aside_and_named(typed: Typed, release: Path) -> None:
    own = "#cloud-config\nusers: [{name: me}]\n"
    (typed.card / "user-data").write_text(own)
    (typed.card / "user-data.1.old").write_text("older")
    typed("--release", release)
    assert "user-data was there already; it is kept as user-data.2.old.\n" in typed.out
    assert "network-config was there already; it is kept as network-config.1.old.\n" in typed.out
    assert (typed.card / "user-data.2.old").read_text() == own
    assert (typed.card / "user-data.1.old").read_text() == "older"
    typed()
    assert "kept" not in typed.out


def test_settings_that_cannot_be_read_are_named_and_nothing_is_changed(typed: Typed, release: Path) -> None:
    typed("--release", release)
    file = typed.card / "cribboard" / "settings.json"
    for text in ("", "{}", "[]", '{"wifi": null, "config": {"page.pin": "1"}}', '{"wifi": {"x": 1}}'):
        file.write_text(text)
        before = everything(typed.card)
        assert typed() == 2
        assert typed.err == f"{file} is not what this command writes; remove it, and give every option once more.\n"
        assert everything(typed.card) == before


# What is refused


REFUSED = {
    "--name Legion": "--name 'Legion': allowed are 1 to 63 small letters",
    "--name -a": "--name '-a': allowed are",
    "--name localhost": "and not localhost.",
    f"--name {'a' * 64}": "allowed are 1 to 63 small letters",
    "--board nonsense": "--board 'nonsense': allowed are continuous classic triple starter.",
    "--board mine.toml": "--board 'mine.toml': allowed are continuous",
    "--rules nonsense": "--rules 'nonsense': allowed are six-card",
    "--rules three-player": "table.rules",
    "--release http://example.org/x.run": "allowed is an address that begins with https:// and ends in .run.",
    "--release https://example.org/x.zip": "allowed is an address that begins with https:// and ends in .run.",
    "--country CA": "--wifi is needed beside the other options of a Wi-Fi network.",
    "--wifi W --country CA": "--wifi needs --wifi-password-file FILE",
    "--wifi W --open": "--country '': allowed is the code of a country, two capital letters",
    "--wifi W --open --country Canada": "--country 'Canada': allowed is",
    f"--wifi {'é' * 17} --open --country CA": "allowed are 1 to 32 bytes of UTF-8 on one line.",
    "--pin-file - --wifi-password-file -": "Only one of --pin-file and --wifi-password-file can be standard input.",
}


@pytest.mark.parametrize("options", REFUSED)
def test_a_wrong_value_is_named_with_what_is_allowed_and_nothing_is_written(
    typed: Typed, release: Path, options: str
) -> None:
    before = everything(typed.card)
    words = options.replace("--name -", "--name=-").split()
    assert typed(*(() if "--release" in options else ("--release", release)), *words) == 2
    assert REFUSED[options] in typed.err
    assert everything(typed.card) == before


def test_all_wrong_values_are_named_at_once(typed: Typed) -> None:
    assert typed("--name", "A", "--board", "B", "--country", "C", "--release", "http://d") == 2
    assert [line.split()[0] for line in typed.err.splitlines()] == ["--board", "--wifi", "--name", "--release"]


@pytest.mark.parametrize("pin", ["123", "1234567890123", "12a4", "1234 "])
def test_a_pin_is_four_to_twelve_digits(typed: Typed, release: Path, tmp_path: Path, pin: str) -> None:
    assert typed("--release", release, "--pin-file", secret(tmp_path, pin)) == 2
    assert typed.err == f'page.pin = "{pin}": allowed is 4 to 12 digits, or nothing.\n'


@pytest.mark.parametrize("password", ["", "1234567", "g" * 64, "eight\x07888", "é" * 32])
def test_a_password_that_no_network_has_is_refused(typed: Typed, release: Path, tmp_path: Path, password: str) -> None:
    file = secret(tmp_path, password)
    wifi = ("--wifi", "W", "--country", "CA", "--wifi-password-file", file)
    assert typed("--release", release, *wifi) == 2
    assert typed.err.startswith(
        f"The password of the Wi-Fi network has {len(password)} characters; allowed are 8 to 63"
    )
    assert "For a network without a password: --open." in typed.err
    assert not password or password not in typed.err


def test_a_key_of_64_digits_is_taken_as_it_is() -> None:
    assert wifi_key("W", "AB" * 32, wpa3=False) == "ab" * 32


def test_a_name_that_is_no_utf8_is_refused() -> None:
    wifi = Wifi(name="a\udcff", country="CA", key="")
    assert "--wifi" in problems(Settings(wifi=wifi))[0]


def test_a_folder_that_is_no_boot_partition_is_refused_unless_anywhere(
    typed: Typed, release: Path, tmp_path: Path
) -> None:
    typed.card = tmp_path / "elsewhere"
    typed.card.mkdir()
    assert typed("--release", release) == 2
    assert typed.err.startswith(f"{typed.card} is not the boot partition of Raspberry Pi OS: ")
    assert list(typed.card.iterdir()) == []
    assert typed("--release", release, "--anywhere") == 0
    assert {path.name for path in typed.card.iterdir()} == {"user-data", "network-config", "meta-data", "cribboard"}


def test_a_card_before_trixie_is_refused(typed: Typed, release: Path) -> None:
    for name in ("meta-data", "user-data"):
        (typed.card / name).unlink()
    assert typed("--release", release) == 2
    assert "this is Raspberry Pi OS before Trixie" in typed.err


def test_a_release_is_needed_and_must_be_one(typed: Typed, release: Path, tmp_path: Path) -> None:
    assert typed() == 2
    assert "--release is needed" in typed.err
    assert "On the card there is none." in typed.err
    for file in (release, release_in(tmp_path, "2.0")):
        (typed.card / file.name).write_bytes(file.read_bytes())
    assert typed() == 2
    assert "On the card there are: cribboard-1.0-aarch64.run, cribboard-2.0-aarch64.run." in typed.err


def test_a_release_that_is_cut_off_or_for_another_machine_is_refused(
    typed: Typed, release: Path, tmp_path: Path
) -> None:
    before = everything(typed.card)
    other = release_in(tmp_path, "3.0", processor="x86_64", pythons=["3.11"])
    assert typed("--release", other) == 2
    assert "is for x86_64 and Python 3.11; Raspberry Pi OS Trixie has aarch64, with Python 3.13." in typed.err
    release.write_bytes(release.read_bytes()[:-9])
    assert typed("--release", release) == 2
    assert f"{release} is cut off, or no release file; copy the file again." in typed.err
    assert typed("--release", tmp_path / "missing.run") == 2
    assert "missing.run" in typed.err
    assert everything(typed.card) == before


def test_a_card_that_is_full_keeps_what_it_had(typed: Typed, release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: Path, to: Path) -> None:
        to.write_bytes(source.read_bytes()[:100])
        raise OSError(28, "No space left on device", str(to))

    before = everything(typed.card)
    monkeypatch.setattr("cribd.install.first_boot.shutil.copyfile", full)
    assert typed("--release", release) == 2
    assert "No space left on device" in typed.err
    assert everything(typed.card) == before


# The program on the card


def test_the_program_runs_with_the_systems_python_alone(typed: Typed, release: Path, tmp_path: Path) -> None:
    """It starts a unit of its own: cloud-init waits for what it runs itself, and the start of the Pi for cloud-init."""
    typed("--release", release)
    told, programs = tmp_path / "told", tmp_path / "bin"
    programs.mkdir()
    (programs / "systemd-run").write_text(f'#!/bin/sh\necho "$@" >{told}\n')
    (programs / "systemd-run").chmod(0o755)
    program = typed.card / "cribboard" / "first-boot.pyz"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", program],
        env={"PATH": f"{programs}:/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert told.read_text().split()[-3:] == [sys.executable, str(program), "run"]
    assert "--no-block --collect --unit=cribboard-first-boot" in told.read_text()


def test_every_text_of_the_page_is_on_the_card_in_both_languages() -> None:
    words = page_words()
    assert list(words) == ["en", "fr_CA"]
    assert words["en"].keys() == words["fr_CA"].keys() > {"title", "step.card", "failed.install"}


def test_a_problem_of_a_password_does_not_repeat_it() -> None:
    with pytest.raises(InstallRefused) as refused:
        wifi_key("W", "hunter2", wpa3=False)
    assert "hunter2" not in str(refused.value)
