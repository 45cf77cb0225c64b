// A bubble at the place where one acts next, for a first deal. One click ends it before, and this browser remembers that.

import { say } from '/page/words.js';

const KEPT = 'cribboard.guided';

/** Where each step is done: the words of the bubble, and what it points at. */
const PLACES = {
  cut: ['pack', '#solo .stack.asked'],
  starter: ['pack', '#solo .stack.asked'],
  discard: ['discard', '#solo .hand [data-card]'],
  lay: ['hand', '#solo .hand [data-card]'],
  show: ['show', '#solo .hand [data-card]'],
  crib: ['crib', '#solo .crib .stack'],
  go: ['go', '#console [data-button="blue go"]'],
  count_hand: ['hole', null],
  count_crib: ['hole', null],
};
/** Nothing to point at: the line under the cards says it. */
const NOWHERE = ['menu', 'other', 'counted'];
const OTHERWISE = ['ok', '#console [data-button="blue ok"]'];

export class Guide {
  constructor() {
    this.on = !isDismissed();
    this.wanted = false;
    this.place = document.body.appendChild(Object.assign(document.createElement('aside'), { id: 'guide', hidden: true }));
    this.place.addEventListener('click', (event) => /** @type {Element} */ (event.target).closest('button') && this.turn(this.state));
    for (const kind of ['resize', 'scroll']) addEventListener(kind, () => this.place.hidden || this.point(this.at), true);
  }

  /** Turn the guide on or off by hand: then it stays so. */
  turn(state) {
    this.wanted = !this.on;
    this.set(this.wanted);
    this.show(state);
  }

  set(on) {
    this.on = on;
    try {
      localStorage.setItem(KEPT, on ? '' : 'yes');
    } catch { /* this browser stores nothing */ }
  }

  show(state) {
    this.state = state;
    if (this.on && !this.wanted && state.deal > 1) this.set(false); // the first deal is over
    const [word, selector] = mayScore(state) ? ['score', front(state)] : state.ask && !NOWHERE.includes(state.ask.kind) ? (PLACES[state.ask.kind] ?? OTHERWISE) : [];
    const guides = Boolean(this.on && state.playing && state.hands && state.person);
    document.body.classList.toggle('guided', guides);
    const at = guides && word && document.querySelector(selector ?? front(state));
    this.place.hidden = !at;
    if (!at) return;
    this.place.innerHTML = `<p>${say(`page.solo.bubble.${word === 'discard' && state.ask.wanted === 1 ? 'discard_one' : word}`)}</p><button type="button">${say('page.solo.skip')}</button>`;
    this.at = at;
    requestAnimationFrame(() => this.point(at));
  }

  /** Beside what it points at, inside the window, and over nothing that one has to read or press, if there is room. */
  point(at) {
    const box = at.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.place;
    const [middle, centre] = [box.left + box.width / 2, box.top + box.height / 2];
    const places = [
      ['above', middle - wide / 2, box.top - high - GAP], ['right', box.right + GAP, centre - high / 2],
      ['left', box.left - wide - GAP, centre - high / 2], ['below', middle - wide / 2, box.bottom + GAP],
      ['below', middle - wide + 2 * GAP, box.bottom + GAP], ['above', middle - 2 * GAP, box.top - high - GAP],
    ].map(([where, left, top]) => [where, within(left, innerWidth - wide), within(top, innerHeight - high)]);
    const free = READ.flatMap((name) => [...document.querySelectorAll(name)]).concat(at).map((node) => node.getBoundingClientRect());
    const covers = (left, top) => free.reduce((sum, taken) => sum + overlap(taken, left, top, wide, high), 0);
    const [where, left, top] = places.reduce((best, place) =>
      covers(place[1], place[2]) < covers(best[1], best[2]) ? place : best);
    this.place.dataset.where = where;
    this.place.style.setProperty('--x', `${left}px`);
    this.place.style.setProperty('--y', `${top}px`);
    this.place.style.setProperty('--tip', `${Math.max(14, Math.min(middle - left, wide - 14))}px`);
  }
}

/** Returns what the bubble must not cover. */
const READ = ['#oled', '#solo .say', '#solo .controls', '#solo .hand', '#solo .counted', '#solo .stack', '#console .caps', '#board [data-track="0"][data-hole]', '#board .peg'];
const GAP = 12;

const within = (at, most) => Math.max(8, Math.min(at, most - 8));

function overlap(box, left, top, wide, high) {
  const across = Math.min(box.right, left + wide) - Math.max(box.left, left);
  const down = Math.min(box.bottom, top + high) - Math.max(box.top, top);
  return across > 0 && down > 0 ? across * down : 0;
}

/** Whether the person may have points to peg, for all that lies open: after a card of his, where he pegs himself. */
export const mayScore = (state) => state.person && state.hands && !state.ask && state.leaves_time && state.way !== 'auto' && state.phase !== 'over';

/** Whether the person pegs by a step key, because the holes of this board have no buttons. */
export const hasSteps = () => Boolean(document.querySelector('#console .step'));

/** The hole of the person's front peg, or so many ahead of it, on a board of one lap or two; or his step key. */
export function front(state, ahead = 0) {
  if (hasSteps()) return '#console [data-button="blue step"]';
  const holes = [...document.querySelectorAll('#board [data-track="0"][data-hole]')].map((hole) => Number(hole.dataset.hole));
  const last = Math.max(...holes) - 1;
  const score = (state.scores?.[0] ?? 0) + ahead;
  return `#board [data-track="0"][data-hole="${score > 0 ? ((score - 1) % last) + 1 : 1}"]`;
}

function isDismissed() {
  try {
    return localStorage.getItem(KEPT) === 'yes';
  } catch {
    return false;
  }
}
