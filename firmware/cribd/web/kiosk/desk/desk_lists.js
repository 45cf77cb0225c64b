// Lists that change while somebody works in them: what is the same stays, and the focus stays where it was.

import { node } from './nodes.js';

/** Show these children. One whose `data-key` and content are as before is kept; of one that is replaced, the control
 *  that had the focus has it again. Handlers listen at the list, never at its children. */
export function fill(place, ...children) {
  const made = children.flat().filter(Boolean);
  const before = new Map([...place.children].map((child) => [child.dataset.key, child]));
  const next = made.map((child) => {
    const old = before.get(child.dataset.key);
    return old && old.isEqualNode(child) ? old : child;
  });
  if (next.length === place.children.length && next.every((child, at) => child === place.children[at])) return;
  const focused = place.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const again = focused && !next.some((child) => child.contains(focused)) ? keyOf(focused) : null;
  const staysFocused = focused && !again;
  place.replaceChildren(...next);
  if (again) place.querySelector(again)?.focus();
  else if (staysFocused) focused?.focus(); // moving a node takes the focus from it
}

/** A selector that finds again, in its list, a control that has the focus; null where it is in none. */
export function keyOf(focused) {
  const act = focused.closest('[data-act]');
  const child = focused.closest('[data-key]');
  const inside = act ? `[data-act="${act.dataset.act}"]` : 'button';
  return child && child !== focused ? `[data-key="${CSS.escape(child.dataset.key)}"] ${inside}` : null;
}

/** A button whose act the list hears: `data-act`, and more `data-…` by `on`. */
export const act = (name, words, on = {}, kind = 'tool') => node('button', {
  type: 'button', class: kind, 'data-act': name, ...Object.fromEntries(Object.entries(on).map(([key, value]) => [`data-${key}`, value])),
}, words);

/** Calls `acts[name](data, button)` for every button of `act` in a place. An act that returns a promise is not begun again
 *  before it ends. */
export function listen(place, acts) {
  place.addEventListener('click', (event) => {
    const button = /** @type {Element} */ (event.target).closest('[data-act]');
    if (!button || !place.contains(button)) return;
    const key = JSON.stringify(button.dataset);
    if (busy.has(key)) return;
    const work = acts[button.dataset.act]?.(button.dataset, button);
    if (work instanceof Promise) once(key, () => work);
  });
}

const DOUBLE_MS = 500; // between the presses of a double click
const SPOT_PX = 12;
const busy = new Set(); // acts that have not ended
/** @type {MouseEvent | null} */
let press = null; // the last click
/** @type {MouseEvent | null} */
let begun = null; // the last click that began an act

/** Do this work, unless work with the same key is still running. */
export async function once(key, work) {
  if (busy.has(key)) return;
  began();
  busy.add(key);
  try {
    await work();
  } finally {
    busy.delete(key);
  }
}

/** Note that the last click began an act: a second click at its place right after it is ignored. */
export function began() {
  begun = press;
}

/** Whether a click is the second of a double click whose first began an act: what it hits may have come since. */
function isSecond({ detail, timeStamp, clientX, clientY }) {
  if (!detail || !begun || press !== begun) return false; // detail is 0 for a key
  return timeStamp - begun.timeStamp < DOUBLE_MS && Math.hypot(clientX - begun.clientX, clientY - begun.clientY) < SPOT_PX;
}

document.addEventListener('click', (event) => {
  if (isSecond(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else press = event;
}, true);

// A key that is held down is one press.
document.addEventListener('keydown', (event) => {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}, true);
