// The board has a language of its own, chosen in its menu. After a change of the page's language this offers to change
// the board's too: it presses the keys as a person would, and checks after each step what the board shows.

import { language, languageName, say } from '/page/words.js';

const LINE = 'language';
const TOUCH_MS = 80;
const HELD_MS = 1300;
const PATIENCE_MS = 3000;
const MOST_PRESSES = 40;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export class Offer {
  /** `send` presses and releases keys of `board`. */
  constructor(place, board, send) {
    this.place = place;
    this.ok = board.keys.find(({ key }) => key === 'ok').button;
    this.menu = board.keys.find(({ key }) => key === 'menu').button;
    this.send = send;
    this.table = null;
    this.wanted = false;
    this.busy = false;
    this.changed = () => {};
    place.addEventListener('click', (event) => {
      if (event.target.closest('.take')) this.take();
      else if (event.target.closest('.leave')) this.ask(false);
    });
  }

  /** The page's language was changed, or the offer was declined. */
  ask(wanted) {
    this.wanted = wanted;
    this.draw();
  }

  /** The current table. */
  show(table) {
    this.table = table;
    this.changed();
    this.draw();
  }

  draw() {
    const shown = this.wanted && this.table?.language && this.table.language !== language();
    this.place.hidden = !shown;
    if (!shown) return;
    const possible = this.table.menu !== null && !this.busy;
    this.place.innerHTML = '<p></p><button type="button" class="tool take"></button><button type="button" class="tool leave"></button>';
    this.place.querySelector('p').textContent = say('page.twin.board_speaks', { language: languageName(this.table.language) });
    this.place.querySelector('.take').textContent = say('page.twin.board_too');
    this.place.querySelector('.take').disabled = !possible;
    this.place.querySelector('.leave').textContent = say('page.twin.board_as_it_is');
  }

  /** Let the board speak the language of the page, where its menu can be opened. */
  async tune() {
    if (this.table && this.table.language !== language() && this.table.menu !== null && !this.busy) await this.take();
  }

  async take() {
    this.busy = true;
    this.draw();
    try {
      for (let press = 0; press < MOST_PRESSES && this.table.language !== language(); press += 1) {
        await this.touch(this.table.menu === LINE ? this.ok : this.menu, TOUCH_MS);
      }
      if (this.table.menu) await this.touch(this.menu, HELD_MS);
    } catch { /* the board does not answer: its screen says why, and the person may press again */ }
    this.busy = false;
    this.draw();
  }

  /** Hold a key until the board has answered. */
  async touch(button, ms) {
    const before = JSON.stringify(this.table);
    const answered = /** @type {Promise<void>} */ (new Promise((done, failed) => {
      this.changed = () => { if (JSON.stringify(this.table) !== before) done(); };
      setTimeout(failed, ms + PATIENCE_MS);
    }));
    this.send({ down: button });
    await wait(ms);
    this.send({ up: button });
    await answered;
  }
}
