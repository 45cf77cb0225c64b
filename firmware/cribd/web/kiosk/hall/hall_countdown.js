// The countdown to what comes next, where the organiser has announced a time.

import { boardNow, learnTime } from './board_time.js';
import { node } from './nodes.js';
import { clockTime, say } from './words.js';

const SECOND_MS = 1000;
const LEARN_MS = 60000;
const DAY_S = 86400;

export class Countdown {
  constructor(place) {
    this.place = place;
    this.starts = '';
    this.timer = 0;
    this.learnt = -Infinity;
  }

  show({ competition, starts }) {
    this.starts = competition === null ? '' : starts;
    this.draw();
  }

  draw() {
    clearTimeout(this.timer);
    this.place.hidden = !this.starts;
    if (!this.starts) return this.place.replaceChildren();
    if (Date.now() - this.learnt > LEARN_MS) {
      this.learnt = Date.now();
      learnTime().then(() => this.draw()).catch(() => {});
    }
    const left = Math.max(0, Math.ceil((Date.parse(this.starts) - boardNow()) / SECOND_MS));
    const at = clockTime(this.starts, left < DAY_S ? this.starts.slice(0, 10) : '–');
    this.place.replaceChildren(...[
      node('span', {}, left ? say('page.hall.starts', { at }) : say('page.hall.any_moment')),
      left > 0 && left < DAY_S ? node('b', { role: 'timer' }, spelled(left)) : null,
    ].filter(Boolean));
    if (left) this.timer = setTimeout(() => this.draw(), SECOND_MS);
    return undefined;
  }
}

/** 4:32, or 1:04:32. */
function spelled(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}
