"""What the board says: every phrase in every language, filled with every value that the table can put in."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po as babel_reads

from cribboard import PACK, Card
from cribboard.actions import (
    REFUSALS,
    AcceptResult,
    Action,
    Agree,
    Ask,
    BreakOff,
    By,
    DropQuestion,
    LayCard,
    Question,
    TakePegInHand,
    Undo,
)
from cribboard.events import (
    Acted,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    Doubt,
    Event,
    GameWon,
    Occasion,
    Pegged,
    PegPutBack,
    PegReleased,
    PegTaken,
    Timing,
    Undone,
    Verdict,
)
from cribboard.rules import Way
from cribboard.scoring import Combination, Kind
from cribboard.view import Ask as Asked
from cribboard.view import Asks, View
from cribd import interpret, phrases
from cribd.facts import Fault, Key, Mended
from cribd.facts import Kind as Part
from cribd.menu import BRIGHTNESS, LANGUAGES
from cribd.phrases import LINE, CatalogueError, Phrases, languages, load
from cribd.phrases.catalogue import read_po, translations
from cribd.showing import Line, Lobby, MenuLine, Refusal, Showing

from .moments import BLUE, MENU, RED, moments

FOLDER = Path(phrases.__file__).parent
MOMENTS = moments()
POINTS = range(122)
ANY_VIEW = MOMENTS["laid"].view
assert ANY_VIEW is not None


def catalogue(language: str) -> dict[str, str]:
    """The phrases of a language as its file has them, by code; of plural ones, all forms."""
    messages = read_po((FOLDER / f"{language}.po").read_text(encoding="utf-8"))
    return {code.partition("\0")[0]: text for code, text in messages.items() if code}


# Everything that can be said


def view(*said: Event, **others: Any) -> View:
    assert ANY_VIEW is not None
    return replace(ANY_VIEW, said=said, **others)


def asking(what: Asks, side: int | None = None, **values: Any) -> Showing:
    return Showing(view=view(ask=Asked(what, side, values)))


def every_ask() -> Iterator[Showing]:
    """Each main line with each value that the game may put in it."""
    for side in (BLUE, RED):
        other = 1 - side
        for what in Asks:
            for asked in (None, side):
                if what is Asks.RESULT or asked is not None:
                    values = {"seat": side, "gone": other, "cards": 6, "discards": 2, "read": 3}
                    yield asking(what, asked, points=29, total=121, claimant=other, **values)
        for points in POINTS:
            for what in (Asks.RELEASE, Asks.SAME_HOLE, Asks.LATE):
                yield asking(what, side, points=points, total=121, claimant=other)
        for read in range(4):
            yield asking(Asks.READ_CRIB, side, seat=side, read=read)
    for lobby in (None, *Lobby):
        for way in Way:
            for games in range(1, 8):
                for winner in (None, BLUE, RED):
                    yield Showing(lobby=lobby, way=way, match=games, match_winner=winner)
    yield Showing(menu=MENU)


SETTINGS: dict[Line, list[dict[str, Any]]] = {
    Line.WAY: [{"way": way, "now": way} for way in Way],
    Line.LANGUAGE: [{"language": language, "now": language} for language in LANGUAGES],
    Line.BRIGHTNESS: [{"percent": percent, "now": percent} for percent in BRIGHTNESS],
    Line.SOUND: [{"sound": sound, "now": sound} for sound in ("on", "off")],
}


def every_act() -> Iterator[Action]:
    """Each action with each of its values, but for those that undo leaves alone."""
    for kind in get_args(Action):
        if kind in (Undo, Ask, DropQuestion, AcceptResult, BreakOff):
            continue
        for value in POINTS:
            side, card = value % 2, PACK[value % 52]
            given = {
                "seat": side,
                "side": side,
                "card": card,
                "points": value,
                "by": By.OWNER,
                "question": Question.UNDO,
            }
            yield kind(**{field.name: given[field.name] for field in fields(kind)})


SILENT = {"Acted", "CutTied", "CountOpened", "PegTaken", "PegReleased", "DealEnded", "Asked"}
"""Events that the main line or another event tells."""


def every_event() -> Iterator[tuple[Event, ...]]:
    """Each event by itself with each of its values."""
    for kind in get_args(Event):
        if kind.__name__ in SILENT | {"ClaimJudged", "Undone"}:
            continue
        for value in POINTS:
            side, card = value % 2, PACK[value % 52]
            given: dict[str, Any] = {
                "seat": side, "side": side, "by": side, "dealer": side, "last": side, "card": card,
                "count": value % 32, "points": value, "score": value, "question": Question.UNDO,
            }  # fmt: skip
            if kind is ClaimAccepted:
                given["by"] = By.OTHER_SIDE
            for verdict in (Verdict.OUT_OF_TURN, Verdict.TOO_LATE, Verdict.IMPOSSIBLE):
                yield (kind(**{field.name: (given | {"verdict": verdict})[field.name] for field in fields(kind)}),)


HEARTS = Card.parse_many("5H 6H 7H")
KINDS = {
    Kind.FIFTEEN: 2, Kind.PAIR: 2, Kind.RUN: 7, Kind.FLUSH: 5, Kind.NOBS: 1, Kind.THIRTY_ONE: 2, Kind.PAIR_ROYAL: 6,
    Kind.DOUBLE_PAIR_ROYAL: 12, Kind.GO: 1, Kind.LAST_CARD: 1, Kind.HEELS: 2,
}  # fmt: skip
OF_THE_PLAY = [kind for kind in KINDS if kind not in (Kind.FLUSH, Kind.NOBS)]
OF_A_HAND = (Kind.FIFTEEN, Kind.PAIR, Kind.RUN, Kind.FLUSH, Kind.NOBS)


def judged(
    verdict: Verdict,
    *kinds: Kind,
    occasion: Occasion = Occasion.CARD,
    side: int = BLUE,
    called: int = 12,
    pegged: int = 12,
) -> tuple[Event, ...]:
    combinations = tuple(Combination(kind, HEARTS, KINDS[kind]) for kind in kinds)
    due = {Verdict.EXACT: called, Verdict.TOO_MANY: pegged}.get(verdict, called + 29)
    claim = ClaimJudged(side, (occasion,), verdict, called, due, combinations)
    return (PegReleased(side, called, By.OWNER), claim, *([Pegged(side, pegged, 121)] if pegged else []))


def every_judgement() -> Iterator[tuple[Event, ...]]:
    for side in (BLUE, RED):
        for verdict in (Verdict.EXACT, Verdict.TOO_MANY, Verdict.TOO_FEW):
            for pegged in range(30):
                yield judged(verdict, Kind.FIFTEEN, side=side, called=pegged, pegged=pegged)
            for first in KINDS:
                yield judged(verdict, *[first] * 8, occasion=Occasion.HAND, side=side)
            for first in OF_THE_PLAY:
                yield judged(verdict, first, side=side)
                for second in OF_THE_PLAY:
                    yield judged(verdict, first, second, Kind.LAST_CARD, side=side, pegged=13)
            hand = [kind for kind in OF_A_HAND for _ in range(8)]
            for occasion in (Occasion.HAND, Occasion.CRIB):
                yield judged(verdict, *hand, occasion=occasion, side=side)
                yield judged(verdict, occasion=occasion, side=side, called=0, pegged=0)
        yield (ClaimChallenged(side, 1 - side), *judged(Verdict.EXACT, Kind.RUN))
        yield (ClaimChallenged(side, 1 - side), ClaimAccepted(side, By.OTHER_SIDE))
        yield (ClaimChallenged(side, 1 - side), PegPutBack(side))


def refusal_values(code: str) -> Iterator[dict[str, Any]]:
    sentence = {**REFUSALS, **interpret.REFUSALS}[code]
    names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
    if code == "key_means_nothing":
        yield from ({"key": key} for key in Key)
        return
    for value in POINTS:
        given = {
            "points": value, "left": value, "most": 29, "side": value % 2, "seat": value % 2, "card": PACK[value % 52],
            "count": value % 41, "text": ("9780141W", "?")[value % 2],
        }  # fmt: skip
        yield {name: given[name] for name in names}


def every_part() -> Iterator[tuple[Part, str]]:
    for kind in Part:
        match kind:
            case Part.BUTTON_STUCK:
                yield from ((kind, f"track {track} hole {hole}") for track in (BLUE, RED) for hole in range(1, 122))
            case Part.CHAIN_BROKEN:
                yield from ((kind, where) for where in ("near end", "far end", *(f"chip {n}" for n in range(1, 47))))
            case _:
                yield kind, "anywhere"


def everything(words: Phrases) -> Iterator[str]:
    """Every line that the board can ever show in a language, outside the detail of a word."""
    for showing in every_ask():
        yield words.ask(showing)
        yield from words.hints(showing)
    for line in Line:
        for values in SETTINGS.get(line, [{}]):
            yield words.menu_line(MenuLine(line, values))
            yield words.menu_now(MenuLine(line, values))
    for act in every_act():
        yield from words.said(view(Acted(Undo()), Undone(0), undone=act))
    yield from words.said(view(Acted(Undo()), Undone(0), undone=None))
    for events in (*every_event(), *every_judgement()):
        yield from words.said(view(*events))
    for code in {**REFUSALS, **interpret.REFUSALS}:
        for values in refusal_values(code):
            yield from words.refusal(Refusal(code, values))
    for kind, where in every_part():
        yield words.fault(Fault(kind, where))
        yield words.mended(Mended(kind, where))
    yield from (words.menu_title(), words.win(), words.skunk())
    for points in POINTS:
        yield words.points(points)


@pytest.mark.parametrize("language", languages())
class TestEveryLanguage:
    def test_no_line_is_longer_than_the_screen(self, language: str) -> None:
        longest = max(everything(load(language)), key=len)
        assert len(longest) <= LINE, longest

    def test_nothing_is_missing_and_nothing_is_there_in_vain(self, language: str) -> None:
        """Whatever the board may say is asked of a catalogue that only listens; the codes are those of the file."""
        heard: set[str] = set()

        class Listener(NullTranslations):
            def gettext(self, message: str) -> str:
                heard.add(message)
                return message

            def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
                return self.gettext(msgid1)

        listener = Phrases(Listener())
        for _ in everything(listener):
            pass
        for card in PACK:
            listener.card(card)
        for side in (BLUE, RED):
            listener.initial(side)
        assert heard == set(catalogue(language))

    def test_no_line_is_a_code_or_has_an_unfilled_place(self, language: str) -> None:
        codes = set(catalogue(language))
        for line in everything(load(language)):
            assert line
            assert not any(code in line for code in codes if "." in code), line
            assert not set("{}") & set(line)

    def test_every_phrase_is_filled_with_the_same_names_in_all_languages(self, language: str) -> None:
        def names(text: str) -> set[str]:
            return set(re.findall(r"{(\w+)}", text))

        english = catalogue("en")
        for code, text in catalogue(language).items():
            for form in text.split("\0"):
                assert names(form) <= names(english[code]), code
            assert names(text) == names(english[code]), code

    def test_the_file_is_read_as_babel_reads_it(self, language: str) -> None:
        file = FOLDER / f"{language}.po"
        with file.open("rb") as stream:
            theirs = babel_reads(stream, locale=language, abort_invalid=True)
        binary = BytesIO()
        write_mo(binary, theirs)
        binary.seek(0)
        reference = GNUTranslations(binary)
        ours = translations(file.read_text(encoding="utf-8"))
        for code in catalogue(language):
            assert ours.gettext(code) == reference.gettext(code)
            for n in (0, 1, 2, 5, 121):
                assert ours.ngettext(code, code, n) == reference.ngettext(code, code, n)
        assert ours.info()["language"] == language
        assert [list(check) for check in theirs.check()] == []

    def test_its_typography_is_that_of_the_language(self, language: str) -> None:
        for line in everything(load(language)):
            assert line == " ".join(line.split()), line
            if language.startswith("fr"):
                assert not re.search(r"[^ ][:!?%]", line), f"French has a space before the sign: {line}"
            else:
                assert not re.search(r" [:!?%]", line), f"English has none: {line}"


BANNED = ("berceau", "croupier", "concessionnaire", "crèche", "cric", "course", "courir")


def test_the_words_of_the_machine_translation_are_never_used() -> None:
    for text in catalogue("fr_CA").values():
        assert not {word for word in BANNED if re.search(rf"\b{word}", text, re.IGNORECASE)}, text


SAME_ON_PURPOSE = {
    "initial.", "rank.", "key.go", "key.ok", "key.menu", "language.", "ask.release", "said.points", "said.moved",
    "undone.LayCard", "undone.SayGo", "undone.TakePegInHand", "undone.TakeZero", "undone.ReadCrib", "skunk",
    "why.thirty_one", "why.go", "occasion.crib", "counted.flush", "counted.go", "points",
}  # fmt: skip


def test_a_french_phrase_that_is_english_is_so_on_purpose() -> None:
    english, french = catalogue("en"), catalogue("fr_CA")
    same = {code for code in english if english[code] == french[code]}
    assert {code for code in same if not code.startswith(tuple(SAME_ON_PURPOSE))} == set()
    assert {mark for mark in SAME_ON_PURPOSE if not any(code.startswith(mark) for code in same)} == set()


ENGLISH = re.compile(
    r"\b(the|your|peg|hole|hand|count|card|deal|lead|play|press|blue|red|yes|no|or|and)\b", re.IGNORECASE
)


def test_no_english_word_stands_in_a_french_line() -> None:
    for line in everything(load("fr_CA")):
        assert not ENGLISH.search(line), line


def test_the_menu_offers_the_languages_that_there_are() -> None:
    assert set(LANGUAGES) == set(languages())
    assert languages()[0] == "en"


def test_a_language_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="language = 'tlh': allowed are en, fr_CA"):
        load("tlh")


# The words of the rules reference, section 7, as they stand there


def _ask(moment: str) -> str:
    return load("fr_CA").ask(MOMENTS[moment])


def _refused(code: str, **values: Any) -> str:
    return load("fr_CA").refusal(Refusal(code, values))[0]


FRENCH = load("fr_CA")
VERBATIM = {
    "Reprendre ? OK = oui": _ask("resume"),
    "Qui donne ? Son OK": _ask("who-deals"),
    "Rouge : coupez": _ask("cut-second"),
    "Égalité : recoupez": _ask("cut-tied"),
    "Rouge brasse 6 cartes": _ask("deal"),
    "Écartez 2 chacun": FRENCH.hints(MOMENTS["deal"])[0],
    "Départ : scannez": FRENCH.hints(MOMENTS["deal"])[1],
    "Bleu : à vous": _ask("four-cards"),
    "Rouge go. Bleu joue": FRENCH.ask(asking(Asks.LAY_AFTER_GO, BLUE, seat=BLUE, gone=RED)),
    "Bleu +8 = 46": FRENCH.ask(asking(Asks.RELEASE, BLUE, points=8, total=46)),
    "Lâché : ne bouge plus": _refused("peg_is_down", side=BLUE),
    "Bleu : votre main": _ask("hand"),
    "0 : appuyez OK": FRENCH.hints(MOMENTS["hand"])[0],
    "Rouge : OK ou contes.": _ask("hand-judged"),
    "Rouge : scannez crib": _ask("scan-crib"),
    "En retard : OK ?": _ask("late"),
    "Défaire ? OK Rouge": _ask("undo-asked"),
    "Pas à vous : Bleu": _refused("not_your_turn", seat=BLUE),
    "Derrière le pion": _refused("behind_the_peg", points=-3),
    "Fini ? OK du donneur": _ask("trust"),
    "OK des deux côtés": _ask("won"),
    "Bleu +0 ?": FRENCH.ask(asking(Asks.ZERO, BLUE, points=0, total=38)),
    "19 = zéro ?": _ask("nineteen"),
    "Autre partie ? OK": _ask("again"),
    "Brasse à reprendre": FRENCH.menu_line(MENU.current),
    "Trop : corrigé à 8": FRENCH.said(view(*judged(Verdict.TOO_MANY, Kind.RUN, pegged=8)))[0],
    "Gagné !": FRENCH.win(),
    "Skunk": FRENCH.skunk(),
}


@pytest.mark.parametrize("text", VERBATIM)
def test_the_texts_of_the_rules_are_used_word_for_word(text: str) -> None:
    assert VERBATIM[text] == text


# What is told of an act


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        ("laid", ("Blue plays 5♥",), ("Bleu joue 5♥",)),
        ("peg-in-hand", (), ()),
        ("heels", ("Red +2: his heels",), ("Rouge +2 : valet",)),
        ("too-many", ("Too many: set to 2", "Red +2: fifteen"), ("Trop : corrigé à 2", "Rouge +2 : quinze")),
        ("go", ("Blue: go",), ("Bleu : go",)),
        ("go-pegged", ("Red +1: go",), ("Rouge +1 : go",)),
        ("out-of-turn", ("Blue: out of turn", "+4 does not count"), ("Bleu : hors tour", "+4 ne compte pas")),
        ("late-refused", ("Red: too late", "+2 does not count"), ("Rouge : trop tard", "+2 ne compte pas")),
        ("impossible", ("27: impossible", "+27 does not count"), ("Impossible : 27", "+27 ne compte pas")),
        ("false-go", ("False go: Red", "3♣ fitted at 22"), ("Faux go : Rouge", "3♣ allait à 22")),
        ("undone", ("Undone: Blue J♣",), ("Défait : Bleu V♣",)),
        ("hand-judged", ("Blue +12: hand", "fifteens 8, pairs 4"), ("Bleu +12 : main", "quinze 8, paires 4")),
        (
            "crib-too-few",
            ("Red +3: crib", "5 points lost", "fifteens 4, run 4"),
            ("Rouge +3 : crib", "5 points perdus", "quinze 4, suite 4"),
        ),
        ("challenged", ("The count is exact", "Blue +12: hand"), ("Le compte est exact", "Bleu +12 : main")),
        ("misdeal-agreed", ("Misdeal: deal again",), ("Brasse à reprendre",)),
        ("trust-pegged", ("Red +8 = 8",), ("Rouge +8 = 8",)),
        ("trust-challenged", ("Blue: count again", "Red challenges"), ("Bleu : recomptez", "Rouge conteste")),
        ("trust-undone", ("Undone: Blue +12",), ("Défait : Bleu +12",)),
        ("auto-pair-royal", ("Blue +8", "fifteen, pair royal"), ("Bleu +8", "quinze, triplé")),
        ("auto-31", ("Blue +2: 31",), ("Bleu +2 : 31",)),
        ("won", ("Blue wins!", "Blue +5 = 121"), ("Bleu gagne !", "Bleu +5 = 121")),
        ("again", ("The result is final",), ("Résultat final",)),
    ],
)
def test_an_act_is_told_the_most_important_first(
    moment: str, english: tuple[str, ...], french: tuple[str, ...]
) -> None:
    seen = MOMENTS[moment].view
    assert seen is not None
    assert load("en").said(seen)[: len(english) or None] == english
    assert load("fr_CA").said(seen)[: len(french) or None] == french


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_every_event_is_told_or_left_to_the_main_line_on_purpose(kind: type[Any]) -> None:
    told = any(type(event) is kind and load("en").said(view(event)) for events in every_event() for event in events)
    told |= kind.__name__ in ("ClaimJudged", "Undone")
    assert told != (kind.__name__ in SILENT)


@pytest.mark.parametrize("points", [25, 26, 27])
def test_what_no_hand_counts_is_not_called_far(points: int) -> None:
    asked = asking(Asks.SAME_HOLE, BLUE, points=points, total=points, claimant=BLUE)
    refused = Refusal("same_hole_again", {"points": points})
    for language, why in ("en", f"No count is {points}"), ("fr_CA", f"Aucun compte de {points}"):
        assert load(language).hints(asked)[0] == why
        assert load(language).refusal(refused)[0] == why


@pytest.mark.parametrize("points", [30, 35, 121])
def test_a_hole_beyond_every_count_is_far(points: int) -> None:
    refused = Refusal("same_hole_again", {"points": points})
    assert load("en").refusal(refused) == (f"+{points} is far", "Same hole again = yes")
    assert load("fr_CA").refusal(refused) == (f"+{points}, c'est loin", "Encore ce trou = oui")


@pytest.mark.parametrize("language", languages())
def test_where_the_main_line_helps_alone_a_refusal_gives_no_hint(language: str) -> None:
    assert len(load(language).refusal(Refusal("key_means_nothing", {"key": Key.MENU}))) == 1
    assert len(load(language).refusal(Refusal("nothing_to_accept"))) == 2


def test_what_is_not_told_leaves_the_screen_to_the_hint() -> None:
    assert load("en").said(view(Acted(TakePegInHand(BLUE, 2)), PegTaken(BLUE, 2, Doubt.NONE, Timing.IN_TIME))) == ()


def test_a_win_comes_before_all_that_led_to_it() -> None:
    assert load("en").said(view(*judged(Verdict.EXACT, Kind.RUN), GameWon(BLUE)))[0] == "Blue wins!"


def test_what_was_only_done_is_silent_beside_what_was_ruled() -> None:
    lay = Acted(LayCard(BLUE, PACK[0]))
    assert load("en").said(view(lay, ClaimRuled(RED, 4, Verdict.OUT_OF_TURN)))[0] == "Red: out of turn"


def test_an_agreed_misdeal_can_be_taken_back_and_named() -> None:
    assert load("en").said(view(Undone(3), undone=Agree(RED))) == ("Undone: misdeal",)


def test_points_are_counted_as_each_language_counts() -> None:
    assert [load("en").points(n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [load("fr_CA").points(n) for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]


def test_court_cards_have_the_letters_of_each_language() -> None:
    cards = Card.parse_many("AS TD JC QH KS")
    assert " ".join(map(load("en").card, cards)) == "A♠ 10♦ J♣ Q♥ K♠"
    assert " ".join(map(load("fr_CA").card, cards)) == "A♠ 10♦ V♣ D♥ R♠"


# The file of a language

PO = r"""
# A note.
msgid ""
msgstr ""
"Language: xx\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\n"

#. for whoever translates
#: somewhere.py:12
msgid "long"
msgstr ""
"He said \"no\",\n"
"and left\\."

msgid "holes"
msgid_plural "holes"
msgstr[0] "{n} trou"
msgstr[1] "{n} trous"

#, fuzzy
msgid "guessed"
msgstr "perhaps"

msgid "untranslated"
msgstr ""

#~ msgid "old"
#~ msgstr "gone"
"""


def test_a_catalogue_is_read_as_gettext_means_it() -> None:
    words = translations(PO)
    assert words.gettext("long") == 'He said "no",\nand left\\.'
    assert [words.ngettext("holes", "holes", n) for n in (0, 1, 2)] == ["{n} trou", "{n} trou", "{n} trous"]
    for absent in ("guessed", "untranslated", "old"):
        assert words.gettext(absent) == absent


def test_a_catalogue_from_another_system_reads_the_same() -> None:
    assert read_po(PO.replace("\n", "\r\n")) == read_po(PO)


@pytest.mark.parametrize("line", ['msgid "open', "msgid none", 'msgctxt "menu"', '"before any field"', "nonsense"])
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(CatalogueError, match=re.escape(repr(line))):
        read_po(line)


def test_fields_have_no_defaults_that_would_hide_a_new_one() -> None:
    """The generators above fill every field by name: one with a default would be left out unseen."""
    for kind in (*get_args(Action), *get_args(Event)):
        assert [f.name for f in fields(kind) if f.default is not MISSING] in ([], ["by"])
