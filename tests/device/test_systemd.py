"""How the daemon starts on a Pi: what systemd is told, and the traps that it must keep clear of."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections import defaultdict
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from tests.support.places import ROOT

from cribd.club.broker import CONFIGURATION, MOST_BYTES
from cribd.config.config import Config, ConfigError, PageConfig, ReaderConfig, load_config
from cribd.install.plan import CONFIG, CURRENT

SYSTEMD = ROOT / "systemd"
SERVICE = SYSTEMD / "cribd.service"
SCREEN = SYSTEMD / "cribd-screen.service"
#: What stands behind the board's unit on a hub, and on a board that is a hub too.
HUB, BOTH = SYSTEMD / "hub.conf", SYSTEMD / "both.conf"
BROKER = SYSTEMD / "cribboard-broker.service"
STICK = SYSTEMD / "media-cribboard.mount"


def unit(text: str) -> dict[str, dict[str, list[str]]]:
    """A unit file as section, key, values. Raises ValueError at a line that is none."""
    sections: dict[str, dict[str, list[str]]] = {}
    current: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if section := re.fullmatch(r"\[(\w+)\]", line):
            current = sections.setdefault(section[1], defaultdict(list))
        elif sections and (setting := re.fullmatch(r"(\w+)=(.*)", line)):
            current[setting[1]].append(setting[2])
        else:
            raise ValueError(line)
    return sections


@pytest.fixture
def service() -> dict[str, list[str]]:
    return unit(SERVICE.read_text(encoding="utf-8"))["Service"]


@pytest.mark.parametrize("text", ["Type=notify", "[Service]\nType notify", "[Service\n"])
def test_a_line_that_is_no_setting_is_noticed(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text.splitlines()[-1])):
        unit(text)


def test_the_unit_has_its_three_sections() -> None:
    assert list(unit(SERVICE.read_text(encoding="utf-8"))) == ["Unit", "Service", "Install"]


def is_accepted(file: Path, *beside: Path) -> None:
    """Where systemd's own judge is here, it accepts the unit; the others in this file judge everywhere."""
    judge = shutil.which("systemd-analyze")
    if judge is None:
        return
    for copy in (file, *beside):
        text = copy.read_text(encoding="utf-8")
        copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE), encoding="utf-8")
    ran = subprocess.run([judge, "verify", str(file)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with the units, and with those of a hub and of both as the installation writes them."""
    folder = tmp_path / "units"
    folder.mkdir()
    for file in (SERVICE, SCREEN, BROKER, BROKER.with_suffix(".path")):
        shutil.copy(file, folder)
    for added in (HUB, BOTH):
        own = folder / added.stem
        own.mkdir()
        text = SERVICE.read_text(encoding="utf-8") + added.read_text(encoding="utf-8")
        (own / SERVICE.name).write_text(text, encoding="utf-8")
        for file in (BROKER, BROKER.with_suffix(".path")):
            shutil.copy(file, own)
    return folder


@pytest.mark.parametrize("name", [SERVICE.name, SCREEN.name, BROKER.name, BROKER.with_suffix(".path").name])
def test_systemd_accepts_the_unit(units: Path, name: str) -> None:
    is_accepted(units / name, units / BROKER.name)


@pytest.mark.parametrize("role", [HUB.stem, BOTH.stem])
def test_systemd_accepts_the_unit_of_a_hub_with_that_of_its_broker(units: Path, role: str) -> None:
    is_accepted(units / role / SERVICE.name, units / role / BROKER.name)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        (SERVICE.name, 2.0),
        (SCREEN.name, 3.5),
        (f"hub/{SERVICE.name}", 2.0),
        (f"both/{SERVICE.name}", 2.0),
        (BROKER.name, 2.0),
    ],
)
def test_the_exposure_of_the_unit_stays_low(units: Path, name: str, most: float) -> None:
    """`systemd-analyze security` counts what a unit may do that it need not, from 0 to 10."""
    judge = shutil.which("systemd-analyze")
    if judge is None:
        return
    asked = [judge, "security", "--offline=true", "--no-pager", str(units / name)]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    [exposure] = re.findall(r"Overall exposure level for \S+: ([\d.]+)", ran.stdout)
    assert float(exposure) <= most


def test_the_screen_starts_without_a_keyboard() -> None:
    screen = unit(SCREEN.read_text(encoding="utf-8"))["Service"]
    assert "WLR_LIBINPUT_NO_DEVICES=1" in screen["Environment"]


def test_the_unit_starts_the_installed_command_under_a_watchdog(service: dict[str, list[str]]) -> None:
    assert service["ExecStart"] == [f"{CURRENT}/bin/cribboard run --config {CONFIG}"]
    assert service["Type"] == ["notify"]
    assert service["Restart"] == ["always"]
    assert int(service["WatchdogSec"][0]) > 0


def test_systemd_restarts_the_board_without_limit() -> None:
    assert unit(SERVICE.read_text(encoding="utf-8"))["Unit"]["StartLimitIntervalSec"] == ["0"]


def test_gpiozero_can_still_read_which_pi_it_is_on(service: dict[str, list[str]]) -> None:
    assert "ProcSubset" not in service


def test_lgpio_has_a_place_for_its_fifo(service: dict[str, list[str]]) -> None:
    assert "LG_WD=%t/cribboard" in service["Environment"][0].split()
    assert service["RuntimeDirectory"] == ["cribboard"]


def test_whole_groups_of_devices_are_allowed_so_that_a_reader_may_come_later(service: dict[str, list[str]]) -> None:
    assert service["DevicePolicy"] == ["closed"]
    assert "PrivateDevices" not in service
    allowed = {line.split()[0] for line in service["DeviceAllow"]}
    assert all(name.startswith("char-") for name in allowed)
    assert allowed >= {"char-gpiochip", "char-spi", "char-i2c", "char-ttyAMA", "char-ttyUSB", "char-ttyACM"}
    assert "char-alsa" in allowed
    assert "audio" in service["SupplementaryGroups"][0].split()


def test_the_drivers_of_allowed_devices_are_loaded_before_the_service_starts() -> None:
    lines = (SYSTEMD / "modules-load.d" / "cribd.conf").read_text(encoding="utf-8").splitlines()
    assert {line for line in lines if line and not line.startswith("#")} == {
        "spidev",
        "i2c-dev",
        "usbserial",
        "cdc_acm",
        "snd",
    }


def test_the_service_is_not_root_and_writes_its_state_folder_only(service: dict[str, list[str]]) -> None:
    assert "DynamicUser" not in service
    assert service["User"] == service["Group"] == service["StateDirectory"] == ["cribboard"]
    assert service["ProtectSystem"] == ["strict"]
    assert service["CapabilityBoundingSet"] == [""]


def test_the_unit_limits_memory_and_tasks_for_the_smallest_pi(service: dict[str, list[str]]) -> None:
    """A Pi Zero 2 W has 512 MB; the daemon may take 80 of them, as `make bench` holds it to."""
    (most,) = service["MemoryMax"]
    assert most.endswith("M")
    assert 2 * 80 <= int(most[:-1]) <= 512 / 2
    assert 40 <= int(service["TasksMax"][0]) <= 100


def test_the_screen_shows_the_scoreboard_where_the_board_serves_it_and_waits_until_it_does() -> None:
    screen = unit(SCREEN.read_text(encoding="utf-8"))
    service = screen["Service"]
    assert f"PORT={PageConfig().port}" in service["Environment"]
    assert service["ExecStart"][0].endswith(f"http://{PageConfig().host}:${{PORT}}/")
    assert f"/dev/tcp/{PageConfig().host}/${{PORT}}" in service["ExecStartPre"][0]
    assert "cribd.service" in screen["Unit"]["After"][0]
    assert service["Restart"] == ["always"]
    assert service["User"] != ["root"]


def test_the_configuration_that_is_shipped_says_every_default_in_comments(tmp_path: Path) -> None:
    shipped = (SYSTEMD / "config.toml").read_text(encoding="utf-8")
    file = tmp_path / "config.toml"
    file.write_text(shipped, encoding="utf-8")
    assert load_config(file) == Config()
    every = re.sub(r"^# (\w+ = |\[\[)", r"\1", shipped, flags=re.MULTILINE)
    file.write_text(every, encoding="utf-8")
    assert load_config(file) == Config(readers=(ReaderConfig(name="scanner", port="/dev/ttyACM0"),))
    values = tomllib.loads(every)
    names = {f"{table}.{key}" for table, keys in values.items() if isinstance(keys, dict) for key in keys}
    settings = {
        f"{table.name}.{key.name}"
        for table in fields(Config())
        if is_dataclass(getattr(Config(), table.name))
        for key in fields(getattr(Config(), table.name))
    }
    assert names == settings
    assert set(values["readers"][0]) == {key.name for key in fields(ReaderConfig())}
    file.write_text(shipped.replace("# way =", "ways ="), encoding="utf-8")
    with pytest.raises(ConfigError):
        load_config(file)


def test_the_hub_is_what_the_board_is_without_its_devices(service: dict[str, list[str]]) -> None:
    """What follows the board's unit changes the command, the memory and the devices, and starts the broker."""
    added = unit(HUB.read_text(encoding="utf-8"))
    hub = added["Service"]
    assert hub["ExecStart"] == ["", f"{CURRENT}/bin/cribboard hub --config {CONFIG} --no-browser --broker"]
    assert added["Unit"]["Wants"] == [BROKER.with_suffix(".path").name]
    assert hub.keys() == {"ExecStart", "MemoryMax", "SupplementaryGroups", "DeviceAllow", "PrivateDevices"}
    assert hub["SupplementaryGroups"] == hub["DeviceAllow"] == [""], "an empty value forgets the board's"
    assert 165 < int(hub["MemoryMax"][0].removesuffix("M")) <= 512 / 2


def test_a_board_that_is_a_hub_too_has_the_memory_of_both_and_the_broker(service: dict[str, list[str]]) -> None:
    added = unit(BOTH.read_text(encoding="utf-8"))
    assert added["Service"].keys() == {"ExecStart", "MemoryMax"}
    assert added["Service"]["ExecStart"] == ["", f"{service['ExecStart'][0]} --broker"]
    assert added["Unit"]["Wants"] == [BROKER.with_suffix(".path").name]
    assert int(added["Service"]["MemoryMax"][0].removesuffix("M")) >= 80 + 165


def test_the_users_file_makes_the_user_of_the_service(service: dict[str, list[str]]) -> None:
    lines = (SYSTEMD / "sysusers.d" / "cribboard.conf").read_text(encoding="utf-8").splitlines()
    (user,) = [line.split()[:2] for line in lines if not line.startswith("#")]
    assert user == ["u", service["User"][0]]


@pytest.mark.parametrize("name", ["sysusers.d", "tmpfiles.d"])
def test_systemd_reads_the_files_for_users_and_folders(name: str, tmp_path: Path) -> None:
    """Where its programs are here: users first, since folders belong to them."""
    for program in ("systemd-sysusers", "systemd-tmpfiles"):
        if shutil.which(program) is None:
            return
    (tmp_path / "etc").mkdir()
    users = [str(SYSTEMD / "sysusers.d" / "cribboard.conf")]
    ran = subprocess.run(["systemd-sysusers", f"--root={tmp_path}", *users], capture_output=True, text=True)
    assert (ran.returncode, "cribboard:" in (tmp_path / "etc/passwd").read_text(encoding="utf-8")) == (0, True)
    if name == "tmpfiles.d":
        folders = str(SYSTEMD / "tmpfiles.d" / "cribboard.conf")
        ran = subprocess.run(
            ["systemd-tmpfiles", f"--root={tmp_path}", "--create", folders], capture_output=True, text=True
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        assert (tmp_path / "var/lib/cribboard").is_dir()


def test_the_watchdog_of_the_machine_is_not_above_what_its_chip_can_count() -> None:
    manager = unit((SYSTEMD / "system.conf.d" / "cribboard.conf").read_text(encoding="utf-8"))["Manager"]
    assert manager == {"RuntimeWatchdogSec": ["15"], "RebootWatchdogSec": ["15"]}


def test_systemd_accepts_the_mount_of_the_stick(tmp_path: Path) -> None:
    is_accepted(Path(shutil.copy(STICK, tmp_path)))


def test_the_stick_that_is_mounted_is_the_one_that_the_board_looks_for(service: dict[str, list[str]]) -> None:
    mount = unit(STICK.read_text(encoding="utf-8"))["Mount"]
    label = Config().backup.label
    assert mount["What"] == [f"/dev/disk/by-label/{label}"]
    assert mount["Where"] == ["/media/cribboard"]
    assert STICK.name == "media-cribboard.mount", "systemd wants the name of the folder"
    assert service["ReadWritePaths"] == ["-/media/cribboard"]
    assert "uid=cribboard" in mount["Options"][0].split(",")
    rule = (SYSTEMD / "udev" / "70-cribboard-stick.rules").read_text(encoding="utf-8")
    assert f'ENV{{ID_FS_LABEL}}=="{label}"' in rule
    assert f'ENV{{SYSTEMD_WANTS}}+="{STICK.name}"' in rule


def test_no_unit_waits_for_a_network() -> None:
    """A board plays without one, and Debian's own mosquitto would wait for it."""
    for file in SYSTEMD.iterdir():
        if file.suffix in (".service", ".path", ".mount"):
            names = " ".join(
                value for values in unit(file.read_text(encoding="utf-8"))["Unit"].values() for value in values
            )
            assert "network" not in names, file.name


def test_the_broker_of_a_club_is_a_unit_of_its_own_that_starts_with_its_configuration(
    service: dict[str, list[str]],
) -> None:
    broker, path = (unit(file.read_text(encoding="utf-8")) for file in (BROKER, BROKER.with_suffix(".path")))
    written = f"/run/{service['RuntimeDirectory'][0]}/broker/{CONFIGURATION}"
    assert path["Path"] == {"PathExists": [written]}
    assert broker["Unit"]["ConditionPathExists"] == [written]
    assert broker["Unit"]["PartOf"] == path["Unit"]["PartOf"] == [SERVICE.name]
    assert broker["Service"]["ExecStart"] == [f"/usr/sbin/mosquitto -c {written}"]
    assert broker["Service"]["User"] == service["User"], "it reads the hub's key, and the hub sends it signals"
    assert broker["Service"]["Restart"] == ["always"]
    assert "ExecReload" not in broker["Service"], "the hub starts it anew instead"
    assert int(broker["Service"]["MemoryMax"][0].removesuffix("M")) * 1024 * 1024 > MOST_BYTES
