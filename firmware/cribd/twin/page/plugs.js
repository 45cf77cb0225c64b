// A drawer with the plugs of the board: each can be pulled, and put back.

import { say } from '/page/words.js';

const PARTS = ['screen', 'reader', 'buttons', 'strip'];

export class Plugs {
  /** Calls `move(part, putIn)` when a person moves a plug. */
  constructor(button, drawer, move) {
    this.button = button;
    this.drawer = drawer;
    this.in = {};
    button.addEventListener('click', () => this.open(drawer.hidden));
    drawer.addEventListener('click', (event) => {
      const part = /** @type {Element} */ (event.target).closest('[data-plug]')?.dataset.plug;
      if (part) move(part, !this.in[part]);
    });
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.open(false));
    document.addEventListener('pointerdown', (event) => {
      if (!drawer.contains(event.target) && !button.contains(event.target)) this.open(false);
    });
    this.draw();
  }

  open(wide) {
    this.drawer.hidden = !wide;
    this.button.setAttribute('aria-expanded', String(wide));
  }

  draw() {
    this.drawer.innerHTML = `<p>${say('page.twin.plugs_hint')}</p>${PARTS.map((part) =>
      `<button type="button" role="switch" data-plug="${part}"><i></i><b>${say(`page.twin.part.${part}`)}</b><span></span></button>`).join('')}`;
    this.show(this.in);
  }

  show(plugs) {
    this.in = plugs;
    for (const plug of this.drawer.querySelectorAll('[data-plug]')) {
      const put = plugs[plug.dataset.plug] ?? true;
      plug.setAttribute('aria-checked', String(put));
      plug.querySelector('span').textContent = say(put ? 'page.twin.in' : 'page.twin.out');
    }
    this.button.classList.toggle('missing', Object.values(plugs).includes(false));
  }
}
