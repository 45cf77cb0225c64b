"""What a stranger types after `cribboard event`, boards elsewhere, several events and members."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.event_command import Teller, command, evening, refused
from tests.support.journals import tamper
from tests.support.kiosk_club import served
from tests.support.kiosk_rooms import ORGANISER_PIN, house

from cribboard.competition.formats import FORMATS
from cribd.cli.errors import Exit

# What a stranger types


def test_an_unreadable_argument_gives_one_sentence_and_no_traceback(tell: Teller, tmp_path: Path) -> None:
    for name, content in {
        "bytes.toml": b"\xff",
        "half.toml": b'{"format":',
        "wrong.toml": b'format="acc"\ngames=0',
    }.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "FOLDER.toml").mkdir()
    here = f"{tmp_path}/"
    tell("begin", here + "none.toml", code=Exit.CANNOT)
    assert not (tmp_path / "journal.db").exists()
    tell("begin", "acc")

    def unreadable(file: str, why: str) -> str:
        reason = phrase(f"problem.file.why.{why}", "fr_CA")
        return phrase("problem.file.unreadable", "fr_CA", file=here + file, why=reason)

    def unwritable(file: str) -> str:
        reason = phrase("problem.file.why.ENOENT", "fr_CA")
        return phrase("command.unwritable", "fr_CA", file=here + file, why=reason)

    def not_allowed(field: str, value: str, code: str, /, **values: object) -> str:
        allowed = phrase(f"competition.allowed.{code}", "fr_CA", **values)
        return refused("not_an_action", "fr_CA", field=field, value=value, allowed=allowed)

    def no_address(address: str) -> str:
        return command("no_address", "fr_CA", address=address)

    formats = ", ".join(FORMATS)
    nobody = phrase("problem.file.why.ECONNREFUSED", "fr_CA")
    usages = {
        f"begin {here}none.toml --instead": unreadable("none.toml", "ENOENT"),
        f"begin {here}bytes.toml --instead": unreadable("bytes.toml", "no_text"),
        f"begin {here}FOLDER.toml --instead": unreadable("FOLDER.toml", "EISDIR"),
        f"begin {here}half.toml --instead": not_allowed("format", '{"format":', "toml_line", names=formats, line=1),
        f"begin {here}wrong.toml --instead": "games = 0",
        "begin acc --instead --date demain": not_allowed("date", "demain", "date"),
        "begin acc --instead --tables -4": not_allowed("tables", "-4", "whole_number_from_to", low=0, high=300),
        f"import {here}none.csv": unreadable("none.csv", "ENOENT"),
        f"import {here}FOLDER.toml": unreadable("FOLDER.toml", "EISDIR"),
        "show --address board": no_address("board"),
        "show --address http://board:x": no_address("http://board:x"),
        "show --address https://board": no_address("https://board"),
        "show --address http://127.0.0.1:1": command("unreachable", "fr_CA", why=nobody),
        "export record.txt --public": command("no_public", "fr_CA", file="record.txt"),
        "season season.csv --rule nonsense": command("no_rule", "fr_CA", rule="nonsense"),
        "result one 121:98": not_allowed("at", "one", "game_at"),
        "result 1/1 abc": not_allowed("scores", "abc", "scores"),
        "do [[[": command("no_json", "fr_CA", text="[[["),
        "do 5": not_allowed("request", "5", "object_with_do"),
        f"export entrants.csv --to {here}none/file": unwritable("none/file"),
        f"backup {here}none/file.db": unwritable("none/file.db"),
        f"backup {here}none/file": command("no_folder", "fr_CA", folder=f"{here}none/file"),
    }
    for usage, part in usages.items():
        out, said = tell(*usage.split(), "--lang", "fr", code=Exit.CANNOT)
        assert (out, part in said, said.count("\n")) == ("", True, 1), (usage, said)
    (tmp_path / "board.toml").write_text('[page]\norganiser_pin = "1379"\n')
    for pin, why in (("none", "ENOENT"), ("bytes.toml", "no_text")):
        said = tell("show", "--pin-file", here + pin, "--lang", "fr", code=Exit.CANNOT)[1]
        assert unreadable(pin, why) in said


@pytest.mark.parametrize("round_", ["0", "-1", "x", "9999999999"])
def test_a_round_that_is_no_number_is_refused(tell: Teller, round_: str) -> None:
    with pytest.raises(SystemExit) as ended:
        tell("print", "slips", f"--round={round_}")
    assert ended.value.code == Exit.CANNOT


def test_entrants_without_any_result_are_shown(tell: Teller) -> None:
    tell("begin", "acc")
    for name in ("Odile", "Zoé"):
        tell("register", name)
    assert [line.split()[0] for line in tell("show")[0].splitlines()[-2:]] == ["Odile", "Zoé"]


def test_export_prints_the_bytes_that_it_writes_to_a_file(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    tell("register", "Zoé")
    tell("export", "entrants.csv", "--to", str(tmp_path / "entrants.csv"))
    whole = (tmp_path / "entrants.csv").read_bytes()
    assert whole.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in whole
    assert tell("export", "entrants.csv")[0].encode() == whole


def test_every_command_reports_a_damaged_competition(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    tamper(tmp_path / "journal.db", "DROP TRIGGER competition_update; UPDATE competition SET heading = ''")
    for words in ("show", "log", "export standings.csv", "export record.txt", "print event", "undo"):
        said = tell(*words.split(), "--lang", "en", code=Exit.PROBLEM)[1]
        assert has_phrase(said, "competition.refused.competition_damaged", number=1), words
    assert tell.json("show", code=Exit.PROBLEM)["damaged"]["number"] == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("HTTP/1.0 200 OK\r\n\r\n<html>", "HTTP 200"),
        ("HTTP/1.0 404 Not Found\r\n\r\n", "HTTP 404"),
        ("HTTP/1.0 503 Busy\r\n\r\n", "HTTP 503"),
        ("HTTP/1.0 400 Bad Request\r\n\r\n", "page.organiser_pin"),
        ("HTTP/1.0 429 Wait\r\n\r\n", "wait"),
        ("SSH-2.0-OpenSSH\r\n", "does not answer"),
        ("", "does not answer"),
    ],
)
async def test_an_address_without_a_board_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, said: str
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"}")
        writer.write(answer.encode())
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    tell = Teller(capsys, "--address", f"http://127.0.0.1:{port}", "--lang", "en")
    async with server:
        assert said in (await asyncio.to_thread(lambda: tell("show", code=Exit.CANNOT)))[1]


def test_event_commands_on_a_journal_ask_for_the_configured_pin(tell: Teller, tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text('[page]\norganiser_pin = "1379"\n')
    assert "PIN" in tell("show", code=Exit.CANNOT)[1]
    pin = tmp_path / "pin"
    pin.write_text("1379\n")
    tell("begin", "fadoq", "--pin-file", str(pin))
    assert tell.json("show", "--pin-file", str(pin))["format"] == "fadoq/2"
    pin.write_text("1111")
    tell("show", "--pin-file", str(pin), code=Exit.CANNOT)


@pytest.mark.slow
async def test_a_running_board_is_sent_each_change_with_the_pin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pin = tmp_path / "pin"
    pin.write_text(ORGANISER_PIN)
    async with house(tmp_path) as home:
        tell = Teller(capsys, "--address", home.origin, "--pin-file", pin)
        await asyncio.to_thread(evening, tell, tmp_path)
        await asyncio.to_thread(tell, "result", "1/1", "121:98")
        state = await asyncio.to_thread(tell.json, "show")
        assert state["name"] == "Mardi"
        assert home.table.journal.competitions.competition(1).competition.log[-1].__class__.__name__ == "ResultEntered"
        _, err = await asyncio.to_thread(lambda: tell("result", "1/1", "121:97", "--lang", "en", code=Exit.PROBLEM))
        scores = phrase("competition.scores", first=121, second=98)
        assert err.splitlines()[0] == refused("result_exists", scores=scores)
        pin.write_text("0000")
        await asyncio.to_thread(lambda: tell("show", code=Exit.CANNOT))
    await asyncio.to_thread(lambda: tell("show", code=Exit.CANNOT))


@pytest.mark.slow
async def test_a_running_board_takes_a_file_of_three_hundred_teams(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pin, file = tmp_path / "pin", tmp_path / "teams.csv"
    pin.write_text(ORGANISER_PIN)
    async with house(tmp_path) as home, served(home.site) as board:
        tell = Teller(capsys, "--address", board.origin, "--pin-file", pin, "--lang", "en")
        await asyncio.to_thread(tell, "begin", "fadoq")
        teams = "".join(f"Équipe {number},Alpha {number},Bravo {number}\n" for number in range(300))
        file.write_text(f"nom,joueur 1,joueur 2\n{teams}" + 200_000 * "\n")
        await asyncio.to_thread(tell, "import", str(file), "--yes")
        assert len((await asyncio.to_thread(tell.json, "show"))["entrants"]) == 300
        for size in (262_145, 3_000_000):
            file.write_text(size * "n")
            said = await asyncio.to_thread(lambda: tell("import", str(file), "--yes", code=Exit.PROBLEM))
            assert said[1] == f"{phrase('competition.csv.file_too_long', most=256)}\n"


def test_the_organiser_says_at_which_table_the_board_stands(tell: Teller) -> None:
    tell("begin", "acc")
    assert tell("board", "--lang", "en")[0] == f"{command('no_table')}\n"
    assert tell("board", "4", "--lang", "en")[0] == f"{command('at_table', table=4)}\n"
    assert tell.json("board") == {"table": 4}
    allowed = phrase("competition.allowed.board_table", most=300)
    no_table = refused("not_an_action", field="table", value='{"table": 0}', allowed=allowed)
    assert no_table in tell("board", "0", "--lang", "en", code=Exit.CANNOT)[1]
    tell("board", "here", code=Exit.CANNOT)
    assert tell.json("board", "none") == {"table": None}


def open_event(tell: Teller, name: str, first: str) -> None:
    """An event of two players that `first` won, and whose results are open."""
    tell("begin", "round-robin", "--name", name, "--tables", "1")
    for number, player in enumerate(("Odile", "Réjean"), start=1):
        tell("register", player)
        tell("check-in", str(number))
    tell("play")
    tell("draw")
    tell("start")
    tell("result", "1/1", "121:98")
    pair = tell.json("show")["tables"][0]["entrants"]
    if pair[0] != ("Odile", "Réjean").index(first) + 1:
        tell("correct", "1/1", "98:121", "mal lu")
    tell("end")
    for place in ("2", "1"):
        tell("open", place)


def test_several_events_are_listed_and_another_is_switched_to(tell: Teller) -> None:
    tell("begin", "acc", "--name", "Ligue d’été")
    tell("register", "Odile")
    tell("begin", "fadoq", "--name", "Soirée", "--instead")
    out, _ = tell("list", "--lang", "fr")
    first, second = out.splitlines()
    assert (first.split()[0], first.split()[-1]) == ("1", "inscription")
    assert (second.split()[:2], "fadoq" in second) == (["*", "2"], True)
    for word in ("1", "LIGUE  D'ETE", "Ligue d’été"):
        tell("switch", "2")
        assert tell("switch", word, "--lang", "fr")[0].startswith("Ligue d’été")
    tell("register", "Zoé")
    assert [entrant["name"] for entrant in tell.json("show")["entrants"]] == ["Odile", "Zoé"]
    tell("begin", "acc", "--name", "soiree")
    unknown = {"9": "9", "0": "0", "": "", "9" * 40: "9" * 40, "é" * 10_000: "é" * 60, "a\tb": r"a\tb"}
    for word, shown in unknown.items():
        no_such_event = command("no_such_event", "fr_CA", event=shown, numbers="1, 2, 3")
        assert tell("switch", word, "--lang", "fr", code=Exit.CANNOT)[1] == f"{no_such_event}\n"
    several = command("several_events", "fr_CA", event="soirée", numbers="2, 3")
    assert tell("switch", "soirée", "--lang", "fr", code=Exit.CANNOT)[1] == f"{several}\n"
    assert tell.json("show")["competition"] == 3


def test_a_season_ranks_the_events_that_are_chosen(tell: Teller, tmp_path: Path) -> None:
    for name, first in (("Janvier", "Odile"), ("Février", "Réjean"), ("Mars", "Réjean")):
        open_event(tell, name, first)
    tell("begin", "acc", "--name", "Avril")

    def leader(*events: str) -> str:
        chosen = [word for number in events for word in ("--event", number)]
        return tell("season", "season.csv", *chosen, "--lang", "en")[0].splitlines()[1].split(",")[1]

    assert (leader(), leader("1"), leader("janvier"), leader("Janvier", "2", "3")) == (
        "Réjean", "Odile", "Odile", "Réjean",
    )  # fmt: skip
    head = tell("season", "season.csv", "--event", "3", "--event", "1", "--event", "1", "--lang", "en")[0]
    assert head.splitlines()[0].split(",")[2:4] == ["Janvier", "Mars"], "in the order of their numbers, each once"
    season = ("season", "season.csv", "--lang", "fr", "--event")
    assert phrase("paper.refused.event_not_open", "fr_CA", event=4) in tell(*season, "avril", code=Exit.PROBLEM)[1]
    assert (
        command("no_such_event", "fr_CA", event="mai", numbers="1, 2, 3, 4")
        in tell(*season, "mai", code=Exit.CANNOT)[1]
    )
    damage = "DROP TRIGGER competition_update; UPDATE competition SET heading = '' WHERE id = 2"
    tamper(tmp_path / "journal.db", damage)
    assert phrase("paper.refused.event_damaged", "fr_CA", event=2) in tell(*season, "2", code=Exit.PROBLEM)[1]
    assert leader() in ("Odile", "Réjean"), "a damaged one costs itself alone"


def test_the_club_members_are_stored_and_registered_by_one_command(tell: Teller) -> None:
    tell("begin", "acc")
    assert tell("members", "--lang", "fr")[0] == f"{command('no_members', 'fr_CA')}\n"
    two = command("members", "fr_CA", members=2)
    assert tell("members", "add", "Zoé Bœuf", "Luc", "--lang", "fr")[0] == f"Zoé Bœuf\nLuc\n{two}\n"
    taken = refused("member_taken", "fr_CA", name="ZOE BOEUF")
    assert taken in tell("members", "add", "ZOE BOEUF", "--lang", "fr", code=Exit.PROBLEM)[1]
    tell("members", "correct", "luc", "Lucie")
    assert tell("members")[0] == "Lucie\nZoé Bœuf\n"
    tell("members", "here", "lucie")
    tell("members", "here")
    assert [entrant["status"] for entrant in tell.json("show")["entrants"]] == ["present", "present"]
    tell("register", "Odile")
    assert tell.json("members", "add-players") == {"new": ["Odile"], "members": ["Lucie", "Odile", "Zoé Bœuf"]}
    tell("members", "remove", "odile")
    a_text = phrase("competition.allowed.text")
    for words, field in ((("correct", "Lucie"), "name"), (("remove",), "member")):
        no_name = refused("not_an_action", field=field, value="null", allowed=a_text)
        assert no_name in tell("members", *words, "--lang", "en", code=Exit.CANNOT)[1]
    said = tell("members", "remove", "é" * 10_000, "--lang", "en", code=Exit.PROBLEM)[1]
    assert has_phrase(said, "competition.refused.no_such_member")
    assert tell.json("members")["members"] == ["Lucie", "Zoé Bœuf"]
