"""The check of the button chain.

`ButtonChain` decides whether a scan is valid, so the doctor and the board agree; here an invalid scan is explained.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cribd.boards import Board
from cribd.causes import Message, cause
from cribd.doctor.buses import remedy_of
from cribd.doctor.findings import Finding, Installation, fault, ok, power_off, warning
from cribd.doctor.parts import closed_bus_finding
from cribd.drivers.button_chain import ButtonChain
from cribd.inputs import ChipPlace, Fault, FaultKind, HolePlace
from cribd.wires import Spi

_SCANS, _PAUSE_S = 100, 0.005
#: How many chips more than described are looked for.
_MORE = 8


def chain(at: Installation) -> Iterator[Finding]:
    """Check the button chain by a hundred scans."""
    wired = at.board.chain
    if not wired.chips:
        return
    try:
        bus = at.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
    except OSError:
        yield closed_bus_finding(f"SPI0 CE{wired.spi_select}")
        return
    try:
        yield from _judge(at, bus)
    except OSError as error:
        yield fault(Message("doctor.chain.fails", "the chain cannot be scanned: {why}", why=cause(error)),
                    remedy_of(error))  # fmt: skip
    finally:
        bus.close()


def _judge(at: Installation, bus: Spi) -> Iterator[Finding]:
    size = at.board.chain.chips + 1
    scans: Counter[bytes] = Counter()
    for _ in range(_SCANS):
        scans[bytes(bus.transfer(bytes(size)))] += 1
        at.clock.wait(_PAUSE_S)
    faults = {scan: _faults(at.board, scan) for scan in scans}
    broken = {scan: found[0] for scan, found in faults.items() if found[:1] and _is_broken(found[0])}
    invalid = sum(scans[scan] for scan in broken)
    if invalid > _SCANS // 2:
        scan = max(broken, key=lambda scan: scans[scan])
        yield _explain(at.board, bus, scan, broken[scan])
        return
    if invalid:
        yield warning(
            Message("doctor.chain.noise", "{invalid} of {scans} scans are invalid", invalid=invalid, scans=_SCANS),
            Message("doctor.chain.noise.remedy",
                    "{off} Then shorten the cable of the chain, join its ground well, and keep it away from the "
                    "strip's; or write hz = 500000 below [chain] in the board file.", off=power_off()),
        )  # fmt: skip
    else:
        yield ok(Message("doctor.chain.right", "all {scans} scans of {chips} chips are valid",
                         scans=_SCANS, chips=at.board.chain.chips))  # fmt: skip
    valid = max((scan for scan in scans if scan not in broken), key=lambda scan: scans[scan])
    for found in faults[valid]:
        yield warning(
            Message("doctor.chain.down", "the button of {track} {hole} is down", **_hole(found, at.board)),
            Message("doctor.chain.down.remedy",
                    "Press it a few times, so that it springs back. If it stays down, its wire touches ground. {off} "
                    "Then free the wire. Until it has been up, the board ignores it, and can be played.",
                    off=power_off()),
        )  # fmt: skip


def _faults(board: Board, scan: bytes) -> list[Fault]:
    """Return the faults that a board reports for this scan."""
    decoder = ButtonChain(board, debounce_ms=0)  # these faults wait for no bounce
    inputs = [*decoder.feed(scan, 0.0), *decoder.feed(scan, 0.005)]
    return [found for found in inputs if isinstance(found, Fault)]


def _is_broken(found: Fault) -> bool:
    return found.kind is FaultKind.CHAIN_BROKEN


def _hole(stuck: Fault, board: Board) -> dict[str, object]:
    assert isinstance(stuck.where, HolePlace)
    return {"track": board.tracks[stuck.where.track].name, "hole": stuck.where.hole}


def _explain(board: Board, bus: Spi, scan: bytes, broken: Fault) -> Finding:
    """Return the finding for an invalid scan."""
    wired = board.chain
    bits = "".join(f"{byte:08b}" for byte in scan)
    if len(set(bits)) == 1:
        return fault(
            Message("doctor.chain.same", "every bit of the chain reads {bit}", bit=bits[0]),
            Message("doctor.chain.high.remedy", "{off} Then free pin 21 (MISO) and its wire: one of them touches "
                    "3.3 V.", off=power_off())
            if bits[0] == "1" else
            Message("doctor.chain.low.remedy", "{off} Then check the plug of the chain, its 3.3 V and its ground, and "
                    "the wire of MISO (pin 21).", off=power_off()),
        )  # fmt: skip
    if len(set(scan)) == 1 and bits.startswith(wired.near_pattern):
        return fault(
            Message("doctor.chain.each_word", "only the first chip is read ({bits}): the Pi breaks off after each byte",
                    bits=bits[:8]),
            Message("doctor.kernel.remedy",
                    "The kernel has a fault: update it (`sudo apt update`, `sudo apt full-upgrade`), and start the "
                    "Pi again."),
        )  # fmt: skip
    if isinstance(broken.where, ChipPlace):
        chip = broken.where.number
        return fault(
            Message("doctor.chain.short", "the chain ends after chip {last} of {chips}",
                    last=chip - 1, chips=wired.chips),
            Message("doctor.chain.short.remedy",
                    "{off} Then check the plug and the power between chip {last} and chip {chip}. Change the board "
                    "file only if the board was built with {last} chips.", off=power_off(), last=chip - 1, chip=chip),
        )  # fmt: skip
    if broken.where == "far end":
        return _explain_far_end(board, bus)
    if (shift := bits.find(wired.near_pattern)) > 0:
        return fault(
            Message("doctor.chain.shifted", "the pattern {pattern} of the first chip comes {shift} bits late",
                    pattern=wired.near_pattern, shift=shift),
            Message("doctor.chain.shifted.remedy",
                    "{off} Then check that the chain's first chip is the one of the board file, and that MISO comes "
                    "from its QH; then the inverter between CE{select} and SH/LD.",
                    off=power_off(), select=wired.spi_select),
        )  # fmt: skip
    return fault(
        broken.cause,
        Message("doctor.chain.garbled.remedy",
                "{off} Then check the wires of SCLK (pin 23), MISO (pin 21) and CE{select}, and the spare inputs of "
                "the first chip: they carry {pattern}.",
                off=power_off(), select=wired.spi_select, pattern=wired.near_pattern),
    )  # fmt: skip


def _explain_far_end(board: Board, bus: Spi) -> Finding:
    """Return the finding for a chain whose last byte is wrong."""
    wired = board.chain
    far = b"\xff" if wired.far_level else b"\0"
    more = bytes(bus.transfer(bytes(wired.chips + 1 + _MORE)))
    chips = len(more.rstrip(far))
    if chips < len(more):
        return fault(
            Message("doctor.chain.long", "the chain has {count} chips, and the board file says {chips}",
                    count=chips, chips=wired.chips),
            Message("doctor.chain.long.remedy", "Choose the board that this is (table.board in the configuration), or "
                    "correct its file."),
        )  # fmt: skip
    volts = "3.3 V" if wired.far_level else "0 V"
    return fault(
        Message("doctor.chain.untied", "no end of the chain is found: it is broken somewhere, or the input SER of its "
                "last chip ({chips}) is not joined to {volts}",
                chips=wired.chips, volts=volts),
        Message("doctor.chain.untied.remedy",
                "{off} Then check the plugs between the chips, and join the input SER of the last chip to {volts}. To "
                "find the place: `sudo cribboard selftest holes` shows from which hole on none answers.",
                off=power_off(), volts=volts),
    )  # fmt: skip
