"""The competitions of this machine: their one owner (design law 4), and what reads requests, phones and files.

`organiser` remembers them, takes each request in turn, commits and publishes a `snapshot`; `lazy_organiser` imports it
when it is first asked for. Desk, phones, the board at its table and the command line all ask it, and no other place
remembers a competition. `change_request` tries what is asked on a copy, with what the sender had seen; `conflicts`
says which acts concern the same thing, `current` which competition is the current one, `since` since when a game is
under way.

`desk_requests` does what the desk is asked by name; `action_json` reads actions from JSON, `registration` entrants from
CSV; `members` is the club's list of players, `board_table` the table at which this board stands. `phones` says whom
each phone at a table speaks for, `visits` what it may see, `phone_requests` what it may ask. Nothing here knows HTTP, a
page, wording, or the game of the board.
"""
