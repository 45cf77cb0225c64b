"""Writes the SD card with which a Pi installs the board.

Raspberry Pi OS Trixie reads three files of cloud-init from its boot partition: `user-data`, `network-config` and
`meta-data`. They are JSON, which is YAML in which every text is quoted. cloud-init reads them again, and sets the
network and the host name once more, only for an instance that it does not know (docs/hardware-reference.md). So
`meta-data` gets a new instance-id with every change, and is written last.

Beside them, in `cribboard`, are `settings.json`, what cloud-init has no words for; the program that `bootcmd` runs at
every start (`cribd.install.first_boot_run`); and the release file.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from cribboard.validation import Message
from cribd.install.bundle import ReleaseDescription, read_about
from cribd.install.machine import InstallRefused, Machine

#: Where Raspberry Pi OS mounts the boot partition.
MOUNTED = "/boot/firmware"
FOLDER = "cribboard"
SETTINGS = f"/{FOLDER}/settings.json"
PROGRAM = f"/{FOLDER}/first-boot.pyz"
#: The files of the program on the Pi. It has no other part of this project, so that it is small.
_PROGRAM_FILES = (
    "__init__.py",
    "clock.py",
    "monotonic.py",
    *(f"install/{name}.py" for name in ("__init__", "first_boot_run", "first_boot_page")),
)
#: The system that this card starts: of Trixie.
PROCESSOR, PYTHON = "aarch64", "3.13"
_OURS = "# Written by `cribboard first-boot`."
#: Control characters, line ends, and bytes of the command line that were not UTF-8.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
#: Characters that YAML does not take as they are, or takes for the end of a line.
_UNPRINTABLE = re.compile("[^\n\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wifi:
    """A Wi-Fi network. `key` is from `wifi_key()`; "" if open."""

    name: str
    country: str
    key: str
    hidden: bool = False
    wpa3: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstBootSettings:
    """The settings on the SD card.

    `config` maps keys such as "page.pin" to values. `run` of a key is a word of the command that wrote it: the Pi sets
    each key once for each such word, so that the owner's changes on the Pi stay. `release` is a file in `cribboard` or
    an address, `sha256` that of the file. `role` is one of `cribd.install.plan.ROLES`, "" for no change."""

    host_name: str = "cribboard"
    language: str = "en"
    wifi: Wifi | None = None
    config: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    release: str = ""
    sha256: str = ""
    role: str = ""


def wifi_key(name: str, password: str, *, wpa3: bool) -> str:
    """Return the Wi-Fi key to write on the SD card. Raises `InstallRefused`.

    For WPA3 this is the password. For WPA2 it is a key of 64 hexadecimal digits: `password` if it has that form, else
    the key that IEEE 802.11, J.4.1, derives from the password."""
    if re.fullmatch("[0-9A-Fa-f]{64}", password) and not wpa3:
        return password.lower()
    secret = password.encode("utf-8", "surrogateescape")
    if not (wpa3 or 8 <= len(secret) <= 63) or not secret or _CONTROL.search(password):
        allowed = Message("first_boot.password_wpa3", "1 to 63 characters") if wpa3 else _PASSWORD
        raise InstallRefused(
            Message(
                "first_boot.password",
                "The password of the Wi-Fi network has {length} characters; allowed are {allowed}, on one line. For a "
                "network without a password: --open.",
                length=len(password),
                allowed=allowed,
            )
        )
    return password if wpa3 else hashlib.pbkdf2_hmac("sha1", secret, name.encode(), 4096, 32).hex()


_PASSWORD = Message("first_boot.password_wpa2", "8 to 63 characters, or a key of 64 hexadecimal digits")


def problems(settings: FirstBootSettings) -> list[Message]:
    """List the problems with the host name and the Wi-Fi network."""
    found = []
    if not re.fullmatch("(?!localhost$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", settings.host_name):
        found.append(
            Message(
                "first_boot.host_name",
                "--name {name}: allowed are 1 to 63 small letters a to z, digits and hyphens, no hyphen at either end, "
                "and not localhost.",
                name=repr(settings.host_name),
            )
        )
    if settings.wifi is not None:
        name = settings.wifi.name.encode("utf-8", "surrogateescape")
        if not 1 <= len(name) <= 32 or _CONTROL.search(settings.wifi.name):
            found.append(
                Message(
                    "first_boot.wifi",
                    "--wifi {name}: allowed are 1 to 32 bytes of UTF-8 on one line.",
                    name=repr(settings.wifi.name),
                )
            )
        if not re.fullmatch("[A-Z]{2}", settings.wifi.country):
            found.append(
                Message(
                    "first_boot.country",
                    "--country {code}: allowed is the code of a country, two capital letters, as in CA; without it the "
                    "Pi keeps its Wi-Fi off.",
                    code=repr(settings.wifi.country),
                )
            )
    return found


def check_partition(folder: Path) -> None:
    """Check that this folder is the boot partition of Raspberry Pi OS Trixie. Raises `InstallRefused`."""
    if not all((folder / name).is_file() for name in ("config.txt", "cmdline.txt")):
        raise InstallRefused(
            Message(
                "first_boot.no_partition",
                "{folder} is not the boot partition of Raspberry Pi OS: config.txt and cmdline.txt are not both there. "
                "Write the card with Raspberry Pi Imager, put it in again, and name the folder where bootfs is. "
                "--anywhere writes into any folder.",
                folder=folder,
            )
        )
    if not any((folder / name).is_file() for name in ("meta-data", "user-data")):
        raise InstallRefused(
            Message(
                "first_boot.no_cloud_init",
                "{folder} has no meta-data and no user-data: this is Raspberry Pi OS before Trixie, which does not "
                "read such files. Write the card with a newer image, or install as docs/install.md says.",
                folder=folder,
            )
        )


def on_card(folder: Path) -> FirstBootSettings | None:
    """Read the settings on the SD card, or None. Raises `InstallRefused` if they are damaged."""
    text = Machine(folder).read(SETTINGS)
    if text is None:
        return None
    try:
        values = json.loads(text)
        wifi = values.pop("wifi")
        for setting in values["config"].values():
            setting["value"], setting["run"]
        return FirstBootSettings(**values, wifi=wifi and Wifi(**wifi))
    except (ValueError, TypeError, KeyError, AttributeError) as wrong:
        raise InstallRefused(
            Message(
                "first_boot.damaged",
                "{file} is not what this command writes; remove it, and give every option once more.",
                file=folder / SETTINGS.lstrip("/"),
            )
        ) from wrong


def release_file(folder: Path) -> Path:
    """Find the release file on the SD card. Raises `InstallRefused` unless there is exactly one."""
    found = sorted([*folder.glob("cribboard-*.run"), *(folder / FOLDER).glob("cribboard-*.run")])
    if len(found) == 1:
        return found[0]
    names = ", ".join(file.name for file in found)
    raise InstallRefused(
        Message(
            "first_boot.which_release",
            "--release is needed: a file of `make dist`, or its https address. On the card there are: {names}.",
            names=names,
        )
        if found
        else Message(
            "first_boot.no_release",
            "--release is needed: a file of `make dist`, or its https address. On the card there is none.",
        )
    )


def check_release(file: Path) -> ReleaseDescription:
    """Check that a release file fits Raspberry Pi OS Trixie. Raises `InstallRefused`, OSError."""
    about = read_about(file)
    if about.processor != PROCESSOR or PYTHON not in about.pythons:
        raise InstallRefused(
            Message(
                "first_boot.other_release",
                "{file} is for {processor} and Python {pythons}; Raspberry Pi OS Trixie has {machine}, with Python "
                "{python}.",
                file=file,
                processor=about.processor,
                pythons=" or ".join(about.pythons),
                machine=PROCESSOR,
                python=PYTHON,
            )
        )
    return about


def write_card(
    folder: Path, settings: FirstBootSettings, release: Path | None, words: Mapping[str, Mapping[str, str]]
) -> MovedFiles:
    """Write the files of the installation on the SD card.

    Copies the file `release`; without it, the Pi uses the release file on the card, or downloads one.
    `words` are the texts of the page on the Pi, by language. Returns the names of the files that were kept aside.
    Raises `InstallRefused`, OSError."""
    card = Machine(folder)
    (folder / FOLDER).mkdir(exist_ok=True)
    if release is not None:
        settings = replace(settings, release=release.name, sha256=_copy(release, folder / FOLDER / release.name))
    written = {
        SETTINGS: json.dumps(asdict(settings), ensure_ascii=False, indent=1) + "\n",
        "/user-data": user_data(settings),
        "/network-config": network_config(settings),
    }
    whole = "\0".join(written.values())
    instance = "cribboard-" + hashlib.sha256(whole.encode()).hexdigest()[:16]
    moved = tuple(_keep(card, name) for name in ("/user-data", "/network-config") if _is_anothers(card, name))
    _write_bytes(folder / PROGRAM.lstrip("/"), program(words))
    for name, text in written.items():
        card.write(name, text)
    if (line := card.read("/cmdline.txt")) is not None:
        card.write("/cmdline.txt", cmdline(line, instance, settings.wifi.country if settings.wifi else ""))
    card.write("/meta-data", f"{_OURS}\n" + as_yaml({"instance-id": instance, "dsmode": "local"}))
    for old in (folder / FOLDER).glob("cribboard-*.run"):
        if old.name != settings.release:
            old.unlink()
    return moved


MovedFiles = tuple[tuple[str, str], ...]


def _is_anothers(card: Machine, name: str) -> bool:
    text = card.read(name)
    return text is not None and _OURS not in text


def _keep(card: Machine, name: str) -> tuple[str, str]:
    """Rename a file to a free name. Returns both names."""
    number = 1
    while card.path(aside := f"{name}.{number}.old").exists():
        number += 1
    card.path(name).rename(card.path(aside))
    return name.lstrip("/"), aside.lstrip("/")


def _copy(release: Path, to: Path) -> str:
    """Copy the release file, and return its sha256.

    A copy that fails is removed."""
    if not to.exists() or not release.samefile(to):
        part = to.with_suffix(".part")
        try:
            shutil.copyfile(release, part)
            part.replace(to)
        finally:
            part.unlink(missing_ok=True)
    with to.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_bytes(path: Path, data: bytes) -> None:
    part = path.with_suffix(".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def program(words: Mapping[str, Mapping[str, str]]) -> bytes:
    """Build the zip archive of the Pi's program."""
    here, packed = Path(__file__).parents[1], io.BytesIO()
    main = "import sys\n\nfrom cribd.install.first_boot_run import main\n\nsys.exit(main())\n"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {
            "__main__.py": main.encode(),
            "words.json": json.dumps(words, ensure_ascii=False).encode(),
            **{f"cribd/{part}": (here / part).read_bytes() for part in _PROGRAM_FILES},
        }.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def as_yaml(value: object) -> str:
    """Return a value as JSON that is also YAML."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def user_data(settings: FirstBootSettings) -> str:
    """Return the user data for cloud-init.

    `runcmd` would come too late: it waits for multi-user.target, which Raspberry Pi OS reaches only when somebody at
    its keyboard has made an account."""
    start = f"test ! -e {MOUNTED}{PROGRAM} || exec python3 {MOUNTED}{PROGRAM}"
    return f"#cloud-config\n{_OURS}\n" + as_yaml(
        {
            "hostname": settings.host_name,
            "preserve_hostname": False,
            "manage_etc_hosts": "localhost",
            "users": [],
            "apt": {"preserve_sources_list": True},
            "bootcmd": [["sh", "-c", start]],
        }
    )


def network_config(settings: FirstBootSettings) -> str:
    """Return the network configuration for netplan."""
    network: dict[str, Any] = {"version": 2, "ethernets": {"eth0": {"dhcp4": True, "optional": True}}}
    if (wifi := settings.wifi) is not None:
        point: dict[str, Any] = {"hidden": True} if wifi.hidden else {}
        if wifi.wpa3:
            point["auth"] = {"key-management": "sae", "password": wifi.key}
        elif wifi.key:
            point["password"] = wifi.key
        network["wifis"] = {
            "wlan0": {
                "dhcp4": True,
                "optional": True,
                "regulatory-domain": wifi.country,
                "access-points": {wifi.name: point},
            }
        }
    return f"{_OURS}\n" + as_yaml({"network": network})


def cmdline(line: str, instance: str, country: str) -> str:
    """Return the kernel's command line with this instance-id and country.

    This instance-id overrides that of `meta-data`.
    The radio starts with this country; "" keeps the present one."""
    words = [re.sub(r"^(ds=nocloud\b.*;(?:i|instance-id)=)[^;]*", rf"\g<1>{instance}", word) for word in line.split()]
    if country:
        words = [word for word in words if not word.startswith("cfg80211.ieee80211_regdom=")]
        words.append(f"cfg80211.ieee80211_regdom={country}")
    return " ".join(words) + "\n"
