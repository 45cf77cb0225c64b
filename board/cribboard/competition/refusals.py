"""The codes of a competition's refusals, with English sentences."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        # entrants
        "no_such_entrant": "there is no entrant {entrant}",
        "name_empty": "a name is missing",
        "unprintable": "{text!r}: a name or a reason is printable words on one line, without space at the ends",
        "text_too_long": "a name or a reason of {characters} characters is too long: it has {most} at most",
        "name_taken": "{name}: entrant {entrant} has this name already, but for case, accents and spaces",
        "wrong_team_size": "{name} has {players} players; an entrant has {wanted}",
        "one_player_twice": "both players are {name}",
        "no_such_player": "entrant {entrant} has no player {player}; it has {players}",
        "player_taken": "{name} plays for entrant {entrant} already",
        "already_present": "entrant {entrant} is checked in already",
        "not_present": "entrant {entrant} is not present: it is {status}",
        "not_a_departure": "nobody departs as {status}; it is absent, left or disqualified",
        "disqualified": "entrant {entrant} was disqualified, and does not come back",
        "reason_missing": "a reason is missing",
        "not_a_penalty": "a penalty takes 1 to {most} points, not {points}",
        "not_a_great_hand": "a hand of {points} is not noted; it is 28 or 29",
        "seeds_incomplete": "seeds name every entrant once; {entrant} is missing, there twice, or unknown",
        # the competition
        "no_such_number": "{number} is not a number of {what}; it is {low} to {high}",
        "not_now": "this cannot be done in the phase {phase}",
        "paused": "play is paused: {reason}",
        "not_paused": "play is not paused",
        "not_a_time": "{time} is not a time: a date and a time with the offset from UTC, as 2026-03-01T14:30-05:00",
        "too_few_entrants": "{present} entrants are present; {format} starts with {wanted} or more",
        "uneven_games": "{present} entrants and {games} games do not fit: the games of all would make half a game",
        "games_begun": "entrant {entrant} has begun {begun} games: {games} is fewer",
        "no_number_of_games": "an elimination has no number of games",
        "no_round_robin": "not everyone meets everyone where entrants meet by {movement}",
        "no_tables": "there are no tables yet",
        "tables_in_use": "table {table} is in use",
        # rounds
        "round_not_started": "round {round} was drawn and has not started",
        "no_round_to_start": "no round was drawn that could start",
        "nobody_seated": "the seating has no pair",
        "seated_twice": "entrant {entrant} is seated twice",
        "no_such_table": "there is no table {table}; there are {tables}",
        "table_twice": "table {table} has two pairs",
        "still_playing": "entrant {entrant} has not ended its games of round {round}",
        "played_all": "entrant {entrant} has played its {games} games",
        "left_out": "entrant {entrant} is present, has games left, and is in no pair, bye or waiting list",
        "not_in_the_bracket": "entrants {first} and {second} do not meet now",
        "outstanding": "the result of table {table} in round {round} is outstanding",
        "not_level": "entrants {first} and {second} are not level at a medal",
        "met_in_play_off": "entrant {entrant} has played its part of this play-off",
        "play_offs_differ": "one round is one play-off: entrant {entrant} is in another",
        "no_play_off": "an elimination has no play-off",
        # results
        "no_such_game": "there is no game {game} at table {table} in round {round}",
        "earlier_game_first": "game {first} at table {table} in round {round} has no result yet",
        "result_exists": "this game has a result already: {scores}; an official may correct it",
        "round_is_over": "round {round} is over: every result of it is there; an official may correct one",
        "no_result": "this game has no result yet",
        "another_result": "the result is {scores}, not {saw}",
        "score_out_of_range": "entrant {entrant}: {score} is not a score; it is 0 to {target}",
        "both_at_target": "both sides at {target}: one of them came first",
        "nobody_at_target": "nobody is at {target}: {scores}; or the game was broken off",
        "not_broken_off": "entrant {entrant} is at {target}: the game was finished",
        "not_at_this_table": "entrant {entrant} does not play at table {table} in round {round}",
        "own_report": "entrant {entrant} reported this result: the other side confirms it",
        "nothing_to_confirm": "this result is {state}: nothing waits for an OK",
        "not_to_be_checked": "this result is {state}: only what is accepted is checked",
        "not_to_be_disputed": "this result was disputed already",
        "match_is_decided": "entrant {entrant} has won this match",
        "cards_silent": "neither card has a spread",
        "spread_out_of_range": "{spread} is no spread; it is 1 to {target}, with its sign",
        "cards_disagree_on_winner": "the cards name two winners, or none: the organiser decides",
        "no_qualifier": "two cards differ, and neither side is an apparent qualifier: the organiser decides",
        "skunk_disagrees": "the cards differ on a skunk: the organiser decides",
        # officials and medals
        "captain_only": "the captain of entrant {entrant}, {captain}, calls an official",
        "already_called": "entrant {entrant} has called already",
        "not_called": "entrant {entrant} has called nobody",
        "not_checked": "the result of table {table} in round {round} is not checked",
        "disputed": "the result of table {table} in round {round} is disputed",
        "level_at_medal": "entrants {entrants} are level at place {place}: they play off or share it",
        "not_that_place": "place {wanted} is opened next, not {place}",
        "nobody_ranked": "nobody is ranked",
        "nothing_to_undo": "there is nothing to take back",
    }
)


class RefusedAction(Exception):  # noqa: N818 (as `cribboard.IllegalAction`)
    """The action was refused, and the competition is unchanged.

    `code` is a key of `REFUSALS`, `values` fill its sentence. The message is the English sentence.

    >>> str(RefusedAction("no_such_entrant", entrant=7))
    'there is no entrant 7'
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(REFUSALS[code].format(**values))
