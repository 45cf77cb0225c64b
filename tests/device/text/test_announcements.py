"""What is told of an act, the most important first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from tests.support.everything_asked import MOMENTS, asking, view
from tests.support.everything_happened import SILENT, every_event, judged
from tests.support.everything_said import of_own_count
from tests.support.moments import BLUE, RED, Story
from tests.support.moments_of_rules import moments_of_rules
from tests.support.moments_of_rulings import moments_of_rulings

from cribboard import PACK, RULES
from cribboard.actions import (
    Action,
    Agree,
    LayCard,
    SayGo,
    TakePegInHand,
)
from cribboard.events import (
    Acted,
    AllPassed,
    Bar,
    ClaimRuled,
    CountEnded,
    Doubt,
    Event,
    GameWon,
    Ground,
    Occasion,
    PegTaken,
    PointsBarred,
    SaidGo,
    Timing,
    Undone,
    Verdict,
)
from cribboard.rules import Telling, Way, changed
from cribboard.scoring import Kind as Scored
from cribboard.view import Ask as Asked
from cribboard.view import Asks, Laid, see
from cribd.inputs import Fault, Key, Kind
from cribd.table.rule_sets import PRESETS
from cribd.table.snapshot import Line, Lobby, Menu, MenuLine, Refusal, Snapshot
from cribd.text import languages, load

OF_RULES = moments_of_rules()
OF_RULINGS = moments_of_rulings()


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
        ("false-go", ("False go: 3♣ at 22", "MENU: back to the go"), ("Faux go : 3♣ à 22", "MENU : revenir au go")),
        ("undone", ("Undone: Blue J♣",), ("Défait : Bleu V♣",)),
        ("hand-judged", ("Blue +12: hand", "fifteens 8, pairs 4"), ("Bleu +12 : main", "quinze 8, paires 4")),
        (
            "crib-too-few",
            ("Red +3: crib", "5 points lost", "fifteens 4, run 4"),
            ("Rouge +3 : crib", "5 points perdus", "quinze 4, suite 4"),
        ),
        ("challenged", ("The count is exact", "Blue +12: hand"), ("Le compte est exact", "Bleu +12 : main")),
        ("misdeal-agreed", ("Misdeal: deal again",), ("Maldonne : redonnez",)),
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
    for language, why in ("en", f"No hand scores {points}"), ("fr_CA", f"Aucune main de {points}"):
        assert load(language).hints(asked)[0] == why
        assert load(language).refusal(refused)[0] == why


@pytest.mark.parametrize("points", [30, 35, 121])
def test_a_hole_beyond_every_count_is_far(points: int) -> None:
    refused = Refusal("same_hole_again", {"points": points})
    assert load("en").refusal(refused) == (f"+{points} is far", "Same hole = yes")
    assert load("fr_CA").refusal(refused) == (f"+{points}, c'est loin", "Même trou = oui")


@pytest.mark.parametrize("language", languages())
def test_where_the_main_line_helps_alone_a_refusal_gives_no_hint(language: str) -> None:
    assert len(load(language).refusal(Refusal("key_means_nothing", {"key": Key.MENU}))) == 1
    assert len(load(language).refusal(Refusal("nothing_to_accept"))) == 2


def test_what_is_not_told_leaves_the_screen_to_the_hint() -> None:
    assert load("en").said(view(Acted(TakePegInHand(BLUE, 2)), PegTaken(BLUE, 2, Doubt.NONE, Timing.IN_TIME))) == ()


def test_a_win_comes_before_all_that_led_to_it() -> None:
    assert load("en").said(view(*judged(Verdict.EXACT, Scored.RUN), GameWon(BLUE)))[0] == "Blue wins!"


def test_what_was_only_done_is_silent_beside_what_was_ruled() -> None:
    lay = Acted(LayCard(BLUE, PACK[0]))
    assert load("en").said(view(lay, ClaimRuled(RED, 4, Verdict.OUT_OF_TURN, Ground.ORDER)))[0] == "Red: out of turn"


def test_what_was_agreed_can_be_taken_back_and_is_named() -> None:
    assert load("en").said(view(Undone(3), undone=Agree(RED))) == ("Undone: agreement",)


# What only some rules have


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        ("three-player-go", ("Green: go",), ("Vert : go",)),
        ("three-player-undo-agreed", ("Red: agreed",), ("Rouge : d'accord",)),
        ("partners-all-pass", ("All pass", "A card fits? GO"), ("Tous passent", "Carte jouable ? GO")),
        ("partners-goes-on", ("Blue 1 goes on",), ("Bleu 1 joue encore",)),
        ("partners-lay", ("Blue 2 plays 10♥",), ("Bleu 2 joue 10♥",)),
        (
            "fadoq-single-point",
            ("116: no single point", "+1 does not count"),
            ("116 : pas de 1 point", "+1 ne compte pas"),
        ),
        ("five-card-three-for-last", ("Three for last: Blue",), ("3 d'avance : Bleu",)),
        ("five-card-hand", ("Blue: 7♥",), ("Bleu : 7♥",)),
        ("five-card-17", ("17: impossible", "+17 does not count"), ("Impossible : 17", "+17 ne compte pas")),
        ("jeux50-redeal", ("Misdeal: deal again",), ("Maldonne : redonnez",)),
        ("jeux50-too-late", ("Red: too late", "+2 does not count"), ("Rouge : trop tard", "+2 ne compte pas")),
        ("acc-cut-stands", ("The cut stands",), ("La coupe tient",)),
    ],
)
def test_what_some_rules_alone_have_is_told(moment: str, english: tuple[str, ...], french: tuple[str, ...]) -> None:
    seen = OF_RULES[moment].view
    assert seen is not None
    assert (load("en").said(seen), load("fr_CA").said(seen)) == (english, french)


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        ("three-player-cut", "Red: cut", "Rouge : coupez"),
        ("three-player-undo", "Undo? OK by all", "Défaire ? OK de tous"),
        ("three-player-undo-agreed", "Undo? Blue's OK", "Défaire ? OK Bleu"),
        ("three-player-accept", "Blue: OK/CHALLENGE", "Bleu : OK/CONTESTER"),
        ("three-player-won", "OK from all sides", "OK des trois côtés"),
        ("three-player-won-agreed", "OK: Blue, Green", "OK : Bleu, Vert"),
        ("partners-who-deals", "Dealer: press your OK", "Donneur : votre OK"),
        ("partners-name", "Red 2 deals? OK", "Rouge 2 donne ? OK"),
        ("partners-deal", "Red 2 deals 5 cards", "Rouge 2 donne 5"),
        ("partners-lead", "Blue 1: lead a card", "Bleu 1 : commencez"),
        ("partners-lay", "Red 2: card or GO", "Rouge 2 : carte ou GO"),
        ("partners-go", "Go. Blue 1 plays", "Go. Bleu 1 joue"),
        ("partners-crib", "Scan crib of Red 2", "Scan du crib Rouge 2"),
        ("six-player-name", "Green 2 deals? OK", "Vert 2 donne ? OK"),
        ("five-card-rest", "Blue: scan the rest", "Bleu : scannez"),
        ("jeux50-card-seen", "Card seen? Blue's OK", "Carte vue ? OK Bleu"),
        ("jeux50-undo", "Undo? OK from both", "Défaire ? OK des 2"),
        ("jeux50-undo-agreed", "Undo? Red's OK", "Défaire ? OK Rouge"),
        ("britannica-again", "Another game? OK", "Autre partie ? OK"),
        ("fadoq-match-won", "Another match? OK", "Autre match ? OK"),
        ("fadoq-menu", "Rules: 6 players", "Règles : à six"),
        ("britannica-menu-short", "Short 61: off", "Courte 61 : non"),
        ("jeux50-menu-card-seen", "Card seen at the cut", "Carte vue à la coupe"),
    ],
)
def test_who_must_do_what_is_said_to_every_table(moment: str, english: str, french: str) -> None:
    snapshot = OF_RULES[moment]
    assert (load("en").ask(snapshot), load("fr_CA").ask(snapshot)) == (english, french)


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        (
            "three-player-deal",
            ("Discard 1 each", "Pack adds 1 to crib", "Blue cuts, scan it"),
            ("Écartez 1 chacun", "1 du paquet au crib", "Bleu coupe, scanne"),
        ),
        ("partners-deal", ("Discard 1 each", "Blue 2 cuts, scan it"), ("Écartez 1 chacun", "Bleu 2 coupe, scanne")),
        (
            "six-player-deal",
            ("5 each, 4 to G2, R2", "Others discard 1", "Red 2 cuts, scan it"),
            ("5 chacun, 4 à V2, R2", "Autres : écartez 1", "Rouge 2 coupe, scanne"),
        ),
        (
            "six-player-deal-bury",
            ("Discard 1 each", "Buried: Red 1 + 2", "Blue 2 cuts, scan it"),
            ("Écartez 1 chacun", "Enterré : Rouge 1 + 2", "Bleu 2 coupe, scanne"),
        ),
        ("three-player-undo", ("Missing: Blue, Red", "UNDO = no"), ("Manque : Bleu, Rouge", "DÉFAIRE = non")),
        ("partners-peg", ("OK ends the deal",), ("OK finit la donne",)),
        ("fadoq-need-two", ("Needs 2 or more", "Same hole or OK"), ("Il faut 2 et plus", "Même trou ou OK")),
        ("five-card-rest", ("1 card not laid",), ("Le reste : 1 carte",)),
        ("fadoq-lay-barred", ("116: no single point",), ("116 : pas de 1 point",)),
        ("fadoq-lay-for-two", ("Needs 2 or more",), ("Il faut 2 et plus",)),
        (
            "fadoq-hand-barred",
            ("Your hole, or OK = 0", "116: no single point"),
            ("Votre trou ou OK = 0", "116 : pas de 1 point"),
        ),
        ("fadoq-then-partners", ("partners, auto",), ("à quatre, auto",)),
        ("fadoq-again", ("Points in 8 games",), ("Points en 8 parties",)),
        ("fadoq-match-level", ("The match is level",), ("Match : égalité",)),
        ("fadoq-match-won", ("Red wins the match",), ("Match : Rouge gagne",)),
        ("britannica-start-short", ("Britannica, verify", "Short 61"), ("Britannica, vérifié", "Courte 61")),
        ("house-start", ("Legion Hall, auto",), ("Legion Hall, auto",)),
        ("house-menu", ("Based on Britannica", "Hold MENU to leave"), ("D'après Britannica", "MENU enfoncé : sortir")),
    ],
)
def test_what_helps_is_said_to_every_table(moment: str, english: tuple[str, ...], french: tuple[str, ...]) -> None:
    snapshot = OF_RULES[moment]
    assert (load("en").hints(snapshot), load("fr_CA").hints(snapshot)) == (english, french)


def test_a_jack_that_is_cut_is_told_at_once_where_the_board_tells_and_never_for_how_much() -> None:
    for worth, english in (2, ("His heels: Red",)), (3, ("His heels: Red",)), (0, ("Starter J♥",)):
        rules = changed(RULES["six-card"], {"his_heels": worth})
        cut = Story("verify", dealer=RED, rules=rules).starter("JH").shows().view
        assert cut is not None
        assert load("en").said(cut) == english
    silent = Story("verify", dealer=RED, rules=RULES["acc"]).starter("JH").shows().view
    assert silent is not None
    assert load("fr_CA").said(silent) == ("Retourne : V♥",)


def test_a_reader_is_called_by_its_name_if_it_has_one() -> None:
    french = load("fr_CA")
    assert french.fault(Fault(Kind.READER_SILENT, "reader")) == "Lecteur muet"
    assert french.fault(Fault(Kind.READER_SILENT, "sud")) == "Lecteur sud muet"
    assert french.fault(Fault(Kind.READER_SILENT, "antenne-du-sud")) == "Lecteur antenne… muet"


def test_a_zero_that_is_let_go_in_a_silent_game_is_told_as_any_call() -> None:
    seen = OF_RULINGS["muggins-zero-let-go"].view
    assert seen is not None
    assert load("en").said(seen) == ("Blue +0 = 0", "Red +3", "pair, last card")
    assert load("fr_CA").said(seen) == ("Bleu +0 = 0", "Rouge +3", "paire, dernière")


def test_points_that_move_no_peg_are_told_with_the_reason() -> None:
    barred = (PointsBarred(BLUE, 1, Bar.SINGLE_POINT), *judged(Verdict.EXACT, Scored.GO, called=0, pegged=0))
    assert load("fr_CA").said(view(*barred, at=117))[:2] == ("116 : pas de 1 point", "Bleu +0 : go")
    too_far = (PointsBarred(BLUE, 2, Bar.EXACT_OUT), *judged(Verdict.EXACT, Scored.PAIR, called=0, pegged=0))
    assert load("fr_CA").said(view(*too_far))[:2] == ("+2 dépasse la fin", "Bleu +0 : paire")


def test_of_points_that_all_pass_the_game_hole_it_is_not_said_that_they_are_too_many() -> None:
    too_far = (PointsBarred(BLUE, 12, Bar.EXACT_OUT),)
    nothing = judged(Verdict.TOO_MANY, Scored.RUN, occasion=Occasion.CRIB, called=3, pegged=0)
    assert load("en").said(view(*nothing, *too_far))[:2] == ("+12: past the end", "Blue +0: crib")
    *some, pegged = judged(Verdict.TOO_MANY, Scored.PAIR, called=3, pegged=2)
    some_of_it = ("Too many: set to 2", "+12: past the end", "Blue +2: pair")
    assert load("en").said(view(*some, *too_far, pegged)) == some_of_it


def test_after_a_press_of_one_that_is_barred_the_own_count_is_told_how_to_say_zero() -> None:
    for language, said in ("en", "Your hole, or OK = 0"), ("fr_CA", "Votre trou ou OK = 0"):
        assert load(language).said(of_own_count(BLUE, 2, 2))[1] == said


def test_that_all_have_passed_is_told_with_the_way_back_while_there_is_one() -> None:
    passed = AllPassed((1, 2))
    assert load("en").said(view(passed)) == ("All pass", "A card fits? GO")
    pegged = judged(Verdict.EXACT, Scored.GO, occasion=Occasion.GO, called=1, pegged=1)
    assert load("en").said(view(passed, *pegged)) == ("Blue +1: go", "A card fits? GO")
    assert load("en").said(view(passed, count=None)) == ("All pass",)


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [("britannica-lurch", "Lurch: double", "Perd double"), ("acc-double-skunk", "Double skunk", "Double skunk")],
)
def test_a_loser_far_behind_is_called_what_the_rules_call_him(moment: str, english: str, french: str) -> None:
    seen = OF_RULES[moment].view
    assert seen is not None
    assert (load("en").skunk(seen), load("fr_CA").skunk(seen)) == (english, french)


def test_a_side_that_has_no_part_is_named_by_its_colour_whoever_sits_at_the_table() -> None:
    idle = Refusal("not_playing", {"side": 2})
    for seating in ((2, 2), (4, 2)):
        assert load("en").seated(*seating).refusal(idle) == ("Green is not playing",)
        assert load("fr_CA").seated(*seating).refusal(idle) == ("Vert ne joue pas",)


@pytest.mark.parametrize(
    ("what", "english", "french"),
    [
        (Asks.UNDO, "Undo? OK by all", "Défaire ? OK de tous"),
        (Asks.MISDEAL, "Misdeal? OK by all", "Maldonne ? OK de tous"),
        (Asks.BREAK_OFF, "Stop game? OK by all", "Arrêter ? OK de tous"),
    ],
)
def test_of_three_sides_those_are_named_whose_ok_is_still_missing(what: Asks, english: str, french: str) -> None:
    asked = asking(what, None, players=3, sides=3, claimant=BLUE)
    two = replace(asked, waiting=(0, 2))
    assert (load("en").ask(two), load("fr_CA").ask(two)) == (english, french)
    assert load("en").hints(two) == ("Missing: Blue, Green", "UNDO = no")
    assert load("fr_CA").hints(two) == ("Manque : Bleu, Vert", "DÉFAIRE = non")
    assert load("en").hints(replace(asked, waiting=(0, 1, 2))) == ("UNDO = no",)


def test_of_a_result_the_main_line_alone_names_them() -> None:
    result = replace(asking(Asks.RESULT, None, players=3, sides=3), waiting=(1, 2))
    assert (load("en").ask(result), load("fr_CA").ask(result)) == ("OK: Red, Green", "OK : Rouge, Vert")
    assert load("en").hints(result) == ("Wrong? UNDO",)


def test_before_a_game_the_menu_says_what_its_keys_do_and_once() -> None:
    way = MenuLine(Line.WAY, {"way": "auto", "now": "trust"})
    between = Snapshot(mode=Menu((way,), covers=Lobby.START))
    during = replace(MOMENTS["menu"], mode=Menu((way,)))
    english = load("en")
    assert (english.menu_title(between), *english.hints(between)) == ("OK picks, MENU: next", "Hold MENU to leave")
    assert english.menu_title(during) == "Menu: the game waits"
    assert english.hints(during) == ("OK picks, MENU: next", "Hold MENU to leave")


def test_when_a_match_is_over_its_winner_is_told_however_the_next_is_scored() -> None:
    over = replace(OF_RULES["fadoq-match-won"], way="auto")
    assert load("en").hints(over)[0] == "Red wins the match"
    assert load("en").hints(replace(OF_RULES["fadoq-again"], way="auto")) == ("FADOQ, auto",)


def test_a_refusal_names_a_seat_as_its_table_does() -> None:
    refused = Refusal("not_your_turn", {"seat": 3})
    assert load("en").seated(4, 2).refusal(refused) == ("It is Red 2's turn", "Wait for Red 2")
    assert load("fr_CA").seated(4, 2).refusal(refused) == ("Pas à vous : Rouge 2", "Attendez Rouge 2")
    waits = Refusal("waits_for_other_side", {"side": BLUE})
    assert load("en").refusal(waits)[1] == "The other side's OK"
    assert load("en").seated(3, 3).refusal(waits)[1] == "The other sides' OK"


@pytest.mark.parametrize(
    ("seating", "names"),
    [
        ((2, 2), ["Bleu", "Rouge"]),
        ((3, 3), ["Bleu", "Rouge", "Vert"]),
        ((4, 2), ["Bleu 1", "Rouge 1", "Bleu 2", "Rouge 2"]),
        ((6, 3), ["Bleu 1", "Rouge 1", "Vert 1", "Bleu 2", "Rouge 2", "Vert 2"]),
    ],
)
def test_a_seat_has_its_sides_name_and_a_number_where_the_side_has_more(
    seating: tuple[int, int], names: list[str]
) -> None:
    words = load("fr_CA").seated(*seating)
    assert [words.seat(seat) for seat in range(seating[0])] == names


@pytest.mark.parametrize(("count", "english", "french"), [
    (21, "Red: play a card", "Rouge : à vous"),
    (22, "Red: card or GO", "Rouge : carte ou GO"),
])  # fmt: skip
def test_go_is_named_from_the_first_count_at_which_a_card_may_be_too_high(
    count: int, english: str, french: str
) -> None:
    shown = Snapshot(view=view(ask=Asked(Asks.LAY, RED, {"seat": RED}), count=count))
    assert (load("en").ask(shown), load("fr_CA").ask(shown)) == (english, french)


def test_a_trust_deal_opens_with_whose_ok_ends_it() -> None:
    for language, lines in (
        ("en", ("Peg, then Blue's OK", "OK ends the deal")),
        ("fr_CA", ("Marquez puis OK Bleu", "OK finit la donne")),
    ):
        shown, words = MOMENTS["trust"], load(language)
        assert shown.view is not None
        assert (words.ask(shown), *words.said(shown.view), *words.hints(shown)) == lines


def going(telling: str, *actions: Action, way: str = "verify") -> Story:
    """Blue and red have laid 29 between them, red last."""
    rules = changed(RULES["six-card"], {"telling": telling})
    return Story(way, dealer=RED, rules=rules).starter("2D").lay(BLUE, "KH 9S QC").do(*actions)


@pytest.mark.parametrize(("telling", "first", "last"), [
    ("club", ("Red: go",), ("Blue: go",)),
    ("guest", ("Red: go", "Go: 1 for last card"), ("Blue: peg 1 for go",)),
    ("coach", ("Red: go", "Go: 1 for last card"), ("Blue: peg 1 for go",)),
    ("tournament", ("Red: go",), ("Blue: go",)),
])  # fmt: skip
def test_where_the_board_helps_a_go_says_who_scores_what(
    telling: str, first: tuple[str, ...], last: tuple[str, ...]
) -> None:
    words = load("en")
    story = going(telling, SayGo(RED))
    assert words.said(see(story.game.position)) == first
    assert words.said(see(story.do(SayGo(BLUE)).game.position)) == last


def test_a_go_of_which_nobody_knows_or_that_is_pegged_by_the_board_asks_nobody() -> None:
    words = load("en")
    assert "peg 1" not in " ".join(words.said(see(going("guest", SayGo(RED), SayGo(BLUE), way="auto").game.position)))
    unread = (Laid(BLUE, None),)
    assert words.said(view(SaidGo(RED), telling=Telling.GUEST, way=Way.VERIFY, laid=unread)) == ("Red: go",)
    barred = view(SaidGo(RED), CountEnded(BLUE, 29), telling=Telling.GUEST, way=Way.VERIFY, at=116)
    assert words.said(barred)[0] == "Red: go"


def test_a_line_of_the_menu_shows_the_value_and_what_ok_makes_of_it() -> None:
    rules = MenuLine(Line.RULES, {"rules": PRESETS[2], "now": PRESETS[0]})
    light = MenuLine(Line.BRIGHTNESS, {"percent": 60, "now": 100})
    option = MenuLine(Line.OPTION, {"preset": "britannica", "option": "short", "state": "on", "now": "off"})
    for line, english, french in (
        (rules, ("Rules: six-card", "→ partners"), ("Règles : six cartes", "→ à quatre")),
        (light, ("Light: 100%", "→ 60%"), ("Lumière : 100 %", "→ 60 %")),
        (option, ("Short 61: off", "→ on"), ("Courte 61 : non", "→ oui")),
    ):
        for language, shown in (("en", english), ("fr_CA", french)):
            assert (load(language).menu_line(line), load(language).menu_now(line)) == shown
