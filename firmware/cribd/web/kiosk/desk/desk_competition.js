// The competition itself: begun by a format, and what may be changed while it runs.

import { Competitions } from './desk_competitions.js';
import { act, fill, listen, once } from './desk_lists.js';
import { DeskPart } from './desk_part.js';
import { dayOf, isOn } from './desk_state.js';
import { element, node } from './nodes.js';
import { papers } from './desk_papers.js';
import { ask } from './stream.js';
import { language, say } from './words.js';

/** The values of a format, in a few words. */
export function summary({ values, is_elimination: isElimination }) {
  const { team_size: size, games, meeting, meeting_games: of, movement, ranking, sealed } = values;
  const match = { games: of > 1 ? say('page.desk.format.visit', { n: of }) : '', best_of: say('page.desk.format.best_of', { n: of }), first_to: say('page.desk.format.first_to', { n: of }) }[meeting];
  const order = typeof ranking === 'string' ? ranking.split('+') : ranking;
  return [
    size === 2 ? say('page.desk.format.teams') : say('page.desk.format.players'),
    movement === 'scheduled' ? '' : say(`competition.movement.${movement}`),
    isElimination ? '' : games === 'all' ? say('page.desk.format.all') : say('page.desk.format.games', { n: games }),
    match,
    say('page.desk.format.ranking', { by: order.map((criterion) => say(`competition.criterion.${criterion}`)).join(', ') }),
    isOn(sealed) ? say('page.desk.format.sealed') : '',
  ].filter(Boolean).join(' · ');
}

export class CompetitionPart extends DeskPart {
  /** Calls `lock()` when the organiser logs this browser out, and `showAnswer(answer)` with what became of an act. */
  constructor(desk, sheet, { lock, showAnswer }) {
    super(desk, sheet);
    this.competitions = new Competitions(desk, sheet, { showAnswer });
    this.showAnswer = showAnswer;
    this.formats = [];
    this.board = null; // the table at which this board stands; undefined where there is no board
    this.wanted = false; // a new one, though one is held
    this.of = null; // the competition that is shown
    element('#begin').addEventListener('submit', (event) => {
      event.preventDefault();
      once('begin', () => this.begin());
    });
    element('#formats').addEventListener('change', () => this.choose());
    listen(element('#settings'), {
      lock,
      new: () => this.ask(),
      pause: () => this.pause(),
      resume: () => this.resume(),
      end: () => this.end(),
      tables: () => this.number('set_tables', 'tables', say('page.desk.tables'), this.desk.snapshot.table_count),
      games: () => this.number('set_games', 'games', say('page.desk.games'), this.desk.snapshot.games ?? ''),
      missing: () => this.missing(),
      board: () => this.stand(),
    });
  }

  async fetchFormats() {
    const { status, said } = await ask('/desk/formats');
    this.formats = status === 200 ? said : [];
    element('#begin-own').value ||= `format = "${this.defaultFormat() ?? ''}"\ngames = 6\n`;
    const hasBoard = 'board' in document.documentElement.dataset;
    this.board = hasBoard ? (await ask('/desk/board')).said?.table ?? null : undefined;
    this.drawFormats();
  }

  drawFormats() {
    const chosen = this.chosen() ?? this.defaultFormat();
    const choice = (name, title, description) => node('label', { 'data-key': name },
      node('input', { type: 'radio', name: 'format', value: name, checked: name === chosen }), node('span', {}, node('b', {}, title), node('small', {}, description)));
    const legend = element('#formats legend');
    element('#formats').replaceChildren(legend,
      ...this.formats.map(({ name, values, is_elimination: isElimination, text }) => choice(name, text[language()], summary({ values, is_elimination: isElimination }))),
      choice('', say('page.desk.begin.own'), say('page.desk.begin.own.then')));
    this.choose();
  }

  /** The name of the format that is offered first; undefined before the formats are there. */
  defaultFormat() {
    return this.formats.find(({ is_default: isDefault }) => isDefault)?.name;
  }

  chosen() {
    return element('#formats input:checked')?.value;
  }

  choose() {
    element('#own').hidden = this.chosen() !== '';
  }

  // What is shown

  render() {
    const { competition, phase } = this.state;
    const isThere = competition !== null;
    if (competition !== this.of) this.wanted = false;
    this.of = competition;
    element('#begin').hidden = isThere && !this.wanted && phase !== 'open';
    element('#begin-beside').hidden = !isThere || phase === 'open';
    element('#begin-beside').textContent = isThere ? say('page.desk.begin.beside', { name: this.title() }) : '';
    element('#settings').hidden = false;
    this.competitions.render();
    fill(element('#settings'), isThere ? this.drawHeld() : node('p', { class: 'keys', 'data-key': 'lock' }, act('lock', say('page.pin.lock'), {}, 'wide')));
  }

  title() {
    return this.state.name || say('page.desk.untitled');
  }

  drawHeld() {
    const { date, phase, games, may_set_games: mayChange, table_count: tables, paused, format } = this.state;
    const name = format.split('/')[0];
    const known = this.formats.find((preset) => preset.name === name);
    const row = (words, value, button) => node('li', {}, node('span', {}, words), node('b', {}, value), button);
    const change = (what, words) => act(what, node('span', {}, say('page.desk.change'), node('span', { class: 'unseen' }, ` ${words}`)));
    return node('div', { class: 'box', 'data-key': 'held' },
      node('h2', { id: 'held-title' }, this.title()),
      node('p', { class: 'note' }, [known?.text[language()] ?? format, dayOf(date), say(`competition.phase.${phase}`)].join(' · ')),
      node('p', {}, summary(this.state)),
      node('ul', { class: 'settings' },
        row(say('page.desk.tables'), tables, phase === 'open' ? null : change('tables', say('page.desk.tables'))),
        this.state.is_elimination ? null : row(say('page.desk.games'), games ?? say('page.desk.format.all'), mayChange ? change('games', say('page.desk.games')) : null),
        this.board === undefined ? null : row(say('page.desk.board'), this.board ?? '–', change('board', say('page.desk.board'))),
        phase === 'open' ? null : row(say('page.desk.missing'), this.state.missing === 'zero' ? say('page.desk.missing.zero') : say('page.desk.missing.average'), change('missing', say('page.desk.missing')))),
      node('p', { class: 'keys' },
        ['play', 'played'].includes(phase) ? act(paused ? 'resume' : 'pause', paused ? say('page.desk.resume') : `${say('page.desk.pause')}…`, {}, 'wide') : null,
        phase === 'play' ? act('end', this.state.rounds_left ? `${say('page.desk.end_play')}…` : say('page.desk.end_play'), {}, 'wide') : null,
        phase === 'open' ? null : act('new', `${say('page.desk.begin')}…`, {}, 'wide'),
        act('lock', say('page.pin.lock'), {}, 'wide')),
      papers('competition', this.state));
  }

  // What is done

  async begin() {
    const message = element('#begin-message');
    const name = element('#begin-name').value.trim();
    const tables = element('#begin-tables').value.trim();
    const wrong = this.problem(name, tables);
    if (wrong) {
      message.textContent = wrong.text;
      wrong.field.focus();
      return;
    }
    const answer = await this.desk.begin({ format: this.chosen() || element('#begin-own').value, name, tables: Number(tables) });
    message.textContent = answer.done ? '' : answer.text;
    if (!answer.done) {
      const field = { tables: '#begin-tables', heading: '#begin-name', format: '#begin-own' }[answer.values?.field];
      (field && element(field).offsetParent ? element(field) : element('#begin button')).focus();
      return;
    }
    this.wanted = false;
    element('#begin-name').value = '';
    this.begun();
  }

  /** Returns what a heading lacks, and its field; null where it is complete. */
  problem(name, tables) {
    if (!name) return { text: say('page.desk.begin.nameless'), field: element('#begin-name') };
    const { most_tables: most } = this.state;
    const isRight = /^\d+$/.test(tables) && Number(tables) >= 1 && Number(tables) <= most;
    return isRight ? null : { text: say('page.desk.begin.tables', { label: say('page.desk.tables'), value: tables, most }), field: element('#begin-tables') };
  }

  /** Set by the page: what to show after a new competition was begun. */
  begun() {}

  ask() {
    this.wanted = true;
    this.render();
    element('#begin-name').focus();
    element('#begin').scrollIntoView({ block: 'start' });
  }

  pause() {
    const seen = this.desk.seen();
    this.sheet.open({
      title: say('page.desk.pause'),
      fields: [{ name: 'reason', label: say('page.desk.pause.why'), wanted: say('page.desk.reason.missing'), first: true, ready: [say('page.desk.pause.lunch'), say('page.desk.pause.coffee')] }],
      yes: say('page.desk.pause'),
      act: ({ reason }) => this.desk.do({ do: 'pause', reason }, seen),
    });
  }

  async resume() {
    return this.showAnswer(await this.desk.do({ do: 'resume' }));
  }

  /** End play. Asks first while rounds are left. */
  end() {
    const { rounds_left: left } = this.state;
    if (!left) return this.desk.do({ do: 'end_play' }).then((answer) => this.showAnswer(answer));
    const seen = this.desk.seen();
    this.sheet.open({
      title: say('page.desk.end_play'),
      about: [node('p', {}, this.state.is_elimination ? say('page.desk.end_play.bracket') : say('page.desk.end_play.left', { n: left })), node('p', { class: 'note' }, say('page.desk.end_play.then'))],
      yes: say('page.desk.end_play'),
      act: () => this.desk.do({ do: 'end_play' }, seen),
    });
    return {};
  }

  number(action, field, label, value) {
    const seen = this.desk.seen();
    this.sheet.open({
      title: label,
      fields: [{ name: field, label, kind: 'number', value, first: true }],
      yes: say('page.desk.save'),
      act: (values) => this.desk.do({ do: action, [field]: values[field] }, seen),
    });
  }

  /** At which table of the hall this board stands: it offers the games that are due there. */
  stand() {
    this.sheet.open({
      title: say('page.desk.board'),
      about: [node('p', { class: 'note' }, say('page.desk.board.how'))],
      fields: [{ name: 'table', label: say('page.desk.table'), kind: 'number', value: this.board ?? '', optional: true, first: true }],
      yes: say('page.desk.save'),
      act: async ({ table }) => {
        const answer = await this.desk.post('/desk/board', { table: table === '' ? null : table });
        if (answer.done) this.board = table === '' ? null : table;
        this.render();
        return answer;
      },
    });
  }

  missing() {
    const seen = this.desk.seen();
    const options = ['zero', 'average'].map((value) => [value, say(`competition.missing.${value}`)]);
    this.sheet.open({
      title: say('page.desk.missing'),
      fields: [{ name: 'missing', label: say('page.desk.missing.what'), kind: 'choice', options, value: this.state.missing, first: true }],
      yes: say('page.desk.save'),
      act: ({ missing }) => this.desk.do({ do: 'count_missing', missing }, seen),
    });
  }
}
