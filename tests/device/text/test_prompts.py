"""The main line and its hints: who must do what now, at every table and in the menu."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.everything_asked import MOMENTS, asking, view
from tests.support.moments import BLUE, RED
from tests.support.moments_of_rules import moments_of_rules
from tests.support.moments_of_rulings import moments_of_rulings

from cribboard.view import Prompt, PromptKind
from cribd.table.rule_sets import PRESETS
from cribd.table.snapshot import Line, Lobby, Menu, MenuLine, Refusal, Snapshot
from cribd.text import load

OF_RULES = moments_of_rules()
OF_RULINGS = moments_of_rulings()


@pytest.mark.parametrize("points", [25, 26, 27])
def test_a_number_that_no_hand_counts_is_not_called_far(points: int) -> None:
    asked = asking(PromptKind.SAME_HOLE, BLUE, points=points, total=points, claimant=BLUE)
    refused = Refusal("same_hole_again", {"points": points})
    for language, why in ("en", f"No hand scores {points}"), ("fr_CA", f"Aucune main de {points}"):
        assert load(language).hints(asked)[0] == why
        assert load(language).refusal(refused)[0] == why


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        ("three-player-cut", "Red: cut", "Rouge : coupez"),
        ("three-player-undo", "Undo? OK by all", "Annuler? OK de tous"),
        ("three-player-undo-agreed", "Undo? Blue's OK", "Annuler? OK Bleu"),
        ("three-player-accept", "Blue: OK/CHALLENGE", "Bleu : OK/CONTESTER"),
        ("three-player-won", "OK from all sides", "OK des trois côtés"),
        ("three-player-won-agreed", "OK: Blue, Green", "OK : Bleu, Vert"),
        ("partners-who-deals", "Dealer: press your OK", "Donneur : votre OK"),
        ("partners-name", "Red 2 deals? OK", "Rouge 2 donne? OK"),
        ("partners-deal", "Red 2 deals 5 cards", "Rouge 2 donne 5"),
        ("partners-lead", "Blue 1: lead a card", "Bleu 1 : commencez"),
        ("partners-lay", "Red 2: card or GO", "Rouge 2 : carte ou GO"),
        ("partners-go", "Go. Blue 1 plays", "Go. Bleu 1 joue"),
        ("partners-crib", "Scan crib of Red 2", "Scan du crib Rouge 2"),
        ("six-player-name", "Green 2 deals? OK", "Vert 2 donne? OK"),
        ("five-card-rest", "Blue: scan the rest", "Bleu : scannez"),
        ("jeux50-card-seen", "Card seen? Blue's OK", "Carte vue? OK Bleu"),
        ("jeux50-undo", "Undo? OK from both", "Annuler? OK des 2"),
        ("jeux50-undo-agreed", "Undo? Red's OK", "Annuler? OK Rouge"),
        ("britannica-again", "Another game? OK", "Autre partie? OK"),
        ("fadoq-match-won", "Another match? OK", "Autre match? OK"),
        ("fadoq-menu", "Rules: 6 players", "Règles : à six"),
        ("britannica-menu-short", "Short 61: off", "Courte 61 : non"),
        ("jeux50-menu-card-seen", "Card seen at the cut", "Carte vue à la coupe"),
    ],
)
def test_every_table_is_told_who_must_do_what(moment: str, english: str, french: str) -> None:
    snapshot = OF_RULES[moment]
    assert (load("en").prompt(snapshot), load("fr_CA").prompt(snapshot)) == (english, french)


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
        ("three-player-undo", ("Missing: Blue, Red", "UNDO = no"), ("Manque : Bleu, Rouge", "ANNULER = non")),
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
def test_every_table_gets_its_hints(moment: str, english: tuple[str, ...], french: tuple[str, ...]) -> None:
    snapshot = OF_RULES[moment]
    assert (load("en").hints(snapshot), load("fr_CA").hints(snapshot)) == (english, french)


@pytest.mark.parametrize(
    ("what", "english", "french"),
    [
        (PromptKind.UNDO, "Undo? OK by all", "Annuler? OK de tous"),
        (PromptKind.MISDEAL, "Misdeal? OK by all", "Maldonne? OK de tous"),
        (PromptKind.BREAK_OFF, "Stop game? OK by all", "Arrêter? OK de tous"),
    ],
)
def test_with_three_sides_those_who_have_not_said_ok_are_named(what: PromptKind, english: str, french: str) -> None:
    asked = asking(what, None, players=3, sides=3, claimant=BLUE)
    two = replace(asked, waiting=(0, 2))
    assert (load("en").prompt(two), load("fr_CA").prompt(two)) == (english, french)
    assert load("en").hints(two) == ("Missing: Blue, Green", "UNDO = no")
    assert load("fr_CA").hints(two) == ("Manque : Bleu, Vert", "ANNULER = non")
    assert load("en").hints(replace(asked, waiting=(0, 1, 2))) == ("UNDO = no",)


def test_for_a_result_only_the_main_line_names_them() -> None:
    result = replace(asking(PromptKind.RESULT, None, players=3, sides=3), waiting=(1, 2))
    assert (load("en").prompt(result), load("fr_CA").prompt(result)) == ("OK: Red, Green", "OK : Rouge, Vert")
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


@pytest.mark.parametrize(("count", "english", "french"), [
    (21, "Red: play a card", "Rouge : à vous"),
    (22, "Red: card or GO", "Rouge : carte ou GO"),
])  # fmt: skip
def test_go_is_named_from_the_first_count_at_which_a_card_may_be_too_high(
    count: int, english: str, french: str
) -> None:
    shown = Snapshot(view=view(prompt=Prompt(PromptKind.LAY, RED, {"seat": RED}), count=count))
    assert (load("en").prompt(shown), load("fr_CA").prompt(shown)) == (english, french)


def test_a_trust_deal_begins_with_whose_ok_ends_it() -> None:
    for language, lines in (
        ("en", ("Peg, then Blue's OK", "OK ends the deal")),
        ("fr_CA", ("Marquez puis OK Bleu", "OK finit la donne")),
    ):
        shown, words = MOMENTS["trust"], load(language)
        assert shown.view is not None
        assert (words.prompt(shown), *words.said(shown.view), *words.hints(shown)) == lines


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


@pytest.mark.parametrize(
    ("moment", "english", "french"),
    [
        (
            "muggins-asked",
            ("Red: too many? OK", "Missed? Your hole", "CHALLENGE = nothing"),
            ("Rouge : trop? OK", "Oublié? Votre trou", "CONTESTER = rien"),
        ),
        (
            "muggins-asked-in-play",
            ("Blue: missed what?", "Missed? Your hole", "CHALLENGE = nothing"),
            ("Bleu : oublié?", "Oublié? Votre trou", "CONTESTER = rien"),
        ),
        (
            "muggins-in-hand",
            ("Red muggins +3", "Same hole or OK", "CHALLENGE = nothing"),
            ("Rouge muggins +3", "Même trou ou OK", "CONTESTER = rien"),
        ),
        ("acc-game-claimed", ("Blue: game?", "Red: OK or CHALLENGE"), ("Bleu : partie?", "Rouge : OK/CONTESTER")),
        (
            "acc-false-go",
            ("False go 3♣: Blue?", "OK = play from there", "CHALLENGE = lies dead"),
            ("Faux go 3♣ : Bleu?", "OK = on y revient", "CONTESTER=carte morte"),
        ),
        ("roll-back-asked", ("Roll back? Red's OK", "UNDO = no"), ("Revenir? OK Rouge", "ANNULER = non")),
        (
            "guest-hand",
            ("Blue: your hand", "15s, pairs, runs,", "flush, nobs. 0: OK"),
            ("Bleu : votre main", "15, paires, suites,", "flush, valet. 0 : OK"),
        ),
        (
            "acc-play-first",
            ("Blue: for the play", "Your hole, or OK = 0"),
            ("Bleu : pour le jeu", "Votre trou ou OK = 0"),
        ),
        ("acc-play-first-in-hand", ("Blue +1 = 1", "For the play"), ("Bleu +1 = 1", "Pour le jeu")),
        ("acc-hand-second", ("Blue: your hand", "Your hole, or OK = 0"), ("Bleu : votre main", "Votre trou ou OK = 0")),
        ("acc-hand-second-in-hand", ("Blue +24 = 25", "For the hand"), ("Bleu +24 = 25", "Pour la main")),
        ("acc-hand-in-hand", ("Blue +9 = 9", "For the hand"), ("Bleu +9 = 9", "Pour la main")),
        (
            "official-captain",
            ("Official for Blue", "Captain only", "Les Joyeux As"),
            ("Officiel pour Bleu", "Capitaine seulement", "Les Joyeux As"),
        ),
        ("menu-no-help-excess", ("Help: none",), ("Aide : aucune",)),
    ],
)
def test_a_prompt_names_the_side_and_the_key(moment: str, english: tuple[str, ...], french: tuple[str, ...]) -> None:
    snapshot = OF_RULINGS[moment]
    for language, lines in ("en", english), ("fr_CA", french):
        words = load(language)
        assert (words.prompt(snapshot), *words.hints(snapshot))[: len(lines)] == lines
