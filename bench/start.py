"""Measures the start and the rest of a board on a Pi's own libraries, over simulated device nodes.

The board is a process in the environment of `make test-wires`: real lgpio, gpiozero, spidev and smbus2. It has one
core, made seven times as slow (`slow_core`). Without the right to set priorities it has the whole machine, and the
figures say what share it had. Times begin with the start of the process. Lights, screen and READY are seen from
outside.
"""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from threading import Thread

from bench.device import p99
from bench.processes import BoardProcess
from bench.slow_core import SlowCore, Span, slow_core
from tests.wires.board import CONFIGURATION, ENVIRONMENT, environment, lines_of
from tests.wires.nodes import READER, Nodes, nodes_of

from cribd.boards import load
from cribd.inputs import Key

_LOOK_S = 0.002
_PATIENCE_S = 60.0
IDLE_S = 20.0
SETTLE_S = 12.0
#: How many boards start, one after another: a 99th percentile needs the presses of all of them.
_BOARDS = 3
#: How long after READY the doctor has examined the board, and what that needed is given back.
_EXAMINED_S = 80.0


def _compile() -> None:
    """Compile the code as an installation does."""
    python = ENVIRONMENT / "python"
    subprocess.run([python, "-m", "compileall", "-q", ENVIRONMENT.parent / "lib"], check=False)
    subprocess.run([python, "-m", "cribd.compile_all"], check=True)


def _started(preload: Path, nodes: Nodes, folder: Path, core: Sequence[str] = ()) -> BoardProcess:
    """Start a board on these nodes, and return its process."""
    systemd = {"STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder), "MALLOC_ARENA_MAX": "1"}
    inherited = {
        name: value for name, value in environment(preload, nodes).items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    command = [*core, str(ENVIRONMENT / "cribboard"), "run", "--config", str(folder / "board.toml")]
    return BoardProcess(command, folder, inherited | systemd)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _get(port: int, path: str) -> bytes:
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=_PATIENCE_S) as answer:
                return bytes(answer.read())
        except ConnectionError:
            if time.monotonic() > end:
                raise
            time.sleep(_LOOK_S)


def _press(nodes: Nodes, hole: int, seconds: float = 0.08) -> None:
    """Press this hole of the first side; on a board without holes, its step key."""
    twin = nodes.twin
    if twin.board.has_step_calls:
        twin.key_down(Key.STEP, 0)
        time.sleep(seconds)
        twin.key_up(Key.STEP, 0)
    else:
        twin.press(0, hole)
        time.sleep(seconds)
        twin.release(0, hole)


def _press_to_light(nodes: Nodes, board: BoardProcess, hole: int) -> Span:
    """Press this hole, and return when it was pressed and when the first LED changed, by the monotonic clock."""
    twin, changes = nodes.twin, list[float]()
    before = twin.leds()

    def changed(_: int) -> None:
        if not changes and twin.leds() != before:
            changes.append(time.monotonic())

    deaf = twin.listen(changed)
    pressed = time.monotonic()
    _press(nodes, hole)
    board.until(lambda: bool(changes))
    deaf()
    return pressed, changes[0]


def _key(nodes: Nodes, which: Key, side: int) -> None:
    nodes.twin.key_down(which, side)
    time.sleep(0.1)
    nodes.twin.key_up(which, side)
    time.sleep(0.4)


def _taken(folder: Path) -> list[str]:
    """Return what the presses did: a step key puts its peg back after the highest call."""
    return [line for line in lines_of(folder / "journal.db") if line.startswith(("> take ", "> put-back "))]


def _is_lit(nodes: Nodes) -> bool:
    return any(led.red or led.green or led.blue for led in nodes.twin.leds()) or any(nodes.twin.pin_leds())


def _has_kept_starting(folder: Path) -> bool:
    return bool(json.loads((folder / "last-frame.json").read_bytes())["starting"])


def _begin_a_game(folder: Path, preload: Path, nodes: Nodes) -> None:
    """Start a board at full speed, begin a game, peg one hole, and stop it once it has kept its last frame.

    It is not killed: on a Pi LEDs on pins would stay lit."""
    first = _started(preload, nodes, folder)
    try:
        first.until(lambda: first.ready is not None and nodes.twin.oled().on)
        time.sleep(1)
        _key(nodes, Key.OK, 0)
        _key(nodes, Key.OK, 0)
        _press(nodes, 1)
        time.sleep(1)
        assert len(_taken(folder)) == 1, (lines_of(folder / "journal.db"), (folder / "stderr").read_text())
        first.until(lambda: _has_kept_starting(folder))
    finally:
        first.end()
    for part in ("strip", "screen"):
        nodes.twin.unplug(part)
        nodes.twin.plug(part)


def _start(board: BoardProcess, nodes: Nodes, folder: Path) -> tuple[dict[str, float], int]:
    """Press until a second after READY. Return the figures of the start, and how many presses there were."""
    seen: dict[str, float] = {}

    def look() -> None:
        now = time.monotonic() - board.at
        if _is_lit(nodes):
            seen.setdefault("first_light_s", now)
        if "starting_s" in seen and not nodes.twin.oled().on:
            seen.setdefault("begun_again_s", now)  # by the driver, which shows pictures from then on
        if nodes.twin.oled().on and any(nodes.twin.oled().pixels):
            seen.setdefault("first_picture_s" if "begun_again_s" in seen else "starting_s", now)

    stop = [False]

    def looking() -> None:
        while not stop[0]:
            look()
            time.sleep(_LOOK_S)

    Thread(target=looking, daemon=True).start()
    taps = 0
    board.until(lambda: "first_light_s" in seen)
    while board.ready is None or time.monotonic() < board.ready + 1:
        taps += 1
        _press(nodes, 1 + taps)
        time.sleep(0.17)
    board.until(lambda: "first_picture_s" in seen)
    stop[0] = True
    time.sleep(2)
    kept = len(_taken(folder)) - 1
    start = {"ready_after_s": board.ready_s(), "taps": taps, "taps_kept": kept, "start_cpu_s": board.cpu_s()}
    return start | seen, taps


def _rest(board: BoardProcess) -> dict[str, float]:
    """Measure the board at rest, and its memory once the doctor has examined it. Takes a minute and a half."""
    time.sleep(SETTLE_S)
    percent = board.rest_percent(IDLE_S)
    assert board.ready is not None
    time.sleep(max(0.0, board.ready + _EXAMINED_S - time.monotonic()))
    return {"rest_percent_of_a_core": percent, "resident_without_pages_mb": board.resident_mb()}


def _press_while_pages_load(nodes: Nodes, board: BoardProcess, port: int, hole: int) -> tuple[list[Span], float]:
    """Ask for the first page, and press holes until it is there or none is left.

    Returns when each hole was pressed and when its light came, and the seconds until the page."""
    answers: list[Span] = []
    page: list[float] = []
    begun = time.monotonic()
    asking = Thread(target=lambda: page.append(len(_get(port, "/")) and time.monotonic() - begun))
    asking.start()
    while (asking.is_alive() or len(answers) < 20) and hole < nodes.twin.board.last_hole:
        hole += 1
        answers.append(_press_to_light(nodes, board, hole))
        time.sleep(0.2)
    asking.join()
    return answers, page[0]


@contextlib.contextmanager
def _restarted(name: str, core: SlowCore, port: int = 0) -> Iterator[tuple[BoardProcess, Nodes, Path]]:
    """Start this board on this core, its game begun. Yields its process, its nodes and its folder."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cribboard-bench-")))
        preload = folder / "nodes.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", preload, "tests/wires/nodes.c"], check=True)
        nodes = stack.enter_context(nodes_of(load(name)))
        text = CONFIGURATION.format(folder=folder, reader=READER).replace("port = 0", f"port = {port}")
        (folder / "board.toml").write_text(f'{text}[table]\nway = "trust"\nboard = "{name}"\n')
        _begin_a_game(folder, preload, nodes)
        board = _started(preload, nodes, folder, core.command)
        stack.callback(board.end, signal.SIGKILL)
        yield board, nodes, folder


def start_and_rest() -> dict[str, float]:
    """Measure boards with a game: their start (light, screen, READY, taps since the light), a rest, and their pages.

    Times are medians of the boards. The percentiles are those of the presses of all boards, without those during which
    the core itself fell below half its speed.
    """
    _compile()
    starts, figures, answers = list[dict[str, float]](), dict[str, float](), list[Span]()
    with slow_core() as core:
        for _ in range(_BOARDS):
            port = _free_port()
            with _restarted("continuous", core, port) as (board, nodes, folder):
                start, hole = _start(board, nodes, folder)
                if not starts:
                    figures = _rest(board)
                pressed, start["first_page_s"] = _press_while_pages_load(nodes, board, port, 1 + hole)
                answers += pressed
                starts.append(start)
                if len(starts) == 1:
                    time.sleep(2)
                    figures["resident_with_pages_mb"] = board.resident_mb()
        figures["start_share_of_a_core"] = core.share()
        undisturbed = [1000 * (lit - pressed) for pressed, lit in core.undisturbed(answers)]
    figures |= {name: median(start[name] for start in starts) for name in starts[0]}
    for taps in ("taps", "taps_kept"):
        figures[taps] = sum(start[taps] for start in starts)
    return figures | {
        "press_to_light_pages_load_p50_ms": median(undisturbed),
        "press_to_light_pages_load_p99_ms": p99(undisturbed),
        "presses_while_pages_load": len(answers),
        "presses_disturbed": len(answers) - len(undisturbed),
    }


def start_of_starter() -> dict[str, float]:
    """Measure the start, the rest and the memory of a board without holes, as far as nobody asks for its pages.

    Its light is the LEDs on its pins, and its presses are those of a step key."""
    _compile()
    with slow_core() as core, _restarted("starter", core) as (board, nodes, folder):
        figures = _start(board, nodes, folder)[0] | _rest(board)
        figures["start_share_of_a_core"] = core.share()
    return {f"starter_{name}": value for name, value in figures.items()}


PARTS = [start_and_rest, start_of_starter]
