"""Snapshots of moments that only some rules have, by preset, each reached by playing.

Seats are chairs: with partners Blue 1 is seat 0 and Red 2 is seat 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from tests.support.moments import BLUE, RED, Story

from cribboard import RULES, Card
from cribboard.actions import (
    Accept,
    AcceptResult,
    Agree,
    AllPass,
    Ask,
    CutForDeal,
    LayCard,
    NameDealer,
    Question,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
    Undo,
)
from cribboard.rules import OPTIONS, Rules, Standings, changed
from cribboard.view import SideView, see
from cribd.languages import languages
from cribd.table.menu import menu_of
from cribd.table.rule_sets import PRESETS, RuleSet, toggled
from cribd.table.settings import Settings
from cribd.table.snapshot import Lobby, Menu, NamingDealer, Refusal, Snapshot

GREEN = 2
_BY_TITLE = {preset.title: preset for preset in PRESETS}


@cache
def moments_of_rules() -> dict[str, Snapshot]:
    """All moments by name; a name begins with that of the preset."""
    return {
        **_choosing(),
        **_three_players(),
        **_partners(),
        **_six_players(),
        **_fadoq(),
        **_five_cards(),
        **_britannica(),
        **_jeux50(),
        **_acc(),
    }


def _story(name: str, way: str, dealer: int | None = None) -> Story:
    return Story(way, dealer=dealer, rules=RULES[name])


def _in_turn(story: Story, cards: str) -> Story:
    for card in Card.parse_many(cards):
        turn = story.game.position.turn
        assert turn is not None
        story.do(LayCard(turn, card))
    return story


def _pegged(story: Story, side: int, score: int) -> Story:
    """In trust: this side pegs until it has this score."""
    while missing := score - story.game.position.pegs[side].front:
        story.peg(side, min(12, missing))
    return story


def _menu_between_games(rules: Rules, *, offered: Sequence[RuleSet] = PRESETS, at: int = 0) -> Menu:
    settings = Settings(rules=rules)
    spoken = languages()
    return menu_of(None, settings, cards=True, offered=offered, languages=spoken, at=at, covers=Lobby.START)


def _choosing() -> dict[str, Snapshot]:
    """The menu between two games at the line of each preset and option, and the game that one OK begins."""
    seen = {}
    for number, each in enumerate(PRESETS):
        before = PRESETS[number - 1]
        menu = _menu_between_games(before.rules)
        seen[f"{each.title}-menu"] = Snapshot(mode=menu)
        seen[f"{each.title}-start"] = Snapshot(mode=Lobby.START, rules=each)
        for line, option in enumerate(OPTIONS.get(each.title, {}), start=1):
            offered = _menu_between_games(each.rules, at=line)
            with_it = RuleSet(each.title, toggled(each.rules, option))
            seen[f"{each.title}-start-{option}"] = Snapshot(mode=Lobby.START, rules=with_it)
            seen[f"{each.title}-menu-{option}"] = Snapshot(mode=offered)
    legion = RuleSet("Legion Hall", changed(RULES["britannica"], {"target": 61, "skunk_line": 31}))
    house = _menu_between_games(RULES["acc"], offered=(*PRESETS, legion))
    seen["house-menu"] = Snapshot(mode=house)
    seen["house-start"] = Snapshot(mode=Lobby.START, rules=legion, way="auto")
    return seen


def _three_players() -> dict[str, Snapshot]:
    seen = {}
    cut = _story("three-player", "verify")
    seen["three-player-cut"] = cut.do(CutForDeal(BLUE, Card.parse("9H"))).shows()
    cut.do(CutForDeal(RED, Card.parse("2C")), CutForDeal(GREEN, Card.parse("2D")))
    seen["three-player-cut-tied"] = cut.shows()
    story = _story("three-player", "verify", RED)
    seen["three-player-deal"] = story.shows()
    story.starter("6C").lay(GREEN, "5H KD KS")
    seen["three-player-go"] = story.do(SayGo(GREEN)).shows()
    seen["three-player-undo"] = story.do(Undo()).shows(waiting=(BLUE, RED))
    seen["three-player-undo-agreed"] = story.do(Agree(RED)).shows(waiting=(BLUE,))
    show = _in_turn(_story("three-player", "verify", RED).starter("6C"), "5H KD KS 6H QD QS 9H 2D JS 4S JD 7S")
    show.do(TakePegInHand(GREEN, 12), ReleasePeg(GREEN))
    seen["three-player-accept"] = show.shows()
    seen["three-player-not-yours"] = show.shows(refusal=Refusal("not_your_claim", {"side": BLUE}))
    won = _pegged(_story("three-player", "trust", RED), GREEN, 121)
    seen["three-player-won"] = won.shows(waiting=(BLUE, RED, GREEN))
    seen["three-player-won-agreed"] = won.do(AcceptResult(RED)).shows(waiting=(BLUE, GREEN))
    return seen


def _partners() -> dict[str, Snapshot]:
    seen = {}
    trusting = _story("partners", "trust")
    seen["partners-who-deals"] = trusting.shows()
    seen["partners-name"] = trusting.shows(mode=NamingDealer(3))
    seen["partners-peg"] = trusting.do(NameDealer(3)).shows()
    story = _story("partners", "verify", 3)
    seen["partners-deal"] = story.shows()
    seen["partners-lead"] = story.starter("6C").shows()
    seen["partners-lay"] = story.lay(0, "TC 8D TH").shows()
    seen["partners-not-your-turn"] = story.shows(refusal=Refusal("not_your_turn", {"seat": 3}))
    gone = _story("partners", "verify", 3).starter("6C").lay(0, "TC 8D TH").do(SayGo(3))
    seen["partners-go"] = gone.shows()
    seen["partners-all-pass"] = story.do(AllPass(2)).shows()
    seen["partners-goes-on"] = story.do(TakeBackPass(0)).shows()
    show = _played_by_four(_story("partners", "verify", 3))
    seen["partners-hand"] = show.shows()
    for side in (BLUE, RED, BLUE, RED):
        show.do(TakeZero(side), Accept(1 - side))
    seen["partners-crib"] = show.shows()
    return seen


def _played_by_four(story: Story) -> Story:
    """All sixteen cards are laid; blue 1 counts first."""
    story.starter("6C")
    for card in Card.parse_many("TC 8D TH 3C 9C 7D KH 5C QC 4D 4H TD JC 3D 2H 7S"):
        _lay_or_go(story, card)
    return story


def _lay_or_go(story: Story, card: Card) -> None:
    """Lay the card. Seats that cannot lay, because it would pass 31, say go first, until it fits."""
    while True:
        p = story.game.position
        assert p.turn is not None
        if p.count_over or p.count + card.value <= 31:
            story.do(LayCard(p.turn, card))
            return
        story.do(SayGo(p.turn))


def _six_players() -> dict[str, Snapshot]:
    bury = changed(RULES["six-player"], {"six_player_deal": "bury"})
    return {
        "six-player-name": _story("six-player", "trust").shows(mode=NamingDealer(5)),
        "six-player-deal": _story("six-player", "verify", 5).shows(),
        "six-player-deal-bury": Story("verify", dealer=4, rules=bury).shows(),
        "six-player-cut": _story("six-player", "verify").shows(),
    }


def _fadoq() -> dict[str, Snapshot]:
    seen = {}
    story = _pegged(_story("fadoq", "trust", 3), BLUE, 117)
    seen["fadoq-single-point"] = story.do(TakePegInHand(BLUE, 1)).shows()
    story.peg(BLUE, 3)
    seen["fadoq-need-two"] = story.do(TakePegInHand(BLUE, 1)).shows()
    over = _pegged(_story("fadoq", "trust", 3), RED, 121).do(AcceptResult(BLUE), AcceptResult(RED))
    match = {
        "mode": Lobby.AGAIN, "match": 8, "standings": Standings.POINTS, "rules": _BY_TITLE["fadoq"], "way": "trust",
    }  # fmt: skip
    seen["fadoq-again"] = over.shows(games=(1, 2), points=(289, 340), **match)
    seen["fadoq-match-won"] = over.shows(games=(5, 3), points=(871, 902), match_over=True, match_winner=RED, **match)
    seen["fadoq-match-level"] = over.shows(games=(4, 4), points=(880, 880), match_over=True, **match)
    seen["fadoq-then-partners"] = over.shows(mode=Lobby.AGAIN, rules=_BY_TITLE["partners"], way="auto")
    play = _story("fadoq", "verify", 3).starter("6C").lay(0, "TC 8D")
    seen["fadoq-lay-barred"] = _nearly_home(play, 117)
    seen["fadoq-lay-for-two"] = _nearly_home(play, 120)
    seen["fadoq-hand-barred"] = _nearly_home(_played_by_four(_story("fadoq", "verify", 3)), 117)
    return seen


def _nearly_home(story: Story, score: int) -> Snapshot:
    """The same moment with blue at a score from which it may take no single point."""
    view = see(story.game.position)
    return Snapshot(view=replace(view, sides=(SideView(score, 112, barred=True), SideView(98, 91))))


def _five_cards() -> dict[str, Snapshot]:
    seen = {}
    story = _story("five-card", "verify")
    seen["five-card-three-for-last"] = story.do(NameDealer(RED)).shows()
    story.starter("KC").lay(BLUE, "9C 6D TC").do(SayGo(RED), SayGo(BLUE))
    seen["five-card-rest"] = story.shows()
    seen["five-card-hand"] = story.do(ShowCard(BLUE, Card.parse("7H"))).shows()
    seen["five-card-17"] = story.do(TakePegInHand(BLUE, 17)).shows()
    return seen


def _britannica() -> dict[str, Snapshot]:
    story = _pegged(_story("britannica", "trust", RED), RED, 45)
    over = _pegged(story, BLUE, 121)
    lurched = over.shows()
    over.do(AcceptResult(BLUE), AcceptResult(RED))
    single = {"mode": Lobby.AGAIN, "match": 1, "match_over": True, "match_winner": BLUE, "way": "trust"}
    return {
        "britannica-lurch": lurched,
        "britannica-again": over.shows(games=(2, 0), rules=_BY_TITLE["britannica"], **single),
    }


def _jeux50() -> dict[str, Snapshot]:
    seen = {}
    story = _story("jeux50", "verify", RED).starter("JC")
    settings = Settings(rules=RULES["jeux50"])
    menu = menu_of(story.game.position, settings, cards=True, offered=PRESETS, languages=languages(), at=1)
    seen["jeux50-menu-card-seen"] = story.shows(mode=menu)
    seen["jeux50-card-seen"] = story.do(Ask(RED, Question.EXPOSED_CUT)).shows(waiting=(BLUE,))
    seen["jeux50-redeal"] = story.do(Agree(BLUE)).shows()
    official = _story("jeux50", "verify", RED).starter("9D").lay(BLUE, "7C").do(Undo())
    seen["jeux50-undo"] = official.shows(waiting=(BLUE, RED))
    seen["jeux50-undo-agreed"] = official.do(Agree(BLUE)).shows(waiting=(RED,))
    late = _story("jeux50", "verify", RED).starter("9D").lay(BLUE, "7C 8D 9C").do(TakePegInHand(RED, 2))
    seen["jeux50-too-late"] = late.shows()
    return seen


def _acc() -> dict[str, Snapshot]:
    story = _story("acc", "verify", RED).starter("9D")
    menu = menu_of(
        story.game.position, Settings(rules=RULES["acc"]), cards=True, offered=PRESETS, languages=languages(), at=1
    )
    opened = story.shows(mode=menu)
    skunked = _pegged(_story("acc", "trust", RED), RED, 55)
    return {
        "acc-menu-card-seen": opened,
        "acc-cut-stands": story.do(Ask(BLUE, Question.EXPOSED_CUT)).shows(),
        "acc-double-skunk": _pegged(skunked, BLUE, 121).shows(),
    }
