"""A reader that comes back under another name is found again, if it can be known."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.no_wires import NoWires

from cribd.readers.ports import Ports

BY_ID = "dev/serial/by-id"


class Machine(NoWires):
    """Device nodes and udev's links below a folder."""

    def __init__(self, root: Path, **ports: str) -> None:
        self.root = root
        self._ports = ports
        (root / BY_ID).mkdir(parents=True)

    def serial(self, name: str) -> str:
        return str(self.root / "dev" / self._ports[name])

    def plug(self, node: str, device: str, *names: str) -> None:
        """A device appears at this node, with udev's link by its id and other links."""
        (self.root / "dev" / node).write_text(device)
        for link in (f"serial/by-id/usb-{device}", *names):
            (self.root / "dev" / link).symlink_to(self.root / "dev" / node)

    def unplug(self, node: str) -> None:
        for link in [*(self.root / "dev").glob("*"), *(self.root / BY_ID).glob("*")]:
            if link.is_symlink() and link.resolve().name == node:
                link.unlink()
        (self.root / "dev" / node).unlink()

    def device_at(self, port: str) -> str:
        return Path(port).read_text()


def opened(machine: Machine, ports: Ports, name: str) -> str:
    """Open the reader, and return the device that is there."""
    port = ports.find(name)
    device = machine.device_at(port)
    ports.note(name, port)
    return device


def test_a_reader_that_comes_back_at_ttyacm1_is_found_there(tmp_path: Path) -> None:
    machine = Machine(tmp_path, scanner="ttyACM0")
    ports = Ports(machine)
    machine.plug("ttyACM0", "zebra")
    assert opened(machine, ports, "scanner") == "zebra"
    machine.unplug("ttyACM0")
    assert not Path(ports.find("scanner")).exists()
    machine.plug("ttyACM1", "zebra")
    assert opened(machine, ports, "scanner") == "zebra"


def test_two_readers_that_come_back_in_the_other_order_keep_their_sides(tmp_path: Path) -> None:
    machine = Machine(tmp_path, blue="ttyACM0", red="ttyACM1")
    ports = Ports(machine)
    machine.plug("ttyACM0", "zebra")
    machine.plug("ttyACM1", "honeywell")
    assert [opened(machine, ports, name) for name in ("blue", "red")] == ["zebra", "honeywell"]
    machine.unplug("ttyACM0")
    machine.unplug("ttyACM1")
    machine.plug("ttyACM0", "honeywell")
    with pytest.raises(OSError, match=r"another reader is at .*/ttyACM0 now"):
        ports.find("blue")
    assert opened(machine, ports, "red") == "honeywell"
    machine.plug("ttyACM1", "zebra")
    assert opened(machine, ports, "blue") == "zebra"


def test_a_new_reader_in_the_place_of_a_broken_one_is_taken(tmp_path: Path) -> None:
    machine = Machine(tmp_path, scanner="ttyACM0")
    ports = Ports(machine)
    machine.plug("ttyACM0", "zebra")
    opened(machine, ports, "scanner")
    machine.unplug("ttyACM0")
    machine.plug("ttyACM0", "honeywell")
    assert opened(machine, ports, "scanner") == "honeywell"


def test_the_name_of_a_socket_means_whatever_is_plugged_in_there(tmp_path: Path) -> None:
    machine = Machine(tmp_path, blue="cribboard-usb-1-1.1", red="cribboard-usb-1-1.2")
    ports = Ports(machine)
    machine.plug("ttyACM0", "zebra", "cribboard-usb-1-1.1")
    machine.plug("ttyACM1", "honeywell", "cribboard-usb-1-1.2")
    assert [opened(machine, ports, name) for name in ("blue", "red")] == ["zebra", "honeywell"]
    machine.unplug("ttyACM0")
    machine.unplug("ttyACM1")
    machine.plug("ttyACM0", "zebra", "cribboard-usb-1-1.2")
    machine.plug("ttyACM1", "honeywell", "cribboard-usb-1-1.1")
    assert [opened(machine, ports, name) for name in ("blue", "red")] == ["honeywell", "zebra"]


def test_a_port_without_a_link_of_udev_stays_the_port(tmp_path: Path) -> None:
    machine = Machine(tmp_path, uart="ttyAMA0")
    (tmp_path / "dev/ttyAMA0").write_text("rdm6300")
    ports = Ports(machine)
    assert opened(machine, ports, "uart") == "rdm6300"
    assert ports.find("uart") == str(tmp_path / "dev/ttyAMA0")
