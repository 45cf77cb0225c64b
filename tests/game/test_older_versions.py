"""A game that was begun by older rulings keeps them: its record is sound, and says where today's rulings differ.

The records in `tests/older_games` were made by version 1 of the presets; each has in it what version 2 rules otherwise.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.places import OLDER_GAMES
from tests.support.players import Players

from cribboard import RULES, Rules, record
from cribboard.events import Acted, Pegged
from cribboard.evolution import fold
from cribboard.position import Phase
from cribboard.record import Heading, Record, RecordError
from cribboard.rules import Way, read_label
from cribboard.series import result_of

#: Each record with the lines that today's rulings would not give: what stands there, and who won by how much.
RULED_OTHERWISE = {
    "play-before-hands": (["peg let go blue +4 by next-count"], (121, 120)),
    "play-before-hands-acc": (["peg let go blue +4 by next-count"], (121, 120)),
    "forgotten-last-card-acc": (["pegged blue +9 = 69"], (103, 121)),
    "forgotten-last-card-muggins": (["pegged blue +9 = 69"], (103, 121)),
    "false-go-taken-back": (["laid red AH count 31", "laid red 6S count 9"], (117, 121)),
    "false-go-without-a-word": (["laid blue 5S count 14"], (121, 115, 98)),
    "undone-points": (["undone to 80"], (121, 89)),
}
of_each = pytest.mark.parametrize("name", RULED_OTHERWISE)


def older(name: str) -> Record:
    return record.read((OLDER_GAMES / f"{name}.txt").read_text(encoding="utf-8"))


def test_every_older_record_has_its_expected_rulings() -> None:
    assert {path.stem for path in OLDER_GAMES.glob("*.txt")} == set(RULED_OTHERWISE)


@of_each
def test_an_older_record_is_sound_and_keeps_its_result(name: str) -> None:
    read, (_, scores) = older(name), RULED_OTHERWISE[name]
    assert read.heading.rules.version == 1
    result = result_of(record.judge(read).position, first_dealer=0)
    assert result is not None
    assert result.scores == scores


@of_each
def test_a_record_of_an_older_version_names_the_lines_judged_differently_today(name: str) -> None:
    read, (lines, _) = older(name), RULED_OTHERWISE[name]
    spelling = read.heading.spelling
    assert [spelling.write(read.events[number - 1]) for number in record.ruled_otherwise(read)] == lines


@of_each
def test_an_older_record_that_was_altered_is_not_sound(name: str) -> None:
    read = older(name)
    at, pegged = next((at, event) for at, event in enumerate(read.events) if isinstance(event, Pegged))
    altered = replace(pegged, points=pegged.points + 1)
    with pytest.raises(RecordError):
        record.judge(replace(read, events=(*read.events[:at], altered, *read.events[at + 1 :])))


@of_each
def test_an_older_record_under_todays_label_is_not_sound(name: str) -> None:
    read = older(name)
    today = replace(read.heading, rules=read.heading.rules.of_today)
    with pytest.raises(RecordError):
        record.judge(replace(read, heading=today))


@of_each
def test_an_unfinished_older_game_is_played_on_to_its_end(name: str) -> None:
    read = older(name)
    game = read.heading.begin()
    half = max(at for at, event in enumerate(read.events[: len(read.events) // 2]) if isinstance(event, Acted))
    game.append(read.events[:half])
    Players(f"later {name}").play(game)
    assert game.position == fold(game.beginning, game.log)
    assert game.position.phase is Phase.OVER
    record.judge(Record(read.heading, game.log))


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: str(rules.name))
def test_a_record_of_today_has_nothing_that_would_be_ruled_otherwise(rules: Rules) -> None:
    heading = Heading(rules=rules, way=Way.VERIFY)
    game = heading.begin()
    Players(3, slips=0.2).play(game)
    assert record.ruled_otherwise(Record(heading, game.log)) == ()


def test_the_same_rules_have_a_label_in_each_version() -> None:
    assert read_label("acc/1 muggins=on").of_today == read_label("acc/2 muggins=on")
    assert read_label("acc/2 muggins=on").of_version(1).label == "acc/1 muggins=on"
