"""Table cards: a large number, and a QR code for phones.

Two cards are on a page, to be cut apart."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from cribd.paper.html import element
from cribd.paper.layout import sheet, track
from cribd.paper.printout import Printout


def table_cards(out: Printout) -> str:
    """Make a card for each table.

    If the number of tables is not set, make a card for every two entrants."""
    tables = out.view.table_count or len(out.view.entrants) // 2
    cards = [_card(out, number) for number in range(1, tables + 1)]
    return sheet(out, "tables", [element("main", cards[at : at + 2], class_="sheet") for at in range(0, tables, 2)])


def _card(out: Printout, number: int) -> Element:
    return element(
        "article",
        element("p", out.name, class_="event-name"),
        element(
            "div",
            element("div", element("p", out.say("table"), class_="label"), element("p", number, class_="big")),
            _phone_qr_code(out, out.address(number)) if out.address else None,
            class_="halves",
        ),
        track(),
        class_="card",
    )


def _phone_qr_code(out: Printout, address: str) -> Element:
    """Make a QR code (ISO/IEC 18004) with a hint below."""
    import segno

    code = segno.make(address, error="m").svg_data_uri(border=4, dark="#000", light="#fff", omitsize=True)
    return element(
        "div",
        element("img", src=code, alt=address),
        element("p", out.say("table.phone"), class_="hint"),
        element("p", address, class_="address"),
        class_="phone",
    )
