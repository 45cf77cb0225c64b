// Entrants: registered at the door or from a file, checked in, and whatever becomes of them.

import { inTurn } from './desk_acts.js';
import { plain } from './desk_combobox.js';
import { act, fill, listen, once } from './desk_lists.js';
import { Members } from './desk_members.js';
import { DeskPart } from './desk_part.js';
import { seed } from './desk_seeds.js';
import { entrantName, present } from './desk_state.js';
import { element, node } from './nodes.js';
import { papers } from './desk_papers.js';
import { language, say } from './words.js';

const REGISTER = ['#register-name', '#register-0', '#register-1'];
const LATER_MS = 400; // a file is looked at when nobody has typed for so long

export class Entrants extends DeskPart {
  constructor(desk, sheet, outbox) {
    super(desk, sheet);
    this.outbox = outbox;
    this.members = new Members(desk, sheet, { isTeam: () => this.isTeam(), mayRegister: () => this.mayRegister() });
    this.sending = []; // names that are on their way
    this.arriving = new Set(); // numbers of entrants whose check-in is on its way
    this.later = 0;
    this.codes = new Map(); // of the captains, by entrant
    this.codesOf = '';
    this.registered = ''; // the last name, of which the form says that it is registered
    element('#register').addEventListener('submit', (event) => {
      event.preventDefault();
      this.register();
    });
    element('#csv-file').addEventListener('change', (event) => this.readFile(event.target));
    element('#csv-text').addEventListener('input', () => {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.preview(), LATER_MS);
    });
    element('#csv-take').addEventListener('click', () => once('csv', () => this.takeFile()));
    element('#find-name').addEventListener('input', () => this.drawList());
    element('#find-name').addEventListener('keydown', (event) => this.findKey(event));
    listen(element('#entrants'), {
      here: ({ entrant }) => this.arrive(Number(entrant), entrantName(this.state, entrant)),
      more: ({ entrant }) => this.open(Number(entrant)),
      seeds: () => seed(this.desk, this.sheet),
    });
  }

  isTeam() {
    return this.state.values.team_size === 2;
  }

  mayRegister() {
    return ['registration', 'play'].includes(this.state.phase);
  }

  render() {
    element('#register').hidden = element('#csv').hidden = !this.mayRegister();
    for (const field of document.querySelectorAll('.of-team')) field.hidden = !this.isTeam();
    element('#register-of').textContent = this.isTeam() ? say('page.desk.team') : say('page.desk.name');
    const all = this.state.entrants.length;
    if (this.registered && !this.state.entrants.some(({ name }) => name === this.registered)) { // it was taken back
      this.registered = '';
      element('#register-message').textContent = '';
    }
    element('#entrants-title').textContent = say('page.desk.entrants.of', { n: all, here: present(this.state).length });
    element('#find').hidden = all < 2;
    this.drawList();
    this.members.render();
    this.learnCodes();
    const seeds = this.state.phase === 'registration' && this.state.is_elimination && all > 1;
    fill(element('#entrants .paper'), all ? papers('entrants', this.state) : null);
    fill(element('#seeds'), seeds ? act('seeds', `${say('page.desk.seeds')}…`) : null);
  }

  // At the door

  /** Send what is typed, and empty the form for the next one. */
  async register() {
    const message = element('#register-message');
    const typed = this.typed();
    const [name, ...players] = typed.texts.map((text) => text.trim());
    const [here, guest] = typed.ticks;
    this.fillIn({ texts: ['', '', ''], ticks: [here, false] });
    element('#register-name').focus();
    this.sending.push(name);
    this.drawSending();
    const { competition } = this.state;
    const action = { do: 'register', name, players: this.isTeam() ? players.filter(Boolean) : [], part: guest ? 'guest' : 'ranked' };
    const work = () => inTurn(
      () => this.desk.do(action, this.desk.seen(competition)),
      () => (here ? this.arriveAs(name, competition) : { done: true }),
    );
    const isThere = () => element('#register-name').offsetParent !== null;
    const answer = await this.outbox.send({ what: name, work, back: (why) => this.putBack(typed, why), isThere });
    this.sending.splice(this.sending.indexOf(name), 1);
    if (answer.done) this.registered = name;
    if (this.sending.length) this.drawSending();
    else if (answer.done) {
      message.dataset.tone = 'done';
      message.textContent = say('page.desk.register.done', { name });
    } else if (message.dataset.tone === 'done') message.textContent = '';
  }

  /** Returns what is typed in the form for registrations. */
  typed() {
    return { texts: REGISTER.map((id) => element(id).value), ticks: [element('#register-here').checked, element('#register-guest').checked] };
  }

  fillIn({ texts, ticks }) {
    REGISTER.forEach((id, at) => { element(id).value = texts[at]; });
    [element('#register-here').checked, element('#register-guest').checked] = ticks;
  }

  /** Put a registration that was refused back into the form. Another that stands there is laid aside. */
  putBack(typed, { code, text }) {
    const now = this.typed();
    if (now.texts.some(Boolean)) this.outbox.park({ what: now.texts[0], back: (why) => this.putBack(now, why) });
    this.fillIn(typed);
    element('#register-message').dataset.tone = 'wrong';
    element('#register-message').textContent = text;
    const fields = REGISTER.map(element);
    const wrong = code === 'wrong_team_size' ? fields.slice(1).find(({ value }) => !value.trim()) ?? fields[1] : fields[0];
    wrong.focus();
    wrong.select();
  }

  drawSending() {
    const message = element('#register-message');
    message.dataset.tone = 'done';
    message.textContent = say('page.desk.register.sending', { names: this.sending.join(', ') });
  }

  /** Check in who has just been registered. Another desk may have registered somebody in between. */
  async arriveAs(name, competition) {
    const registered = () => this.state.entrants.findLast((entrant) => entrant.name === name)?.number;
    if (!registered()) await this.desk.refresh();
    return this.desk.do({ do: 'check_in', entrant: registered() ?? this.state.entrants.length }, this.desk.seen(competition));
  }

  /** Check in an entrant; `typed` is what stood in the field. */
  async arrive(entrant, typed) {
    const field = element('#find-name');
    this.arriving.add(entrant);
    const { competition, entrants } = this.state;
    const { captain } = entrants[entrant - 1];
    const answer = await this.outbox.send({
      what: entrantName(this.state, entrant),
      work: () => this.desk.do({ do: 'check_in', entrant, captain }, this.desk.seen(competition)),
      isThere: () => field.offsetParent !== null,
      back: ({ text }) => {
        field.value = typed;
        element('#find-message').textContent = text;
        field.focus();
        field.select();
        this.drawList();
      },
    });
    this.arriving.delete(entrant);
    if (answer.done) element('#aloud').textContent = say('page.desk.checked_in', { name: entrantName(this.state, entrant) });
    this.drawList();
  }

  // The list

  shown() {
    const wanted = plain(element('#find-name').value.trim());
    return this.state.entrants.filter(({ number, name, players }) => String(number) === wanted || plain([name, ...players].join(' ')).includes(wanted));
  }

  drawList() {
    fill(element('#entrant-list'), this.shown().map((entrant) => this.line(entrant)));
  }

  /** Ask for the codes with which the captains' phones may call an official, after each change of a captain. */
  async learnCodes() {
    const { competition, entrants, values } = this.state;
    const captains = values.captain_only === 'on' ? JSON.stringify([competition, entrants.map(({ status, captain }) => [status, captain])]) : '';
    if (captains === this.codesOf) return;
    this.codesOf = captains;
    const answer = captains ? await fetch('/desk/phones').catch(() => null) : null;
    if (captains !== this.codesOf) return;
    this.codes = new Map(answer?.ok ? (await answer.json()).entrants.map(({ entrant, code }) => [entrant, code]) : []);
    if (!answer?.ok) this.codesOf = '';
    this.drawList();
  }

  line({ number, name, players, captain, status, part, hands, shown_as: shown }) {
    const here = status === 'present' || this.arriving.has(number);
    const people = [
      this.isTeam() ? playersOf({ players, captain }) : '',
      here && this.codes.has(number) ? say('page.desk.captain.code', { code: this.codes.get(number) }) : '',
      shown ? say('page.desk.shown_as', { name: shown }) : '',
      hands.length ? say('page.desk.hands', { hands: hands.join(', ') }) : '',
    ].filter(Boolean).join(' · ');
    const says = status === 'registered' ? say('page.desk.expected') : say(`competition.status.${status}`);
    return node('li', { 'data-key': number, 'data-status': status },
      node('span', { class: 'number' }, number),
      node('span', { class: 'who' }, node('b', {}, name), people ? node('small', {}, people) : null),
      node('span', { class: 'badges' }, part === 'guest' ? node('span', { class: 'badge' }, say('page.desk.guest.short')) : null, node('span', { class: 'badge', 'data-is': status }, says)),
      !here && status !== 'disqualified' && this.mayRegister() ? act('here', node('span', {}, say('page.desk.check_in'), node('span', { class: 'unseen' }, ` ${name}`)), { entrant: number }, 'tool first') : null,
      act('more', node('span', {}, node('span', { 'aria-hidden': 'true' }, '⋯'), node('span', { class: 'unseen' }, say('page.desk.more', { name }))), { entrant: number }, 'tool dots'));
  }

  /** On Enter, check in the first entrant shown who is not here yet, and empty the field for the next. */
  findKey(event) {
    const field = event.target;
    if (event.key === 'Escape') field.value = '';
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const typed = field.value.trim();
    if (!typed) return;
    const [first] = this.shown().filter(({ number, status }) => ['registered', 'absent'].includes(status) && !this.arriving.has(number));
    element('#find-message').textContent = first ? '' : say('page.desk.find.nobody', { name: typed });
    if (first) {
      field.value = '';
      this.arrive(first.number, typed);
    } else field.select();
    this.drawList();
  }

  // One of them

  open(number) {
    const entrant = this.state.entrants[number - 1];
    const { name, players, captain, status } = entrant;
    const seen = this.desk.seen();
    const kinds = [
      this.isTeam() && status !== 'disqualified' && this.mayRegister() ? ['captain', say('page.desk.do.captain')] : null,
      ['rename', say('page.desk.do.rename')],
      this.state.phase === 'open' ? null : ['show', say('page.desk.do.show')],
      this.state.phase === 'open' ? null : ['substitute', say('page.desk.do.substitute')],
      this.state.phase === 'open' ? null : ['penalise', say('page.desk.do.penalise')],
      this.state.phase === 'open' ? null : ['hand', say('page.desk.do.hand')],
      ...this.departures(status),
    ].filter((kind) => kind !== null);
    const menu = node('ul', { class: 'menu' }, kinds.map(([kind, words]) => node('li', {}, act(kind, words, {}, 'wide'))));
    listen(menu, Object.fromEntries(kinds.map(([kind]) => [kind, () => this.about(kind, number, seen)])));
    const people = players.length > 1 ? playersOf({ players, captain }) : '';
    this.sheet.open({ title: name, about: [people ? node('p', { class: 'note' }, people) : null, menu].filter(Boolean) });
    menu.querySelector('button').focus();
  }

  departures(status) {
    if (status === 'disqualified' || this.state.phase === 'open') return [];
    return [
      status === 'absent' ? null : ['absent', say('page.desk.do.absent')],
      status === 'left' ? null : ['left', say('page.desk.do.left')],
      ['disqualified', say('page.desk.do.disqualify')],
    ];
  }

  about(kind, entrant, seen) {
    const { name, players, captain, shown_as: shown } = this.state.entrants[entrant - 1];
    const reason = { name: 'reason', label: say('page.desk.reason'), wanted: say('page.desk.reason.missing') };
    const who = players.map((player, at) => [String(at), player]);
    const depart = (status, label) => ({
      title: `${name} · ${label}`, fields: [{ ...reason, wanted: status === 'absent' ? '' : reason.wanted, first: true }], yes: label,
      act: (values) => this.desk.do({ do: 'depart', entrant, status, reason: values.reason }, seen),
    });
    this.sheet.open({
      captain: () => ({
        title: `${name} · ${say('page.desk.do.captain')}`, yes: say('page.desk.do.captain'),
        fields: [{ name: 'captain', label: say('page.desk.captain'), kind: 'choice', options: who, value: String(captain), first: true }],
        act: (values) => this.desk.do({ do: 'check_in', entrant, captain: Number(values.captain) }, seen),
      }),
      rename: () => ({
        title: `${name} · ${say('page.desk.do.rename')}`, yes: say('page.desk.do.rename'),
        fields: [
          { name: 'name', label: this.isTeam() ? say('page.desk.team') : say('page.desk.name'), value: name, first: true, most: 60 },
          ...(this.isTeam() ? players.map((player, at) => ({ name: `player-${at}`, label: say('page.desk.player', { number: at + 1 }), value: player, most: 60 })) : []),
        ],
        act: (values) => this.rename(entrant, { name, players: this.isTeam() ? players : [] }, values, seen),
      }),
      show: () => ({
        title: `${name} · ${say('page.desk.do.show')}`, yes: say('page.desk.save'),
        about: [node('p', { class: 'note' }, say('page.desk.do.show.how'))],
        fields: [{ name: 'name', label: say('page.desk.do.show'), value: shown, first: true, most: 60 }],
        act: (values) => this.desk.do({ do: 'show_as', entrant, name: values.name }, seen),
      }),
      substitute: () => ({
        title: `${name} · ${say('page.desk.do.substitute')}`, yes: say('page.desk.do.substitute'),
        fields: [
          ...(who.length > 1 ? [{ name: 'player', label: say('page.desk.do.substitute.who'), kind: 'choice', options: who, value: '0', first: true }] : []),
          { name: 'name', label: say('page.desk.do.substitute.by'), most: 60, first: who.length < 2 }, reason,
        ],
        act: (values) => this.desk.do({ do: 'substitute', entrant, player: Number(values.player ?? 0), name: values.name, reason: values.reason }, seen),
      }),
      penalise: () => ({
        title: `${name} · ${say('page.desk.do.penalise')}`, yes: say('page.desk.do.penalise'),
        fields: [{ name: 'points', label: say('page.desk.do.penalise.points'), kind: 'number', first: true }, reason],
        act: (values) => this.desk.do({ do: 'penalise', entrant, points: values.points, reason: values.reason }, seen),
      }),
      hand: () => ({
        title: `${name} · ${say('page.desk.do.hand')}`, yes: say('page.desk.do.hand'),
        fields: [{ name: 'points', label: say('page.desk.do.hand.points'), kind: 'choice', options: [['28', '28'], ['29', '29']], value: '28', first: true }],
        act: (values) => this.desk.do({ do: 'note_hand', entrant, points: Number(values.points) }, seen),
      }),
      absent: () => depart('absent', say('page.desk.do.absent')),
      left: () => depart('left', say('page.desk.do.left')),
      disqualified: () => depart('disqualified', say('page.desk.do.disqualify')),
    }[kind]());
  }

  /** Send the names that were changed. */
  rename(entrant, was, values, seen) {
    const acts = was.players.map((player, at) => [player, { do: 'rename_player', entrant, player: at, name: values[`player-${at}`] }]);
    const changed = [[was.name, { do: 'rename', entrant, name: values.name }], ...acts].filter(([before, { name }]) => name !== before);
    if (!changed.length) return { text: say('page.desk.do.rename.same') };
    return inTurn(...changed.map(([, change], at) => () => this.desk.do(change, at ? this.desk.seen() : seen)));
  }

  // A file

  async readFile(field) {
    const [file] = field.files;
    if (!file) return;
    element('#csv-text').value = decoded(await file.arrayBuffer());
    field.value = ''; // the same file may be chosen again
    await this.preview();
  }

  async preview() {
    const text = element('#csv-text').value;
    const answer = text.trim() ? await this.desk.post('/desk/csv', text, 'text/csv') : null;
    if (text !== element('#csv-text').value) return; // somebody typed on
    this.drawPreview(answer);
  }

  drawPreview(answer) {
    const { rows = [], problems = [], left_out: left = [] } = answer?.said ?? {};
    const out = left.length ? say('page.desk.csv.left_out', { columns: left.join(', ') }) : '';
    element('#csv-message').textContent = answer && !answer.done ? answer.text : out;
    element('#csv-message').dataset.tone = answer?.done ? '' : 'wrong';
    fill(element('#csv-problems'), problems.map((problem, at) => node('li', { 'data-key': at }, problem.text[language()])));
    const head = [say('page.desk.csv.line'), this.isTeam() ? say('page.desk.team') : say('page.desk.name'), this.isTeam() ? say('page.desk.players') : null].filter(Boolean);
    element('#csv-rows').replaceChildren(...(rows.length ? [node('table', {},
      node('thead', {}, node('tr', {}, head.map((words) => node('th', { scope: 'col' }, words)))),
      node('tbody', {}, rows.map(({ line, name, players, captain, part }) => node('tr', {},
        node('td', {}, line),
        node('td', {}, part === 'guest' ? `${name} (${say('page.desk.guest.short')})` : name),
        this.isTeam() ? node('td', {}, playersOf({ players, captain })) : null))))] : []));
    element('#csv-take').hidden = !rows.length || problems.length > 0;
    element('#csv-take').textContent = say('page.desk.csv.take', { n: rows.length });
  }

  async takeFile() {
    const { competition } = this.state;
    const text = element('#csv-text').value;
    const answer = await this.desk.post(`/desk/csv/confirm?competition=${competition}`, text, 'text/csv');
    if (text !== element('#csv-text').value) return; // somebody typed on
    if (!answer.done) {
      this.drawPreview(answer);
      return;
    }
    element('#csv-text').value = '';
    this.drawPreview(null);
    element('#csv-message').textContent = say('page.desk.csv.taken');
    element('#csv-message').dataset.tone = 'done';
    element('#csv').open = false;
    element('#find-name').focus();
  }
}

/** The players in words, with the captain named so. */
const playersOf = ({ players, captain }) => players.map((player, at) => (at === captain ? say('page.desk.captain.of', { name: player }) : player)).join(', ');

/** The text of a file: UTF-8, UTF-16 with a mark, or else Windows-1252. */
function decoded(bytes) {
  const [first, second] = new Uint8Array(bytes);
  const marked = (first === 0xff && second === 0xfe) ? 'utf-16le' : (first === 0xfe && second === 0xff) ? 'utf-16be' : null;
  try {
    return new TextDecoder(marked ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
