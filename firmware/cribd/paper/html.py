"""Makes HTML documents from elements.

The serialiser escapes every text, so that no name can become markup.
A document contains its style, has no script and loads nothing, so it opens without a network.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

Child: TypeAlias = "Element | str | int | Iterable[Child] | None"

#: With this policy a browser loads nothing and runs nothing, whatever the document contains.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def element(tag: str, *children: Child, **attributes: str | float) -> Element:
    """Make an element, without the children that are None.

    The keyword `class_` means `class`, `http_equiv` means `http-equiv`.
    >>> tostring(element("td", "Li & Co", element("b", 2), class_="name"), encoding="unicode")
    '<td class="name">Li &amp; Co<b>2</b></td>'
    """
    made = Element(tag, {name.rstrip("_").replace("_", "-"): str(value) for name, value in attributes.items()})
    _append(made, children)
    return made


def _append(made: Element, child: Child) -> None:
    match child:
        case None:
            pass
        case Element():
            made.append(child)
        case str() | int():
            if len(made):
                made[-1].tail = f"{made[-1].tail or ''}{child}"
            else:
                made.text = f"{made.text or ''}{child}"
        case _:
            for part in child:
                _append(made, part)


def document(language: str, kind: str, title: str, *pages: Child) -> str:
    """Return an HTML document whose body has the class `kind`."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", _style()),
    )
    whole = element("html", head, element("body", *pages, class_=kind), lang=language.replace("_", "-"))
    return f"<!doctype html>\n{tostring(whole, encoding='unicode', method='html')}\n"


@cache
def _style() -> str:
    """Read the style sheet of all documents."""
    return Path(__file__).with_name("paper.css").read_text(encoding="utf-8")


def table(head: Iterable[Child], rows: Iterable[Element], *, foot: Child = None, class_: str = "") -> Element:
    """Make a table whose head is repeated on each printed page."""
    cells = [
        cell if isinstance(cell, Element) and cell.tag == "th" else element("th", cell, scope="col") for cell in head
    ]
    return element(
        "table",
        element("thead", element("tr", cells)),
        element("tbody", rows),
        None if foot is None else element("tfoot", foot),
        class_=class_,
    )
