"""`/help` shows the guide for players as it stands in `docs`, in every language, and each rule set."""

from __future__ import annotations

import re
import tomllib
from html import unescape

import pytest
from tests.support.places import ROOT

from cribboard import RULES
from cribboard.rules import OPTIONS
from cribd.text import languages, texts
from cribd.web.kiosk.help.guide import as_html, files


@pytest.mark.parametrize("language", languages())
def test_the_guide_is_whole_and_leads_nowhere_that_is_not_on_the_page(language: str) -> None:
    page = files()[f"guide.{language}.html"].decode()
    assert page.count("<h2 ") == 8, "seven parts of the guide, and the rule sets"
    words = re.sub(r"<code>.*?</code>|<[^>]*>", "", page)
    assert not re.search(r"\*\*|`|\]\(|!\[|^#|\|", words, re.MULTILINE), words
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert {link[1:] for link in re.findall(r'href="([^"]+)"', page)} <= anchors
    for picture in re.findall(r'src="/page/([^"]+)"', page):
        assert files()[picture].startswith(b"\x89PNG")


@pytest.mark.parametrize("language", languages())
def test_each_rule_set_opens_to_what_differs_from_six_card_as_the_command_says_it(language: str) -> None:
    said, usual = texts(language), RULES["six-card"].values
    _, *parts = files()[f"guide.{language}.html"].decode().partition('<h2 id="rules">')[2].split("<summary>")
    assert len(parts) == len(RULES) - 1, "all but six-card itself"
    for rules, part in zip([rules for rules in RULES.values() if rules.name != "six-card"], parts, strict=True):
        assert unescape(part).startswith(f"<b>{said[f'rules.{rules.name}']}</b> {said[f'page.rules.{rules.name}']}")
        rows = dict(re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td></tr>", unescape(part)))
        differing = [name for name, value in rules.values.items() if value != usual[name]]
        options = [said[f"option.{rules.name}.{option}"] for option in OPTIONS.get(rules.name, {})]
        assert list(rows) == [
            *(said[f"command.rules.says.{name}"] for name in differing),
            *([said["command.rules.options"]] if options else []),
        ]
        assert options == [] or rows[said["command.rules.options"]] == ", ".join(options)
        for name in differing:
            value = rows[said[f"command.rules.says.{name}"]]
            assert not isinstance(rules.values[name], int) or value.startswith(f"{rules.values[name]} ("), value


def test_the_guide_explains_every_value_in_words() -> None:
    page = files()["guide.fr_CA.html"].decode()
    assert "<td>le trou de la victoire</td><td>61 (six cartes : 121)</td>" in page.replace("\u00a0", " ")
    assert "<td>qui perd sous ce trou est skunké</td><td>aucun (six cartes : 90)</td>" in page.replace("\u00a0", " ")
    assert "<td>le jeu finit au premier 31 ou au premier go</td><td>oui</td>" in page


def test_the_guide_is_text_and_never_html() -> None:
    assert as_html("# T\n\n`<script>` & **<b>**") == "<p><code>&lt;script&gt;</code> &amp; <b>&lt;b&gt;</b></p>"


def test_a_file_that_is_named_in_brackets_leaves_no_trace_on_the_page() -> None:
    assert as_html("# T\n\nA game\n([more](presses.md)). Next ([en](a.md)).") == "<p>A game. Next.</p>"


def test_a_wheel_has_the_guides_and_their_pictures() -> None:
    """They are read in `docs` here; a wheel has them beside the page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    guides = {path: place for path, place in included.items() if path.startswith("docs/")}
    assert guides == {
        f"docs/{each}": f"cribd/web/kiosk/help/guide/{each}"
        for each in ("how-to-play.md", "comment-jouer.md", "images/en", "images/fr_CA")
    }
    for path in included:
        assert (ROOT / path).exists()
