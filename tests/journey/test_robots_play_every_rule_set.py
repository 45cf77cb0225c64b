"""Robots play under every preset, in each way, and the bookkeeper who knows only the rules finds every light right.

The full measure, 100 games of each preset, is taken by hand:

    cribboard demo --games 100 --rules fadoq --way verify --diary diary.jsonl
    python -m tests.bookkeeper.bookkeeper diary.jsonl
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from tests.bookkeeper.bookkeeper import audit
from tests.support.catalogues import has_phrase, phrase
from tests.support.robot_games import MANNERS, Diary, in_manners, play_games
from tests.support.sweeps import IS_WHOLE, by_turns, one_in

from cribboard.rules import RULES
from cribboard.strategy import RobotLevel
from cribd.__main__ import main
from cribd.cli.demo import DemoTally

#: Six-card is played, for longer, in `test_robots_and_the_bookkeeper.py`.
EVERY_OTHER = [name for name in RULES if name != "six-card"]
WAYS = ["trust", "verify", "auto"]
FOR_TWO_SIDES = [name for name, rules in RULES.items() if len(rules.sides) == 2]

HOUSE = """
preset = "three-player"
name = "Kitchen table"
target = 41
skunk_line = 21
"""


async def evening(
    folder: Path, *, rules: str, way: str, games: int = 1, slips: float = 0, wrong: float = 0, seed: int = 116
) -> tuple[Diary, DemoTally]:
    """What robots did, and what they won. Where three sides play they sit at a board with three tracks."""
    board = "triple" if rules not in RULES or len(RULES[rules].sides) == 3 else "continuous"
    return await play_games(board, folder, rules=rules, games=games, way=way, slips=slips, wrong=wrong, seed=seed)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("rules", "way", "manner"), in_manners(by_turns(EVERY_OTHER, WAYS))[:: one_in(2)])
async def test_every_light_is_where_the_bookkeeper_has_it(rules: str, way: str, manner: str, tmp_path: Path) -> None:
    """The ways take turns; `tests/device/robots` plays each rule set in each way without a board."""
    diary, tally = await evening(tmp_path, rules=rules, way=way, **MANNERS[manner])
    keeper = audit(diary)
    assert keeper.differences == []
    assert (keeper.games, keeper.deals) == (tally.games.total(), tally.deals)
    assert keeper.compared > 15 * keeper.deals


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "way", "manner"), in_manners([*product(FOR_TWO_SIDES, WAYS)]))
async def test_the_step_keys_of_a_board_without_holes_peg_what_the_bookkeeper_pegs(
    rules: str, way: str, manner: str, tmp_path: Path
) -> None:
    diary, tally = await play_games("starter", tmp_path, rules=rules, games=1, way=way, seed=116, **MANNERS[manner])
    keeper = audit(diary)
    assert keeper.differences == []
    assert (keeper.games, keeper.deals) == (tally.games.total(), tally.deals)
    assert keeper.compared > 15 * keeper.deals
    assert not any("press" in entry for entry in diary)
    assert any(entry.get("key") == "step" for entry in diary) == (way != "auto")
    last = [entry for entry in diary if "pegs" in entry][-1]
    last["pegs"][0][0] += 1
    assert len(audit(diary).differences) == 1, "the bookkeeper looks at every peg"


@pytest.mark.long
@pytest.mark.slow
async def test_robots_play_a_match_to_its_end_and_begin_another(tmp_path: Path) -> None:
    diary, tally = await evening(tmp_path, rules="jeux50", way="trust", games=3)
    keeper = audit(diary)
    assert keeper.differences == []
    assert tally.games.total() == keeper.games == 3
    assert keeper.match.played == 1, "two games are a match, and the third begins the next"


@pytest.mark.slow
async def test_robots_play_house_rules_and_the_diary_says_which(tmp_path: Path) -> None:
    house = tmp_path / "kitchen.toml"
    house.write_text(HOUSE, encoding="utf-8")
    diary, tally = await evening(tmp_path, rules=str(house), way="auto", games=2)
    assert diary[0]["rules"] == "three-player/2 target=41 skunk_line=21"
    assert audit(diary).differences == []
    assert [max(entry["result"]) for entry in diary if "result" in entry] == [41, 41]
    assert set(tally.games) <= {0, 1, 2}


@pytest.mark.slow
@pytest.mark.parametrize("way", ["verify", "trust"])
async def test_six_robots_say_who_calls_and_who_says_go(way: str, tmp_path: Path) -> None:
    diary, _ = await evening(tmp_path, rules="six-player", way=way)
    assert set(diary[0]) == {"way", "board", "rules", "slips", "wrong", "seed"}
    calls = [entry for entry in diary if "call" in entry]
    assert {entry["seat"] for entry in calls} == set(range(6))
    assert all(entry["call"] == entry["seat"] % 3 for entry in calls)
    assert all(len(entry["lights"]) == 3 for entry in diary if "lights" in entry)
    if way == "trust":
        gos = [entry for entry in diary if "say" in entry]
        assert gos
        assert all(entry["side"] == entry["seat"] % 3 for entry in gos)
    else:
        assert any(entry.get("held") for entry in diary if entry.get("key") == "go"), "now and then all pass at once"
        assert any(not entry.get("held") for entry in diary if entry.get("key") == "go")


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("rules", ["six-card", "five-card", "fadoq"] if IS_WHOLE else ["five-card"])
async def test_strong_robots_play_whole_games(rules: str, tmp_path: Path) -> None:
    diary, tally = await play_games(
        "continuous", tmp_path, rules=rules, games=1, way="verify", slips=0.1, wrong=0.1, level=RobotLevel.STRONG
    )
    assert diary[0]["level"] == "strong"
    assert audit(diary).differences == []
    assert tally.games.total() == 1


# The command


@pytest.mark.slow
def test_a_demo_at_a_level_says_which_in_json_and_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    demo = ["demo", "--rules", "five-card", "--way", "auto", "--level", "strong"]
    assert main([*demo, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["level"] == "strong"
    assert main([*demo, "--lang", "fr"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == phrase("command.demo.level.strong", "fr_CA")


def test_a_level_that_there_is_not_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["demo", "--level", "perfect"])
    assert left.value.code == 2
    unknown = phrase("command.mistake.choice", text="'perfect'", names="easy, medium, strong")
    mistake = phrase("command.mistake.at", argument="--level", mistake=unknown)
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == phrase("command.mistake", command="cribboard demo", mistake=mistake)


@pytest.mark.slow
def test_the_demo_says_who_won_how_many_of_which_rules(capsys: pytest.CaptureFixture[str]) -> None:
    demo = ["demo", "--rules", "five-card", "--way", "auto", "--games", "2"]
    assert main([*demo, "--json"]) == 0
    payload = json.loads(capsys.readouterr().out)
    assert (payload["rules"], payload["board"]) == ("five-card", "continuous")
    assert sum(payload["won"].values()) == 2
    assert main(demo) == 0
    won = ", ".join(f"{side} {games}" for side, games in payload["won"].items())
    assert has_phrase(
        capsys.readouterr().out.splitlines()[0],
        "command.demo.games",
        n=2, rules="five-card", board="continuous", way=phrase("way_in_short.auto"),
        won=won, skunks=phrase("command.demo.skunks", n=0),
    )  # fmt: skip


@pytest.mark.slow
def test_a_demo_in_a_pipe_says_from_time_to_time_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = ["demo", "--rules", "five-card", "--way", "auto", "--games", "2"]
    monkeypatch.setattr("cribd.cli.demo.LINE_S", 3600.0)
    assert main(demo) == 0
    assert capsys.readouterr().err == "", "it was soon done"
    monkeypatch.setattr("cribd.cli.demo.LINE_S", 0.0)
    assert main(demo) == 0
    lines = capsys.readouterr().err.splitlines()
    assert has_phrase(lines[0], "command.demo.progress", done=0, games=2)
    assert has_phrase(lines[-1], "command.demo.progress", done=2, games=2)
    assert len(lines) > 4, "a line for every deal"


@pytest.mark.slow
def test_where_three_sides_play_the_demo_takes_the_board_with_three_tracks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "kitchen.toml"
    house.write_text(HOUSE, encoding="utf-8")
    assert main(["demo", "--rules", str(house), "--way", "trust", "--json"]) == 0
    payload = json.loads(capsys.readouterr().out)
    assert (payload["rules"], payload["board"], list(payload["won"])) == (
        "Kitchen table",
        "triple",
        ["blue", "red", "green"],
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rules", "whist"], phrase("problem.rules.name", name="--rules whist", presets=", ".join(RULES))),
        (
            ["--rules", "nowhere.toml"],
            phrase("problem.file.unreadable", file="--rules nowhere.toml", why=phrase("problem.file.why.ENOENT")),
        ),
        (
            ["--rules", "six-player", "--board", "classic"],
            phrase(
                "problem.sentence",
                clause=phrase("problem.rules.tracks", rules="--rules six-player", sides=3, board="classic", tracks=2),
            ),
        ),
    ],
)
def test_rules_that_cannot_be_played_are_refused_in_one_sentence(
    arguments: Sequence[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", *arguments]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said == sentence
