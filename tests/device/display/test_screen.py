"""The picture on the screen, as the simulated panel shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from gettext import NullTranslations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image
from tests.support.catalogues import phrases_of
from tests.support.drawn import drawn
from tests.support.goldens import Approved
from tests.support.moments import BLUE, RED, moments

from cribboard import RULES, Card, Game
from cribboard.actions import Ask, TakePegInHand, Undo
from cribboard.position import Phase
from cribboard.view import see
from cribd.boards import load as load_board
from cribd.clock import ManualClock
from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, Font, Weight, font
from cribd.display.screen import screen_image
from cribd.inputs import Fault, FaultKind, HolePlace
from cribd.table.snapshot import Lobby, Refusal, Snapshot
from cribd.text import Phrases, languages, load
from cribd.twin.machine import Twin

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

MOMENTS = moments()

Glass = Callable[[Image.Image], Image.Image]


@pytest.fixture(scope="module")
def glass(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Glass]:
    """Shows a picture on the panel by luma, and says what is then seen on its glass."""
    twin = Twin(load_board("continuous"), ManualClock(), folder=tmp_path_factory.mktemp("twin"))
    panel = ssd1306(i2c(bus=twin.wires.i2c(1), address=0x3C), width=128, height=64, mode="1")
    panel.persist = True

    def seen(shown: Image.Image) -> Image.Image:
        panel.display(shown)
        oled = twin.oled()
        assert oled.on
        return Image.frombytes("1", (oled.width, oled.height), oled.pixels)

    yield seen
    twin.close()


def dots(image: Image.Image) -> bytes:
    assert image.mode == "1"
    return image.tobytes()


def rows(shown: Image.Image, top: int, bottom: int) -> bytes:
    return shown.crop((0, top, shown.width, bottom)).tobytes()


def stands(line: Bitmap, shown: Image.Image, x: int, y: int) -> bool:
    alone = Canvas(line.width, line.height)
    alone.put(line, 0, 0)
    return shown.crop((x, y, x + line.width, y + line.height)).tobytes() == alone.image().tobytes()


@pytest.mark.parametrize("language", languages())
class TestEachMoment:
    def test_each_moment_is_drawn_as_in_its_golden(self, language: str, approved: Approved) -> None:
        approved(f"screen.{language}", drawn(MOMENTS, language))

    def test_is_shown_dot_for_dot_by_luma_on_the_panel(self, language: str, glass: Glass) -> None:
        for snapshot in MOMENTS.values():
            shown = screen_image(snapshot, load(language))
            assert dots(glass(shown)) == dots(shown)


class TestTheMainLine:
    @pytest.mark.parametrize("language", languages())
    def test_the_main_line_is_at_the_top_and_16_dots_high(self, language: str) -> None:
        words = load(language)
        for snapshot in MOMENTS.values():
            line = font("tall").fit_text(words.prompt(snapshot), 128)
            assert line.height == 16
            alone = Canvas(128, 16)
            alone.put(line, min(1, 128 - line.width), 0)
            shown = screen_image(snapshot, words)
            if snapshot.menu is None:
                assert rows(shown, 0, 16) == alone.image().tobytes()
            else:
                alone.invert(0, 0, 128, 16)
                assert rows(shown, 11, 27) == alone.image().tobytes()

    @pytest.mark.parametrize("language", languages())
    def test_a_refusal_leaves_on_the_screen_which_press_is_wanted(
        self, language: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Below it stands what helps, then the hint; in the lobby and beside a running count there is one line."""
        words = load(language)
        for moment, snapshot in MOMENTS.items():
            helps = words.hints(snapshot)
            if snapshot.menu is not None or not helps:
                continue
            one = snapshot.view is None or snapshot.lobby is not None or snapshot.view.count is not None
            for refusal in (Refusal("nothing_to_undo"), Refusal("two_holes")):
                refused = replace(snapshot, refusal=refusal, faults=())
                wrong, *instead = words.refusal(refusal)
                written = TestLanguages.letters(refused, words, monkeypatch)
                assert wrong in written
                assert helps[0] in written or (one and instead and instead[0] in written), moment

    def test_a_refusal_is_dark_on_bright_and_leaves_the_main_line(self) -> None:
        plain, refused = (screen_image(MOMENTS[name], load("en")) for name in ("four-cards", "past-31"))
        assert rows(plain, 0, 16) == rows(refused, 0, 16)
        bar = rows(refused, 16, 32)
        assert sum(byte.bit_count() for byte in bar) > len(bar) * 8 // 2

    def test_the_running_count_stands_in_large_figures_while_cards_are_laid(self) -> None:
        shown = screen_image(MOMENTS["four-cards"], load("en"))
        large = font("large").line("24")
        assert large.height >= 24
        alone = Canvas(1 + large.width, large.height)
        alone.put(large, 1, 0)
        corner = shown.crop((0, 64 - large.height, 1 + large.width, 64))
        assert corner.tobytes() == alone.image().tobytes()

    def test_the_newest_card_is_shown_however_little_room_there_is(self) -> None:
        refused = MOMENTS["seven-cards-refused"]
        assert refused.view is not None
        newest = replace(refused.view.laid[-1], card=Card.parse("KD"))
        changed = replace(refused, view=replace(refused.view, laid=(*refused.view.laid[:-1], newest)))
        before, after = (screen_image(snapshot, load("en")) for snapshot in (refused, changed))
        assert rows(before, 0, 51) != rows(after, 0, 51)
        assert rows(before, 51, 64) == rows(after, 51, 64)

    def test_both_scores_are_shown_at_every_moment_of_a_game(self) -> None:
        for name, snapshot in MOMENTS.items():
            if snapshot.view is None or snapshot.menu is not None or name == "broken-off":
                continue
            for side in (BLUE, RED):
                sides = list(snapshot.view.sides)
                sides[side] = replace(sides[side], score=sides[side].score + 1)
                changed = replace(snapshot, view=replace(snapshot.view, sides=tuple(sides)))
                assert screen_image(changed, load("en")).tobytes() != screen_image(snapshot, load("en")).tobytes(), name

    def test_the_dealer_and_the_sides_can_be_recognised_without_colour(self) -> None:
        snapshot = MOMENTS["laid"]
        assert snapshot.view is not None
        for other in ({"dealer_side": BLUE}, {"sides": snapshot.view.sides[::-1], "dealer_side": RED}):
            changed = replace(snapshot, view=replace(MOMENTS["heels"].view or snapshot.view, **other))
            assert screen_image(changed, load("en")).tobytes() != screen_image(MOMENTS["heels"], load("en")).tobytes()


class TestLanguages:
    @staticmethod
    def letters(snapshot: Snapshot, words: Phrases, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Every text that the picture is made of."""
        written: list[str] = []
        line = Font.line

        def overheard(self: Font, text: str, weight: Weight = Weight.LIGHT, *, squeezed: int = 0) -> Bitmap:
            written.append(text)
            return line(self, text, weight, squeezed=squeezed)

        monkeypatch.setattr(Font, "line", overheard)
        screen_image(snapshot, words)
        return written

    def test_every_letter_comes_from_the_catalogue(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """In a language whose every letter is x, nothing else is written: but for the name of the product."""

        class Xish(NullTranslations):
            def gettext(self, message: str) -> str:
                return "x"

            def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
                return "x"

        for snapshot in MOMENTS.values():
            written = self.letters(snapshot, Phrases(Xish()), monkeypatch)
            assert written
            assert {text for text in written if any(c.isalpha() and c != "x" for c in text)} <= {"Cribboard"}

    def test_the_letters_of_every_language_are_drawn_and_no_empty_box(self) -> None:
        for language in languages():
            elsewhere = ("page.", "audit.", "command.", "competition.", "paper.", "problem.", "thousands")
            at_terminal = tuple(f"selftest.{part}" for part in ("ask", "denied", "found", "page", "problem", "report"))
            shown = (
                text for code, text in phrases_of(language).items() if not code.startswith((*elsewhere, *at_terminal))
            )
            letters = set("".join(shown)) - set("\n\0{}|")  # the last is between two lines of the self-test
            for name in ("tall", "small"):
                box = font(name).glyph("\N{REPLACEMENT CHARACTER}", Weight.LIGHT)
                for letter in letters | set("♣♦♥♠"):
                    assert font(name).glyph(letter, Weight.LIGHT) != box, letter

    @pytest.mark.parametrize("language", languages())
    def test_no_line_is_cut(self, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
        for snapshot in MOMENTS.values():
            for text in self.letters(snapshot, load(language), monkeypatch):
                assert not text.endswith("…") or text.endswith(" …")


FAULTS = (Fault(FaultKind.READER_SILENT, "reader"), Fault(FaultKind.BUTTON_STUCK, HolePlace(1, 118)))


class TestLayout:
    @pytest.mark.parametrize("faults", [(), FAULTS[:1], FAULTS], ids=("sound", "one fault", "two faults"))
    @pytest.mark.parametrize("refusal", [None, Refusal("two_holes")], ids=("taken", "refused"))
    @pytest.mark.parametrize("language", languages())
    def test_nothing_is_drawn_over_anything_else(
        self, language: str, refusal: Refusal | None, faults: tuple[Fault, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put = Canvas.put
        drawing = [""]

        def put_on_dark(self: Canvas, bitmap: Bitmap, x: int, y: int) -> None:
            here = Canvas(self.width, self.height)
            put(here, bitmap, x, y)
            lit = self.bitmap().rows
            assert not any(new & old for new, old in zip(here.bitmap().rows, lit, strict=True)), (drawing, x, y)
            assert x >= 0
            assert x + bitmap.width <= self.width, (drawing, x, y)
            put(self, bitmap, x, y)

        monkeypatch.setattr(Canvas, "put", put_on_dark)
        for drawing[0], snapshot in MOMENTS.items():
            screen_image(replace(snapshot, faults=faults, refusal=refusal), load(language))

    def test_a_fault_is_shown_beside_everything_else(self) -> None:
        for moment, snapshot in MOMENTS.items():
            if snapshot.menu is None:
                sound, broken = (screen_image(replace(snapshot, faults=f), load("en")) for f in ((), FAULTS))
                assert rows(sound, 0, 16) == rows(broken, 0, 16), moment
                assert dots(sound) != dots(broken), moment

    @pytest.mark.parametrize("refusal", [None, Refusal("two_holes")], ids=("taken", "refused"))
    @pytest.mark.parametrize("faults", [(), FAULTS], ids=("sound", "two faults"))
    def test_the_running_count_and_the_scores_are_always_readable(
        self, refusal: Refusal | None, faults: tuple[Fault, ...]
    ) -> None:
        for moment, snapshot in MOMENTS.items():
            if snapshot.menu is not None or snapshot.view is None or snapshot.view.count is None:
                continue
            if snapshot.lobby is Lobby.AGAIN:
                continue
            shown = screen_image(replace(snapshot, faults=faults, refusal=refusal), load("en"))
            figures = [font(name).line(str(snapshot.view.count)) for name in ("medium", "large")]
            assert any(stands(count, shown, 1, 64 - count.height) for count in figures), moment
            for side in snapshot.view.sides:
                score = font("tall").line(str(side.score), Weight.HEAVY)
                assert any(stands(score, shown, x, 50) for x in range(128 - score.width)), moment

    @pytest.mark.parametrize("language", languages())
    def test_a_full_disk_is_shown_once(self, language: str) -> None:
        words, refused = load(language), MOMENTS["disk-full"]
        assert dots(screen_image(refused, words)) == dots(screen_image(replace(refused, faults=()), words))
        others = replace(refused, faults=(*FAULTS[:1], *refused.faults))
        assert dots(screen_image(others, words)) == dots(screen_image(replace(refused, faults=FAULTS[:1]), words))
        later = replace(refused, refusal=None)
        assert dots(screen_image(later, words)) != dots(screen_image(replace(later, faults=()), words))


@pytest.mark.slow
class TestAnyGame:
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sampled_from(("verify", "trust", "auto")), st.randoms(use_true_random=False))
    def test_every_position_of_any_game_can_be_shown_in_every_language(self, way: str, rng: Any) -> None:
        game = Game.start(RULES["six-card"], way=way)
        for _ in range(150):
            actions = [a for a in game.expected() if not isinstance(a, Ask | Undo)] or game.expected()
            if not actions:
                break
            claims = [a for a in actions if isinstance(a, TakePegInHand)]
            others = [a for a in actions if not isinstance(a, TakePegInHand)]
            game.do(rng.choice(claims if claims and (not others or rng.random() < 0.3) else others))
            snapshot = Snapshot(view=see(game.position))
            for language in languages():
                words = load(language)
                for line in (words.prompt(snapshot), *words.hints(snapshot), *words.said(see(game.position))):
                    assert len(line) <= 21
                    assert font("tall").line(line).width <= 128
                screen_image(snapshot, words)
            if game.position.phase is Phase.OVER:
                break


class TestScreens:
    def test_a_picture_takes_less_than_4_milliseconds(self) -> None:
        words = load("fr_CA")
        began = time.process_time()
        for snapshot in MOMENTS.values():
            screen_image(snapshot, words)
        assert (time.process_time() - began) / len(MOMENTS) < 0.004

    def test_the_screen_without_a_game_asks_for_one(self) -> None:
        assert dots(screen_image(Snapshot(), load("en"))) == dots(screen_image(Snapshot(mode=Lobby.START), load("en")))
