"""The competitions of this machine: their one owner (design law 4), and what comes in from outside.

`organiser` holds them, decides, commits and publishes a `snapshot`; `current` says which one is the current one.
`conflicts` says which acts concern the same thing, `since` since when a game is under way. `action_json` reads actions
from requests, `registration` entrants from CSV; `members` is the club's list of players. `lazy_organiser`
imports the organiser when it is first asked for. `phones` says whom each phone at a table speaks for, `visits` what it
may see, `phone_requests` what it may ask. It knows no table of the board, no page and no wording.
"""
