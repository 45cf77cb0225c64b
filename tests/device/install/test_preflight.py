"""Everything that prevents an installation is said before anything changes, one sentence each."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.pi_in_a_tree import pi_in

from cribd.install import preflight
from cribd.install.machine import Machine
from cribd.install.preflight import ProcessFacts, examine

PI = ProcessFacts("aarch64", 64, (3, 11), is_root=True)


def problems(machine: Machine, facts: ProcessFacts = PI, index: str | None = None) -> list[str]:
    return [*examine(machine, facts, folders=("/opt", "/var/lib/cribboard"), index=index, port=8121)]


@pytest.mark.parametrize("processor", ["aarch64", "x86_64"])
def test_a_pi_and_a_64_bit_pc_have_everything(machine: Machine, processor: str) -> None:
    assert problems(machine, replace(PI, processor=processor)) == []


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (
            replace(PI, processor="armv7l", pointer_bits=32),
            phrase("problem.install.architecture", processor="armv7l", bits=32),
        ),
        (replace(PI, pointer_bits=32), phrase("problem.install.architecture", processor="aarch64", bits=32)),
        (replace(PI, processor="riscv64"), phrase("problem.install.architecture", processor="riscv64", bits=64)),
        (replace(PI, python=(3, 9)), phrase("problem.install.python", python="3.9", oldest="3.11")),
        (replace(PI, is_root=False), phrase("problem.install.no_root")),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(machine: Machine, facts: ProcessFacts, sentence: str) -> None:
    assert problems(machine, facts) == [sentence]


@pytest.mark.parametrize(
    ("system", "named"),
    [
        (
            'ID=debian\nVERSION_ID="11"\nPRETTY_NAME="Debian GNU/Linux 11 (bullseye)"\n',
            "Debian GNU/Linux 11 (bullseye)",
        ),
        ('ID=ubuntu\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04 LTS"\n', "Ubuntu 24.04 LTS"),
        ("", "unknown"),
    ],
)
def test_another_system_is_refused_by_name(machine: Machine, system: str, named: str) -> None:
    machine.write("/etc/os-release", system)
    assert problems(machine) == [phrase("problem.install.system", system=named, versions="12 or 13")]


def test_trixie_is_taken(machine: Machine) -> None:
    machine.write("/etc/os-release", 'ID=debian\nVERSION_ID="13"\n')
    assert problems(machine) == []


def test_a_model_that_is_too_small_is_refused_by_name(machine: Machine) -> None:
    pi_in(machine.root, "Raspberry Pi 2 Model B Rev 1.1")
    assert problems(machine) == [phrase("problem.install.model", model="Raspberry Pi 2 Model B Rev 1.1")]


def test_a_disk_without_room_is_named_once(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "ROOM_MB", 10**9)
    (problem,) = problems(machine)
    assert has_phrase(problem, "problem.install.room", folder="/opt", needed=10**9)


def test_all_problems_come_at_once(machine: Machine) -> None:
    machine.write("/etc/os-release", "")
    assert len(problems(machine, ProcessFacts("armv6l", 32, (3, 9), is_root=False))) == 4


@pytest.fixture
def index() -> Iterator[str]:
    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(403)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/simple/"
        server.shutdown()
        thread.join()


def test_an_index_that_answers_is_there_whatever_it_says(machine: Machine, index: str) -> None:
    assert problems(machine, index=index) == []


def test_an_index_that_does_not_answer_is_named_with_the_way_out(machine: Machine) -> None:
    (problem,) = problems(machine, index="http://127.0.0.1:9/simple/")
    assert has_phrase(problem, "problem.install.index", index="http://127.0.0.1:9/simple/")


def process(machine: Machine, number: int, command: str, *opened: str) -> None:
    folder = machine.path(f"/proc/{number}/fd")
    folder.mkdir(parents=True)
    machine.path(f"/proc/{number}/cmdline").write_text(command.replace(" ", "\0") + "\0", encoding="utf-8")
    for descriptor, target in enumerate(opened):
        (folder / str(descriptor)).symlink_to(target)


@pytest.mark.parametrize("device", ["/dev/spidev0.1", "/dev/gpiochip0", "/dev/i2c-1"])
def test_a_program_that_uses_a_device_of_the_board_is_named(machine: Machine, device: str) -> None:
    process(machine, 412, "/usr/bin/python3 /home/pi/clock.py", "/dev/null", device, device)
    assert problems(machine) == [
        phrase("problem.install.device_in_use", program="clock.py", process=412, device=device)
    ]


def test_a_program_that_listens_on_the_port_of_the_pages_is_named(machine: Machine) -> None:
    machine.write(
        "/proc/net/tcp",
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        "   0: 0100007F:1FB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1\n"
        "   1: 0100007F:1FB9 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1\n",
    )
    process(machine, 7, "/usr/sbin/nginx", "socket:[4711]")
    process(machine, 8, "/usr/bin/curl", "socket:[4712]")
    assert problems(machine) == [phrase("problem.install.port_in_use", program="nginx", process=7, port=8121)]


def test_the_board_itself_may_use_its_devices(machine: Machine) -> None:
    board = "/opt/cribboard/releases/1/bin/python /opt/cribboard/releases/1/bin/cribboard run"
    process(machine, 9, board, "/dev/spidev0.0")
    assert problems(machine) == []


def test_a_program_on_a_device_the_board_does_not_use_is_no_problem(machine: Machine) -> None:
    process(machine, 9, "/usr/bin/spi", "/dev/spidev1.0", "/dev/i2c-20", "/dev/ttyS0")
    assert problems(machine) == []


def test_the_index_is_the_one_of_pips_configuration(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://pip.example/simple")
    assert preflight.package_index(machine) == "https://pip.example/simple"
    monkeypatch.delenv("PIP_INDEX_URL")
    configuration = machine.path("/etc/pip.conf")
    configuration.write_text(
        "[global]\nindex-url = https://index.example/simple\nextra-index-url = https://other.example/\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(configuration))
    assert preflight.package_index(machine) == "https://index.example/simple"
