// Whom the phone speaks for: the card of a table that was scanned here, who sits at that table, and the code of a
// captain. Once the board has it, a new page begins, and with it the stream of this phone's own.

import { element, node } from './nodes.js';
import { ask } from './stream.js';
import { language, say } from './words.js';

const CARD = 'cribboard.card';

export class Seat {
  /** `here` is the table of the address, 0 for none. Calls `draw()` when a code was refused. */
  constructor(here, { draw }) {
    this.draw = draw;
    this.card = scanned(here); // {table, key}
    this.entrants = []; // who sits at the table of that card, as far as the board has said so
    this.wrongCode = ''; // why the code of a captain was refused
  }

  /** Ask who sits at the table of the card. Returns why the board refuses the card; nothing where it does not. */
  async look() {
    if (!this.card.key) return '';
    const { status, said } = await ask('/event/table/card', this.card);
    this.entrants = status === 200 ? said.entrants : [];
    if (status !== 403) return '';
    const refused = said.refused.text[language()];
    this.card.key = null;
    forget();
    return refused;
  }

  /** Speak for an entrant of this table. Returns why not. */
  sit(entrant) {
    return bind('/event/table/sit', { ...this.card, entrant });
  }

  /** Send the code that is typed. One that is refused comes back, unless another is typed by then. */
  async giveCode({ value: code }) {
    element('#code').value = '';
    this.wrongCode = await bind('/event/table/captain', { code });
    this.draw();
    if (!this.wrongCode || element('#code')?.value !== '') return;
    element('#code').value = code;
    element('#code').select();
  }

  /** Speak for nobody. Throws if the board is away. */
  async leave() {
    await ask('/event/table/leave', {});
    location.reload();
  }

  /** The form for the code of a captain. */
  form() {
    const code = node('input', { id: 'code', inputmode: 'numeric', autocomplete: 'off', maxlength: 12, required: true });
    const form = node('form', { id: 'code-form' }, node('label', { for: 'code' }, say('page.phone.code.of')),
      node('div', { class: 'row' }, code, node('button', { class: 'wide first', id: 'code-do' }, say('page.phone.code.do'))),
      node('p', { class: this.wrongCode && 'wrong', id: 'code-message', role: 'alert' }, this.wrongCode));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.giveCode(code);
    });
    return node('details', { id: 'captain' }, node('summary', {}, say('page.phone.code')), form);
  }

  /** Where nobody may enter anything: who plays where, as the hall's screen says. */
  seating(all) {
    const tables = all.filter(({ table }) => !this.card.table || table === this.card.table);
    if (!tables.length) return null;
    return node('div', { class: 'seats' }, node('h3', {}, say('page.phone.seats')), node('ul', {}, tables.map(({ table, entrants }) => node('li', {},
      node('b', {}, say('page.phone.table', { table })), node('span', {}, say('page.phone.pair', { first: entrants[0].name, second: entrants[1].name }))))));
  }
}

/** The card whose code led here, or was scanned before. Its key does not stay in the address. */
function scanned(here) {
  const key = new URLSearchParams(location.search).get('key');
  try {
    if (key) sessionStorage.setItem(CARD, JSON.stringify({ table: here, key }));
    const before = JSON.parse(sessionStorage.getItem(CARD) ?? 'null');
    if (key) history.replaceState(null, '', location.pathname);
    return before && (!here || before.table === here) ? before : { table: here, key: null };
  } catch {
    return { table: here, key }; // this browser stores nothing
  }
}

function forget() {
  try {
    sessionStorage.removeItem(CARD);
  } catch { /* this browser stores nothing */ }
}

/** Tell the board whom this phone speaks for from now on. Returns why not. */
async function bind(address, asked) {
  try {
    const { status, said } = await ask(address, asked);
    if (status === 200) location.replace('/event/table');
    if (status === 200) return '';
    return status === 429 ? say('page.pin.wait', { n: said.wait }) : said?.refused?.text[language()] ?? say('page.phone.lost');
  } catch {
    return say('page.phone.lost');
  }
}
