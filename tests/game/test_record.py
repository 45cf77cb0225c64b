"""A game as text: written, read, judged again and replayed, and refused if anything in it was changed."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.places import ROOT
from tests.support.real_game import HEADING, PLACE, real_game
from tests.support.seats import SIX_CARD
from tests.support.sweeps import examples
from tests.support.walks import walk

from cribboard import PACK, RULES, Combination, Game, Kind, NotationError, Way, record
from cribboard.actions import Action, By, CutForDeal, NameDealer, Question, SayGo, TakePegInHand
from cribboard.event_notation import Spelling
from cribboard.event_terms import Bar, Doubt, Ground, Occasion, Timing, Verdict
from cribboard.events import (
    Acted,
    ChallengeRaised,
    ChallengeWithdrawn,
    ClaimChallenged,
    Event,
    GameWon,
    MugginsRuled,
    MugginsTaken,
    Pegged,
    Undone,
)
from cribboard.evolution import fold
from cribboard.record import Heading, Record, RecordError, first_link, next_link

DOC = ROOT / "docs" / "record.md"
ACTIONS, EVENTS = get_args(Action), get_args(Event)
SPELLING = Spelling(sides=2)
OF_THREE = Spelling(sides=3)


def played(way: Way, seed: int, steps: int = 120) -> Record:
    heading = Heading(rules=SIX_CARD, way=way, dealer=seed % 2, names=("Anne", ""), date="2026-02-01")
    game = heading.begin()
    walk(game, Random(seed), steps)
    return Record(heading, game.log)


# The spelling


CARDS = st.sampled_from(PACK)
COMBINATIONS = st.builds(
    Combination, st.sampled_from(Kind), st.lists(CARDS, min_size=1, max_size=6).map(tuple), st.integers(0, 29)
)


BY_A_SIDE = (ClaimChallenged, ChallengeRaised, ChallengeWithdrawn, MugginsTaken, MugginsRuled)


def things(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any event or action of this kind, each field with any value that it may hold."""
    values: dict[str, st.SearchStrategy[Any]] = {
        "seat": st.integers(0, 5), "side": st.integers(0, 2), "dealer": st.integers(0, 5), "last": st.integers(0, 5),
        "seats": st.lists(st.integers(0, 5), max_size=6).map(tuple), "bar": st.sampled_from(Bar),
        "card": CARDS, "points": st.integers(0, 121), "score": st.integers(0, 121), "count": st.integers(0, 31),
        "called": st.integers(0, 121), "due": st.integers(0, 121), "to": st.integers(0, 9999),
        "question": st.sampled_from(Question), "doubt": st.sampled_from(Doubt), "timing": st.sampled_from(Timing),
        "verdict": st.sampled_from(Verdict), "occasion": st.sampled_from(Occasion),
        "occasions": st.lists(st.sampled_from(Occasion), max_size=3).map(tuple),
        "combinations": st.lists(COMBINATIONS, max_size=4).map(tuple),
        "action": st.one_of(*(things(action) for action in ACTIONS)) if kind is Acted else st.nothing(),
        "against": st.integers(0, 2), "back": st.integers(0, 121), "missed": st.integers(0, 121),
        "ground": st.sampled_from(Ground),
        "by": st.integers(0, 2) if kind in BY_A_SIDE else st.sampled_from(By),
    }  # fmt: skip
    return st.builds(kind, **{field.name: values[field.name] for field in fields(kind)})


@given(event=st.one_of(*(things(kind) for kind in EVENTS)))
@settings(max_examples=600)
def test_every_event_is_spelled_in_one_line_and_read_back(event: Event) -> None:
    line = OF_THREE.write(event)
    assert "\n" not in line
    assert line == " ".join(line.split())
    assert OF_THREE.read(line) == event


@pytest.mark.parametrize(
    "line",
    ["", ">", "> lay", "laid blue", "laid green 5H count 5", "laid blue 1H count 5", "go blue", "> said go blue"],
)
def test_a_line_of_no_known_event_is_refused_by_name(line: str) -> None:
    with pytest.raises(NotationError, match=re.escape(repr(line))):
        SPELLING.read(line)


def test_partners_of_a_side_are_numbered() -> None:
    assert [SPELLING.seat(seat) for seat in range(4)] == ["blue", "red", "blue2", "red2"]
    assert [SPELLING.read_seat(word) for word in ("blue", "red", "blue2", "red2")] == [0, 1, 2, 3]


# Round trip, and judging again


@pytest.mark.slow
@given(way=st.sampled_from(Way), seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_a_record_is_the_same_after_a_round_trip(way: Way, seed: int) -> None:
    written = played(way, seed)
    text = record.write(written)
    assert record.read(text) == written
    assert record.write(record.read(text)) == text
    replayed = record.judge(record.read(text))
    assert replayed.log == written.events
    assert replayed.position == fold(written.heading.begin().position, written.events)


@pytest.mark.parametrize("way", list(Way))
def test_a_game_that_has_only_begun_is_a_record_too(way: Way) -> None:
    empty = Record(Heading(rules=SIX_CARD, way=way), ())
    assert record.read(record.write(empty)) == empty
    assert record.judge(empty).position == Game.start(SIX_CARD, way=way).position


def test_line_ends_of_any_machine_and_empty_lines_are_free() -> None:
    written = played(Way.TRUST, 5)
    text = record.write(written)
    assert record.read(text.replace("\n", "\r\n")) == written
    assert record.read(text.replace("\n\n", "\n\n\n") + "\n") == written


def test_the_chain_runs_through_heading_and_lines() -> None:
    written = played(Way.AUTO, 2, steps=12)
    link = first_link(written.heading)
    for event in written.events:
        link = next_link(link, SPELLING.write(event))
    assert record.write(written).endswith(f"\nChain: {link}\n")
    assert first_link(replace(written.heading, date="2026-02-02")) != first_link(written.heading)


# The heading


def test_a_heading_says_only_what_was_given() -> None:
    assert Heading(rules=SIX_CARD, way=Way.TRUST).lines() == (
        "Cribboard record 1", "Rules: six-card/2", "Way: trust", "Dealer: cut",
    )  # fmt: skip
    assert HEADING.lines()[4:6] == ("Blue: Maude", "Red: Réjean")


def test_a_heading_without_names_is_one_heading_however_they_were_left_out() -> None:
    assert Heading(rules=SIX_CARD, way=Way.TRUST, names=("", "")) == Heading(rules=SIX_CARD, way=Way.TRUST)


@pytest.mark.parametrize(
    "wrong", [{"names": ("Anne",)}, {"names": ("An\nne", "")}, {"date": " today"}, {"board": "a\tb"}]
)
def test_a_heading_that_could_not_be_read_back_is_not_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(NotationError):
        Heading(rules=SIX_CARD, way=Way.TRUST, **wrong)


def test_house_rules_are_not_recorded_under_the_name_of_others() -> None:
    with pytest.raises(NotationError, match="six-card/2"):
        Heading(rules=replace(SIX_CARD, game=replace(SIX_CARD.game, target=61)), way=Way.TRUST)


GOOD = ("Cribboard record 1", "Rules: six-card/2", "Way: trust", "Dealer: cut", "Blue: Anne", "Date: 2026-02-01")


@pytest.mark.parametrize(
    ("lines", "at", "reason"),
    [
        (["Cribboard record 2", *GOOD[1:]], 1, "a record begins with"),
        ([GOOD[0], "Rules: eight-card/1", *GOOD[2:]], 2, "known rules are six-card/2"),
        ([GOOD[0], "Rules: six-card/3", *GOOD[2:]], 2, "known rules are six-card/2"),
        ([*GOOD[:2], "Way: hope", *GOOD[3:]], 3, "a way is one of trust, verify, auto"),
        ([*GOOD[:3], "Dealer: green", *GOOD[4:]], 4, "a dealer is 'cut' or one of blue, red"),
        ([*GOOD[:3], "Dealer: blue2", *GOOD[4:]], 4, "a dealer is 'cut' or one of blue, red"),
        ([*GOOD[:2], *GOOD[3:]], 5, "the heading lacks 'Way'"),
        ([*GOOD[:3], *GOOD[4:]], 5, "the heading lacks 'Dealer'"),
        ([*GOOD, GOOD[5]], 7, "wanted one of"),
        ([*GOOD, "Weather: fine"], 7, "wanted one of"),
        ([*GOOD[:4], GOOD[5], GOOD[4]], 5, "it is spelled otherwise"),
        ([*GOOD[:4], "Blue:  Anne", GOOD[5]], 5, "it is spelled otherwise"),
        ([*GOOD, "Board:"], 7, "it is spelled otherwise"),
        ([*GOOD, "Green: Zoé"], 7, "it is spelled otherwise"),
        ([*GOOD[:4], "Blue: An\x07ne", GOOD[5]], 5, "printable words"),
    ],
)
def test_a_broken_heading_is_refused_with_line_and_reason(lines: list[str], at: int, reason: str) -> None:
    with pytest.raises(RecordError) as refusal:
        record.read("\n".join([*lines, "", "Chain: 0"]))
    assert refusal.value.line == at
    assert reason in refusal.value.reason
    assert str(refusal.value).startswith(f"line {at}: ")


@pytest.mark.parametrize("text", ["", "\n", "1. e4 e5"])
def test_a_text_that_is_no_record_is_refused_at_its_first_line(text: str) -> None:
    with pytest.raises(RecordError) as refusal:
        record.read(text)
    assert refusal.value.line == 1


# What was changed


TEXT = PLACE.read_text(encoding="utf-8")


def changed(text: str, rng: Random) -> str:
    """The text with one character of it another."""
    at = rng.randrange(len(text) - 1)  # but for the very last line end
    other = rng.choice([c for c in "abz+=>0159 .HhSs\t\r\n\x0b\u2028é²" if c != text[at]])
    return text[:at] + other + text[at + 1 :]


@pytest.mark.sweep
@pytest.mark.slow
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(300), deadline=None)
def test_any_changed_character_is_refused_with_line_and_reason(seed: int) -> None:
    text = changed(TEXT, Random(seed))
    with pytest.raises(RecordError) as refusal:
        record.read(text)
    assert 1 <= refusal.value.line <= text.count("\n") + 1
    assert refusal.value.reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("laid blue TC", "laid blue tC", id="a card in small letters"),
        pytest.param("laid blue TC", "laid blue T♣", id="a card with its symbol"),
        pytest.param("count 10", "count 010", id="a number with a nought"),
        pytest.param("   1 >", "  1  >", id="spaces moved"),
        pytest.param("   1 >", "\t1 >", id="a tab"),
        pytest.param(" 2   card", " 2 card", id="an indent less"),
        pytest.param("pegged red +2 = 2\n", "pegged red +2 = 2 \n", id="a space at the end"),
    ],
)
def test_another_spelling_of_the_same_event_is_refused(old: str, new: str) -> None:
    text = next(text for text in (TEXT, record.write(played(Way.VERIFY, 9))) if old in text)
    with pytest.raises(RecordError):
        record.read(text.replace(old, new, 1))


def test_a_line_left_out_added_or_moved_is_refused() -> None:
    lines = TEXT.split("\n")
    for other in (
        [*lines[:40], *lines[41:]],
        [*lines[:40], lines[40], *lines[40:]],
        [*lines[:40], lines[41], lines[40], *lines[42:]],
    ):
        with pytest.raises(RecordError) as refusal:
            record.read("\n".join(other))
        assert 40 <= refusal.value.line <= 43


def test_a_record_that_breaks_off_is_refused() -> None:
    with pytest.raises(RecordError, match="breaks off"):
        record.read(TEXT[: TEXT.index("Chain:")])


def test_a_line_left_out_is_noticed_by_the_chain_even_if_the_numbers_are_put_right() -> None:
    events = real_game().events
    forged = record.write(Record(HEADING, (*events[:20], *events[21:])))
    honest = TEXT.strip().rsplit("\n", 1)[1]
    with pytest.raises(RecordError, match="the chain does not fit"):
        record.read(re.sub("Chain: .*", honest, forged))


# What the rules would not have given


def judged(events: tuple[Event, ...]) -> RecordError:
    """The refusal of these events; the line that it names is that line of the text that `write` makes."""
    forged = record.read(record.write(Record(HEADING, events)))
    with pytest.raises(RecordError) as refusal:
        record.judge(forged)
    line = record.write(forged).split("\n")[refusal.value.line - 1]
    assert str(refusal.value.text) in line
    return refusal.value


def test_a_forged_score_with_a_sound_chain_is_noticed_when_it_is_judged() -> None:
    events = real_game().events
    at = next(number for number, event in enumerate(events) if isinstance(event, Pegged))
    forged = Pegged(events[at].side, 9, 9)  # type: ignore[union-attr]
    error = judged((*events[:at], forged, *events[at + 1 :]))
    assert (error.text, error.reason) == ("pegged red +9 = 9", "the rules give: pegged red +2 = 2")


def test_an_act_that_was_not_allowed_is_noticed() -> None:
    error = judged((Acted(NameDealer(0)), *Heading.begin(HEADING).do(NameDealer(0))[1:], Acted(SayGo(0))))
    assert error.reason == "not allowed: there is nothing to go from"
    assert judged((Acted(TakePegInHand(0, -5)),)).reason.startswith("not allowed: nothing can be scored")


def test_events_that_are_left_out_or_too_many_are_noticed() -> None:
    events = real_game().events
    assert judged(events[:1]).reason == "the rules give 2 lines here, not 1"
    assert judged((*events[:2], GameWon(0))).reason == "the rules give 2 lines here, not 3"
    assert judged(events[1:]).reason == "the record begins with an act"
    assert judged((*events[:2], Undone(0))).reason.startswith("the rules give 2 lines")


def test_a_card_from_another_pack_is_noticed() -> None:
    cut = Acted(CutForDeal(0, PACK[3]))
    assert judged((cut, *real_game().events[1:])).reason == "the rules give: card cut blue AS"


# The page and the real game


def test_the_real_game_is_the_one_that_the_script_plays() -> None:
    assert record.write(real_game()) == TEXT, "make it again: python -m tests.support.real_game"


def test_the_real_game_is_read_and_judged_again() -> None:
    game = record.judge(record.read(TEXT))
    assert game.position.phase == "over"
    assert max(pegs.front for pegs in game.position.pegs) == SIX_CARD.game.target


WHAT_PEOPLE_DO = (
    "cut tied", "peg put back", " late", "too-many", "challenged", "undone to", "said go", "nineteen", "out-of-turn",
    "too-few",
)  # fmt: skip


def test_the_real_game_has_an_undo_a_late_claim_and_other_slips() -> None:
    assert [words for words in WHAT_PEOPLE_DO if words not in TEXT] == []


def rows(heading: str) -> list[tuple[str, str]]:
    """Line and name of each row of the table under this heading of the page."""
    section = DOC.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n#")[0]
    return re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", section, flags=re.MULTILINE)


def test_every_action_and_every_event_has_its_row_and_every_row_its_own() -> None:
    assert [name for _, name in rows("What was done")] == [kind.__name__ for kind in ACTIONS]
    caused = [kind.__name__ for kind in EVENTS if kind is not Acted]
    assert [name for _, name in rows("What it caused")] == caused
    assert "`Acted` is the event" in DOC.read_text(encoding="utf-8")


@pytest.mark.parametrize(("line", "name"), [*rows("What was done"), *rows("What it caused")])
def test_every_line_on_the_page_is_a_real_one(line: str, name: str) -> None:
    event = OF_THREE.read(line)
    assert type(event.action if isinstance(event, Acted) else event).__name__ == name
    assert OF_THREE.write(event) == line


def words_of_the_page() -> Iterator[str]:
    section = DOC.read_text(encoding="utf-8").split("### The words in these lines\n")[1].split("\n#")[0]
    yield from re.findall(r"`([^`]+)`", section)


WORDS = (Ground, Verdict, Bar, Occasion, Doubt, Timing, By, Question)


@pytest.mark.parametrize("kind", WORDS)
def test_every_word_of_a_line_stands_on_the_page(kind: type[StrEnum]) -> None:
    assert {str(word) for word in kind} <= set(words_of_the_page())


def test_the_page_has_no_word_that_no_line_has() -> None:
    kinds = {str(word) for kind in WORDS for word in kind}
    assert set(words_of_the_page()) == kinds | {"nothing"}


def test_every_heading_stands_on_the_page() -> None:
    section = DOC.read_text(encoding="utf-8").split("\n## The form\n")[1].split("\n## ")[0]
    named = re.findall(r"^\| (`[^|]+`) \|", section, flags=re.MULTILINE)
    heading = Heading(
        rules=RULES["three-player"], way=Way.AUTO, names=("Ann", "Ben", "Cléo"), date="2026-02-01", board="triple"
    )
    assert re.findall(r"`(\w+)`", " ".join(named)) == [line.partition(":")[0] for line in heading.lines()[1:]]


def test_the_deal_on_the_page_is_of_the_real_game() -> None:
    blocks = re.findall(r"```text\n(.*?)\n```", DOC.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) == 2
    assert all(block in TEXT for block in blocks)


def test_the_eight_lines_that_look_at_a_chain_accept_the_real_game_and_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (source,) = re.findall(r"```python\n(.*?)\n```", DOC.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len([line for line in source.split("\n") if line]) == 8
    monkeypatch.chdir(DOC.parents[1])
    exec(source, {})
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a-game.txt").write_text(TEXT.replace("laid blue 7H", "laid blue 7D"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError):
        exec(source, {})


def test_the_python_examples_of_the_page_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DOC.parents[1])
    outcome = doctest.testfile(str(DOC), module_relative=False)
    assert outcome.attempted > 5
    assert outcome.failed == 0


def test_a_line_after_the_chain_is_refused() -> None:
    text = record.write(played(Way.VERIFY, 3, steps=12))
    for more in ("\n 999 garbage\n", "   1 > undo\n", "Chain: again\n"):
        with pytest.raises(RecordError, match="the chain is the last line of a record"):
            record.read(text + more)
