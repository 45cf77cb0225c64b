// The scores of a game, deal by deal: a line for each side, and the same as a table.
//
// Sides differ by colour, by the marks on their lines (circle, four leaves, square) and by the dashes of the lines.

import { node } from './nodes.js';
import { figure, say } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = { left: 34, top: 14, bottom: 34 };
const LETTER = 9; // pixels of a letter
const LETTERS = 12; // of a name, at most
const LABEL = 20; // least distance between two names at the ends

const MARKS = [
  (x, y) => `M${x - 4.5} ${y}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z`,
  (x, y) => `M${x - 2.6} ${y - 2.6}a2.6 2.6 0 0 1 5.2 0a2.6 2.6 0 0 1 0 5.2a2.6 2.6 0 0 1-5.2 0a2.6 2.6 0 0 1 0-5.2Z`,
  (x, y) => `M${x - 4.3} ${y - 4.3}h8.6v8.6h-8.6Z`,
];

function svg(tag, attributes = {}, text = '') {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

/** Draw the lines into a place, as wide as it is. `scores[deal][side]`, beginning with the start; what is returned moves
    the line that says how far the game has come, in deals. */
export function chart(place, { names, scores, target, skunkLine }) {
  const width = Math.max(260, place.clientWidth);
  const height = Math.round(Math.min(300, Math.max(210, width * 0.55)));
  const room = { ...MARGIN, right: 16 + LETTER * (4 + Math.max(...names.map((name) => short(name).length))) };
  const deals = Math.max(1, scores.length - 1);
  const x = (deal) => room.left + (deal / deals) * (width - room.left - room.right);
  const y = (score) => height - room.bottom - (score / target) * (height - room.top - room.bottom);
  const root = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' });
  const across = (score, kind) => root.append(svg('path', { class: kind, d: `M${room.left} ${y(score)}H${width - room.right}` }));
  const beside = (score) => root.append(svg('text', { x: room.left - 6, y: y(score) + 4, 'text-anchor': 'end' }, figure(score)));
  const every = target > 70 ? 30 : 15;
  for (let score = 0; score < target - every / 2; score += every) {
    across(score, 'grid');
    beside(score);
  }
  across(target, 'target');
  beside(target);
  if (skunkLine > 1) {
    across(skunkLine, 'skunk');
    root.append(svg('text', { x: room.left + 6, y: y(skunkLine) - 5 }, say('page.board.skunk')));
  }
  const thin = Math.ceil(deals / Math.max(4, Math.floor((width - room.left - room.right) / 26)));
  for (let deal = thin; deal <= deals; deal += thin) {
    root.append(svg('text', { x: x(deal), y: height - room.bottom + 17, 'text-anchor': 'middle' }, figure(deal)));
  }
  root.append(svg('text', { x: room.left, y: height - 3 }, say('page.games.deal')));
  const cursor = svg('path', { class: 'cursor', d: `M0 ${room.top}V${height - room.bottom}` });
  root.append(cursor);
  names.forEach((_, side) => {
    const at = scores.map((score, deal) => [x(deal), y(score[side])]);
    const line = svg('g', { 'data-side': side });
    line.append(svg('path', { class: 'line', d: `M${at.map((point) => point.join(' ')).join('L')}` }));
    line.append(svg('path', { class: 'marks', d: at.map(([mx, my]) => MARKS[side](mx, my)).join('') }));
    root.append(line);
  });
  for (const { side, at } of spread(scores.at(-1), y, height - room.bottom)) {
    const end = svg('g', { 'data-side': side });
    end.append(svg('text', { class: 'end', x: width - room.right + 12, y: at + 5 }, `${figure(scores.at(-1)[side])} ${short(names[side])}`));
    root.append(end);
  }
  place.replaceChildren(root);
  return (deal) => cursor.setAttribute('transform', `translate(${x(deal)} 0)`);
}

/** The positions of the names at the ends of the lines, without overlap. */
function spread(last, y, lowest) {
  const ends = last.map((score, side) => ({ side, at: y(score) })).sort((a, b) => a.at - b.at);
  ends.forEach((end, n) => { if (n) end.at = Math.max(end.at, ends[n - 1].at + LABEL); });
  ends.reverse().forEach((end, n) => { end.at = Math.min(end.at, n ? ends[n - 1].at - LABEL : lowest); });
  return ends;
}

const short = (name) => (name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name);

/** The same as a table: the points of each deal, and each side's score after it. */
export function table({ names, scores }) {
  const head = node('tr', {}, node('th', { scope: 'col' }, say('page.games.deal')), names.map((name) => node('th', { scope: 'col' }, name)));
  const rows = scores.slice(1).map((after, at) => node('tr', {}, node('th', { scope: 'row' }, figure(at + 1)),
    after.map((score, side) => node('td', {}, figure(score), ' ', node('small', {}, `+${figure(score - scores[at][side])}`.replace('+−', '−'))))));
  return node('table', {}, node('thead', {}, head), node('tbody', {}, rows));
}
