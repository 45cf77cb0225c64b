"""`cribboard doctor` with the Pi's own libraries, over faked nodes: the parts are right, and each fault is found."""

from __future__ import annotations

import fcntl
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.wires.board import (
    CONFIGURATION,
    ENVIRONMENT,
    PATIENCE_S,
    environment,
    forbidden_node,
    held_pin,
    missing_node,
    system_error,
)
from tests.wires.nodes import OLD_PI_5, PI_5, READER, ZERO_2_W, Model, Nodes, nodes_of

from cribd.boards import load

BUSES = ("spidev0.0", "spidev0.1", "i2c-1")
PARTS = {
    *("buses.spi", "buses.i2c", "oled.address", "strip.frame", "buttons.chain", "keys.pins", "readers.ports"),
    "sound.buzzer",
}


#: A board without strip and chain has LEDs on pins in their place.
OF_STARTER = {"buses.i2c", "oled.address", "strip.pins", "keys.pins", "readers.ports", "sound.buzzer"}


def examined(preload: Path, nodes: Nodes, folder: Path) -> dict[str, tuple[str, str]]:
    """The level of each check of a part, and what was measured."""
    file = folder / "board.toml"
    text = CONFIGURATION.format(folder=folder, reader=READER) + f'[table]\nboard = "{nodes.twin.board.name}"\n'
    file.write_text(text, encoding="utf-8")
    command = [str(ENVIRONMENT / "cribboard"), "doctor", "--json", "--config", str(file)]
    ran = subprocess.run(command, env=environment(preload, nodes), capture_output=True, text=True, timeout=PATIENCE_S)
    assert ran.stderr == ""
    return {
        finding["check"]: (finding["level"], finding["measured"])
        for finding in json.loads(ran.stdout)
        if finding["check"] in PARTS | OF_STARTER
    }


@pytest.mark.parametrize("model", [ZERO_2_W, OLD_PI_5, PI_5], ids=["zero-2-w", "pi-5-with-an-older-kernel", "pi-5"])
def test_the_parts_of_a_healthy_board_are_right(preload: Path, tmp_path: Path, model: Model) -> None:
    with nodes_of(load("continuous"), model) as nodes:
        found = examined(preload, nodes, tmp_path)
    assert {check: level for check, (level, _) in found.items()} == dict.fromkeys(PARTS, "ok")


def test_the_parts_of_a_healthy_starter_are_right_and_a_held_led_is_named(preload: Path, tmp_path: Path) -> None:
    with nodes_of(load("starter")) as nodes:
        assert examined(preload, nodes, tmp_path)["buses.spi"][0] == "warning", "its LEDs need pins of SPI"
        nodes.vanish(*BUSES[:2])
        found = examined(preload, nodes, tmp_path)
        assert {check: level for check, (level, _) in found.items()} == dict.fromkeys(OF_STARTER, "ok")
        led = nodes.twin.board.leds[0]
        nodes.faults.busy_pins.add(led.gpio)
        level, said = examined(preload, nodes, tmp_path)["strip.pins"]
    assert level == "fault"
    assert said == phrase("problem.doctor.leds.closed", led="TURN blue", gpio=led.gpio, why=held_pin(led.gpio))


FAULTS: dict[str, tuple[Callable[[Nodes], object], str, str]] = {
    "SPI is off": (
        lambda nodes: nodes.vanish(*BUSES[:2]),
        "buses.spi",
        phrase("problem.doctor.spi.closed", select=0, why=missing_node("spidev0.0", "dtparam=spi=on")),
    ),
    "SPI is forbidden": (
        lambda nodes: nodes.forbid(*BUSES),
        "buses.spi",
        phrase("problem.doctor.spi.closed", select=0, why=forbidden_node("spidev0.0", "spi")),
    ),
    "I²C is off": (
        lambda nodes: nodes.vanish("i2c-1"),
        "buses.i2c",
        phrase("problem.doctor.i2c.closed", port=1, why=missing_node("i2c-1", "dtparam=i2c_arm=on")),
    ),
    "the screen is unplugged": (
        lambda nodes: nodes.twin.unplug("screen"),
        "oled.address",
        phrase("problem.doctor.oled.nothing", address="0x3C"),
    ),
    "the kernel has the screen": (
        lambda nodes: nodes.faults.busy_addresses.add(0x3C),
        "oled.address",
        phrase("problem.doctor.oled.busy", address="0x3C"),
    ),
    "SPI times out above 64 bytes": (
        lambda nodes: setattr(nodes.faults, "spi_times_out_above", 64),
        "strip.frame",
        phrase("problem.doctor.strip.long", size=1300, why=system_error("Connection timed out", 110), short=64),
    ),
    "the buttons are unplugged": (
        lambda nodes: nodes.twin.unplug("buttons"),
        "buttons.chain",
        phrase("problem.doctor.chain.same", bit=0),
    ),
    "a button sticks": (
        lambda nodes: nodes.twin.press(0, 14),
        "buttons.chain",
        phrase("problem.doctor.chain.down", track="blue", hole=14),
    ),
    "a key's pin is busy": (
        lambda nodes: nodes.faults.busy_pins.add(17),
        "keys.pins",
        phrase("problem.doctor.keys.closed", key="GO blue", why=held_pin(17)),
    ),
    "there are no pins": (
        lambda nodes: nodes.vanish("gpiochip0"),
        "keys.pins",
        phrase("problem.doctor.pins.closed", why=phrase("problem.wires.no_chip")),
    ),
    "the buzzer's pin is busy": (
        lambda nodes: nodes.faults.busy_pins.add(12),
        "sound.buzzer",
        phrase("problem.doctor.buzzer.closed", gpio=12, why=held_pin(12)),
    ),
    "the reader is unplugged": (
        lambda nodes: nodes.twin.unplug("reader"),
        "readers.ports",
        phrase("problem.doctor.readers.missing", reader="reader", port=f"/dev/{READER}"),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_of_the_wires_is_found(preload: Path, nodes: Nodes, tmp_path: Path, fault: str) -> None:
    spoil, check, measured = FAULTS[fault]
    spoil(nodes)
    level, said = examined(preload, nodes, tmp_path)[check]
    assert said == measured
    assert level in ("fault", "warning")


def test_a_port_that_another_program_holds_is_found(preload: Path, nodes: Nodes, tmp_path: Path) -> None:
    with (nodes.folder / "dev" / READER).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        level, said = examined(preload, nodes, tmp_path)["readers.ports"]
    assert level == "fault"
    assert has_phrase(said, "problem.doctor.readers.held", reader="reader", port=f"/dev/{READER}")
