"""cloud-init and netplan read the card of `cribboard first-boot` as it is meant.

cloud-init is that of Debian 13, netplan that of the Debian that runs here; `make test-wires` unpacks both. Neither is
installed. As on a Pi, netplan writes for NetworkManager. netplan of Debian 12 knows no WPA3."""

from __future__ import annotations

import configparser
import subprocess
from pathlib import Path

import pytest
from tests.support.places import ROOT

from cribd.install.first_boot import FirstBootSettings, Wifi, network_config, user_data, wifi_key

UNPACKED = ROOT / ".venv-wires" / "cloud-init"


def schema(file: Path, kind: str) -> str:
    """What cloud-init says of the file; with errors in it, each at its line."""
    said = ""
    for annotate in ((), ("--annotate",)):
        words = [UNPACKED / "cloud-init", "schema", "--config-file", file, "--schema-type", kind, *annotate]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        said += ran.stdout + ran.stderr
    return said


def test_user_data_is_valid(tmp_path: Path) -> None:
    file = tmp_path / "user-data"
    for name in ("cribboard", "0123", "no"):
        file.write_text(user_data(FirstBootSettings(host_name=name)), encoding="utf-8")
        assert schema(file, "cloud-config") == f"Valid schema {file}\n" * 2


def test_the_schema_finds_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "user-data"
    file.write_text(user_data(FirstBootSettings()).replace('"bootcmd": [', '"bootcmd": [3, '), encoding="utf-8")
    with pytest.raises(AssertionError, match="bootcmd"):
        schema(file, "cloud-config")


def test_a_network_of_a_cable_is_valid(tmp_path: Path) -> None:
    """The schema knows no Wi-Fi: where netplan is installed, as on a Pi, cloud-init asks netplan."""
    file = tmp_path / "network-config"
    file.write_text(network_config(FirstBootSettings()), encoding="utf-8")
    assert schema(file, "network-config") == f"Valid schema {file}\n" * 2


NETWORKS = {
    "wpa2": Wifi(name="Légion 🎉", country="CA", key=wifi_key("Légion 🎉", "correct horse", wpa3=False)),
    "hostile": Wifi(name="yes: \"no\" 'x' # 01 {", country="NO", key="ab" * 32, hidden=True),
    "open": Wifi(name="~", country="US", key=""),
}
SECURITY = {
    "wpa2": {"key-mgmt": "wpa-psk", "psk": wifi_key("Légion 🎉", "correct horse", wpa3=False)},
    "hostile": {"key-mgmt": "wpa-psk", "psk": "ab" * 32},
    "open": {},
}


@pytest.mark.parametrize("kind", NETWORKS)
def test_network_manager_gets_the_name_and_the_key_of_the_network(tmp_path: Path, kind: str) -> None:
    wifi = NETWORKS[kind]
    for name, text in {
        "lib/netplan/00-network-manager-all.yaml": "network: {version: 2, renderer: NetworkManager}\n",
        "etc/netplan/50-cloud-init.yaml": network_config(FirstBootSettings(wifi=wifi)),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o600)
    subprocess.run([UNPACKED / "netplan-generate", "--root-dir", tmp_path], check=True)
    [file] = (tmp_path / "run/NetworkManager/system-connections").glob("netplan-wlan0-*")
    profile = configparser.ConfigParser(interpolation=None, delimiters="=", comment_prefixes="#")
    profile.read(file, encoding="utf-8")
    assert profile["wifi"]["ssid"] == wifi.name
    assert profile["wifi"].getboolean("hidden", fallback=False) == wifi.hidden
    security = dict(profile["wifi-security"]) if "wifi-security" in profile else {}
    assert {key: security[key] for key in SECURITY[kind]} == SECURITY[kind]
    assert bool(security) == bool(SECURITY[kind])
    assert f"iw reg set {wifi.country}" in (tmp_path / "run/systemd/system/netplan-regdom.service").read_text()
