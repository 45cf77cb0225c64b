"""What the board says: every phrase in every language, filled with every value that the table can put in."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po as babel_reads
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.catalogues import phrases_of
from tests.support.english_words import english_words
from tests.support.everything_announced import everything_announced
from tests.support.everything_asked import MOMENTS, asking, view
from tests.support.everything_happened import judged
from tests.support.everything_said import everything, everything_spoken, lines
from tests.support.moments import BLUE, MENU, RED
from tests.support.players import Players

from cribboard import PACK, RULES, Game, Rules
from cribboard.actions import (
    Action,
)
from cribboard.event_terms import Bar, Ground, Verdict
from cribboard.events import ClaimRuled, Event, PointsBarred
from cribboard.position import Phase
from cribboard.rules import changed
from cribboard.scoring import Kind
from cribboard.skunk import Skunk
from cribboard.view import PromptKind, see
from cribd import text as catalogues
from cribd.table.snapshot import Refusal, Snapshot
from cribd.text import LINE, Phrases, languages, load
from cribd.text.catalogue import STEP, parse, translations

FOLDER = Path(catalogues.__file__).parent
#: By these the board says nothing of a call before it is answered.
SILENT: list[dict[str, object]] = [{"telling": "tournament"}, {"muggins": "on"}]


#: Three sides, and partners: at these two tables every phrase is asked for.
SOME_TABLES = ((3, 3), (4, 2))


@cache
def asked_for() -> frozenset[str]:
    """Every code that is asked of a catalogue which only listens, as the board says whatever it may say."""
    heard: set[str] = set()

    class Listener(NullTranslations):
        def gettext(self, message: str) -> str:
            heard.add(message)
            return message.ljust(LINE + 1, "_")  # too long, so that what is said instead is asked for too

        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
            return self.gettext(msgid1)

    listener = Phrases(Listener())
    for _ in chain(everything(listener, SOME_TABLES), everything_spoken(listener, SOME_TABLES)):
        pass
    for card in PACK:
        listener.card(card)
    for side in range(3):
        listener.initial(side)
    listener.one_of(["this", "that"])
    return frozenset(heard)


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
class TestEveryLanguage:
    def test_each_line_fits_the_screen_has_no_code_or_unfilled_place_and_follows_the_typography(
        self, language: str
    ) -> None:
        """And no English word stands in a French line. It is one test: the lines take longer than their checks."""
        codes, is_french = set(phrases_of(language)), language.startswith("fr")
        for line in lines(language):
            assert 0 < len(line) <= LINE, line
            assert not codes & set(re.findall(r"\w+(?:\.\w+)+", line)), line
            assert not set("{}") & set(line), line
            assert line == " ".join(line.split()), line
            if is_french:
                assert not re.search(r"[^ ][:%]", line), f"French has a space before the sign: {line}"
                assert english_words(line) == [], line
            else:
                assert not re.search(r" [:!?%]", line), f"English has none: {line}"

    def test_every_phrase_is_filled_with_the_same_names_in_all_languages(self, language: str) -> None:
        def names(text: str) -> set[str]:
            return set(re.findall(r"{(\w+)}", text))

        english = phrases_of("en")
        for code, text in phrases_of(language).items():
            for form in text.split("\0"):
                assert names(form) <= names(english[code]), code
            of_python = OF_PYTHON.get(code, set()) if language != "en" else set()
            assert names(text) == names(english[code]) - of_python, code

    def test_the_file_is_read_as_babel_reads_it(self, language: str) -> None:
        file = FOLDER / f"{language}.po"
        with file.open("rb") as stream:
            theirs = babel_reads(stream, locale=language, abort_invalid=True)
        binary = BytesIO()
        write_mo(binary, theirs)
        binary.seek(0)
        reference = GNUTranslations(binary)
        ours = translations(parse(file.read_text(encoding="utf-8")))
        for code in phrases_of(language):
            assert ours.gettext(code) == reference.gettext(code)
            for n in (0, 1, 2, 5, 121):
                assert ours.ngettext(code, code, n) == reference.ngettext(code, code, n)
        assert ours.info()["language"] == language
        assert [list(check) for check in theirs.check()] == []


@pytest.mark.slow
def test_no_phrase_is_missing_and_none_is_unused() -> None:
    """Whatever the board may say is in the file, and nothing else. The pages and the commands have codes of their
    own (tests/device/web/test_translations.py, test_command_words.py), and so have competitions, paper, problems of
    files and the self-test (test_competitions.py, test_words_of_paper.py, test_problems.py, test_wording.py)."""
    elsewhere = ("page.", "command.", "competition.", "paper.", "problem.", "selftest.")
    for language in languages():
        asked = asked_for() | {f"{code}{STEP}" for code in STEPPED & asked_for()}
        assert asked == {code for code in phrases_of(language) if not code.startswith(elsewhere)}, language


#: Phrases that have another one for boards with step keys.
STEPPED = {code for code in phrases_of("en") if f"{code}{STEP}" in phrases_of("en")}
HOLE = re.compile(r"\b(holes?|trous?)\b", re.IGNORECASE)
#: Phrases that name a hole as a place where a peg is, which such a board has too.
PLACES = {"page.solo.errors.past_the_end", "page.twin.game_hole", "page.twin.hole", "refusal.past_the_end"}
#: Phrases that follow from a button at a hole alone: its fault, two at once, a call that is farther than any step.
OF_BUTTONS = {
    *("page.twin.fault.dead", "page.twin.fault.stuck", "page.twin.fault.swapped", "page.twin.part.buttons"),
    *("ask.same_hole", "hint.same_hole", "instead.same_hole_again", "page.solo.ask.same_hole"),
    *("instead.look_never", "instead.past_the_end", "refusal.two_holes"),
}


@pytest.mark.parametrize("language", languages())
def test_whatever_tells_to_press_a_hole_has_other_words_for_a_board_with_step_keys(language: str) -> None:
    elsewhere = ("audit.", "command.", "competition.", "paper.", "problem.", "record.", "selftest.", "page.rules.")
    holes = {code for code, text in phrases_of(language).items() if HOLE.search(re.sub(r"{\w+}", "", text))}
    assert {code for code in holes if not code.startswith(elsewhere)} - STEPPED == PLACES | OF_BUTTONS


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", sorted(STEPPED))
def test_a_board_with_step_keys_names_the_key_and_no_hole(language: str, code: str) -> None:
    words = load(language)
    line = words.stepped(True).say(code, side=words.side(RED))
    assert line != words.say(code, side=words.side(RED))
    assert not HOLE.search(line)
    assert 0 < len(line) <= LINE or code.startswith("page.")


@pytest.mark.slow
def test_the_voice_never_speaks_of_a_hole_on_any_board() -> None:
    for language in languages():
        assert [line for line in everything_announced(load(language), SOME_TABLES) if HOLE.search(line)] == []


BANNED = ("berceau", "croupier", "concessionnaire", "crèche", "cric", "course", "courir")


def test_the_words_of_the_machine_translation_are_never_used() -> None:
    for text in phrases_of("fr_CA").values():
        assert not {word for word in BANNED if re.search(rf"\b{word}", text, re.IGNORECASE)}, text


#: What Python's reader of TOML says is English: other languages name the line and the column.
OF_PYTHON = {"problem.toml.end": {"what"}, "problem.toml.syntax": {"what"}, "problem.journal.line": {"why"}}

SAME_ON_PURPOSE = {
    "initial.", "rank.", "key.go", "key.ok", "key.menu", "key.step", "ask.release", "said.points", "said.moved",
    "undone.LayCard", "undone.SayGo", "undone.TakePegInHand", "undone.TakeZero", "undone.ReadCrib", "skunk", "ask.zero",
    "why.thirty_one", "why.go", "seat", "double_skunk", "undone.ShowCard",
    "menu.change", "hint.start_of", "rules.fadoq", "rules.britannica", "rules.jeux50",
    "judge.as.crib", "number.6", "short.fifteen", "short.flush", "short.thirty_one", "short.go",
    "option.britannica.muggins", "option.acc.muggins", "ask.muggins",
    "instead.unclear_card", "page.owner.club",
    "rules.acc", "way_in_short.auto", "occasion.crib", "counted.flush", "counted.go", "points",
    "audit.verdict.exact", "audit.verdict.impossible",
    "voice.score", "voice.go", "audit.scores.muggins",
    "command.record.head.date", "command.rules.head.skunk", "command.rules.head.match", "command.rules.options",
    "command.example.", "command.help.arguments", "command.help.options", "command.value.",
    "command.demo.skunks", "command.discard.head.crib", "command.discard.head.total",
    "page.to.table", "page.rank.6", "page.verify.counts", "page.verify.is_crib", "page.verify.never",
    "page.phone.badge.skunk", "page.phone.badge.double_skunk",
    "page.board.skunk", "page.board.double", "page.counted.points", "page.score.crib", "page.games.pause",
    "competition.allowed.one_of",
    "competition.what.tables", "page.table.crib", "page.table.points", "page.statistics.of.crib",
    "page.statistics.part.crib", "page.phone.table", "page.phone.code.do",
    "page.desk.at", "page.desk.begin.format", "page.desk.pause", "page.desk.skunk", "page.desk.table",
    "page.hall.hall",
    "page.hall.table", "page.hall.title.pause", "page.solo.crib", "page.solo.options", "page.solo.robot",
    "page.solo.skunk.", "page.twin.fault.bounce", "page.twin.key",
    "problem.device.why", "problem.board.listed", "problem.deck.in_file", "problem.listed", "problem.sentence",
    "paper.table", "paper.slip.score", "paper.slip.skunk", "paper.card.points", "paper.card.total",
    "paper.criterion.points", "paper.head.second", "paper.head.total", "paper.certificate.date",
    "paper.csv.second", "paper.csv.source", "paper.csv.table", "paper.csv.total", "paper.slip.signature.spare.player",
    "page.desk.boards.release",
    "selftest.fault", "selftest.name.light_on_pin", "selftest.place.hole", "selftest.place.match",
}  # fmt: skip


def test_a_french_phrase_that_is_english_is_so_on_purpose() -> None:
    english, french = phrases_of("en"), phrases_of("fr_CA")
    same = {code for code in english if english[code] == french[code]}
    assert {code for code in same if not code.startswith(tuple(SAME_ON_PURPOSE))} == set()
    assert {mark for mark in SAME_ON_PURPOSE if not any(code.startswith(mark) for code in same)} == set()


def test_english_comes_first_of_the_languages() -> None:
    first, *others = languages()
    assert first == "en"
    assert "fr_CA" in others == sorted(others)


def test_the_folder_of_the_languages_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "en.po").touch()
    monkeypatch.setattr("cribd.languages.CATALOGUES", tmp_path)
    assert languages() == ("en",)
    (tmp_path / "es.po").touch()
    assert languages() == ("en",), "another language is known after a restart"


def test_a_language_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=f"language = 'tlh': allowed are {', '.join(languages())}$"):
        load("tlh")


# The words of the rules reference, section 7, as they stand there


def _ask(moment: str) -> str:
    return load("fr_CA").prompt(MOMENTS[moment])


def _refused(code: str, **values: Any) -> str:
    return load("fr_CA").refusal(Refusal(code, values))[0]


FRENCH = load("fr_CA")
VERBATIM = {
    "Reprendre? OK = oui": _ask("resume"),
    "Donneur : votre OK": _ask("who-deals"),
    "Rouge : coupez": _ask("cut-second"),
    "Égalité : recoupez": _ask("cut-tied"),
    "Rouge donne 6 cartes": _ask("deal"),
    "Écartez 2 chacun": FRENCH.hints(MOMENTS["deal"])[0],
    "Retourne : scannez": FRENCH.hints(MOMENTS["deal"])[1],
    "Rouge : à vous": _ask("laid"),
    "Rouge go. Bleu joue": FRENCH.prompt(asking(PromptKind.LAY_AFTER_GO, BLUE, seat=BLUE, gone=RED)),
    "Bleu +8 = 46": FRENCH.prompt(asking(PromptKind.RELEASE, BLUE, points=8, total=46)),
    "Lâché : ne bouge plus": _refused("peg_is_down", side=BLUE),
    "Bleu : votre main": _ask("hand"),
    "Votre trou ou OK = 0": FRENCH.hints(MOMENTS["hand"])[0],
    "Rouge : OK/CONTESTER": _ask("hand-judged"),
    "Scannez le crib Rouge": _ask("scan-crib"),
    "Compte tardif : OK?": _ask("late"),
    "Annuler? OK Rouge": _ask("undo-asked"),
    "Pas à vous : Bleu": _refused("not_your_turn", seat=BLUE),
    "Derrière le pion": _refused("behind_the_peg", points=-3),
    "Marquez puis OK Bleu": _ask("trust"),
    "OK des deux côtés": _ask("won"),
    "Bleu +0?": FRENCH.prompt(asking(PromptKind.ZERO, BLUE, points=0, total=38)),
    "Rouge : 19 = zéro?": _ask("nineteen"),
    "Autre partie? OK": _ask("again"),
    "Maldonne : redonnez": FRENCH.menu_line(MENU.current),
    "Trop : corrigé à 8": FRENCH.said(view(*judged(Verdict.TOO_MANY, Kind.RUN, pegged=8)))[0],
    "Gagné!": FRENCH.win(),
    "Skunk": FRENCH.skunk(view(skunk=Skunk.SKUNK)),
    "Double skunk": FRENCH.skunk(view(skunk=Skunk.DOUBLE)),
    "Perd double": FRENCH.skunk(view(rules=RULES["britannica"].label, skunk=Skunk.SKUNK)),
    "116 : pas de 1 point": FRENCH.said(view(ClaimRuled(BLUE, 1, Verdict.SINGLE_POINT, Ground.SINGLE_POINT)))[0],
    "Il faut 2 et plus": FRENCH.said(view(PointsBarred(BLUE, 1, Bar.SINGLE_POINT), at=120))[0],
}


@pytest.mark.parametrize("text", VERBATIM)
def test_the_texts_of_the_rules_are_used_word_for_word(text: str) -> None:
    assert VERBATIM[text] == text


@pytest.mark.slow
@given(
    rules=st.sampled_from([changed(rules, silent) for rules in RULES.values() for silent in SILENT]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=25, deadline=None)
@example(rules=changed(RULES["three-player"], {"muggins": "on"}), seed=0)
def test_whatever_is_asked_in_a_game_can_be_said_in_every_language(rules: Rules, seed: int) -> None:
    """Where the board says nothing of a call, it asks the others: with three sides there is no one side to name."""
    game, players = Game.start(rules, way="verify"), Players(seed, slips=0.2)
    for _ in range(120):
        if game.position.phase is Phase.WON:
            break
        game.do(players.act(game.position))
        snapshot = Snapshot(view=see(game.position))
        for language in languages():
            assert load(language).prompt(snapshot)
            assert all(load(language).hints(snapshot))


def test_fields_have_no_defaults_that_would_hide_a_new_one() -> None:
    """The generators above fill every field by name: one with a default would be left out unseen."""
    for kind in (*get_args(Action), *get_args(Event)):
        assert [f.name for f in fields(kind) if f.default is not MISSING] in ([], ["by"])
