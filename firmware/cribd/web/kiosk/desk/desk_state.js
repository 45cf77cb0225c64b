// What follows from the state of the desk: names, games, and since when something waits.

import { language, say } from './words.js';

const tag = () => language().replaceAll('_', '-');

export const nameOf = (state, number) => state.entrants[number - 1]?.name ?? '';
export const present = (state) => state.entrants.filter(({ status }) => status === 'present');
export const isElimination = (state) => state.values.movement.endsWith('elimination');
export const isOn = (value) => value === 'on';

/** The round of this number, and a table in it. */
export const roundOf = (state, number) => state.rounds.find((round) => round.number === number);
export const tableOf = (state, round, table) => roundOf(state, round)?.tables.find((each) => each.table === table);

/** What a round is called: by its number, or as a play-off, which has a number of its own where there are several. */
export function roundName(state, number) {
  const playOffs = state.rounds.filter(({ play_off: playOff }) => playOff).map((round) => round.number);
  if (!playOffs.includes(number)) return say('competition.round.number', { round: number });
  return playOffs.length === 1 ? say('competition.round.play_off') : say('competition.round.play_offs', { number: playOffs.indexOf(number) + 1 });
}

/** A table of a round in words. */
export const placeName = (state, { round, table }) => say('page.desk.at', { round: roundName(state, round), table });

/** The results that are disputed. */
export const disputes = (state) => results(state).filter(({ result }) => result.state === 'disputed');

/** How many games two entrants may play when they meet, and how many won games win a match; null where it is none. */
export function meeting(state, round) {
  const { meeting: kind, meeting_games: games, play_off_games: playOff } = state.values;
  if (round.play_off) return { games: playOff, wins: Math.floor(playOff / 2) + 1, skunk: 1 };
  if (kind === 'games') return { games, wins: null, skunk: 1 };
  const wins = kind === 'first_to' ? games : Math.floor(games / 2) + 1;
  return { games: 2 * wins - 1, wins, skunk: state.values.skunk_wins };
}

/** Whether a score of the loser is a skunk. */
export const isSkunk = (state, score) => state.rules.skunk_line !== null && score < state.rules.skunk_line;

/** Which side won; null where the game was broken off. */
export const winnerOf = ({ scores, ending }) => (ending === 'broken-off' ? null : Number(scores[1] > scores[0]));

/** Whether a match has ended with these results. */
export function isDecided(state, round, results) {
  const { wins, skunk } = meeting(state, round);
  if (wins === null) return false;
  const won = [0, 0];
  for (const result of results) {
    const winner = winnerOf(result);
    if (winner !== null) won[winner] += isSkunk(state, result.scores[1 - winner]) ? skunk : 1;
  }
  return Math.max(...won) >= wins;
}

/** Every result of the competition, with its round, table and game. */
export const results = (state) => state.rounds.flatMap((round) => round.tables.flatMap((table) => table.results.map((result, at) => ({
  round, table, game: at + 1, result,
}))));

const LONGEST_MIN = 600; // a longer time is not counted in minutes
let ahead = 0; // of the board's clock, in milliseconds: a board without internet may have another time

/** Set the page's clock by the board's. */
export function setClock(date) {
  if (date) ahead = Date.parse(date) - Date.now();
}

/** How long something has waited, in words; nothing for what has not begun. */
export function waits(since) {
  if (!since) return '';
  const minutes = Math.max(0, Math.floor((Date.now() + ahead - Date.parse(since)) / 60000));
  return minutes < LONGEST_MIN ? say('page.desk.since.minutes', { time: timeOf(since), minutes }) : say('page.desk.since', { time: timeOf(since) });
}

/** The time of day on the board. */
export const timeOf = (at) => new Intl.DateTimeFormat(tag(), { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`${at.slice(0, 19)}Z`));
export const dayOf = (date) => new Intl.DateTimeFormat(tag(), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
