// A drawer with the plugs of the board, which can be pulled and put back, and the faults that can be made and mended.

import { say } from '/page/words.js';

export class Plugs {
  /** Calls `move(part, putIn)` when a person moves a plug, and `spoil(fault, make)` for a fault. */
  constructor(button, drawer, move, spoil) {
    this.button = button;
    this.drawer = drawer;
    this.in = {};
    this.faults = {};
    button.addEventListener('click', () => this.open(drawer.hidden));
    drawer.addEventListener('click', (event) => {
      const part = /** @type {Element} */ (event.target).closest('[data-plug]')?.dataset.plug;
      if (part) move(part, !this.in[part]);
      const fault = /** @type {Element} */ (event.target).closest('[data-fault]')?.dataset.fault;
      if (fault) spoil(fault, !this.faults[fault]);
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
    this.drawer.innerHTML = `<p>${say('page.twin.plugs_hint')}</p>${Object.keys(this.in).map((part) =>
      `<button type="button" role="switch" data-plug="${part}"><i></i><b>${say(`page.twin.part.${part}`)}</b><span></span></button>`).join('')}<p>${say('page.twin.faults_hint')}</p>${Object.keys(this.faults).map((fault) =>
      `<button type="button" role="switch" data-fault="${fault}"><i></i><b>${say(`page.twin.fault.${fault}`)}</b><span></span></button>`).join('')}`;
    this.show(this.in);
    this.showFaults(this.faults);
  }

  show(plugs) {
    const isNew = Object.keys(plugs).length !== Object.keys(this.in).length;
    this.in = plugs;
    if (isNew) {
      this.draw();
      return;
    }
    for (const plug of this.drawer.querySelectorAll('[data-plug]')) {
      const put = plugs[plug.dataset.plug] ?? true;
      plug.setAttribute('aria-checked', String(put));
      plug.querySelector('span').textContent = say(put ? 'page.twin.in' : 'page.twin.out');
    }
    this.mark();
  }

  /** Show which faults are made: `{ bounce: true }`. */
  showFaults(faults) {
    const isNew = Object.keys(faults).length !== Object.keys(this.faults).length;
    this.faults = faults;
    if (isNew) {
      this.draw();
      return;
    }
    for (const fault of this.drawer.querySelectorAll('[data-fault]')) {
      const name = fault.dataset.fault;
      fault.setAttribute('aria-checked', String(!faults[name]));
      fault.querySelector('span').textContent = say(faults[name] ? `page.twin.faulty.${name}` : 'page.twin.in_order');
    }
    this.mark();
  }

  mark() {
    const away = Object.values(this.in).includes(false) || Object.values(this.faults).includes(true);
    this.button.classList.toggle('missing', away);
  }
}
