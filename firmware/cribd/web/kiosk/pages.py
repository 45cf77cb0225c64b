"""The list of all pages, and their HTML.

A page is a folder: `table` has `table.html` (its `<body>`), `table.js`, its style sheets, and the routes that it alone
needs. What pages share is in `shared`. Browsers find the files of all folders at `/page/NAME`, so no two have one name.
The head of a page, its links to the other pages and the sheet that explains it are made here, the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a site.

    `folder` has its files, `paths` are its addresses, `link` is the code of the phrase on a link to it, "" where no
    other page leads to it; `styles` are its style sheets after `look.css`, `colour` is that of the browser's own frame,
    `words` names what words it has beside those of all pages. `help` names the sentences that explain it: `what` of the
    page `table` is the phrase `page.table.help.what`. A page in `public` hangs where anybody may touch it: it leads
    neither to the organiser nor to the simulated board. A page `of_table` shows the games of a board's table: a hub has
    no table."""

    name: str
    folder: str
    paths: tuple[str, ...]
    link: str = ""
    styles: tuple[str, ...]
    colour: str = "#10231d"
    words: str = ""
    help: tuple[str, ...] = ()
    public: bool = False
    of_table: bool = False


#: The pages of every board, in the order of their links. A link leads to the first path.
PAGES = (
    Page(
        name="scoreboard",
        folder="scoreboard",
        paths=("/",),
        link="page.to.board",
        styles=("television", "drawn", "counted", "scoreboard", "scoreboard_idle", "scoreboard_upright"),
        colour="#0a1d17",
        help=("what", "sides", "now", "count", "rest", "pin"),
        public=True,
        of_table=True,
    ),
    Page(
        name="table",
        folder="table",
        paths=("/table",),
        link="page.to.table",
        styles=("drawn", "counted", "table", "owner"),
        words="owner",
        help=("what", "game", "counts", "owner", "pad", "look"),
        of_table=True,
    ),
    Page(
        name="games",
        folder="games",
        paths=("/games", r"/games/{number:\d{1,9}}"),  # a past game: the page fetches the game itself
        link="page.to.games",
        styles=("drawn", "counted", "games", "statistics"),
        help=("what", "replay", "counted", "record", "statistics", "pin"),
        of_table=True,
    ),
    Page(
        name="figures",
        folder="statistics",
        paths=("/statistics",),
        link="page.to.statistics",
        styles=("games", "statistics"),
        help=("what", "par", "left"),
        of_table=True,
    ),
    Page(
        name="hall",
        folder="hall",
        paths=("/event",),
        link="page.to.event",
        styles=("television", "hall", "hall_medals", "hall_games", "hall_upright"),
        colour="#0a1d17",
        words="competition",
        help=("what", "turns", "hand", "sealed", "pin"),
        public=True,
    ),
    Page(
        name="desk",
        folder="desk",
        paths=("/desk",),
        link="page.to.desk",
        styles=("owner", "desk"),
        words="competition",
        help=("what", "next", "people", "slips", "undo", "away"),
    ),
    Page(
        name="verify",
        folder="count_judge",
        paths=("/verify",),
        link="page.to.verify",
        styles=("verify",),
        help=("what", "cards", "call", "count", "keys", "closed"),
    ),
    Page(
        name="guide",
        folder="help",
        paths=("/help",),
        link="page.to.guide",
        styles=("guide",),
        help=("what", "parts", "rules"),
    ),
    Page(
        name="phone",
        folder="phone",
        paths=("/event/table", r"/event/table/{number:\d{1,4}}"),  # a QR code leads there
        styles=("phone",),
        words="competition",
        help=("what", "card", "result", "confirm", "official", "pin"),
    ),
)
#: The pages of a hub. Its first page is the hall's screen, as a board's is its scoreboard.
HUB_PAGES = tuple(
    replace(page, paths=(*page.paths, "/")) if page.name == "hall" else page for page in PAGES if not page.of_table
)
#: The scoreboard of a table of a club, for the hall. Its address needs the number of tables (`live_path`).
LIVE = replace(PAGES[0], paths=(), link="", help=("live", "sides", "now"), of_table=False)
#: The page for an error, at any address. It has no help sheet, because it explains itself.
NOT_FOUND = Page(name="lost", folder="not_found", paths=(), styles=("lost",))

#: The folders with the files of all pages.
FOLDERS = tuple(
    Path(__file__).with_name(folder) for folder in sorted({"shared", *(page.folder for page in (*PAGES, NOT_FOUND))})
)

_HEAD = """<!doctype html>
<html lang="en"{words}{here}>
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="theme-color" content="{colour}">
  <title>Cribboard</title>
  <link rel="icon" href="/page/icon.svg" type="image/svg+xml">
  {styles}
  {scripts}
</head>
{body}</html>
"""
#: Where the links to the other pages stand in a file, and where the button that opens the sheet does.
_LINKS = "<!-- links -->"
_HELP = "<!-- help -->"
_HELP_BUTTON = '<button type="button" id="help" class="tool" data-name="page.help" aria-haspopup="dialog">?</button>'
_HELP_SHEET = """  <dialog id="explained" aria-labelledby="explained-title" aria-describedby="explained-text">
    <h2 id="explained-title" data-word="page.help"></h2>
    <ul id="explained-text">
      {sentences}
    </ul>
    <p><button type="button" class="wide first" data-word="page.help.close"></button></p>
  </dialog>
</body>"""


def documents(pages: Sequence[Page] = PAGES, *, twin: bool = False, club: bool = False) -> Mapping[str, bytes]:
    """Return the HTML files of the pages and the error page.

    Each page has links to the others. `twin` adds a link to the page of the simulated
    board. Each page has marks of what is here: a `board`, if one of them is its own, and a `club` of boards."""
    has_board = any(page.of_table for page in pages)
    here = " data-board" * has_board + " data-club" * club
    links = [(page.paths[0], page.link) for page in pages if page.link] + [("/twin", "page.to.twin")] * twin
    return {f"{page.name}.html": _document(page, links, here).encode() for page in (*pages, NOT_FOUND)}


def live_path(tables: int) -> str:
    """Return the scoreboard route for tables 1 to `tables`."""
    return f"/event/live/{{number:{'|'.join(map(str, range(1, tables + 1)))}}}"


def with_live(pages: Sequence[Page], tables: int) -> Sequence[Page]:
    """Return the pages, with scoreboards for tables 1 to `tables`."""
    path = live_path(tables)
    has_own = any(page.name == LIVE.name for page in pages)
    own = (replace(page, paths=(*page.paths, path)) if page.name == LIVE.name else page for page in pages)
    return (*own, *(() if has_own else (replace(LIVE, paths=(path,)),)))


def links() -> list[dict[str, str]]:
    """List the pages that other pages link to."""
    return [{"path": page.paths[0], "word": page.link} for page in PAGES if page.link]


def _document(page: Page, others: Sequence[tuple[str, str]], here: str) -> str:
    """Return the HTML of a page with its links.

    `others` has the path of each other page and the code of its phrase. A page has no link to itself, and a
    public page none to the desk or the twin. `here` has HTML attributes, which tell of a board and of a club."""
    body = Path(__file__).with_name(page.folder).joinpath(f"{page.name}.html").read_text(encoding="utf-8")
    before = body[: body.index(_LINKS)]
    indent = before[before.rindex("\n") :]
    closed = (*page.paths, *(("/desk", "/twin") if page.public else ()))
    links = [f'<a href="{path}" class="tool" data-word="{word}"></a>' for path, word in others if path not in closed]
    styles = (f'<link rel="stylesheet" href="/page/{style}.css">' for style in ("look", *page.styles))
    names = (page.name, "help", "focus") if page.help else (page.name,)
    scripts = (f'<script type="module" src="/page/{name}.js"></script>' for name in names)
    if page.help:
        sentences = (f'<li data-word="page.{page.name}.help.{sentence}"></li>' for sentence in page.help)
        sheet = _HELP_SHEET.format(sentences="\n      ".join(sentences))
        body = body.replace(_HELP, _HELP_BUTTON).replace("</body>", sheet)
    return _HEAD.format(
        words=f' data-words="{page.words}"' if page.words else "",
        here=here,
        colour=page.colour,
        styles="\n  ".join(styles),
        scripts="\n  ".join(scripts),
        body=body.replace(_LINKS, indent.join(links)),
    )
