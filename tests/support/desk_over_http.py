"""What tests ask of the organiser's desk over HTTP."""

from __future__ import annotations

from typing import Any

from tests.support.kiosk_rooms import ORGANISER_PIN, House

GETS = ("/desk/state", "/desk/events", "/desk/log", "/desk/formats", "/desk/record", "/desk/backup", "/desk/draw")
FILES = ("/desk/print/slips", "/desk/export/event.json", "/desk/season/season.csv")
POSTS = ("/desk/do", "/desk/draw", "/desk/begin", "/desk/switch", "/desk/csv", "/desk/csv/confirm")
FADOQ_CSV = "équipe;joueur 1;joueur 2\n" + "".join(f"Équipe {n};Anne {n};Benoît {n}\n" for n in range(1, 5))


async def unlock(home: House, pin: str = ORGANISER_PIN) -> None:
    assert (await home.post("/desk/pin", {"pin": pin})).status == 200


async def ask(home: House, path: str, payload: object, status: int = 200) -> Any:
    answer = await home.post(path, payload)
    assert answer.status == status, await answer.text()
    return await answer.json()


async def do(home: House, action: str, /, status: int = 200, **fields: object) -> Any:
    return await ask(home, "/desk/do", {"do": action, **fields}, status)


async def state(home: House) -> Any:
    return await (await home.client.get("/desk/state")).json()


async def send_csv(home: House, path: str, file: bytes, status: int = 200) -> Any:
    answer = await home.post(path, file, headers={"Content-Type": "text/csv"})
    assert answer.status == status, await answer.text()
    return await answer.json()


async def slip(home: House, table: int, *scores: int, status: int = 200, **beside: object) -> Any:
    at = {"round": 1, "table": table}
    return await do(home, "enter_result", status, at=at, scores=scores, **beside)


async def open_hall(home: House, form: object = "acc", entrants: int = 4) -> None:
    """A competition whose first round is played."""
    await unlock(home)
    await ask(home, "/desk/begin", {"format": form, "name": "Mardi", "tables": 8})
    team = (await state(home))["values"]["team_size"] == 2
    for number in range(1, entrants + 1):
        players = [f"Anne {number}", f"Benoît {number}"] if team else []
        await do(home, "register", name=f"Entrant {number}", players=players)
        await do(home, "check_in", entrant=number)
    await do(home, "begin")
    await ask(home, "/desk/draw", {})
    await do(home, "start_round")
