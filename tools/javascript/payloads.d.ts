// The JSON that the board sends to its pages, by the Python that makes it. A value stands here once a page reads it.

/** `web/kiosk/shared/snapshot_json.py`: the table. */
interface TableSnapshot {
  edition: string;
  lobby: 'resume' | 'start' | 'again' | null;
  menu: boolean;
  way: 'trust' | 'verify' | 'auto';
  refused: string | null;
  language: string;
  names: string[];
  next_names: string[];
  match: Match;
  ended: number;
  view: GameView | null;
  shown: Score | null;
  wanted: boolean;
  next: string;
  text: Record<string, TableText>;
  event?: { round: number; table: number; game: number; names: string[] };
  waits?: { table: number; round: number };
  entered?: unknown;
  /** Of a far board, `web/kiosk/shared/boards_json.py`, `scoreboard`: the table of the hall, and its game of the event. */
  table?: number;
  round?: number | null;
  game?: number | null;
  is_sealed?: boolean;
  /** The name of the drawing of its board, in `/page/boards.json`. */
  board?: string | null;
}

interface Match {
  games: number[];
  points: number[];
  of: number;
  standings: unknown;
  over: boolean;
  winner: number | null;
  ends: boolean;
  players: number;
  rules: string | null;
}

interface TableText {
  ask: string;
  hints: string[];
  said: string[];
  refusal: string[];
  skunk: string;
  undo: string;
  faults: string[];
  rules: string;
}

interface GameView {
  number: number;
  rules: string;
  phase: string;
  target: number;
  skunk_line: number | null;
  double_skunk_line: number | null;
  skunk: string;
  silent: boolean;
  players: number;
  deal: number;
  dealer: number | null;
  dealer_seat: number | null;
  turn: number | null;
  turn_side: number | null;
  asks: { what: string; side: number | null };
  sides: { score: number; back: number; in_hand: number | null }[];
  count: number;
  laid: { card: string | null; side: number; seat: number }[];
  starter: string | null;
  counted: string[];
  scored: number;
  winner: number | null;
}

/** `web/kiosk/shared/score_json.py`: a score, with its count step by step. */
interface Score {
  number: number;
  deal: number;
  side: number;
  seat: number | null;
  of: string;
  cards: string[];
  starter: string | null;
  called: number | null;
  due: number | null;
  points: number;
  score: number;
  verdict: string | null;
  steps: { kind: string; cards: string[]; points: number; total: number }[];
  text: Record<string, { who: string; what: string; steps: string[]; spoken: string; ruling: string }>;
}

/** `web/kiosk/shared/competition_json.py`, `hall`: a competition as everybody may see it. */
interface HallSnapshot {
  competition: number | null;
  name: string;
  date: string;
  rules: {
    label: string;
    target: number;
    skunk_line: number | null;
    losing_scores: { most: number; skunk: Skunk }[];
    score_cards: boolean;
  };
  /** The fields of the format: numbers, words and lists of words. */
  values: Record<string, any>;
  format: string;
  phase: 'registration' | 'play' | 'played' | 'open';
  paused: string | null;
  starts: string | null;
  games: number | null;
  entrants: Entrant[];
  table_count: number;
  round: number;
  stage: 'drawn' | 'started' | null;
  play_off: boolean;
  tables: SeatedTable[];
  byes: number[];
  waiting: number[];
  outstanding: { round: number; table: number; play_off: boolean }[];
  calls: number[];
  opened: number[];
  is_sealed: boolean;
  round_since: string | null;
  standings: Standing[];
}

/** `web/kiosk/shared/boards_json.py`, `hall`: a game that is under way at a board of the club. */
interface LiveGame {
  round: number;
  table: number;
  game: number;
  names: string[];
  sides: { score: number; back: number }[];
  target: number;
  deal: number;
  dealer: number | null;
  starter: string | null;
  laid: (string | null)[];
  count: number | null;
  winner: number | null;
}

interface Entrant {
  number: number;
  name: string;
  players: string[];
  captain: number;
  status: 'registered' | 'present' | 'absent' | 'left' | 'disqualified';
  part: 'ranked' | 'guest';
  shown_as: string;
  hands: number[];
  registered: number;
}

interface SeatedTable {
  table: number;
  entrants: number[];
  is_over: boolean;
  results: (Result | null)[];
  winner: number | null;
  wins: number[] | null;
  games: number | null;
}

/** A round as the organiser sees it, with how long its matches are; `match` is null where games count one by one. */
interface Round {
  number: number;
  play_off: boolean;
  stage: 'drawn' | 'started';
  tables: SeatedTable[];
  most_games: number;
  match: { wins_needed: number; skunk_wins: number; losing_scores: { most: number; wins: number }[] } | null;
}

interface Result {
  scores: number[];
  ending: 'finished' | 'broken-off';
  source: 'slip' | 'desk' | 'phone' | 'board';
  state: 'reported' | 'disputed' | 'accepted' | 'checked';
  by: number;
  other: number[] | null;
  reason: string;
  board: { scores: number[]; winner: number | null } | null;
  winner: number | null;
  skunk: Skunk;
  /** At the page of phones alone. */
  other_winner: number | null;
}

type Skunk = 'none' | 'skunk' | 'double';

interface Standing {
  place: number | null;
  entrant: number;
  part: string;
  status: string;
  played: number;
  missing: number;
  byes: number;
  penalty: number;
  amounts: Record<string, number>;
  separated_by: string | null;
  level_with: number[];
}

/** `web/kiosk/shared/competition_json.py`, `desk`: a competition as the organiser sees it. */
interface DeskSnapshot extends HallSnapshot {
  damaged: { number: number; reason: unknown; text: Record<string, string> } | null;
  rounds: Round[];
  uuid: string;
  events: number;
  undo: { number: number; at: string; line: string; text: Record<string, string> } | null;
  most_tables: number;
  obstacles: { code: string; text: Record<string, string> }[];
  is_elimination: boolean;
  may_set_games: boolean;
  next_step: { step: string } & Record<string, any>;
  podium: { place: number; is_open: boolean; is_next: boolean; entrants: number[] }[];
}

/** `web/kiosk/phone/phone_json.py`: what one phone at a table sees. */
interface PhoneSnapshot {
  competition: number | null;
  name: string;
  phase: HallSnapshot['phase'];
  paused: string | null;
  is_sealed: boolean;
  you: PhoneEntrant | null;
  visit: Visit | null;
  tables: Seats[];
  step: { name: string; game: number | null };
}

interface NamedEntrant {
  number: number;
  name: string;
  players: string[];
}

interface Seats {
  table: number;
  entrants: NamedEntrant[];
}

interface PhoneEntrant extends NamedEntrant {
  status: Entrant['status'];
  captain: string;
  may_call: boolean;
  can_call: boolean;
  called: boolean;
  has_bye: boolean;
  waits: boolean;
  place: number | null;
}

interface Visit extends Seats {
  mine: 0 | 1;
  round: number;
  play_off: boolean;
  started: boolean;
  games: number | null;
  game: number | null;
  results: (Result | null)[];
  is_over: boolean;
  winner: number | null;
  wins: number[] | null;
  target: number;
  skunk_line: number | null;
  double_skunk_line: number | null;
  losing_scores: { most: number; skunk: Skunk }[];
}
