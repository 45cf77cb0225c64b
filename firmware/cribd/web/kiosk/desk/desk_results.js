// The tables: what is outstanding and since when, what each result is, and its correction; and the check pass, which
// compares every result with its slip.

import { DeskPart } from './desk_part.js';
import { SlipForm } from './desk_slip_form.js';
import { act, fill, listen } from './desk_lists.js';
import { disputes, isOn, entrantName, hasTwoBoards, placeName, results, roundName, roundOf, tableOf, waits } from './desk_state.js';
import { element, node } from './nodes.js';
import { notNumber } from './desk_sheet.js';
import { papers } from './desk_papers.js';
import { say } from './words.js';

const sort = (a, b) => a.round.number - b.round.number || a.table.table - b.table.table || a.game - b.game;

export class Results extends DeskPart {
  /** `boards` know what became of the records of games. */
  constructor(desk, sheet, boards) {
    super(desk, sheet);
    this.boards = boards;
    this.form = new SlipForm(element('#entry'), desk, { correct: (...at) => this.openResult(...at) });
    this.shown = null; // the round whose results are shown; the last one if nobody chose
    const opened = ({ round, table, game }) => this.openResult(Number(round), Number(table), Number(game));
    const at = ({ round, table, game }) => ({ round: Number(round), table: Number(table), game: Number(game) });
    listen(element('#outstanding'), { enter: (data) => this.form.beginTable(at(data)), open: opened });
    listen(element('#settled'), { open: opened, 'to-pass': () => this.toPass() });
    listen(element('#pass'), { open: opened, check: (data, button) => this.check(at(data), button) });
    element('#entry-cards').addEventListener('click', () => this.form.at && this.compareScoreCards(this.form.at));
    element('#which-round').addEventListener('change', ({ target }) => {
      this.shown = Number(target.value);
      this.drawSettled();
    });
  }

  render() {
    element('#entry-cards').hidden = !this.state.rules.score_cards;
    this.drawOutstanding();
    this.drawPass();
    this.drawSettled();
  }

  focusEntry() {
    element('#entry-table').focus();
    element('#entry-table').select();
  }

  toPass() {
    (element('#pass [data-act="check"]') ?? element('#pass-title')).focus();
    element('#pass').scrollIntoView({ block: 'start' });
  }

  // What is outstanding

  drawOutstanding() {
    const { outstanding } = this.state;
    const disputed = disputes(this.state);
    element('#outstanding-title').textContent = say('page.desk.outstanding', { n: outstanding.length + disputed.length });
    fill(element('#outstanding .tables'),
      ...disputed.map(({ round, table, game, result }) => this.card({ round: round.number, table: table.table, game }, result)),
      ...outstanding.map((at) => this.card(at, tableOf(this.state, at.round, at.table).results[at.game - 1])));
    element('#outstanding').hidden = !outstanding.length && !disputed.length;
  }

  /** A game that lacks a result that counts: tapped, it is entered or settled. */
  card({ round, table, game, since = '' }, result) {
    const seated = tableOf(this.state, round, table);
    const names = seated.entrants.map((number) => node('span', { class: 'name' }, entrantName(this.state, number)));
    const name = result ? 'open' : 'enter';
    return node('li', { 'data-key': `${round}/${table}/${game}` }, node('button', {
      type: 'button', class: 'seat', 'data-act': name, 'data-round': round, 'data-table': table, 'data-game': game, 'data-state': result?.state,
    },
    node('b', { class: 'number' }, node('span', { class: 'unseen' }, `${say('page.desk.table')} `), table),
    node('span', { class: 'who' }, ...names),
    node('small', {}, [this.where(round, game), result ? say(`competition.state.${result.state}`) : waits(since), result ? this.record(round, table, game, result) : this.boards.isNotTaken(round, table, game) ? say('page.desk.record.not_taken') : ''].filter(Boolean).join(' · '))));
  }

  /** The round and the game, where they are not plain. */
  where(round, game) {
    const last = round === this.state.round ? '' : roundName(this.state, round);
    return [last, roundOf(this.state, round).most_games > 1 ? say('page.desk.game', { game }) : ''].filter(Boolean).join(' · ');
  }

  // Results

  drawSettled() {
    const { rounds } = this.state;
    element('#settled').hidden = !results(this.state).length;
    const shown = roundOf(this.state, this.shown) ? this.shown : this.state.round;
    const options = rounds.map((round) => node('option', { value: round.number, selected: round.number === shown, 'data-key': round.number }, roundName(this.state, round.number)));
    fill(element('#which-round'), ...options);
    element('#which-round').value = String(shown);
    fill(element('#settled .paper'), papers('results', this.state));
    fill(element('#settled .tables'), ...results(this.state).filter(({ round }) => round.number === shown).map((result) => this.line(result)));
  }

  line({ round, table, game, result }) {
    return node('li', { 'data-key': `${round.number}/${table.table}/${game}` }, node('button', {
      type: 'button', class: 'seat', 'data-act': 'open', 'data-round': round.number, 'data-table': table.table, 'data-game': game, 'data-state': result.state,
    },
    node('b', { class: 'number' }, node('span', { class: 'unseen' }, `${say('page.desk.table')} `), table.table),
    node('span', { class: 'who' }, this.sides(table, result)),
    node('small', {}, [...this.describeResult(round, game, result), this.record(round.number, table.table, game, result)].filter(Boolean).join(' · '))));
  }

  record(round, table, game, result) {
    return this.boards.record(round, table, game, result.state === 'disputed');
  }

  sides(table, result) {
    return table.entrants.map((number, side) => node('span', { class: result.winner === side ? 'name won' : 'name' },
      node('span', {}, entrantName(this.state, number)), ' ', node('b', {}, result.scores[side])));
  }

  describeResult(round, game, result) {
    return [
      round.tables.some(({ results: all }) => all.length > 1) ? say('page.desk.game', { game }) : '',
      result.ending === 'broken-off' ? say('page.desk.broken_off') : '',
      result.skunk !== 'none' ? say('page.desk.skunk') : '',
      result.corrections.length ? say('page.desk.corrected') : '',
      result.state === 'accepted' ? '' : say(`competition.state.${result.state}`),
    ].filter(Boolean);
  }

  /** One result: to correct, tick, or dispute it. What is `typed` takes its place in the fields. */
  openResult(round, table, game, typed = {}, then = null) {
    const seated = tableOf(this.state, round, table);
    const result = seated.results[game - 1];
    if (!result) return;
    const at = { round, table, game };
    const [first, second] = seated.entrants.map((number) => entrantName(this.state, number));
    const seen = this.desk.seen();
    const { other, board, reason, corrections } = result;
    const title = say('page.desk.result', { at: placeName(this.state, at), game });
    const before = corrections.map(({ scores, reason: why }) => say('page.desk.result.was', { first: scores[0], second: scores[1], reason: why }));
    const entered = say('page.desk.result.entered', { first: result.scores[0], second: result.scores[1] });
    const said = [
      result.by ? say('page.desk.result.by', { name: entrantName(this.state, result.by) }) : '',
      result.ending === 'broken-off' ? `${entered} · ${say('page.desk.broken_off')}` : entered,
      other ? say('page.desk.result.other', { first: other[0], second: other[1] }) : '',
      board && result.state === 'disputed' ? say(hasTwoBoards(result) ? 'page.desk.result.boards' : 'page.desk.result.board', { first: board.scores[0], second: board.scores[1] }) : '',
      this.record(round, table, game, result), reason, ...before,
    ].filter(Boolean);
    const { scores } = result;
    const isShown = ({ first: one, second: two, broken }) => one === scores[0] && two === scores[1] && broken === (result.ending === 'broken-off');
    const also = []; // of the result that is there, and only while it is the one that is seen
    if (result.state === 'accepted' && this.state.phase !== 'open') also.push([say('page.desk.check'), () => this.desk.do({ do: 'check_result', at, scores }, seen), isShown]);
    if (result.state !== 'disputed' && this.state.phase !== 'open') also.push([say('page.desk.dispute'), () => ({ next: () => this.dispute(at, seated, result, seen) }), isShown]);
    this.sheet.open({
      title,
      about: said.map((text) => node('p', { class: 'note' }, text)),
      fields: [
        { name: 'first', label: first, kind: 'number', value: typed.scores?.[0] ?? scores[0], first: true },
        { name: 'second', label: second, kind: 'number', value: typed.scores?.[1] ?? scores[1] },
        { name: 'broken', label: say('page.desk.broken_off'), kind: 'check', value: typed.broken || result.ending === 'broken-off' },
        { name: 'reason', label: say('page.desk.reason'), wanted: say('page.desk.reason.missing'), ready: [say('page.desk.reason.misread'), say('page.desk.reason.mistyped')] },
      ],
      yes: result.state === 'disputed' ? say('page.desk.settle') : say('page.desk.correct'),
      act: ({ first: one, second: two, broken, reason: why }) => this.desk.do({
        do: 'correct_result', at, scores: [one, two], ending: broken ? 'broken-off' : 'finished', reason: why,
      }, seen),
      also,
      then,
    });
  }

  dispute(at, seated, { scores }, seen) {
    const options = seated.entrants.map((number) => [String(number), entrantName(this.state, number)]);
    this.sheet.open({
      title: say('page.desk.dispute.title', { at: placeName(this.state, at) }),
      about: [node('p', { class: 'note' }, say('page.desk.result.entered', { first: scores[0], second: scores[1] }))],
      fields: [
        { name: 'entrant', label: say('page.desk.dispute.who'), kind: 'choice', options, value: options[0][0], first: true },
        { name: 'reason', label: say('page.desk.reason'), wanted: say('page.desk.reason.missing') },
      ],
      yes: say('page.desk.dispute'),
      act: ({ entrant, reason }) => this.desk.do({ do: 'dispute_result', at, entrant: Number(entrant), reason, scores }, seen),
    });
  }

  /** Two score cards of a game that differ: the spreads as both sides wrote them (rules reference, 3.29). */
  compareScoreCards(at) {
    const [first, second] = tableOf(this.state, at.round, at.table).entrants.map((number) => entrantName(this.state, number));
    const seen = this.desk.seen();
    const spread = (text) => (/^[+−-]?\d+$/.test(text) ? Number(text.replace('−', '-')) : text || null);
    const qualifiers = [['neither', say('page.desk.cards.neither')], ['first', first], ['second', second], ['both', say('page.desk.cards.both')]];
    this.sheet.open({
      title: say('page.desk.cards', { at: placeName(this.state, at) }),
      about: [node('p', { class: 'note' }, say('page.desk.cards.how'))],
      fields: [
        { name: 'first', label: say('page.desk.cards.of', { name: first }), first: true, most: 5 },
        { name: 'second', label: say('page.desk.cards.of', { name: second }), most: 5 },
        { name: 'qualifiers', label: say('page.desk.cards.qualifiers'), kind: 'choice', options: qualifiers, value: 'neither' },
      ],
      yes: say('page.desk.entry.do'),
      act: ({ first: one, second: two, qualifiers: who }) => {
        const spreads = [spread(one), spread(two)];
        const wrong = spreads.findIndex((typed) => typeof typed === 'string');
        return wrong >= 0 ? { text: notNumber(say('page.desk.cards.of', { name: [first, second][wrong] }), spreads[wrong]), field: ['first', 'second'][wrong] } : this.desk.do({ do: 'compare_cards', at, spreads, qualifiers: who }, seen);
      },
    });
  }

  // The check pass

  drawPass() {
    const { phase, stage, values, outstanding } = this.state;
    const unchecked = results(this.state).filter(({ result }) => result.state === 'accepted').sort(sort);
    const playsOff = stage === 'drawn' || outstanding.length > 0;
    element('#pass').hidden = phase !== 'played' || !isOn(values.check_pass) || (playsOff ? !unchecked.length : !results(this.state).length);
    element('#pass-title').textContent = unchecked.length ? say('page.desk.pass.left', { n: unchecked.length }) : say('page.desk.pass.done');
    fill(element('#pass ul'), ...unchecked.map((result) => this.slip(result)));
  }

  slip({ round, table, game, result }) {
    const data = { round: round.number, table: table.table, game };
    return node('li', { 'data-key': `${round.number}/${table.table}/${game}` },
      node('small', {}, placeName(this.state, data)),
      node('span', { class: 'who' }, this.sides(table, result), node('small', {}, [...this.describeResult(round, game, result), this.origin(result), this.record(round.number, table.table, game, result)].filter(Boolean).join(' · '))),
      act('check', `✓ ${say('page.desk.check')}`, data), act('open', `${say('page.desk.correct')}…`, data));
  }

  /** Where a result comes from that has no slip. */
  origin({ source }) {
    return source === 'slip' ? '' : say('page.desk.pass.no_slip', { source: say(`competition.source.${source}`) });
  }

  /** Tick a result, and go on to the next. */
  async check(at, button) {
    const line = button.closest('li');
    const next = line.nextElementSibling ?? line.previousElementSibling;
    (next?.querySelector('[data-act="check"]') ?? element('#pass-title')).focus();
    const { scores } = tableOf(this.state, at.round, at.table).results[at.game - 1];
    const answer = await this.desk.do({ do: 'check_result', at, scores });
    this.showMessage(answer.done ? '' : answer.text);
    if (!answer.done) button.focus();
    else if (document.activeElement === element('#pass-title')) element('#steps button')?.focus();
  }

  showMessage(text) {
    element('#refused').textContent = text;
  }
}
