// A bubble at the place where one acts next, for a first deal. One click ends it before, and this browser remembers that.

import { say } from './words.js';

const KEPT = 'cribboard.guided';

/** Where each step is done: the words of the bubble, and what it points at. */
const PLACES = {
  cut: ['pack', '#solo .stack.asked'],
  starter: ['pack', '#solo .stack.asked'],
  discard: ['discard', '#solo .hand'],
  lay: ['hand', '#solo .hand'],
  show: ['hand', '#solo .hand'],
  crib: ['crib', '#solo .crib .stack'],
  go: ['go', '[data-button="blue go"]'],
  count_hand: ['hole', '#board .board'],
  count_crib: ['hole', '#board .board'],
};
/** Nothing to point at: the line under the cards says it. */
const NOWHERE = ['menu', 'other', 'counted'];
const OTHERWISE = ['ok', '#console [data-button="blue ok"]'];

export class Guide {
  constructor() {
    this.on = !kept();
    this.wanted = false;
    this.place = document.body.appendChild(Object.assign(document.createElement('aside'), { id: 'guide', hidden: true }));
    this.place.addEventListener('click', (event) => event.target.closest('button') && this.turn(this.state));
    addEventListener('resize', () => this.show(this.state ?? {}));
  }

  /** By hand: it stays until it is ended by hand. */
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
    const [word, selector] = state.ask && !NOWHERE.includes(state.ask.kind) ? (PLACES[state.ask.kind] ?? OTHERWISE) : [];
    const at = this.on && state.playing && state.hands && state.person && word && document.querySelector(selector);
    this.place.hidden = !at;
    if (!at) return;
    this.place.innerHTML = `<p>${say(`bubble.${word}`)}</p><button type="button">${say('skip')}</button>`;
    requestAnimationFrame(() => this.point(at));
  }

  /** Above what it points at, inside the window. */
  point(at) {
    const box = at.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.place;
    const middle = box.left + box.width / 2;
    const left = Math.max(8, Math.min(middle - wide / 2, innerWidth - wide - 8));
    const above = box.top - high - 12;
    this.place.style.setProperty('--x', `${left}px`);
    this.place.style.setProperty('--y', `${above > 8 ? above : Math.min(box.top + 30, innerHeight - high - 8)}px`);
    this.place.style.setProperty('--tip', `${Math.max(14, Math.min(middle - left, wide - 14))}px`);
  }
}

function kept() {
  try {
    return localStorage.getItem(KEPT) === 'yes';
  } catch {
    return false;
  }
}
