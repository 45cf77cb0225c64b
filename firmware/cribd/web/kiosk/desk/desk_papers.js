// What may be printed or taken away, in one list: where it is offered, its address, and its words. What hangs on the wall
// is as the hall may see it.

import { act } from './desk_lists.js';
import { node } from './nodes.js';
import { language, say } from './words.js';

const PRINT = '/desk/print/';
const KEEP = '/desk/export/';
const PAPERS = [
  { at: 'competition', path: `${PRINT}event`, wall: true, says: () => say('page.desk.paper.event') },
  { at: 'competition', path: `${PRINT}tables`, wall: true, says: () => say('page.desk.paper.tables') },
  { at: 'competition', path: '/desk/record', keep: true, says: () => say('page.desk.paper.record') },
  { at: 'competition', path: '/desk/backup', keep: true, says: () => say('page.desk.paper.backup') },
  { at: 'entrants', path: `${PRINT}blank-cards`, says: () => say('page.desk.paper.blank_cards') },
  { at: 'entrants', path: `${KEEP}entrants.csv`, keep: true, says: () => say('page.desk.paper.entrants') },
  { at: 'round', path: `${PRINT}slips`, says: () => say('page.desk.paper.slips') },
  { at: 'round', path: `${PRINT}cards`, says: () => say('page.desk.paper.cards') },
  { at: 'results', path: `${PRINT}check-list`, says: () => say('page.desk.paper.check_list') },
  { at: 'results', path: `${KEEP}results.csv`, keep: true, says: () => say('page.desk.paper.results') },
  { at: 'standings', path: `${PRINT}standings`, says: () => say('page.desk.paper.standings') },
  { at: 'standings', path: `${PRINT}standings`, wall: true, says: () => say('page.desk.paper.wall') },
  { at: 'standings', path: `${KEEP}standings.csv`, keep: true, says: () => say('page.desk.paper.table') },
  { at: 'standings', act: 'season', says: () => `${say('page.desk.paper.season')}…` },
  { at: 'medals', path: `${PRINT}certificates`, late: true, says: () => say('page.desk.paper.certificates') },
  { at: 'medals', path: `${KEEP}event.html`, keep: true, late: true, says: () => say('page.desk.paper.keepsake') },
];

/** The links that are offered at a part of the page; null where there are none. `late` ones wait for the end of play. */
export function papers(part, { phase, round }) {
  const here = PAPERS.filter(({ at, late }) => at === part && (!late || ['played', 'open'].includes(phase)));
  if (!here.length) return null;
  const query = (wall) => new URLSearchParams({ language: language(), ...(round ? { round: String(round) } : {}), ...(wall ? { public: '1' } : {}) });
  return node('p', { class: 'papers', 'data-key': 'papers' }, here.map(({ path, act: name, says, keep, wall }) => (name ? act(name, says()) : node('a', {
    class: 'tool', href: `${path}?${query(wall)}`, download: Boolean(keep), target: keep ? null : '_blank',
  }, says()))));
}
