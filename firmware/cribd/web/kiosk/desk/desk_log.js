// The log: what was done, the newest first; what was taken back is struck through and stays.

import { fill, act, listen } from './desk_lists.js';
import { timeOf } from './desk_state.js';
import { node } from './nodes.js';
import { ask } from './stream.js';
import { language, say } from './words.js';

export class Log {
  constructor(place, desk, { undo }) {
    this.place = place;
    this.desk = desk;
    this.lines = [];
    this.of = ''; // the competition and number of events that the lines are of
    listen(place, { undo });
  }

  render() {
    const { competition, events } = this.desk.snapshot;
    const now = `${competition}/${events}`;
    if (this.of !== now) this.fetchLog(now).catch(() => { this.of = ''; });
    this.draw();
  }

  async fetchLog(now) {
    this.of = now;
    const { status, said } = await ask('/desk/log');
    if (status !== 200) throw new Error(`${status}`);
    this.lines = said;
    this.draw();
  }

  draw() {
    const { undo } = this.desk.snapshot;
    fill(this.place, node('div', { class: 'box', 'data-key': 'log' },
      node('h2', { id: 'log-title' }, say('page.desk.log')),
      undo ? node('p', { class: 'keys' }, act('undo', `↶ ${say('page.desk.undo.what', { what: undo.text[language()] })}`, {}, 'wide')) : null,
      node('p', { class: 'note' }, say('page.desk.undo.then')),
      node('ol', { class: 'lines', reversed: true }, [...this.lines].reverse().map(({ number, at, text, undone }) => node('li', { value: number, class: undone ? 'undone' : null },
        node('time', { datetime: at }, timeOf(at)),
        undone ? node('span', {}, node('s', {}, text[language()]), ' ', node('em', {}, say('page.desk.undone'))) : node('span', {}, text[language()]))))));
  }
}
