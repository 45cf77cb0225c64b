"""What `cribboard first-boot` refuses: it names the value and what is allowed, and writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.first_boot_card import Typed, everything, release_in, secret

from cribd.install.first_boot import FirstBootSettings, Wifi, problems, wifi_key

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


def test_a_pi_becomes_nothing_but_a_board_a_hub_or_both(
    typed: Typed, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(typed.card)
    with pytest.raises(SystemExit, match="2"):
        typed("--release", release, "--as", "server")
    assert "board, hub, both" in capsys.readouterr().err
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
    assert "--wifi" in problems(FirstBootSettings(wifi=wifi))[0]


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


def test_a_card_with_no_release_or_with_several_is_refused(typed: Typed, release: Path, tmp_path: Path) -> None:
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
