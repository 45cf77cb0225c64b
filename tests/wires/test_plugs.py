"""Every plug is pulled in play and put back: the rest goes on meanwhile, and the part heals without a restart."""

from __future__ import annotations

from tests.support.catalogues import phrase
from tests.wires.board import RunningBoard, Starts
from tests.wires.nodes import Nodes

#: How long a part may take until it works again. The aim is 2 s; this machine may have more to do.
HEALS_S = 5.0
BLUE = 0


async def begin(board: RunningBoard) -> None:
    """Blue deals, and red has laid a ten."""
    await board.begin()
    await board.scan("7D")
    await board.until(lambda: board.shown["view"]["starter"] == "7D")
    await board.scan("TH")
    await board.until(lambda: laid(board) == ["TH"])


def laid(board: RunningBoard) -> list[str]:
    return [laid["card"] for laid in board.shown["view"]["laid"]]


async def lay_a_five(board: RunningBoard) -> None:
    await board.scan("5C")
    await board.until(lambda: laid(board) == ["TH", "5C"])


async def claim_the_fifteen(board: RunningBoard) -> None:
    await board.press(BLUE, 2)
    await board.until(lambda: board.shown["view"]["sides"][BLUE]["in_hand"] == 2)
    await board.until(lambda: "2" in board.lights[BLUE])


async def test_without_its_screen_a_board_goes_on_and_the_screen_shows_the_game_again(
    start: Starts, nodes: Nodes
) -> None:
    """Its RAM is random after each plugging, so two equal pictures were both drawn."""
    pictures = []
    async with start() as board:
        await begin(board)
        nodes.twin.unplug("screen")
        await board.until(lambda: board.faults == [phrase("fault.screen_away")])
        assert not nodes.twin.oled().on
        await lay_a_five(board)
        await claim_the_fifteen(board)
        for _ in range(2):
            nodes.twin.plug("screen")
            await board.until(lambda: nodes.twin.oled().on and not board.faults, HEALS_S)
            pictures.append(await board.still_picture())
            nodes.twin.unplug("screen")
            await board.until(lambda: board.faults == [phrase("fault.screen_away")])
        assert pictures[0] == pictures[1]
        assert any(pictures[0])
        assert board.said.count("Fault screen_away (oled 0x3c): ") == 3
        assert board.said.count("Mended screen_away (oled 0x3c).") == 2


async def test_without_its_strip_a_board_goes_on_in_the_dark_and_then_lights_up_though_nothing_has_changed(
    start: Starts, nodes: Nodes
) -> None:
    """A strip has no wire back, so nobody can say that it is away."""
    async with start() as board:
        await begin(board)
        at_rest = board.lights
        nodes.twin.unplug("strip")
        assert board.lights == [{}, {}]
        await lay_a_five(board)
        nodes.twin.plug("strip")
        await board.until(lambda: board.lights == at_rest, HEALS_S)
        await claim_the_fifteen(board)
        assert board.faults == []


async def test_without_its_buttons_a_board_reads_cards_and_a_press_counts_again(start: Starts, nodes: Nodes) -> None:
    async with start() as board:
        await begin(board)
        nodes.twin.unplug("buttons")
        await board.until(lambda: board.faults == [phrase("fault.chain_broken")])
        await lay_a_five(board)
        nodes.twin.plug("buttons")
        await board.until(lambda: not board.faults, HEALS_S)
        await claim_the_fifteen(board)


async def test_without_its_reader_a_board_takes_presses_and_reads_cards_again(start: Starts, nodes: Nodes) -> None:
    """The reader comes back as another terminal under the same name."""
    async with start() as board:
        await begin(board)
        nodes.twin.unplug("reader")
        await board.until(lambda: board.faults == [phrase("fault.reader_silent")])
        await board.press(BLUE, 30)
        await board.until(lambda: phrase("said.nothing_pegged", points=30) in board.shown["text"]["en"]["said"])
        nodes.twin.plug("reader")
        await board.until(lambda: not board.faults, HEALS_S)
        await lay_a_five(board)
        await claim_the_fifteen(board)
