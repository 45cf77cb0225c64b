// The members of the club: who is found while an entrant is typed, who is in the list, and "all are here".

import { Combobox, matches, plain } from './desk_combobox.js';
import { act, fill, listen, once } from './desk_lists.js';
import { DeskPart } from './desk_part.js';
import { aloud, element, node, seen } from './nodes.js';
import { ask } from './stream.js';
import { say } from './words.js';

const SHOWN = 100; // names of the list that are drawn; more are found by typing

export class Members extends DeskPart {
  constructor(desk, sheet, { isTeam, mayRegister }) {
    super(desk, sheet);
    this.isTeam = isTeam;
    this.mayRegister = mayRegister;
    this.all = [];
    this.of = ''; // the competition for which the list was asked for last
    const offered = (team) => () => (this.isTeam() === team ? this.away() : []);
    new Combobox(element('#register-name'), offered(false));
    for (const id of ['#register-0', '#register-1']) new Combobox(element(id), offered(true));
    element('#member').addEventListener('submit', (event) => {
      event.preventDefault();
      once('member', () => this.add());
    });
    element('#member-name').addEventListener('input', () => {
      element('#member-message').textContent = '';
      this.draw();
    });
    element('#members').addEventListener('toggle', () => this.draw());
    listen(element('#members'), {
      'all-here': () => this.here(),
      players: async () => {
        if ((await this.change({ do: 'add_players' })).done) element('#member-name').focus();
      },
      member: ({ member }) => this.open(member),
    });
  }

  /** The members who neither play in this competition nor are registered under their name. */
  away() {
    const there = new Set(this.state.entrants.flatMap(({ name, players, shown_as: shown }) => [name, shown, ...players]).map(plain));
    return this.all.filter((name) => !there.has(plain(name)));
  }

  /** Returns the members to tick: those who are not here yet, and have not left. */
  expected() {
    const gone = new Set(this.state.entrants.filter(({ status }) => !['registered', 'absent'].includes(status)).flatMap(({ name, players }) => [name, ...players]).map(plain));
    return this.all.filter((name) => !gone.has(plain(name)));
  }

  /** Fetch the list when another competition is shown: another laptop may have changed it. */
  async render() {
    this.draw();
    const { competition } = this.state;
    if (this.of === competition) return;
    this.of = competition;
    const { status, said } = await ask('/desk/members').catch(() => ({ status: 0, said: null }));
    if (status === 200) this.all = said.members;
    else this.of = '';
    this.draw();
  }

  draw() {
    element('#members-title').textContent = say('page.desk.members.of', { n: this.all.length });
    const known = new Set(this.all.map(plain));
    const players = this.state.entrants.flatMap((entrant) => entrant.players).filter((name) => !known.has(plain(name)));
    const expected = this.expected().length;
    fill(element('#members-acts'),
      this.mayRegister() && !this.isTeam() && expected ? act('all-here', `${say('page.desk.members.here')}…`, {}, 'wide first') : null,
      players.length ? act('players', say('page.desk.members.players', { n: players.length }), {}, 'wide') : null);
    if (!element('#members').open) return;
    const found = matches(this.all, element('#member-name').value);
    fill(element('#members ul'), found.slice(0, SHOWN).map((name) => node('li', { 'data-key': name },
      node('span', { class: 'who' }, name),
      act('member', [seen('span', {}, '⋯'), aloud(say('page.desk.more', { name }))], { member: name }, 'tool dots'))));
  }

  /** Send a change of the list. Returns the answer of the board. */
  async change(request) {
    const answer = await this.desk.post('/desk/members', request);
    if (answer.done) this.all = answer.said.members;
    const line = element('#member-message');
    line.dataset.tone = answer.done ? 'done' : 'wrong';
    line.textContent = !answer.done ? answer.text : answer.said.new.length ? say('page.desk.members.new', { n: answer.said.new.length }) : '';
    this.draw();
    return answer;
  }

  async add() {
    const field = element('#member-name');
    const name = field.value;
    if (!(await this.change({ do: 'add', names: [name] })).done) field.select();
    else if (field.value === name) field.value = '';
    this.draw();
    field.focus();
  }

  open(member) {
    this.sheet.open({
      title: member,
      fields: [{ name: 'name', label: say('page.desk.name'), value: member, first: true, most: 100 }],
      yes: say('page.desk.save'),
      act: ({ name }) => this.change({ do: 'correct', member, name }),
      also: [[say('page.desk.members.remove'), () => this.change({ do: 'remove', member })]],
    });
  }

  /** Tick who is here: all are, at first. */
  here() {
    const names = this.expected();
    const list = node('ul', { class: 'ticks' }, names.map((name, at) => node('li', {}, node('label', { class: 'check' },
      node('input', { type: 'checkbox', value: name, checked: true, 'data-first': at === 0 }), node('span', {}, name)))));
    const boxes = [...list.querySelectorAll('input')];
    const ticked = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);
    this.sheet.open({
      title: say('page.desk.members.here'),
      wide: true,
      about: [node('fieldset', {}, node('legend', {}, say('page.desk.members.tick')), list)],
      watch: () => say('page.desk.season.ticked', { n: ticked().length }),
      yes: say('page.desk.register.do'),
      act: () => (ticked().length ? this.desk.asked('/desk/members/here', { names: ticked() }) : { text: say('page.desk.members.none') }),
      also: [[say('page.desk.members.untick'), () => {
        boxes.forEach((box) => { box.checked = false; });
        list.dispatchEvent(new Event('change', { bubbles: true }));
        return { text: '' };
      }, () => ticked().length > 0]],
    });
  }
}
