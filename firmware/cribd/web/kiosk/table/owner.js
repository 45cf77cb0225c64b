// What the owner does from a phone: undo, names, rules, a new game, a new match, the doctor, off. The result comes with
// the table's next snapshot. An act that would lose something asks first.

import { backup } from './backup.js';
import { Club } from './club.js';
import { doctor } from './doctor.js';
import { element, mark, node } from './nodes.js';
import { Question } from './question.js';
import { ask } from './stream.js';
import { language, say } from './words.js';

const LONGEST = 20;

export class Tools {
  /** Calls `shut()` when this phone may act no more, and `lock()` when the owner logs it out. */
  constructor(place, { shut, lock }) {
    this.place = place;
    this.shut = shut;
    this.lock = lock;
    this.rules = null;
    this.learnt = null; // the rules of the next game at the time when the choices were fetched
    this.snapshot = null;
    this.typed = false; // whether there are names that were not sent yet
    this.last = /** @type {Promise<any>} */ (Promise.resolve()); // what is sent, one act after the other
    this.sure = new Sure(element('#sure'));
    this.club = new Club((act) => this.send({ do: 'club', ...act }, '', '#club-message'));
  }

  /** Draw everything, in the language of the page. */
  draw() {
    const tool = (id, words, ...inside) => node('section', { class: 'tool-box', 'aria-labelledby': id }, node('h2', { id }, words), ...inside);
    const button = (id, words, act) => {
      const made = node('button', { type: 'button', class: 'wide', id }, words);
      made.addEventListener('click', act);
      return made;
    };
    const names = node('form', { id: 'names' });
    const rules = node('form', { id: 'rules' });
    names.addEventListener('submit', (event) => this.giveNames(event));
    names.addEventListener('input', () => {
      this.typed = true;
      this.tell('#names-message', '');
    });
    rules.addEventListener('input', () => this.tell('#rules-message', ''));
    rules.addEventListener('submit', (event) => this.giveRules(event));
    this.place.replaceChildren(
      tool('do-undo', say('page.owner.undo'), node('p', { id: 'undo-what' }), button('undo', say('page.owner.undo.do'), () => this.undo()), this.answer('undo-message')),
      tool('do-names', say('page.owner.names'), names, this.answer('names-message')),
      tool('do-rules', say('page.owner.rules'), node('p', { id: 'rules-now', class: 'note' }), rules, this.answer('rules-message')),
      tool('do-new', say('page.owner.new_game'), node('p', { id: 'new-what' }), button('new-game', say('page.owner.new_game.do'), () => this.newGame()), this.answer('new-message')),
      tool('do-match', say('page.owner.new_match'), node('p', { id: 'match-what' }), button('new-match', say('page.owner.new_match.do'), () => this.newMatch()), this.answer('match-message')),
      this.club.box(),
      backup(this.shut),
      doctor(this.shut),
      tool('do-off', say('page.owner.off'), node('p', {}, say('page.owner.off.what')), button('switch-off', say('page.owner.off.do'), () => this.switchOff()), this.answer('off-message')),
      button('lock', say('page.pin.lock'), this.lock),
    );
    this.typed = false;
    this.drawRules();
    if (this.snapshot) this.look(this.snapshot);
  }

  /** The place below a button where the answer to it is written. */
  answer(id) {
    return node('p', { id, class: 'told', role: 'alert' });
  }

  /** Note that this phone is logged out. */
  close() {
    this.place.replaceChildren();
    this.sure.dialog.close();
  }

  /** Take a new snapshot. Anything being typed or chosen stays. */
  look(snapshot) {
    this.snapshot = snapshot;
    if (!element('#names')) return;
    const words = snapshot.text[language()];
    element('#undo').setAttribute('aria-disabled', String(!this.mayUndo()));
    element('#undo-what').textContent = this.mayUndo() ? say('page.owner.undo.what', { what: words.undo }) : say('page.owner.undo.nothing');
    element('#new-what').textContent = [this.isUnderWay() ? say('page.owner.new_game.breaks') : say('page.owner.new_game.how'),
      snapshot.match.ends.length ? this.whatEnds() : ''].join(' ').trim();
    element('#new-match').setAttribute('aria-disabled', String(!this.standing()));
    element('#match-what').textContent = this.standing() ? say('page.owner.match.stands', { totals: this.standing() }) : say('page.owner.match.none');
    this.drawPlayed();
    this.drawNames();
    this.club.look(snapshot);
    this.sure.look(snapshot);
    const rules = [snapshot.next, words.rules].join();
    if (this.learnt === rules) return;
    this.learnt = rules;
    this.learnRules().catch(() => { this.learnt = null; });
  }

  mayUndo() {
    return !this.snapshot.lobby && Boolean(this.snapshot.text[language()].undo);
  }

  isUnderWay() {
    const { lobby, view } = this.snapshot;
    return Boolean(view) && view.winner === null && lobby !== 'start';
  }

  /** The score of the match that the next game would continue or end: 2–0. Empty without a match. */
  standing() {
    const { points, ends, over } = this.snapshot.match;
    const totals = ends.length ? ends : points;
    return over || !totals.some(Boolean) ? '' : totals.join('–');
  }

  // Names: of the next game, and of the one under way where the owner has named its sides

  drawNames() {
    const names = this.snapshot.next_names;
    const form = element('#names');
    const isDrawn = form.querySelectorAll('input').length === names.length;
    if (this.typed && isDrawn) return;
    if (!isDrawn) {
      form.replaceChildren(
        ...names.map((_, side) => node('p', { 'data-side': side }, node('label', { for: `name-${side}` }, mark(), say(`side.${side}`)),
          node('input', { id: `name-${side}`, maxlength: LONGEST, autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'done' }))),
        node('button', { class: 'wide' }, say('page.owner.names.do')),
      );
      this.typed = false;
    }
    names.forEach((name, side) => { element(`#name-${side}`).value = name; });
  }

  async giveNames(event) {
    event.preventDefault();
    const typed = () => [...element('#names').querySelectorAll('input')].map((field) => field.value.trim());
    const names = typed();
    const given = names.filter(Boolean).map((name) => name.toLocaleLowerCase());
    const alike = new Set(given).size < given.length;
    if (alike) {
      this.tell('#names-message', say('page.owner.names.alike'), 'wrong');
      return;
    }
    const others = this.othersPlay(names) ? await this.askWhoPlays() : 'nobody';
    if (!others) return;
    const act = others === 'same' ? { do: 'names', names, same_players: true } : { do: 'names', names };
    const done = await this.send(act, say('page.owner.names.done'), '#names-message');
    if (done && String(typed()) === String(names)) this.typed = false; // else somebody has typed on
  }

  /** Whether a name differs from the match's player in the same place. */
  othersPlay(names) {
    const alike = (one, other) => one.toLocaleLowerCase() === other.toLocaleLowerCase();
    return Boolean(this.standing()) && this.snapshot.match.players.some((old, side) => old && names[side] && !alike(old, names[side]));
  }

  askWhoPlays() {
    return this.sure.ask(null, {
      what: say('page.owner.names.who'), then: this.whatEnds(), yes: say('page.owner.names.others'), same: say('page.owner.names.same'), no: say('page.owner.names.keep'),
    });
  }

  whatEnds() {
    return say('page.owner.match.ends', { totals: this.standing() });
  }

  // Rules

  async learnRules() {
    const { said } = await ask('/table/rules');
    this.rules = said ?? this.rules;
    if (!said) this.learnt = null; // the board is busy: try again with the next snapshot
    this.drawRules();
  }

  /** The rules of the game under way. */
  drawPlayed() {
    const played = this.isUnderWay() && this.rules?.rules.find(({ label }) => label === this.snapshot.view.rules);
    element('#rules-now').textContent = played ? say('page.owner.rules.played', { rules: played.name[language()] }) : '';
  }

  drawRules() {
    const form = element('#rules');
    if (!form || !this.rules) return;
    if (this.snapshot) this.drawPlayed();
    form.replaceChildren(
      node('fieldset', {}, node('legend', { class: 'unseen' }, say('page.owner.rules')),
        this.rules.rules.map(({ label, name, players, target }) => node('label', {},
          node('input', { type: 'radio', name: 'rules', value: label, checked: label === this.rules.next }),
          node('span', {}, name[language()], node('small', {}, say('page.owner.rules.of', { players, target })))))),
      node('button', { class: 'wide' }, say('page.owner.rules.do')),
    );
  }

  async giveRules(event) {
    event.preventDefault();
    const rules = new FormData(element('#rules')).get('rules');
    const { match, next } = this.snapshot;
    if (this.standing() && rules !== match.rules && rules !== next) {
      const sure = await this.sure.ask(null, { what: say('page.owner.rules.sure'), then: this.whatEnds(), yes: say('page.owner.rules.do'), no: say('page.owner.leave') });
      if (!sure) return;
    }
    if (rules) await this.send({ do: 'rules', rules }, say('page.owner.rules.done'), '#rules-message');
  }

  // Acts that lose something

  async undo() {
    if (!this.mayUndo()) return;
    const { number } = this.snapshot.view;
    const what = this.snapshot.text[language()].undo;
    const sure = await this.sure.ask(number, {
      what: say('page.owner.undo.sure', { what }), then: say('page.owner.undo.then'), yes: say('page.owner.undo'), no: say('page.owner.leave'),
    });
    if (sure) await this.send({ do: 'undo', number }, say('page.owner.undo.done'), '#undo-message');
  }

  async newGame() {
    const sure = await this.sure.ask(null, {
      what: say('page.owner.new_game.sure'), then: element('#new-what').textContent, yes: say('page.owner.new_game'), no: say('page.owner.leave'),
    });
    if (sure) await this.send({ do: 'new_game' }, say('page.owner.new_game.done'), '#new-message');
  }

  async newMatch() {
    if (!this.standing()) return;
    const then = [element('#match-what').textContent, this.isUnderWay() ? say('page.owner.new_game.breaks') : ''].join(' ').trim();
    const sure = await this.sure.ask(null, { what: say('page.owner.new_match.sure'), then, yes: say('page.owner.new_match'), no: say('page.owner.leave') });
    if (sure) await this.send({ do: 'new_match' }, say('page.owner.new_match.done'), '#match-message');
  }

  async switchOff() {
    const sure = await this.sure.ask(null, {
      what: say('page.owner.off.sure'), then: say('page.owner.off.what'), yes: say('page.owner.off'), no: say('page.owner.leave'),
    });
    if (sure) await this.send({ do: 'switch_off' }, say('page.owner.off.done'), '#off-message');
  }

  /** Send an act after those before it. Returns whether the table got it. Its result is written at `place`.
   *  @returns {Promise<boolean>} */
  send(act, done, place) {
    for (const message of this.place.querySelectorAll('.told')) this.tell(`#${message.id}`, '');
    this.last = this.last.then(() => this.post(act, done, place));
    return this.last;
  }

  async post(act, done, place) {
    try {
      const { status } = await ask('/table/owner', act);
      if (status === 403) await this.shut();
      else this.tell(place, status === 204 ? done : say('page.owner.wrong'), status === 204 ? 'done' : 'wrong');
      return status === 204;
    } catch {
      this.tell(place, say('page.away'), 'wrong');
      return false;
    }
  }

  tell(place, text, tone = '') {
    element(place).textContent = text;
    element(place).dataset.tone = tone;
  }
}

/** Asks before something is lost. If the game goes on meanwhile it asks again: the answer was for what was seen. */
class Sure extends Question {
  number = null;

  /** Returns `yes`, `same` if that is offered, or nothing. `number` is that of the game as it was seen; null
   *  where it does not matter. */
  ask(number, { same = '', ...words }) {
    this.number = number;
    element('#sure-same').hidden = !same;
    return super.ask({ same, ...words });
  }

  look({ view }) {
    if (this.dialog.open && this.number !== null && view?.number !== this.number) this.dialog.close();
  }
}
