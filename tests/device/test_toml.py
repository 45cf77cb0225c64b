"""Every TOML file of a board is read by one reader: what Python's own cannot take is refused in a sentence too."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase

from cribd.__main__ import main
from cribd.toml import DEEPEST, FINITE, TomlError, exactly, read_toml, spelled, whole

NESTED = {
    "brackets": "x = " + "[" * 3000 + "]" * 3000,
    "a few brackets": "x = " + "[" * 40 + "]" * 40,
    "tables": "x = " + "{a = " * 3000 + "1" + "}" * 3000,
    "dotted keys": ".".join("x" * 3000) + " = 1",
    "headings": "[" + ".".join("x" * 3000) + "]",
}
LONG = {
    "digits": "x = " + "9" * 5000,
    "hex digits": "x = 0x" + "f" * 5000,
    "digits in a list": "x = [[" + "9" * 5000 + "]]",
    "64 bits and one": f"x = {2**63}",
}
CUT = {"nothing after the sign": "x =", "half a text": 'x = "half', "no date": "x = 2026-02-30", "a bell": 'x = "\a"'}


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        *((text, {"deep"}) for text in NESTED.values()),
        *((text, {"digits"}) for text in LONG.values()),
        *((text, {"syntax", "end"}) for text in CUT.values()),
    ],
)
def test_invalid_toml_is_refused_with_a_reason(text: str, reasons: set[str]) -> None:
    with pytest.raises(TomlError) as wrong:
        read_toml(text)
    assert any(has_phrase(str(wrong.value), f"problem.toml.{reason}") for reason in reasons)
    assert len(str(wrong.value)) < 200


def test_the_toml_that_a_board_file_needs_is_read() -> None:
    deep = "x = " + "[" * (DEEPEST - 2) + "]" * (DEEPEST - 2)
    assert read_toml(deep)
    assert read_toml("a = 1\nb = -9223372036854775808\n[[c]]\nd = [true, 1.5, 'é']") == {
        "a": 1,
        "b": -(2**63),
        "c": [{"d": [True, 1.5, "é"]}],
    }


@pytest.mark.parametrize(
    "value",
    ["true", "-7", "1.5", "1e+16", "nan", "-inf", '"é \\" \\n"', '[true, [nan, "a"], 1]', "2026-03-01", "12:30:00"],
)
def test_a_report_shows_a_value_as_toml_has_it(value: str) -> None:
    assert spelled(read_toml(f"x = {value}")["x"]) == value


@pytest.mark.parametrize("value", [True, "1", None, float("nan"), float("inf"), float("-inf")])
def test_nan_and_infinity_are_refused(value: object) -> None:
    assert not FINITE.fits(value)


def test_a_list_of_a_length_has_no_other_length() -> None:
    pair = exactly(2, whole(0, 9))
    number = phrase("problem.whole_number", low=0, high=9)
    assert pair.words == phrase("problem.list_of", count=2, each=number)
    assert pair.fits([0, 9])
    assert not any(map(pair.fits, ([0], [0, 1, 2], [0, 10], [0, True], "09", 2)))


@pytest.mark.slow
@pytest.mark.parametrize("what", [*NESTED, *LONG, *CUT])
def test_every_command_that_reads_toml_refuses_it_in_one_sentence(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "decks" / "rouge.toml"
    file.parent.mkdir()
    file.write_text({**NESTED, **LONG, **CUT}[what])
    here = ("--journal", str(tmp_path / "journal.db"))
    for arguments in (
        ("run", "--twin", "--config", str(file), *here),
        ("run", "--twin", "--board", str(file), *here),
        ("record", "--config", str(file)),
        ("statistics", "--config", str(file)),
        ("rules", "check", str(file)),
        ("rules", "show", str(file)),
        ("count", "--rules", str(file), "5H", "5C", "5S", "JD", "5D"),
        ("demo", "--rules", str(file)),
        ("demo", "--board", str(file)),
        ("decks", *here),
        ("decks", "show", "rouge", *here),
        ("enroll", "--deck", "rouge", "--config", str(file)),
    ):
        assert main(arguments) in (1, 2), arguments
        out, err = capsys.readouterr()
        assert out == ""
        assert "Traceback" not in err
        assert "rouge.toml" in err, arguments
        assert len(err.splitlines()) <= 2
