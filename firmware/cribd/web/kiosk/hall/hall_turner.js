// Pages that turn by themselves, and by keys and buttons. On a phone all of them stand one below the other.

import { fitted } from './hall_room.js';
import { node } from './nodes.js';
import { say } from './words.js';

const SHOWN_MS = 10000; // how long a page is shown
const CHOSEN_MS = 30000; // and one that somebody turned to
const KEYS = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };

export class Turner {
  /** `place` is where pages stand, `bar` has the buttons. */
  constructor({ place, bar }) {
    this.place = place;
    this.bar = bar;
    this.phone = matchMedia('(max-width: 700px)');
    this.scene = '';
    this.pages = [];
    this.at = 0;
    this.paused = false;
    this.stopped = false;
    this.timer = 0;
    /** @type {{ key: string | null, parts: string[] }} */
    this.drawn = { key: null, parts: [] }; // the page that stands, and its parts as they were made
    this.rule = node('i', { class: 'rule' }); // as wide as 100 --u
    bar.append(this.rule);
    const button = (id) => bar.querySelector(id);
    button('#back').addEventListener('click', () => this.turn(-1, CHOSEN_MS));
    button('#onward').addEventListener('click', () => this.turn(1, CHOSEN_MS));
    button('#hold').addEventListener('click', () => this.hold(!this.paused));
    place.addEventListener('click', ({ clientX }) => this.turn(clientX < innerWidth / 3 ? -1 : 1, CHOSEN_MS));
    addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || this.phone.matches) return;
      if (KEYS[event.key]) this.turn(KEYS[event.key], CHOSEN_MS);
      else if (event.key === ' ' && !/** @type {Element} */ (event.target).closest('a, button')) this.hold(!this.paused);
    });
  }

  /** The room for a page, in --u; without end on a phone. */
  room() {
    if (this.phone.matches) return { wide: 1, high: Infinity };
    const { width, height } = this.place.getBoundingClientRect();
    const unit = this.rule.getBoundingClientRect().width / 100;
    return { wide: width / unit, high: height / unit };
  }

  /** Show the pages of a scene, each with its `key` and what `make`s it. A page that stands in this scene stays. */
  show(scene, pages) {
    const last = scene === this.scene ? this.pages[this.at]?.key : undefined;
    const again = pages.findIndex(({ key }) => key === last);
    this.scene = scene;
    this.pages = pages;
    this.at = Math.max(0, again);
    this.draw();
    if (again < 0 || !this.timer) this.wait(SHOWN_MS);
  }

  /** Turn by so many pages; the next is turned after `ms`. */
  turn(by, ms = SHOWN_MS) {
    if (this.phone.matches || this.pages.length < 2 || this.stopped) return;
    this.at = (this.at + by + this.pages.length) % this.pages.length;
    this.draw();
    this.place.firstElementChild.classList.add('turned');
    this.wait(ms);
  }

  hold(paused) {
    this.paused = paused;
    this.bar.querySelector('#hold').setAttribute('aria-pressed', String(paused));
    this.wait(SHOWN_MS);
  }

  /** Stop turning pages while something else is shown. */
  stop(stopped) {
    if (this.stopped === stopped) return;
    this.stopped = stopped;
    this.wait(SHOWN_MS);
  }

  wait(ms) {
    clearTimeout(this.timer);
    const turns = this.pages.length > 1 && !this.paused && !this.stopped && !this.phone.matches;
    this.timer = turns ? setTimeout(() => this.turn(1), ms * (this.pages[this.at].stays ?? 1)) : 0;
  }

  /** Draw a page. Where it stands already, only the parts that have changed are replaced: a screen paints no more. */
  replace({ key, make }) {
    const made = make();
    const parts = [...made.children];
    const markup = parts.map(({ outerHTML }) => outerHTML);
    const old = this.place.firstElementChild;
    const frame = ({ className, style }) => className.replace(' turned', '') + style.cssText;
    if (key !== this.drawn.key || markup.length !== this.drawn.parts.length || frame(old) !== frame(made)) {
      this.place.replaceChildren(made);
      fitted(made);
    } else {
      const changed = parts.filter((_, at) => markup[at] !== this.drawn.parts[at]);
      const places = [...old.children].filter((_, at) => markup[at] !== this.drawn.parts[at]);
      changed.forEach((part, at) => places[at].replaceWith(part));
      for (const part of changed) fitted(part);
    }
    this.drawn = { key, parts: markup };
  }

  draw() {
    const several = this.pages.length > 1 && !this.phone.matches;
    const shown = this.phone.matches ? this.pages : this.pages.slice(this.at, this.at + 1);
    if (shown.length === 1) this.replace(shown[0]);
    else {
      this.place.replaceChildren(...shown.map(({ make }) => make()));
      /** @type {{ key: string | null, parts: string[] }} */
    this.drawn = { key: null, parts: [] };
      fitted(this.place);
    }
    this.bar.classList.toggle('alone', !several);
    this.bar.querySelector('#leaf').textContent = several ? say('page.hall.leaf', { at: this.at + 1, of: this.pages.length }) : '';
  }
}
