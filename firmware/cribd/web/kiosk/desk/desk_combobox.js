// A text field that offers known names while one types (WAI-ARIA combobox). It never stands in the way: what is typed is
// taken as it is, unless a name was chosen with the arrows.

import { node } from './nodes.js';

const MOST = 8; // names that are offered at once

/** Returns a text without case, accents and ligatures, to compare what is typed. */
export const plain = (text) => text.normalize('NFKD').replace(/\p{Mn}/gu, '').toLocaleLowerCase().replaceAll('œ', 'oe').replaceAll('æ', 'ae').replaceAll('’', "'").split(/\s+/).join(' ').trim();

/** The names that have a word which begins with what was typed, and then those that have it anywhere. */
export function matches(names, typed) {
  const wanted = plain(typed);
  const keyed = names.map((name) => [name, plain(name)]);
  const begins = keyed.filter(([, key]) => ` ${key.replace(/[-']/g, ' ')}`.includes(` ${wanted}`) || key.startsWith(wanted));
  return [...begins, ...keyed.filter((pair) => !begins.includes(pair) && pair[1].includes(wanted))].map(([name]) => name);
}

export class Combobox {
  /** `names()` returns the names that may be offered in this `field`. */
  constructor(field, names) {
    this.field = field;
    this.names = names;
    this.list = node('ul', { id: `${field.id}-names`, class: 'names', role: 'listbox', 'aria-labelledby': field.labels[0].id, hidden: true });
    this.at = -1; // the name that Enter takes
    field.after(this.list);
    field.parentElement.classList.add('combobox');
    for (const [name, value] of Object.entries({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': this.list.id })) field.setAttribute(name, value);
    field.addEventListener('input', () => this.offer());
    field.addEventListener('keydown', (event) => this.key(event));
    field.addEventListener('blur', () => this.close());
    field.form.addEventListener('submit', () => this.close());
    this.list.addEventListener('mousedown', (event) => event.preventDefault()); // the focus stays in the field
    this.list.addEventListener('click', ({ target }) => target.closest('li') && this.take(target.closest('li').textContent));
  }

  offer({ all = false } = {}) {
    const typed = this.field.value.trim();
    const found = typed || all ? matches(this.names(), typed).slice(0, MOST) : [];
    this.list.replaceChildren(...found.map((name, at) => node('li', { id: `${this.list.id}-${at}`, role: 'option', 'aria-selected': 'false' }, name)));
    this.list.hidden = !found.length;
    this.field.setAttribute('aria-expanded', String(found.length > 0));
    this.move(-1);
  }

  close() {
    if (this.list.hidden) return;
    this.list.hidden = true;
    this.field.setAttribute('aria-expanded', 'false');
    this.move(-1);
  }

  /** Go to this name; -1 is the field itself. */
  move(at) {
    this.at = at;
    [...this.list.children].forEach((option, number) => option.setAttribute('aria-selected', String(number === at)));
    if (at < 0) this.field.removeAttribute('aria-activedescendant');
    else {
      this.field.setAttribute('aria-activedescendant', this.list.children[at].id);
      this.list.children[at].scrollIntoView({ block: 'nearest' });
    }
  }

  take(name) {
    this.field.value = name;
    this.close();
  }

  key(event) {
    if (event.isComposing) return;
    const isOpen = !this.list.hidden;
    const steps = this.list.children.length + 1; // the names, and the field itself
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      if (!isOpen) this.offer({ all: true });
      if (!this.list.hidden) this.move(isOpen ? (this.at + 1 + by + steps) % steps - 1 : by > 0 ? 0 : this.list.children.length - 1);
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault();
      this.close();
    } else if (isOpen && event.key === 'Enter' && this.at >= 0) {
      event.preventDefault();
      this.take(this.list.children[this.at].textContent);
    }
  }
}
