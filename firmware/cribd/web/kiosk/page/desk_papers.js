// What may be printed or taken away, in one list: where it is offered, its address, and its words.

import { node } from './nodes.js';
import { say } from './words.js';

const PAPERS = [
  { at: 'event', path: '/desk/record', says: () => say('page.desk.paper.record'), download: true },
  { at: 'event', path: '/desk/backup', says: () => say('page.desk.paper.backup'), download: true },
];

/** The links that are offered at a part of the page; null where there are none. */
export function papers(part) {
  const here = PAPERS.filter(({ at }) => at === part);
  if (!here.length) return null;
  return node('p', { class: 'papers', 'data-key': 'papers' }, here.map(({ path, says, download }) => node('a', {
    class: 'tool', href: path, download: Boolean(download), target: download ? null : '_blank',
  }, says())));
}
