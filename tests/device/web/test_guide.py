"""`/help` shows the guide for players as it stands in `docs`, in every language, and each rule set."""

from __future__ import annotations

import re
import tomllib

import pytest
from tests.support.places import ROOT

from cribboard import RULES
from cribd.text import languages
from cribd.web.kiosk.guide import as_html, files


@pytest.mark.parametrize("language", languages())
def test_the_guide_is_whole_and_leads_nowhere_that_is_not_on_the_page(language: str) -> None:
    page = files()[f"guide.{language}.html"].decode()
    assert page.count("<h2 ") == 6, "five parts of the guide, and the rule sets"
    assert page.count("<dt>") == len(RULES)
    words = re.sub(r"<code>.*?</code>|<[^>]*>", "", page)
    assert not re.search(r"\*\*|`|\]\(|!\[|^#|\|", words, re.MULTILINE), words
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert {link[1:] for link in re.findall(r'href="([^"]+)"', page)} <= anchors
    for picture in re.findall(r'src="/page/([^"]+)"', page):
        assert files()[picture].startswith(b"\x89PNG")


def test_what_a_guide_says_is_text_and_never_html() -> None:
    assert as_html("# T\n\n`<script>` & **<b>**") == "<p><code>&lt;script&gt;</code> &amp; <b>&lt;b&gt;</b></p>"


def test_a_wheel_has_the_guides_and_their_pictures() -> None:
    """They are read in `docs` here; a wheel has them beside the page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {
        f"docs/{each}": f"cribd/web/kiosk/guide/{each}"
        for each in ("how-to-play.md", "comment-jouer.md", "images/en", "images/fr_CA")
    }
    for path in included:
        assert (ROOT / path).exists()
