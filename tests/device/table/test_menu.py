"""What the menu offers, and in which order (rules reference, 7.15)."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from cribboard import RULES, Card, Game, Way
from cribboard.actions import LayCard, ReleasePeg, SayGo, TakePegInHand, TurnStarter
from cribboard.position import Phase, Position
from cribboard.rules import OPTIONS, Rules, Telling, changed
from cribd.boards import load
from cribd.languages import languages
from cribd.table.menu import BRIGHTNESS, chosen, menu_of
from cribd.table.rule_sets import PRESETS, RuleSet, known, offered_by_label, options_on, playable, toggled
from cribd.table.settings import Settings
from cribd.table.snapshot import Line, Menu, MenuLine

BLUE, RED = 0, 1
TWO_TRACKS, THREE_TRACKS = playable(load("continuous")), playable(load("triple"))
LEGION = RuleSet("Legion Hall", changed(RULES["six-card"], {"target": 61, "skunk_line": 31, "match": 3}))


def dealt(way: str = "verify") -> Position:
    return Game.start(RULES["six-card"], way=way, dealer=RED).position


def in_play() -> Position:
    game = Game.start(RULES["six-card"], way="verify", dealer=RED)
    game.do(TurnStarter(Card.parse("6C")))
    game.do(LayCard(BLUE, Card.parse("TC")))
    return game.position


def won() -> Position:
    game = Game.start(RULES["six-card"], way="trust", dealer=RED)
    for action in (TakePegInHand(BLUE, 121), TakePegInHand(BLUE, 121), ReleasePeg(BLUE)):
        game.do(action)
    assert game.position.phase is Phase.WON
    return game.position


def menu(
    position: Position | None = None, settings: Settings | None = None, *, cards: bool = True, at: int = 0
) -> Menu:
    return menu_of(position, settings or Settings(), cards=cards, offered=TWO_TRACKS, languages=languages(), at=at)


def lines(position: Position | None, *, cards: bool = True) -> list[Line]:
    return [line.line for line in menu(position, cards=cards).lines]


def test_before_a_game_the_menu_begins_with_the_rules_and_the_way() -> None:
    assert lines(None) == [
        Line.RULES, Line.WAY, Line.JUDGE, Line.LANGUAGE, Line.SOUND, Line.BRIGHTNESS, Line.TELLING,
        Line.SWITCH_OFF,
    ]  # fmt: skip


def test_misdeal_is_the_first_line_until_a_card_is_laid_and_then_the_last() -> None:
    settings = [Line.SOUND, Line.BRIGHTNESS, Line.LANGUAGE, Line.WAY, Line.JUDGE]
    game = [Line.UNREAD, *settings, Line.OFFICIAL, Line.BREAK_OFF]
    assert lines(dealt()) == [Line.MISDEAL, *game]
    assert lines(in_play()) == [*game, Line.MISDEAL], "a misdeal that is found late is the last line"


def test_going_on_without_a_card_is_offered_only_while_a_card_is_asked_for() -> None:
    assert Line.UNREAD not in lines(dealt("trust"))
    assert Line.UNREAD not in lines(Game.start(RULES["six-card"], way="verify").position), "a cut may be named instead"
    assert Line.UNREAD not in lines(won())


def test_after_a_false_go_the_first_line_rolls_back_unless_the_rules_have_a_penalty() -> None:
    for name, first in ("six-card", Line.ROLL_BACK), ("acc", Line.SOUND):
        game = Game.start(RULES[name], way="verify", dealer=RED)
        game.do(TurnStarter(Card.parse("6C")))
        for seat, card in (BLUE, "TC"), (RED, "TD"), (BLUE, "2D"), (RED, "go"), (BLUE, "4D"), (BLUE, "go"), (RED, "3C"):
            game.do(SayGo(seat) if card == "go" else LayCard(seat, Card.parse(card)))
        assert lines(game.position)[0] is first


def telling(rules: Rules, way: Way = Way.VERIFY) -> list[MenuLine]:
    return [line for line in menu(None, Settings(rules=rules, way=way)).lines if line.line is Line.TELLING]


def test_the_level_of_telling_steps_through_what_the_rules_allow_and_is_stored_with_them() -> None:
    settings, levels = Settings(), []
    for _ in Telling:
        (line,) = telling(settings.rules)
        settings = chosen(settings, line)
        levels.append(settings.rules.claims.telling)
        assert offered_by_label(settings.rules.label, TWO_TRACKS) == settings.rules
        assert menu(None, settings).lines[0].values["now"] == RuleSet("six-card", RULES["six-card"])
    assert levels == [Telling.GUEST, Telling.COACH, Telling.TOURNAMENT, Telling.CLUB]
    assert settings == Settings()


@pytest.mark.parametrize(
    ("rules", "because"),
    [
        (RULES["acc"], "acc"),
        (changed(RULES["acc"], {"muggins": "on"}), "acc"),
        (changed(RULES["britannica"], {"muggins": "on"}), "muggins"),
        (changed(RULES["six-card"], {"over_claim": "award_excess"}), "over_claim"),
    ],
    ids=["acc", "acc muggins", "britannica muggins", "excess"],
)
def test_a_help_line_that_the_rules_forbid_says_why_and_changes_nothing(rules: Rules, because: str) -> None:
    (line,) = telling(rules)
    assert line.values == {"because": because}
    assert chosen(Settings(rules=rules), line) == Settings(rules=rules)


def test_no_offer_to_tell_contradicts_the_rules() -> None:
    added = changed(RULES["six-card"], {"peg_release_final": "off"})
    assert [line.values["telling"] for line in telling(changed(added, {"telling": "coach"}))] == [Telling.CLUB]


def test_how_much_the_board_tells_is_offered_only_where_calls_are_verified() -> None:
    assert telling(RULES["six-card"], Way.TRUST) == telling(RULES["six-card"], Way.AUTO) == []
    assert Line.TELLING not in lines(None, cards=False)
    assert Line.TELLING not in lines(dealt())


@pytest.mark.parametrize("position", [None, dealt(), in_play(), won()])
def test_once_something_was_played_one_can_look_back_at_it(position: Position | None) -> None:
    offered = menu_of(position, Settings(), cards=False, offered=TWO_TRACKS, languages=languages(), played=True)
    assert Line.LOOK_BACK in [line.line for line in offered.lines]
    assert Line.LOOK_BACK not in lines(position, cards=False)


def test_a_game_that_is_won_cannot_be_stopped_any_more() -> None:
    assert Line.BREAK_OFF not in lines(won())
    assert Line.BREAK_OFF in lines(dealt("trust"))


@pytest.mark.parametrize("position", [None, dealt(), in_play()])
def test_without_a_reader_no_way_is_offered(position: Position | None) -> None:
    assert Line.WAY in lines(position)
    assert Line.WAY not in lines(position, cards=False)


def test_a_setting_names_what_an_ok_would_change_it_to_and_what_it_is_now() -> None:
    offered = menu(None, Settings(way=Way.AUTO, language="fr_CA", brightness=15, sound="off")).lines
    six_card, partners = (RuleSet(name, RULES[name]) for name in ("six-card", "partners"))
    assert offered == (
        MenuLine(Line.RULES, {"rules": partners, "now": six_card}),
        MenuLine(Line.WAY, {"way": Way.TRUST, "now": Way.AUTO}),
        MenuLine(Line.JUDGE),
        MenuLine(Line.LANGUAGE, {"language": "en", "now": "fr_CA"}),
        MenuLine(Line.SOUND, {"sound": "on", "now": "off"}),
        MenuLine(Line.BRIGHTNESS, {"percent": 100, "now": 15}),
        MenuLine(Line.SWITCH_OFF),
    )


def test_a_brightness_that_the_menu_does_not_know_steps_to_the_brightest() -> None:
    assert MenuLine(Line.BRIGHTNESS, {"percent": 100, "now": 42}) in menu(None, Settings(brightness=42)).lines


@pytest.mark.parametrize(
    ("line", "setting", "choices"),
    [
        (Line.RULES, "rules", tuple(rule_set.rules for rule_set in TWO_TRACKS)),
        (Line.WAY, "way", tuple(Way)),
        (Line.LANGUAGE, "language", languages()),
        (Line.SOUND, "sound", ("on", "off")),
        (Line.BRIGHTNESS, "brightness", BRIGHTNESS),
    ],
)
def test_taking_a_line_over_and_over_goes_through_all_its_choices_and_back(
    line: Line, setting: str, choices: tuple[object, ...]
) -> None:
    settings = Settings()
    begun = getattr(settings, setting)
    seen = []
    for _ in choices:
        offered = next(each for each in menu(None, settings).lines if each.line is line)
        settings = chosen(settings, offered)
        seen.append(getattr(settings, setting))
    assert sorted(map(str, seen)) == sorted(map(str, choices))
    assert seen[-1] == begun


def test_a_line_that_is_no_setting_changes_none() -> None:
    for line in (Line.MISDEAL, Line.UNREAD, Line.ROLL_BACK, Line.JUDGE, Line.LOOK_BACK, Line.OFFICIAL, Line.BREAK_OFF):
        assert chosen(Settings(), MenuLine(line)) == Settings()


def test_every_setting_can_be_chosen_in_the_menu() -> None:
    offered = menu().lines
    changed = [chosen(Settings(), line) for line in offered]
    from_afar = {"names"}  # a board has no letters
    assert {f.name for f in fields(Settings)} - from_afar == {
        f.name for each in changed for f in fields(each) if getattr(each, f.name) != getattr(Settings(), f.name)
    }


def test_the_line_that_an_ok_takes_is_the_one_that_is_shown() -> None:
    assert menu(at=3).current.line is Line.LANGUAGE


# The rules that can be chosen


def test_a_board_offers_the_presets_that_it_has_tracks_for_and_the_house_rules() -> None:
    three = {"three-player", "six-player"}
    assert {rule_set.title for rule_set in TWO_TRACKS} == set(RULES) - three
    assert THREE_TRACKS == PRESETS
    assert playable(load("continuous"), [LEGION])[-1] == LEGION


def test_a_board_does_not_offer_a_game_that_is_longer_than_it_is() -> None:
    once_round = replace(load("classic"), laps=1)
    assert [each.title for each in playable(once_round, [LEGION])] == ["five-card", "Legion Hall"]


def test_the_rules_step_through_all_that_are_offered_and_begin_again() -> None:
    settings, titles = Settings(), []
    for _ in range(len(TWO_TRACKS) + 2):
        (line,) = (
            each
            for each in menu_of(None, settings, cards=True, offered=(*TWO_TRACKS, LEGION), languages=languages()).lines[
                :1
            ]
        )
        settings = chosen(settings, line)
        titles.append(line.values["rules"].title)
    assert titles == [*(each.title for each in TWO_TRACKS[1:]), "Legion Hall", "six-card", "partners"]


def test_during_a_game_its_rules_cannot_be_changed() -> None:
    assert not {Line.RULES, Line.OPTION} & set(lines(dealt()))


def options(rules: Rules) -> dict[str, tuple[str, str]]:
    """For each option in the menu: what an OK changes it to, and what it is now."""
    offered = menu(None, Settings(rules=rules)).lines
    return {
        each.values["option"]: (each.values["state"], each.values["now"])
        for each in offered
        if each.line is Line.OPTION
    }


def test_an_option_of_a_preset_is_turned_on_and_off_by_itself() -> None:
    settings = Settings(rules=RULES["britannica"])
    off = ("on", "off")
    assert options(settings.rules) == {"short": off, "exact-out": off, "muggins": off}
    assert [line.line for line in menu(None, settings).lines[:3]] == [Line.RULES, Line.OPTION, Line.OPTION]
    settings = chosen(settings, menu(None, settings).lines[1])
    assert options(settings.rules) == {"short": ("off", "on"), "exact-out": off, "muggins": off}
    assert settings.rules.label == "britannica/2 target=61 skunk_line=31"
    settings = chosen(settings, menu(None, settings).lines[2])
    settings = chosen(settings, menu(None, settings).lines[1])
    assert settings.rules == changed(RULES["britannica"], {"exact_out": "on"})


def test_the_later_of_two_options_that_exclude_each_other_is_on() -> None:
    by_component = toggled(RULES["fadoq"], "component")
    only_out = toggled(by_component, "out-only")
    assert (options_on(by_component), options_on(only_out)) == (("component",), ("out-only",))
    assert toggled(only_out, "out-only") == RULES["fadoq"]


@pytest.mark.parametrize("preset", OPTIONS)
def test_with_any_of_its_options_a_preset_is_still_known_and_offered_by_its_label(preset: str) -> None:
    reached, fresh = set[Rules](), {RULES[preset]}
    while fresh:
        reached |= fresh
        fresh = {toggled(rules, option) for rules in fresh for option in OPTIONS[preset]} - reached
    assert len(reached) > len(OPTIONS[preset])
    for rules in reached:
        assert known(rules, PRESETS) == RuleSet(preset, RULES[preset])
        assert offered_by_label(rules.label, PRESETS) == rules


def test_house_rules_have_no_options_for_their_file_says_all() -> None:
    short = RuleSet("Short", changed(RULES["britannica"], {"target": 61, "skunk_line": 31, "his_nobs": 0}))
    offered = menu_of(
        None, Settings(rules=short.rules), cards=True, offered=(*PRESETS, short), languages=languages()
    ).lines
    assert offered[0].values["now"] == short
    assert Line.OPTION not in {line.line for line in offered}


@pytest.mark.parametrize(
    "label", ["", "whist/1", "six-card/2 target=61 skunk_line=31 match=3", "three-player/2", "acc/9"]
)
def test_a_label_of_rules_that_are_not_offered_is_not_found(label: str) -> None:
    assert offered_by_label(label, TWO_TRACKS) is None


def test_a_label_of_house_rules_that_are_offered_is_known_again() -> None:
    assert offered_by_label(LEGION.rules.label, (*TWO_TRACKS, LEGION)) == LEGION.rules


# A card seen at the cut


@pytest.mark.parametrize(("preset", "offered"), [("six-card", False), ("jeux50", True), ("acc", True)])
def test_the_menu_offers_an_exposed_cut_if_the_rules_have_one(preset: str, offered: bool) -> None:
    game = Game.start(RULES[preset], way="verify", dealer=RED)
    seen = [Line.MISDEAL, Line.EXPOSED_CUT] if offered else [Line.MISDEAL, Line.UNREAD]
    assert lines(game.position)[:2] == seen
    game.do(TurnStarter(Card.parse("6C")))
    assert lines(game.position)[:2] == seen
    game.do(LayCard(BLUE, Card.parse("TC")))
    assert Line.EXPOSED_CUT not in lines(game.position)
    assert lines(game.position)[-1] is Line.MISDEAL
