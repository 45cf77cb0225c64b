// The round: who sits where, who rests and who waits; how a round is drawn, started and cancelled; and what becomes of
// entrants and games that do not fit.

import { learnTime, minuteIn } from './board_time.js';
import { inTurn } from './desk_acts.js';
import { act, fill, listen } from './desk_lists.js';
import { DeskPart } from './desk_part.js';
import { seatByHand } from './desk_seating.js';
import { entrantName, namesOf, roundName } from './desk_state.js';
import { node } from './nodes.js';
import { papers } from './desk_papers.js';
import { clockTime, say } from './words.js';

const MOST_MINUTES = 600;

/** What may be chosen where entrants and games do not fit. */
const CHOICES = { one_short: () => say('page.desk.fit.one_short'), round_robin: () => say('page.desk.fit.round_robin') };

export class Round extends DeskPart {
  /** Calls `showAnswer(answer)` with what became of an act. */
  constructor(place, desk, sheet, { showAnswer }) {
    super(desk, sheet);
    this.place = place;
    this.showAnswer = showAnswer;
    listen(place, { draw: () => this.draw(), seat: () => this.seat(), cancel: () => this.cancel(), announce: () => this.announce() });
  }

  render() {
    const { round, stage, play_off: playOff, tables, byes, waiting, phase, starts } = this.state;
    const title = round ? roundName(this.state, round) : say('page.desk.round.none');
    const seat = act('seat', `${say('page.desk.seat')}…`, {}, 'wide');
    const mayDraw = (phase === 'play' || phase === 'played') && stage !== 'drawn';
    fill(this.place, node('div', { class: 'box', 'data-key': 'round' },
      node('h2', { id: 'round-title' }, title, round && stage ? node('span', { class: 'badge', 'data-is': stage }, say(`competition.stage.${stage}${playOff ? '.play_off' : ''}`)) : null),
      round ? null : node('p', { class: 'note' }, say('page.desk.round.none.then')),
      node('ul', { class: 'tables' }, tables.map(({ table, entrants, is_over: isOver }) => node('li', {}, node('div', { class: 'seat', 'data-over': isOver },
        node('b', { class: 'number' }, node('span', { class: 'unseen' }, `${say('page.desk.table')} `), table),
        node('span', { class: 'who' }, entrants.map((number) => node('span', { class: 'name' }, entrantName(this.state, number)))),
        isOver ? node('small', {}, `✓ ${say('page.desk.table.over')}`) : null)))),
      byes.length ? node('p', {}, node('b', {}, say('page.desk.byes')), ' ', namesOf(this.state, byes)) : null,
      waiting.length ? node('p', {}, node('b', {}, say('page.desk.waiting')), ' ', namesOf(this.state, waiting)) : null,
      mayDraw ? node('p', { class: 'keys' }, act('draw', phase === 'played' ? say('page.desk.play_off') : say('page.desk.draw', { round: round + 1 }), {}, 'wide'), seat) : null,
      this.state.next_step?.step === 'begin' ? node('p', { class: 'keys' }, seat) : null,
      stage === 'drawn' && phase !== 'open' ? node('p', { class: 'keys' }, act('cancel', `${say('page.desk.cancel')}…`, {}, 'wide')) : null,
      phase === 'open' ? null : node('p', { class: 'keys' }, act('announce', `${say('page.desk.announce')}…`, {}, 'wide'),
        starts ? node('span', { class: 'note' }, say('page.hall.starts', { at: clockTime(starts, starts.slice(0, 10)) })) : null),
      papers('round', this.state)));
  }

  async start() {
    return this.showAnswer(await this.desk.do({ do: 'start_round' }));
  }

  async draw() {
    return this.showAnswer(await this.desk.draw());
  }

  /** Let the organiser seat a round by hand; before play, play begins with it. */
  async seat() {
    const byHand = () => seatByHand(this.desk, this.sheet, () => document.querySelector('#steps button')?.focus());
    return this.state.phase === 'registration' ? this.begin('as_set', byHand) : this.showAnswer(await byHand());
  }

  cancel() {
    const seen = this.desk.seen();
    this.sheet.open({
      title: say('page.desk.cancel'),
      fields: [{ name: 'reason', label: say('page.desk.reason'), wanted: say('page.desk.reason.missing'), first: true }],
      yes: say('page.desk.cancel'),
      act: ({ reason }) => this.desk.do({ do: 'cancel_round', reason }, seen),
    });
  }

  /** The hall's screen counts down to the start of what comes next. */
  announce() {
    const seen = this.desk.seen();
    const allowed = say('page.desk.announce.allowed', { most: MOST_MINUTES });
    const announced = (time) => this.desk.do({ do: 'announce_start', time }, seen);
    this.sheet.open({
      title: say('page.desk.announce'),
      about: [node('p', { class: 'note' }, say('page.desk.announce.note'))],
      fields: [{ name: 'minutes', label: say('page.desk.announce.in'), kind: 'number', value: 10, ready: ['5', '10', '15', '30'], allowed, first: true }],
      yes: say('page.desk.announce'),
      also: this.state.starts ? [[say('page.desk.announce.take_back'), () => announced('')]] : [],
      act: ({ minutes }) => (minutes > MOST_MINUTES ? { text: allowed } : learnTime().catch(() => {}).then(() => announced(minuteIn(minutes)))),
    });
  }

  /** Begin play and draw the first round. Asks where entrants and games do not fit. */
  async begin(choice = 'as_set', draw = () => this.desk.draw()) {
    const answer = await inTurn(() => this.desk.do({ do: 'begin', choice }), draw);
    const ways = answer.done ? [] : this.ways(answer, draw);
    if (!ways.length) {
      this.showAnswer(answer);
      return answer;
    }
    const menu = node('ul', { class: 'menu' }, ways.map(([words], at) => node('li', {}, act(`way-${at}`, words, {}, 'wide'))));
    this.sheet.open({ title: say('page.desk.fit'), about: [node('p', {}, answer.text), menu] });
    listen(menu, Object.fromEntries(ways.map(([, way], at) => [`way-${at}`, async () => {
      this.sheet.dialog.close();
      const done = await way();
      if (done && !done.done) this.showAnswer(done);
    }])));
    menu.querySelector('button').focus();
    return answer;
  }

  /** Returns the choices where entrants and games do not fit.
   *  @param {Record<string, any>} refusal */
  ways({ choices = [], fitting_games: fitting = [] }, draw) {
    const set = (number) => inTurn(() => this.desk.do({ do: 'set_games', games: number }), () => this.begin('as_set', draw));
    return [
      ...fitting.map((number) => [say('page.desk.fit.games', { n: number }), () => set(number)]),
      ...choices.map((choice) => [CHOICES[choice](), () => this.begin(choice, draw)]),
    ];
  }
}
