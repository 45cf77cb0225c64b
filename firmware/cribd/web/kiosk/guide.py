"""The guide for players and the rule sets, as the page `/help` shows them: a fragment of HTML for each language.

The guide is `docs/how-to-play.md` itself, and in French `docs/comment-jouer.md`: it is read where it is written, in a
clone; a wheel has a copy of it beside this module. Only the few forms of Markdown that the guides use are known:
headings, paragraphs, tables, pictures, links, code, bold and slanted words. A link leads within the guide; another
one, to a file that no browser has, is its words alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path

from cribboard import RULES
from cribd.text import languages, texts

#: The guide of each language; one without a guide of its own has the English one.
_GUIDES = {"fr_CA": "comment-jouer.md"}
_ENGLISH = "how-to-play.md"
_COPY = Path(__file__).with_name("guide")
_DOCS = _COPY if _COPY.exists() else Path(__file__).parents[4] / "docs"
_PICTURE = re.compile(r"!\[([^\]]*)\]\(images/([\w/-]+)\.png\)")
#: A file that is named in brackets.
_BESIDE = re.compile(r" ?\(\[[^\]]*\]\((?!#)[^)]*\)\)")
#: Spaces of French that do not break.
_TIED = re.compile("(?<=«) | (?=[:»])")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
_MARKS = ((r"`([^`]*)`", r"<code>\1</code>"), (r"\*\*([^*]+)\*\*", r"<b>\1</b>"), (r"\*([^*]+)\*", r"<i>\1</i>"))


def files() -> Mapping[str, bytes]:
    """The files of the page by name: `guide.en.html` and its like, and the pictures, `en-screen-cut.png`. They are made
    once."""
    return _files(tuple(languages()))


@cache
def _files(spoken: tuple[str, ...]) -> Mapping[str, bytes]:
    made: dict[str, bytes] = {}
    for language in spoken:
        text = (_DOCS / _GUIDES.get(language, _ENGLISH)).read_text(encoding="utf-8")
        made[f"guide.{language}.html"] = (as_html(text) + _rule_sets(language)).encode()
        for _, picture in _PICTURE.findall(text):
            made[_name(picture)] = (_DOCS / "images" / f"{picture}.png").read_bytes()
    return made


def as_html(text: str) -> str:
    """A guide in HTML, without its title."""
    return "\n".join(_blocks(text.split("\n\n")))


def _blocks(blocks: list[str]) -> Iterator[str]:
    for block in map(str.strip, blocks):
        if block.startswith("# ") or not block:
            continue
        if block.startswith("## "):
            title = block[3:]
            yield f'<h2 id="{_anchor(title)}">{_inline(title)}</h2>'
        elif block.startswith("|"):
            heads, _, *rows = (_cells(row) for row in block.splitlines())
            body = "".join(_row(row, "td") for row in rows)
            yield f"<table><thead>{_row(heads, 'th')}</thead><tbody>{body}</tbody></table>"
        else:
            yield f"<p>{_inline(block)}</p>"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("| ").split(" | ")]


def _row(cells: list[str], kind: str) -> str:
    return f"<tr>{''.join(f'<{kind}>{_inline(cell)}</{kind}>' for cell in cells)}</tr>"


def _inline(text: str) -> str:
    """A text with its marks. Pictures and links are set apart first, as their addresses hold letters that are marks."""
    made = escape(_BESIDE.sub("", text.replace("&nbsp;", "\u00a0")), quote=False)
    made = _TIED.sub("\u00a0", made)
    made = _PICTURE.sub(lambda found: f'<img src="/page/{_name(found[2])}" alt="{found[1]}">', made)
    made = _LINK.sub(
        lambda found: f'<a href="{found[2]}">{found[1]}</a>' if found[2].startswith("#") else found[1], made
    )
    for mark, tag in _MARKS:
        made = re.sub(mark, tag, made)
    return made


def _name(picture: str) -> str:
    return f"{picture.replace('/', '-')}.png"


def _anchor(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _rule_sets(language: str) -> str:
    """Each rule set: its name, and what it is in a sentence or two."""
    said = texts(language)
    rows = (f"<dt>{escape(said[f'rules.{name}'])}</dt><dd>{escape(said[f'page.rules.{name}'])}</dd>" for name in RULES)
    return f'\n<h2 id="rules">{escape(said["page.rules"])}</h2>\n<dl>{"".join(rows)}</dl>\n'
