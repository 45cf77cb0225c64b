// A number on the keyboard is a call: digits build it, Enter pegs it, Escape clears it.

import { say } from '/page/words.js';

const LONGEST = 3;

export class Typing {
  /** Shows the number in `place`; `peg(points)` calls it. Digits are taken while `on`. */
  constructor(place, peg) {
    this.place = place;
    this.peg = peg;
    this.on = false;
    this.front = 0;
    this.digits = '';
    addEventListener('keydown', (event) => this.key(event), { capture: true });
  }

  key(event) {
    if (!this.on || event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
    if (event.target.closest?.('input, select, textarea')) return;
    const digit = /^\d$/.test(event.key) ? event.key : /^Numpad(\d)$/.exec(event.code)?.[1];
    if (digit !== undefined) this.set(`${this.digits}${digit}`.replace(/^0+(?=\d)/, '').slice(0, LONGEST));
    else if (!this.digits) return;
    else if (event.key === 'Enter') this.enter(event);
    else if (event.key === 'Escape') this.set('');
    else if (event.key === 'Backspace') this.set(this.digits.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopImmediatePropagation(); // the button that has the focus is not pressed
  }

  enter(event) {
    const points = Number(this.digits);
    this.set('');
    if (!event.repeat) this.peg(points);
  }

  set(digits) {
    this.digits = digits;
    this.draw();
  }

  draw() {
    if (!this.on) this.digits = '';
    const points = Number(this.digits);
    this.place.textContent = this.digits && say(points ? 'page.solo.typed' : 'page.solo.typed_zero', { n: points, hole: this.front + points });
  }
}
