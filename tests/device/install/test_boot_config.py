"""The boot configuration of a Pi gets what the board needs, and nothing that is in force already."""

from __future__ import annotations

import pytest
from tests.support.pi_in_a_tree import CMDLINE, CONFIG_TXT, pi_in

from cribd.install import changes
from cribd.install.boot_config import boot_changes, is_uart
from cribd.install.changes import Block, WordsOut
from cribd.install.machine import InstallRefused, Machine
from cribd.install.plan import board_needs_spi

CONFIG, LINE = "/boot/firmware/config.txt", "/boot/firmware/cmdline.txt"
BUSES = ("[all]", "dtparam=spi=on", "dtparam=i2c_arm=on,i2c_arm_baudrate=400000")


def test_a_new_system_gets_both_buses_in_one_block(machine: Machine) -> None:
    assert boot_changes(machine, uart=False) == [Block(CONFIG, BUSES)]
    changes.apply_changes(machine, boot_changes(machine, uart=False))
    text = machine.read(CONFIG) or ""
    assert text.startswith(CONFIG_TXT)
    assert text.removeprefix(CONFIG_TXT).splitlines()[1:-1] == list(BUSES)


@pytest.mark.parametrize(
    ("model", "line"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", "enable_uart=1"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "enable_uart=1"),
        ("Raspberry Pi 4 Model B Rev 1.4", "enable_uart=1"),
        ("Raspberry Pi 5 Model B Rev 1.0", "dtparam=uart0=on"),
    ],
)
def test_a_reader_at_the_pins_gets_the_uart_of_its_model_without_the_console(
    machine: Machine, model: str, line: str
) -> None:
    pi_in(machine.root, model)
    plan = boot_changes(machine, uart=True)
    assert plan == [Block(CONFIG, (*BUSES, line)), WordsOut(LINE, ("console=serial0,115200",))]
    changes.apply_changes(machine, plan)
    assert machine.read(LINE) == CMDLINE.replace("console=serial0,115200 ", "")
    changes.uninstall(machine, purge=False)
    assert (machine.read(CONFIG), machine.read(LINE)) == (CONFIG_TXT, CMDLINE)


@pytest.mark.parametrize(
    ("lines", "added"),
    [
        ("dtparam=spi=on\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n", None),
        ("dtparam=spi\n dtparam=i2c=on , i2c_baudrate=400000 # fast\n", None),
        ("[all]\ndtparam=spi=on\n", BUSES[2:]),
        ("dtparam=spi=on\ndtparam=spi=off\n", BUSES[1:]),
        ("dtparam=i2c_arm=on\n", BUSES[1:]),
        ("dtparam=spi=on\ndtparam=i2c_arm_baudrate=100000\n", BUSES[2:]),
        ("#dtparam=spi=on\n", BUSES[1:]),
        ("[pi5]\ndtparam=spi=on\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n", BUSES[1:]),
        ("dtparam=spi=on\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n[pi4]\ndtparam=spi=off\n", BUSES[1:2]),
        ("", BUSES[1:]),
    ],
)
def test_only_what_is_not_in_force_for_every_pi_is_added(
    machine: Machine, lines: str, added: tuple[str, ...] | None
) -> None:
    machine.write(CONFIG, lines)
    plan = boot_changes(machine, uart=False)
    assert plan == ([] if added is None else [Block(CONFIG, ("[all]", *added))])
    changes.apply_changes(machine, plan)
    assert changes.pending(machine, boot_changes(machine, uart=False)) == []


@pytest.mark.parametrize(
    ("lines", "added"),
    [
        ("", BUSES[2:]),
        ("dtparam=spi=off\n", BUSES[2:]),
        ("dtparam=spi=on\n", ("dtparam=spi=off", *BUSES[2:])),
    ],
)
def test_spi_is_off_for_a_board_without_strip_and_chain(machine: Machine, lines: str, added: tuple[str, ...]) -> None:
    machine.write(CONFIG, lines)
    changes.apply_changes(machine, boot_changes(machine, uart=False))
    plan = boot_changes(machine, uart=False, spi=False)
    assert plan == [Block(CONFIG, ("[all]", *added))]
    changes.apply_changes(machine, plan)
    assert changes.pending(machine, plan) == []


@pytest.mark.parametrize(
    ("board", "spi"),
    [
        ("", True),
        ('board = "starter"', False),
        ('board = "classic"', True),
        ('board = "/etc/cribboard/mine.toml"', False),
        ('board = "/etc/cribboard/broken.toml"', True),
        ('board = "/etc/cribboard"', True),
        ('board = "nowhere"', True),
        ("board = 3", True),
    ],
)
def test_spi_is_what_the_board_of_the_configuration_needs(machine: Machine, board: str, spi: bool) -> None:
    machine.path("/etc/cribboard").mkdir(parents=True)
    machine.write("/etc/cribboard/config.toml", f"[table]\n{board}\n")
    machine.write("/etc/cribboard/mine.toml", '[oled]\nchip = "ssd1306"\n')
    machine.write("/etc/cribboard/broken.toml", "[oled\n")
    assert board_needs_spi(machine) is spi


def test_the_block_stays_as_it_is_at_the_next_installation(machine: Machine) -> None:
    changes.apply_changes(machine, boot_changes(machine, uart=False))
    after = machine.read(CONFIG)
    assert changes.apply_changes(machine, boot_changes(machine, uart=False)).made == ()
    assert machine.read(CONFIG) == after


def test_the_uart_is_added_when_a_reader_comes_later(machine: Machine) -> None:
    changes.apply_changes(machine, boot_changes(machine, uart=False))
    changes.apply_changes(machine, boot_changes(machine, uart=True))
    text = machine.read(CONFIG) or ""
    assert text.count("# Cribboard: begin") == 1
    assert "enable_uart=1\n# Cribboard: end\n" in text
    changes.uninstall(machine, purge=False)
    assert machine.read(CONFIG) == CONFIG_TXT


def test_an_older_system_has_its_files_in_boot(machine: Machine) -> None:
    machine.path("/boot/firmware").rename(machine.path("/boot/elsewhere"))
    machine.write("/boot/config.txt", "")
    assert boot_changes(machine, uart=False) == [Block("/boot/config.txt", BUSES)]


def test_a_pi_without_its_boot_partition_is_refused(machine: Machine) -> None:
    machine.path(CONFIG).unlink()
    with pytest.raises(InstallRefused, match=r"There is no config\.txt in /boot/firmware or /boot: is the boot"):
        boot_changes(machine, uart=False)


def test_a_machine_that_is_no_pi_has_no_boot_configuration(machine: Machine) -> None:
    pi_in(machine.root, "QEMU Virtual Machine")
    assert boot_changes(machine, uart=True) == []


def test_a_console_on_the_screen_stays(machine: Machine) -> None:
    machine.write(LINE, "console=tty1 quiet\n")
    assert [type(change) for change in boot_changes(machine, uart=True)] == [Block]


@pytest.mark.parametrize(
    ("port", "on_pins"),
    [("/dev/serial0", True), ("/dev/ttyAMA0", True), ("/dev/ttyS0", True), ("/dev/ttyUSB0", False),
     ("/dev/ttyACM0", False), ("/dev/cribboard-usb-1-1.2", False)],
)  # fmt: skip
def test_a_port_of_the_pins_is_told_from_one_on_usb(port: str, on_pins: bool) -> None:
    assert is_uart(port) is on_pins
