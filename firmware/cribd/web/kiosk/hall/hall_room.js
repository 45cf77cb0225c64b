// What fits a page of the hall's screen. Sizes are in --u.

import { node } from './nodes.js';

const GAP = 14;
const SMALLER = 0.92; // type that does not fit, step by step
const STEPS = 9;

/** Whether there is room for columns side by side. */
export const isWide = ({ wide }) => wide > 1000;

/** How many rows of at least this height fit. */
export const rowsIn = ({ high }, least) => Math.max(1, Math.floor((high + GAP) / (least + GAP)));

/** How high each of so many rows may be: they fill the page, up to `most`. A phone's page is without end. */
export const heightOf = ({ high }, rows, { least, most, phone }) => (Number.isFinite(high) ? Math.min(most, Math.max(least, (high + GAP) / rows - GAP)) : phone);

/** Lists of these things, as even as they can be, none longer than `most`. */
export function dealt(things, most) {
  const lists = things.length ? Math.max(1, Math.ceil(things.length / most)) : 0;
  const size = Math.ceil(things.length / lists);
  return Array.from({ length: lists }, (_, list) => things.slice(list * size, (list + 1) * size));
}

/** Cells of this height, down one column and then the next. */
export function grid(kind, { columns, rows, high }, cells) {
  const made = node('ul', { class: `grid ${kind}` }, cells);
  for (const [name, value] of Object.entries({ columns, rows, high })) made.style.setProperty(`--${name}`, value);
  return made;
}

/** Pages of cells, which are made when their page is shown. A cell is `least` to `most` high, or `phone` on a phone. */
export function grids(name, kind, cells, { columns, room, least, most, phone }) {
  const lists = dealt(cells, columns * rowsIn(room, least));
  const rows = Math.ceil((lists[0]?.length ?? 0) / columns);
  const high = heightOf(room, rows, { least, most, phone });
  return lists.map((some, at) => ({ key: `${name} ${at}`, make: () => grid(kind, { columns, rows, high }, some.map((make) => make())) }));
}

/** A name; `fitted` makes its type smaller until it fits two lines and what it stands in. */
export const called = (name) => node('span', { class: 'who' }, name);

/** Whether a name is cut, or is with what stands below it higher than its place. */
function passes(name) {
  const { children, clientHeight } = name.parentElement;
  const high = [...children].reduce((sum, { offsetHeight }) => sum + offsetHeight, 0);
  return name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1 || high > clientHeight;
}

/** Make the type of names smaller where it does not fit. */
export function fitted(place) {
  let left = [...place.querySelectorAll('.who')];
  for (let size = SMALLER, step = 0; step < STEPS && left.length; step += 1, size *= SMALLER) {
    left = left.filter(passes); // all are measured, and then all are changed
    for (const name of left) name.style.setProperty('--fit', size.toFixed(3));
  }
}
