"""The competitions of this machine.

Only `organiser` has a competition in memory (design law 4). It does the requests of the desk, the phones, the board at
its table and the command line in turn, commits, and publishes a `snapshot`; `lazy_organiser` imports it at its first
use. `change_request` tests a request on a copy, `conflicts` finds acts that concern the same thing, and `settings`
stores which competition is the current one and at which table this board stands.

`desk_requests` handles the requests of the desk by name; `action_json` reads actions from JSON, `registration` entrants
from CSV; `members` is the club's list of players. `phones` stores the entrant of each phone, `visits` finds what it may
see, `phone_requests` reads its requests. Nothing here knows HTTP, a page, wording, or the game of the board.
"""
