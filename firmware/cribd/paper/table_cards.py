"""Table cards: a large table number and the QR code of its phone page. Two on a page, to be cut apart."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import segno

from cribd.paper.html import document, element
from cribd.paper.layout import track
from cribd.paper.printout import Printout


def table_cards(out: Printout) -> str:
    """Make a card for each table."""
    cards = [_card(out, number) for number in range(1, out.tables + 1)]
    pages = [element("main", cards[at : at + 2], class_="sheet") for at in range(0, len(cards), 2)]
    return document(out.language, "tables", f"{out.name} — {out.say('title.tables')}", pages)


def _card(out: Printout, number: int) -> Element:
    return element(
        "article",
        element("p", out.name, class_="event-name"),
        element(
            "div",
            element("div", element("p", out.say("table"), class_="label"), element("p", number, class_="big")),
            _phone(out, number),
            class_="halves",
        ),
        track(),
        class_="card",
    )


def _phone(out: Printout, number: int) -> Element | None:
    if out.address is None:
        return None
    address = out.address(number)
    return element(
        "div",
        element("img", src=qr_code(address), alt=address),
        element("p", out.say("table.phone"), class_="hint"),
        element("p", address, class_="address"),
        class_="phone",
    )


def qr_code(address: str) -> str:
    """Make the QR code of an address (ISO/IEC 18004) as a data URL: black on white, with its quiet zone."""
    return segno.make(address, error="m").svg_data_uri(border=4, dark="#000", light="#fff", omitsize=True)
