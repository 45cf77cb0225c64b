// The competitions of the board: how each stands, which one is the current one, and which a season ranks.

import { act, fill, listen } from './desk_lists.js';
import { dayOf } from './desk_state.js';
import { aloud, element, node } from './nodes.js';
import { ask } from './stream.js';
import { language, say } from './words.js';

const competitionName = ({ name, competition }) => name || say('page.desk.events.number', { n: competition });
const stateOf = ({ phase }) => (phase ? say(`competition.phase.${phase}`) : say('page.desk.events.damaged'));

export class Competitions {
  /** Calls `showAnswer(answer)` with what became of a switch. */
  constructor(desk, sheet, { showAnswer }) {
    this.desk = desk;
    this.sheet = sheet;
    this.all = [];
    this.of = ''; // the state of the current competition that the list has
    listen(element('#competitions'), {
      switch: async ({ competition }) => {
        if (showAnswer(await desk.post('/desk/switch', { competition: Number(competition) })).done) element('#steps button')?.focus();
      },
    });
    listen(element('#standings'), { season: () => this.season() });
  }

  async fetchCompetitions() {
    const { status, said } = await ask('/desk/competitions');
    if (status === 200) this.all = said;
  }

  /** Draw the list, and ask for it anew where the current competition has changed. */
  async render() {
    this.draw();
    const { competition, phase, damaged } = this.desk.snapshot;
    const now = JSON.stringify([competition, phase, damaged?.number]);
    if (now === this.of) return;
    this.of = now;
    await this.fetchCompetitions().catch(() => { this.of = ''; });
    this.draw();
  }

  draw() {
    const current = this.desk.snapshot.competition;
    element('#competitions').hidden = !this.all.some(({ competition }) => competition !== current);
    fill(element('#competitions ul'), [...this.all].reverse().map((listed) => node('li', { 'data-key': listed.competition, 'aria-current': listed.competition === current ? 'true' : null },
      node('span', { class: 'number' }, listed.competition),
      node('span', { class: 'who' }, node('b', {}, competitionName(listed)), node('small', {}, [listed.date ? dayOf(listed.date) : '', stateOf(listed)].filter(Boolean).join(' · '))),
      listed.competition === current ? node('span', { class: 'badge' }, say('page.desk.events.current')) : null,
      listed.competition !== current && listed.phase ? act('switch', [say('page.desk.events.switch'), aloud(` ${competitionName(listed)}`)], { competition: listed.competition }) : null)));
  }

  /** Ask which competitions a season ranks, and offer its sheet and its file. */
  async season() {
    await this.fetchCompetitions().catch(() => {});
    const finished = this.all.filter(({ phase }) => phase === 'open');
    if (!finished.length) {
      this.sheet.open({ title: say('page.desk.paper.season'), about: [node('p', {}, say('page.desk.season.none'))] });
      return;
    }
    const sheet = node('a', { class: 'tool', target: '_blank', 'data-name': 'season.html' }, say('page.desk.season.print'));
    const file = node('a', { class: 'tool', download: true, 'data-name': 'season.csv' }, say('page.desk.season.file'));
    const count = node('p', { class: 'note', role: 'status' });
    const title = node('input', { id: 'season-title', maxlength: 60, autocomplete: 'off' });
    const list = node('ul', { class: 'ticks long' }, finished.map((listed, at) => node('li', {}, node('label', { class: 'check' },
      node('input', { type: 'checkbox', value: listed.competition, checked: true, 'data-first': at === 0 }),
      node('span', {}, [competitionName(listed), listed.date ? dayOf(listed.date) : ''].filter(Boolean).join(' · '))))));
    const look = () => {
      const events = [...list.querySelectorAll(':checked')].map(({ value }) => value);
      count.textContent = say('page.desk.season.ticked', { n: events.length });
      for (const link of [sheet, file]) {
        link.toggleAttribute('hidden', !events.length);
        link.href = `/desk/season/${link.dataset.name}?${new URLSearchParams({ language: language(), events: events.join(','), title: title.value.trim() })}`;
      }
    };
    this.sheet.open({
      title: say('page.desk.paper.season'),
      about: [
        node('p', {}, node('label', { for: 'season-title' }, say('page.desk.season.title')), title),
        node('fieldset', {}, node('legend', {}, say('page.desk.season.events')), list), count, node('p', { class: 'papers' }, sheet, file),
      ],
    });
    title.addEventListener('input', look);
    list.addEventListener('change', look);
    look();
  }
}
