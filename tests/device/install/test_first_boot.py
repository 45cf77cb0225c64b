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
from tests.support.first_boot_card import STOCK, Typed, everything, release_in, secret

from cribd.cli.first_boot import page_words
from cribd.install.first_boot import FirstBootSettings, Wifi, network_config, problems, user_data, wifi_key
from cribd.install.machine import InstallRefused

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


def test_first_boot_prints_the_next_steps_in_both_languages(typed: Typed, release: Path) -> None:
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


def test_what_the_pi_becomes_is_on_the_card_and_stays_until_it_is_said_anew(typed: Typed, release: Path) -> None:
    assert typed("--release", release) == 0
    assert typed.read("cribboard/settings.json")["role"] == ""
    assert "/desk" not in typed.out
    before = typed.read("meta-data")["instance-id"]
    for role in ("hub", "both", "board"):
        assert typed("--as", role) == 0
        assert typed.read("cribboard/settings.json")["role"] == role
        assert ("http://cribboard.local:8121/desk" in typed.out) is (role == "hub")
        assert typed("--name", f"legion-{role}") == 0
        assert typed.read("cribboard/settings.json")["role"] == role
    assert typed.read("meta-data")["instance-id"] != before


def test_a_card_of_an_earlier_release_says_nothing_of_what_the_pi_becomes(typed: Typed, release: Path) -> None:
    assert typed("--release", release) == 0
    file = typed.card / "cribboard/settings.json"
    settings = json.loads(file.read_text(encoding="utf-8"))
    del settings["role"]
    file.write_text(json.dumps(settings), encoding="utf-8")
    assert typed("--name", "legion") == 0
    assert typed.read("cribboard/settings.json")["role"] == ""


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
    settings = FirstBootSettings(host_name="0123", wifi=wifi)
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


# The program on the card


def test_the_program_runs_with_the_systems_python_alone(typed: Typed, release: Path, tmp_path: Path) -> None:
    """It starts a unit of its own: cloud-init waits for what it runs itself, and the start of the Pi for cloud-init."""
    typed("--release", release)
    arguments, programs = tmp_path / "told", tmp_path / "bin"
    programs.mkdir()
    (programs / "systemd-run").write_text(f'#!/bin/sh\necho "$@" >{arguments}\n')
    (programs / "systemd-run").chmod(0o755)
    program = typed.card / "cribboard" / "first-boot.pyz"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", program],
        env={"PATH": f"{programs}:/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert arguments.read_text().split()[-3:] == [sys.executable, str(program), "run"]
    assert "--no-block --collect --unit=cribboard-first-boot" in arguments.read_text()


def test_every_text_of_the_page_is_on_the_card_in_both_languages() -> None:
    words = page_words()
    assert list(words) == ["en", "fr_CA"]
    assert words["en"].keys() == words["fr_CA"].keys() > {"title", "step.card", "failed.install"}


def test_a_problem_of_a_password_does_not_repeat_it() -> None:
    with pytest.raises(InstallRefused) as refused:
        wifi_key("W", "hunter2", wpa3=False)
    assert "hunter2" not in str(refused.value)
