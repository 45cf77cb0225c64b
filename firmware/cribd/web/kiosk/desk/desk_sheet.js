// The one dialog of the desk: a few fields, a button, and what was wrong with them. It closes when they are sent, and comes
// back with what was typed if the board refuses it.

import { began, keyOf } from './desk_lists.js';
import { node } from './nodes.js';
import { say } from './words.js';

/** Returns the message for a value that is no whole number. */
export const notNumber = (label, value) => say(value === '' ? 'page.desk.number.missing' : 'page.desk.number.wrong', { label, value });

export class Sheet {
  constructor(dialog, outbox) {
    this.dialog = dialog;
    this.outbox = outbox;
    this.isAside = false; // closed though nobody has answered
    /** @type {{ control: HTMLElement, place: Element | null, key: string | null }} */
    this.from = { control: document.body, place: null, key: null }; // what opened it, and how to find that again
    dialog.addEventListener('close', () => {
      const { control, place, key } = this.from;
      if (!control.isConnected && key) place?.querySelector(key)?.focus();
    });
  }

  /** Hide the dialog, with what is typed in it. */
  layAside() {
    this.isAside ||= this.dialog.open;
    this.dialog.close();
  }

  /** Show it again after `layAside`. */
  takeUp() {
    if (this.isAside) this.dialog.showModal();
    this.isAside = false;
  }

  /** Ask for these `fields` under a `title`: each has `name` and `label`; a `kind` of text, number, check, choice, or
   *  pair, which is two choices named by its `parts`; a `value`, and the `options` of a choice as pairs. A number may be
   *  `optional`, and `allowed` says what it may be; a text may be `wanted`, and that is what is said without it. `also` are
   *  buttons of other acts, as words, act, and perhaps which values it fits. `watch(values)` returns what is to be known of
   *  the values as they are. `act(values)` returns a promise of the board's answer; or `next`, which opens another dialog;
   *  or a `text`, and the `field` that it is about. The dialog closes when it was sent, and `then()` follows.
   *  @param {Record<string, any>} asked */
  open({ title, about = [], fields = [], yes, act, also = [], watch = null, wide = false, then = null }) {
    const refusal = node('p', { class: 'told', role: 'alert' });
    const known = watch ? node('p', { class: 'note', role: 'status' }) : null;
    const form = node('form', { novalidate: true }, ...about, ...fields.map((field) => this.field(field)),
      node('div', { class: 'foot' }, known, refusal, node('div', { class: 'keys' },
        node('button', { type: 'button', class: 'wide', value: 'no' }, say('page.desk.leave')),
        ...also.map(([words], at) => node('button', { type: 'button', class: 'wide', value: `also-${at}` }, words)),
        yes ? node('button', { class: 'wide first' }, yes) : null)));
    const look = () => {
      const values = this.values(form, fields);
      if (watch) known.textContent = watch(values);
      also.forEach(([, , fits], at) => { form.querySelector(`[value="also-${at}"]`).hidden = fits ? !fits(values) : false; });
    };
    form.addEventListener('change', look);
    form.addEventListener('input', () => {
      refusal.textContent = '';
      look();
    });
    look();
    const refuse = (answer) => {
      refusal.textContent = answer.text;
      this.focus(form, answer);
    };
    const head = node('h2', { id: 'sheet-title' }, title);
    const back = (answer) => {
      this.show(head, form, wide);
      refuse(answer);
    };
    const finish = (answer) => {
      if (answer.next) answer.next();
      else if (!(answer instanceof Promise)) refuse(answer);
      else {
        began();
        this.outbox.send({ what: title, work: () => answer, back, isThere: () => !this.dialog.open });
        this.dialog.close();
        then?.();
      }
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const values = this.values(form, fields);
      finish(this.problem(fields, values) ?? act(values));
    });
    form.addEventListener('click', ({ target }) => {
      const { value } = target.closest('button[type="button"]') ?? {};
      if (value === 'no') this.dialog.close();
      else if (value?.startsWith('also-')) finish(also[Number(value.slice(5))][1](this.values(form, fields)));
      else if (value) {
        const field = form.querySelector(`#${target.closest('[data-of]').dataset.of}`);
        field.value = value;
        field.focus();
        look();
      }
    });
    this.show(head, form, wide);
    (form.querySelector('[data-first]') ?? form.querySelector('.first') ?? form.querySelector('button')).focus();
    form.querySelector('input[data-first]')?.select();
  }

  show(head, form, wide) {
    this.isAside = false;
    this.dialog.classList.toggle('many', wide);
    this.dialog.replaceChildren(head, form);
    if (!this.dialog.open) {
      const control = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
      this.from = { control, place: control.closest('section[id]'), key: keyOf(control) };
      this.dialog.showModal();
    }
  }

  /** Returns the first fault of the fields, a wrong number or a missing text; null without one. */
  problem(fields, values) {
    const missing = fields.find(({ name, wanted }) => wanted && !values[name]);
    if (missing) return { text: missing.wanted, field: missing.name };
    const wrong = fields.find(({ name, kind, optional }) => kind === 'number' && typeof values[name] !== 'number' && !(optional && !values[name]));
    return wrong ? { text: wrong.allowed ?? notNumber(wrong.label, values[wrong.name]), field: wrong.name } : null;
  }

  /** Returns the field to correct: the one that the answer is about, or that names the same entrant, else the first. */
  focus(form, { code, values, field }) {
    const named = [...form.querySelectorAll('select')].filter(({ value }) => value === String(values?.entrant)).at(-1);
    const about = field ? form.querySelector(`#sheet-${field} select, input#sheet-${field}`) : code === 'reason_missing' ? form.querySelector('#sheet-reason') : named;
    (about ?? form.querySelector('[data-first]') ?? form.querySelector('button')).focus();
  }

  field({ name, label, kind = 'text', value = '', options = [], parts = [], ready = [], first = false, most = 120 }) {
    const id = `sheet-${name}`;
    if (kind === 'pair') {
      return node('div', { id, class: 'two', role: 'group', 'aria-label': label }, node('b', {}, label), parts.map((part, at) => node('select', { 'aria-label': part, 'data-first': first && at === 0 },
        options.map(([of, words]) => node('option', { value: of, selected: of === value[at] }, words)))));
    }
    if (kind === 'check') return node('label', { class: 'check' }, node('input', { type: 'checkbox', id, checked: Boolean(value), 'data-first': first }), node('span', {}, label));
    if (kind === 'choice') {
      return node('fieldset', {}, node('legend', {}, label), options.map(([of, words], at) => node('label', { class: 'check' },
        node('input', { type: 'radio', name: id, value: of, checked: of === value, 'data-first': first && at === 0 }), node('span', {}, words))));
    }
    const numeric = kind === 'number';
    return node('p', { class: numeric ? 'short' : null }, node('label', { for: id }, label),
      node('input', { id, value: String(value), autocomplete: 'off', inputmode: numeric ? 'numeric' : null, maxlength: numeric ? 6 : most, 'data-first': first }),
      ready.length ? node('span', { class: 'ready', 'data-of': id }, ready.map((words) => node('button', { type: 'button', class: 'tool', value: words }, words))) : null);
  }

  values(form, fields) {
    const value = ({ name, kind = 'text' }) => {
      if (kind === 'check') return form.querySelector(`#sheet-${name}`).checked;
      if (kind === 'pair') return [...form.querySelectorAll(`#sheet-${name} select`)].map((choice) => choice.value);
      if (kind === 'choice') return form.querySelector(`[name="sheet-${name}"]:checked`)?.value;
      const text = form.querySelector(`#sheet-${name}`).value.trim();
      return kind === 'number' && /^\d+$/.test(text) ? Number(text) : text;
    };
    return Object.fromEntries(fields.map((field) => [field.name, value(field)]));
  }
}
