"""The players' guide and the rule sets as HTML.

The guide is `docs/how-to-play.md` itself, and in French `docs/comment-jouer.md`: it is read where it is written, in a
clone; a wheel has a copy of it beside this module. Only the few forms of Markdown that the guides use are known:
headings, paragraphs, tables, pictures, links, code, bold and slanted words. A link leads within the guide; one
to a file, which no browser has, stands in brackets, and both are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

from cribboard import RULES
from cribboard.rules import OPTIONS, Option, Rules, Telling
from cribd.languages import catalogue_path, languages
from cribd.text import texts

#: The guide of each language; one without a guide of its own has the English one.
_GUIDES = {"fr_CA": "comment-jouer.md"}
_ENGLISH = "how-to-play.md"
_COPY = Path(__file__).with_name("guide")
_DOCS = _COPY if _COPY.exists() else Path(__file__).parents[5] / "docs"
_IMAGE = re.compile(r"!\[([^\]]*)\]\(images/([\w/-]+)\.png\)")
#: A file that is named in brackets.
_FILE_IN_BRACKETS = re.compile(r"\s?\(\[[^\]]*\]\((?!#)[^)]*\)\)")
#: Spaces of French that do not break.
_TIED = re.compile("(?<=«) | (?=[:»])")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
#: What the other rule sets are compared with.
_SIX_CARD = RULES["six-card"]
_MARKS = ((r"`([^`]*)`", r"<code>\1</code>"), (r"\*\*([^*]+)\*\*", r"<b>\1</b>"), (r"\*([^*]+)\*", r"<i>\1</i>"))


def files() -> Mapping[str, bytes]:
    """Return the files of the page, by their names.

    They are made once. There is `guide.en.html`, the same for each language, and pictures such as `en-screen-cut.png`.
    """
    return _files(tuple(map(catalogue_path, languages())))


@cache
def _files(catalogues: tuple[Path, ...]) -> Mapping[str, bytes]:
    made: dict[str, bytes] = {}
    for language in (catalogue.stem for catalogue in catalogues):
        text = (_DOCS / _GUIDES.get(language, _ENGLISH)).read_text(encoding="utf-8")
        made[f"guide.{language}.html"] = (as_html(text) + _rule_sets(language)).encode()
        for _, image in _IMAGE.findall(text):
            made[_name(image)] = (_DOCS / "images" / f"{image}.png").read_bytes()
    return made


def as_html(text: str) -> str:
    """Convert a guide to HTML, without its title."""
    blocks = (block.strip() for block in text.split("\n\n"))
    return "\n".join(_block(block) for block in blocks if block and not block.startswith("# "))


def _block(block: str) -> str:
    if block.startswith("## "):
        title = block[3:]
        anchor = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")  # as GitHub makes it
        return f'<h2 id="{anchor}">{_inline(title)}</h2>'
    if block.startswith("|"):
        heads, _, *rows = block.splitlines()
        body = "".join(_row(row, "td") for row in rows)
        return f"<table><thead>{_row(heads, 'th')}</thead><tbody>{body}</tbody></table>"
    return f"<p>{_inline(block)}</p>"


def _row(row: str, kind: str) -> str:
    cells = (_inline(cell.strip()) for cell in row.strip("| ").split(" | "))
    return f"<tr>{''.join(f'<{kind}>{cell}</{kind}>' for cell in cells)}</tr>"


def _inline(text: str) -> str:
    """Convert the inline Markdown of a text to HTML.

    Pictures and links come first, because their addresses contain the same characters."""
    made = escape(_FILE_IN_BRACKETS.sub("", text.replace("&nbsp;", "\u00a0")), quote=False)
    made = _TIED.sub("\u00a0", made)
    made = _IMAGE.sub(lambda found: f'<img src="/page/{_name(found[2])}" alt="{found[1]}">', made)
    made = _LINK.sub(r'<a href="\2">\1</a>', made)
    for mark, tag in _MARKS:
        made = re.sub(mark, tag, made)
    return made


def _name(image: str) -> str:
    return f"{image.replace('/', '-')}.png"


def _rule_sets(language: str) -> str:
    """Describe the rule sets in HTML."""
    said = texts(language)
    differs = said["page.rules.differs"].format(six_card=said[f"rules.{_SIX_CARD.name}"])
    sets = "\n".join(_rule_set(rules, said) for rules in RULES.values())
    return f'\n<h2 id="rules">{escape(said["page.rules"])}</h2>\n<p>{escape(differs)}</p>\n{sets}\n'


def _rule_set(rules: Rules, said: Mapping[str, str]) -> str:
    head = f"<b>{escape(said[f'rules.{rules.name}'])}</b> {escape(said[f'page.rules.{rules.name}'])}"
    if rules == _SIX_CARD:
        return f"<p>{head}</p>"
    differing = [name for name, value in rules.values.items() if value != _SIX_CARD.values[name]]
    rows = [[said[f"command.rules.says.{name}"], _value(name, rules, said)] for name in differing]
    if options := OPTIONS.get(rules.name):
        names = ", ".join(said[f"option.{rules.name}.{option}"] for option in options)
        rows.append([said["command.rules.options"], names])
    body = "".join(f"<tr><td>{escape(what)}</td><td>{escape(value)}</td></tr>" for what, value in rows)
    return f"<details><summary>{head}</summary><table><tbody>{body}</tbody></table></details>"


def _value(name: str, rules: Rules, said: Mapping[str, str]) -> str:
    """Describe the value of the parameter `name` in these rules.

    Unless it is a yes or no, the value in the six-card game follows."""
    value, six_card = (_word(name, rules_.values[name], said) for rules_ in (rules, _SIX_CARD))
    if isinstance(rules.values[name], Option):  # the other is no, and goes without saying
        return value
    return said["page.rules.beside"].format(value=value, six_card=said[f"rules.{_SIX_CARD.name}"], usual=six_card)


def _word(name: str, value: object, said: Mapping[str, str]) -> str:
    match value:
        case None:
            return said["command.rules.no_skunk"]
        case int():
            return str(value)
        case Option():
            return said[f"state.{value}"]
        case Telling():
            return said[f"telling.{value}"]
    return said[f"page.rules.value.{name}.{value}"]
