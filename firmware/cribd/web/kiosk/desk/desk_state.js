// What follows from the state of the desk: names, games, and since when something waits.

import { say, shownAs } from './words.js';

export const entrantName = (state, number) => state.entrants[number - 1]?.name ?? '';
export const namesOf = (state, numbers) => numbers.map((number) => entrantName(state, number)).join(', ');
export const present = (state) => state.entrants.filter(({ status }) => status === 'present');
export const isOn = (value) => value === 'on';

/** The round of this number, and a table in it. */
export const roundOf = (state, number) => state.rounds.find((round) => round.number === number);
export const tableOf = (state, round, table) => roundOf(state, round)?.tables.find((seated) => seated.table === table);

/** What a round is called: by its number, or as a play-off, which has a number of its own where there are several. */
export function roundName(state, number) {
  const playOffs = state.rounds.filter(({ play_off: playOff }) => playOff).map((round) => round.number);
  if (!playOffs.includes(number)) return say('competition.round.number', { round: number });
  return playOffs.length === 1 ? say('competition.round.play_off') : say('competition.round.play_offs', { number: playOffs.indexOf(number) + 1 });
}

/** A table of a round in words. */
export const placeName = (state, { round, table }) => say('page.desk.at', { round: roundName(state, round), table });

/** Whether two boards have handed in different results of one game. */
export const hasTwoBoards = ({ board, record }) => Boolean(board && record && record !== board.record);

/** The results that are disputed. */
export const disputes = (state) => results(state).filter(({ result }) => result.state === 'disputed');

/** What a score of a loser is, in the table of the rules; undefined for one that does not lose. */
const losing = (state, score) => state.rules.losing_scores.find(({ most }) => score <= most);

/** Whether a score of the game loses it. */
export const isLosing = (state, score) => losing(state, score) !== undefined;

/** Whether a score of the loser is a skunk. */
export const isSkunk = (state, score) => (losing(state, score)?.skunk ?? 'none') !== 'none';

/** Whether the wins of these games, which the server counts for each losing score, end a match. */
export function isDecided({ match }, games) {
  const winsFor = (score) => match.losing_scores.find(({ most }) => score <= most)?.wins ?? 0;
  const wins = games.map((scores) => scores.map(winsFor)).filter((game) => game.includes(0)); // where both lose, it was broken off
  return [0, 1].some((side) => wins.reduce((sum, game) => sum + game[side], 0) >= match.wins_needed);
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
export const timeOf = (at) => shownAs(`${at.slice(0, 19)}Z`, { timeStyle: 'short' });
export const dayOf = (date) => shownAs(`${date}T00:00:00Z`, { dateStyle: 'long' });
