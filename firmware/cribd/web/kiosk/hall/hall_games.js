// The games under way at the boards of a club: scores and pegs at each table.

import { aloud, node, seen } from './nodes.js';
import { say } from './words.js';

/** The number of a table, which leads to the scoreboard of its board. */
export const numberOf = (table) => node('a', { class: 'number', href: `/event/live/${table}${location.search}` }, aloud(`${say('page.hall.table')} `), String(table));

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
