// The medals: third, second, first, one by one; what is in the way, and who is level. An opened place cannot be closed.

import { act, fill, listen } from './desk_lists.js';
import { DeskPart } from './desk_part.js';
import { namesOf } from './desk_state.js';
import { node } from './nodes.js';
import { papers } from './desk_papers.js';
import { language, say } from './words.js';

const SHOWN = 8; // obstacles that are named; of more there is a number

export class Medals extends DeskPart {
  constructor(place, desk, sheet, { showAnswer }) {
    super(desk, sheet);
    this.place = place;
    this.showAnswer = showAnswer;
    listen(place, {
      open: ({ place: wanted }) => this.open(Number(wanted)),
      share: ({ entrants }) => this.share(entrants.split(',').map(Number)),
      'play-off': async () => this.showAnswer(await this.desk.draw()),
    });
  }

  render() {
    const { phase, podium, obstacles, level } = this.state;
    fill(this.place, node('div', { class: 'box', 'data-key': 'medals' },
      node('h2', { id: 'medals-title' }, say('page.desk.medals')),
      ['played', 'open'].includes(phase) ? null : node('p', { class: 'note' }, say('page.desk.medals.not_yet')),
      node('ol', { class: 'podium' }, podium.map((place) => this.step(place))),
      phase === 'played' && level.length ? level.map((group) => this.level(group)) : null,
      phase === 'played' && obstacles.length ? this.obstacles(obstacles) : null,
      papers('medals', this.state)));
  }

  /** A step of the podium. Who stands on it is shown once it is open, here too: others may look over the shoulder. */
  step({ place, is_open: opened, is_next: next, entrants }) {
    const name = say(['page.desk.first', 'page.desk.second', 'page.desk.third'][place - 1]);
    return node('li', { 'data-place': place, 'data-opened': opened },
      node('b', { class: 'place' }, name),
      opened ? node('span', { class: 'who' }, entrants.length ? namesOf(this.state, entrants) : say('page.desk.medals.shared'))
        : next ? act('open', `${say('page.desk.open', { place: name })}…`, { place }, 'wide first')
          : node('span', { class: 'note' }, say('page.desk.closed')));
  }

  level({ place, entrants, plays_at: tables }) {
    const mustPlay = this.state.values.level_medals === 'play_off';
    return node('div', { class: 'warning' }, node('p', {}, say('page.desk.level', { place, names: namesOf(this.state, entrants) })),
      tables.length ? node('p', { class: 'note' }, say('page.desk.level.plays', { tables: tables.join(', ') })) : node('p', { class: 'keys' }, act('play-off', say('page.desk.play_off'), {}, mustPlay ? 'wide first' : 'wide'), act('share', `${say('page.desk.share')}`, { entrants: entrants.join() }, 'wide')));
  }

  /** What is in the way, a line each: the games of a match at one table have one. */
  obstacles(found) {
    const all = [...new Set(found.map(({ text }) => text[language()]))];
    return node('div', { class: 'warning' }, node('p', {}, say('page.desk.obstacles', { n: all.length })),
      node('ul', {}, all.slice(0, SHOWN).map((text) => node('li', {}, text)),
        all.length > SHOWN ? node('li', {}, say('page.desk.obstacles.more', { n: all.length - SHOWN })) : null));
  }

  async share(entrants) {
    this.showAnswer(await this.desk.do({ do: 'share_medal', entrants }));
  }

  open(place) {
    const { obstacles } = this.state;
    const seen = this.desk.seen();
    const name = say(['page.desk.first', 'page.desk.second', 'page.desk.third'][place - 1]);
    this.sheet.open({
      title: say('page.desk.open', { place: name }),
      about: [node('p', {}, place === 1 ? say('page.desk.open.all') : say('page.desk.open.then')), obstacles.length ? this.obstacles(obstacles) : null].filter(Boolean),
      fields: obstacles.length ? [{ name: 'reason', label: say('page.desk.open.reason'), wanted: say('page.desk.reason.missing'), first: true }] : [],
      yes: say('page.desk.open', { place: name }),
      act: ({ reason = '' }) => this.desk.do({ do: 'open_place', place, reason }, seen),
      then: () => this.place.querySelector('[data-act="open"]')?.focus(),
    });
  }
}
