// The games under way at the boards of a club: scores and pegs at each table, and one table on the whole screen.

import { small } from './cards.js';
import { called } from './hall_room.js';
import { aloud, drawn, node, seen } from './nodes.js';
import { say } from './words.js';

/** The address of the hall's screen with this table alone, or with all. */
function addressOf(table) {
  const asked = new URLSearchParams(location.search);
  if (table) asked.set('table', table);
  else asked.delete('table');
  return `?${asked}`;
}

/** The table that this screen shows alone; 0 if it shows all. */
export const tableAlone = () => Number(new URLSearchParams(location.search).get('table')) || 0;

/** The number of a table, which leads to its game. */
export const numberOf = (table) => node('a', { class: 'number', href: addressOf(table) }, aloud(`${say('page.hall.table')} `), String(table));

/** The two pegs of a side on its track, from 0 to the game hole. */
export function track({ score, back }, target) {
  const peg = (kind, hole) => {
    const made = node('i', { class: kind });
    made.style.left = `${((100 * Math.min(hole, target)) / target).toFixed(2)}%`;
    return made;
  };
  const made = seen('span', { class: 'track' }, peg('back', back), peg('front', score));
  made.style.setProperty('--target', String(target));
  return made;
}

/** The page of one table. @param {LiveGame[]} live */
export function pageOfOne(live, table) {
  const game = live.filter((shown) => shown.table === table).at(-1);
  return { key: `one ${table}`, make: () => node('div', { class: 'one' }, head(table, game), game ? game.sides.map((side, at) => row(game, side, at)) : node('p', { class: 'none' }, say('page.hall.one.none')), foot(game)) };
}

/** @param {LiveGame | undefined} game */
const head = (table, game) => node('div', { class: 'head' },
  node('p', {}, node('b', {}, say('page.hall.one.title', { table })), game ? node('span', {}, say('page.hall.one.deal', { game: game.game, deal: game.deal })) : null),
  node('a', { class: 'tool', href: addressOf(0) }, say('page.hall.one.back')));

/** @param {LiveGame} game */
function row({ names, target, dealer, winner }, side, at) {
  return node('div', { class: `seat${winner === at ? ' won' : ''}`, 'data-side': at },
    node('p', { class: 'side' }, called(names[at] || say(`side.${at}`)), node('small', {}, winner === at ? '★' : dealer === at && winner === null ? say('page.score.deals') : null)),
    node('p', { class: 'points' }, aloud(say('page.table.side', { side: names[at] || say(`side.${at}`), score: side.score, target })), seen('b', {}, String(side.score))),
    track(side, target));
}

/** The cards that lie open: those of the running count, and the starter. @param {LiveGame | undefined} game */
function foot(game) {
  if (!game || !(game.laid.length || game.starter)) return node('p', { class: 'open' });
  const count = game.count === null || !game.laid.length ? null : node('b', {}, String(game.count));
  return node('p', { class: 'open' }, count, game.laid.flatMap((card) => drawn(small(card))), game.starter ? node('span', { class: 'starter' }, say('page.hall.one.starter'), drawn(small(game.starter))) : null);
}
