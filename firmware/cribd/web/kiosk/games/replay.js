// A past game, step by step: the drawn board, the cards, the prompts, and how each count was made.
//
// A step is an act at the table. The board sends only the values that differ from the step before.

import { small } from './cards.js';
import { chart, table } from './chart.js';
import { drawCounted } from './counted.js';
import { DrawnBoard } from './drawn_board.js';
import { aloud, drawn, element, mark, node, seen } from './nodes.js';
import { figure, language, say, tie } from './words.js';

const STEP_MS = 1300; // for each step, at people's pace
const HOLE_MS = 110; // for a peg to move one hole
const COUNT_MS = 900; // for each combination
const PACES = [1, 2, 4];

const ICONS = {
  'deal-back': 'M5 4h3v16H5ZM20 4v16L9 12Z',
  back: 'M17 4v16L6 12Z',
  play: 'M7 4v16l12-8Z',
  pause: 'M6 4h4.5v16H6ZM13.5 4H18v16h-4.5Z',
  on: 'M7 4v16l11-8Z',
  'deal-on': 'M16 4h3v16h-3ZM4 4v16l11-8Z',
};

const icon = (name) => drawn(`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`);

export class Replay {
  constructor(geometry) {
    this.board = new DrawnBoard(element('#board'), geometry);
    this.tracks = geometry.tracks.length;
    this.game = null;
    this.at = 0;
    this.pace = 0;
    this.playing = 0;
    this.counting = null; // ends the animation of the current count
    this.drawnCount = ''; // which count that is
    for (const button of document.querySelectorAll('#controls [data-go]')) {
      button.append(...icon(button.dataset.go));
      button.addEventListener('click', () => this.press(button.dataset.go));
    }
    element('#play').addEventListener('click', () => this.press('play'));
    element('#pace').addEventListener('click', () => {
      this.pace = (this.pace + 1) % PACES.length;
      this.drawControls();
    });
    element('#place').addEventListener('input', () => {
      this.stop();
      this.go(Number(element('#place').value));
    });
    document.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.drawChart()).observe(element('#drawing'));
  }

  /** Show another game from its beginning; null for none. */
  open(game) {
    this.stop();
    this.game = game;
    if (!game) return;
    let state = {};
    this.steps = game.steps.map((step) => (state = { ...state, ...step }));
    // Where each deal began; after a misdeal, at the first card of the new deal.
    /** @type {number[]} the step at which each deal begins */
    this.deals = Array.from({ length: this.steps.at(-1).deal }, (_, deal) => this.steps.findIndex((step) => step.deal === deal + 1));
    this.at = 0;
    this.drawnCount = '';
    element('#place').max = this.steps.length - 1;
    element('#board').hidden = game.scores.length > this.tracks; // it was played on another board
    this.draw();
  }

  sideName(side) {
    return this.game.names[side] || say(`side.${side}`);
  }

  // Steps

  key(event) {
    if (!this.game || element('#replay').hidden || event.altKey || event.ctrlKey || event.metaKey) return;
    const control = /** @type {Element} */ (event.target).closest('button, a, summary');
    const keys = { ArrowLeft: 'back', ArrowRight: 'on', PageUp: 'deal-back', PageDown: 'deal-on', Home: 'first', End: 'last', ' ': control ? null : 'play' };
    if (!keys[event.key]) return;
    event.preventDefault();
    this.press(keys[event.key]);
  }

  press(what) {
    if (what === 'play') {
      if (this.playing) this.stop();
      else this.play();
      return;
    }
    this.stop();
    const last = this.steps.length - 1;
    this.go({
      first: 0,
      last,
      back: this.at - 1,
      on: this.at + 1,
      'deal-back': this.deals.findLast((at) => at < this.at) ?? 0,
      'deal-on': this.deals.find((at) => at > this.at) ?? last,
    }[what]);
  }

  go(to) {
    const at = Math.max(0, Math.min(to, this.steps.length - 1));
    const animate = at === this.at + 1;
    this.at = at;
    this.drawStep(animate);
  }

  play() {
    if (this.at === this.steps.length - 1) this.go(0);
    this.playing = setTimeout(() => this.next(), STEP_MS / PACES[this.pace] / 2);
    this.drawControls();
  }

  next() {
    this.go(this.at + 1);
    if (this.at === this.steps.length - 1) {
      this.stop();
      return;
    }
    this.playing = setTimeout(() => this.next(), this.lasts() / PACES[this.pace]);
  }

  /** How long this step is shown: until its pegs have moved and its counts are drawn. */
  lasts() {
    const [before, now] = [this.steps[this.at - 1], this.steps[this.at]];
    const holes = Math.max(...now.sides.map(({ score }, side) => Math.abs(score - before.sides[side].score)));
    const steps = now.shown && now.shown.number !== before.shown?.number ? now.shown.steps.length : 0;
    return Math.max(STEP_MS, holes * HOLE_MS + 500, steps * COUNT_MS + 900);
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = 0;
    if (this.game) this.drawControls();
  }

  // Drawing

  draw() {
    if (!this.game) return;
    this.drawControls();
    this.drawStep(false);
    this.drawChart();
    element('#table').replaceChildren(table(this.charted()));
  }

  drawControls() {
    const play = element('#play');
    play.replaceChildren(...icon(this.playing ? 'pause' : 'play'));
    play.setAttribute('aria-label', say(this.playing ? 'page.games.pause' : 'page.games.play'));
    element('#pace').textContent = `${PACES[this.pace]}×`;
    element('#pace').setAttribute('aria-label', say('page.games.pace', { pace: PACES[this.pace] }));
    element('#moment').setAttribute('aria-live', this.playing ? 'off' : 'polite');
  }

  drawStep(animate) {
    const step = this.steps[this.at];
    const said = step.said[language()];
    const [what, ...more] = said.length ? said : [step.ask[language()]];
    const where = step.deal ? say('page.games.where', { deal: step.deal, step: this.at, last: this.steps.length - 1 })
      : say('page.games.cut', { step: this.at, last: this.steps.length - 1 });
    element('#place').value = this.at;
    element('#place').setAttribute('aria-valuetext', `${where}: ${what}`);
    element('#place').style.setProperty('--done', `${(100 * this.at) / (this.steps.length - 1)}%`);
    element('#where').textContent = where;
    element('#moment').dataset.side = step.asks ?? '';
    element('#moment').classList.toggle('undone', step.undone);
    element('#what').textContent = tie(what);
    element('#told').textContent = tie(more.join(' · '));
    element('#taken').hidden = !step.undone;
    this.drawScores(step);
    this.drawShown(step);
    this.drawBoard(step, animate);
    this.drawCounted(step, animate);
    this.cursor?.(this.along());
  }

  drawScores(step) {
    const done = this.at === this.steps.length - 1;
    const { skunk } = this.game.text[language()];
    element('#scores').replaceChildren(...step.sides.map(({ score }, side) => node('li', { 'data-side': side, class: done && this.game.winner === side ? 'won' : null },
      aloud(say('page.table.side', { side: this.sideName(side), score, target: this.game.target })),
      seen('span', { class: 'name' }, mark(), node('span', {}, this.sideName(side))),
      seen('b', {}, figure(score)),
      node('span', { class: 'does' },
        step.dealer === side && !(done && this.game.winner !== null) ? node('small', {}, say('page.table.deals')) : null,
        done && this.game.winner === side ? node('small', { class: 'wins' }, say('page.table.wins')) : null,
        done && this.game.winner !== null && this.game.winner !== side && skunk ? node('small', {}, skunk) : null))));
  }

  drawShown(step) {
    const row = (label, cards) => node('p', {}, node('span', { class: 'label' }, label), node('span', { class: 'chips' }, drawn(cards.map(small).join(''))));
    const count = step.count === null ? say('page.table.unknown') : say('page.table.count', { count: step.count });
    element('#shown').replaceChildren(...[
      step.starter ? row(say('page.table.starter'), [step.starter]) : null,
      step.counted.length ? row(say('page.table.counted'), step.counted) : null,
      step.laid.length ? row(count, step.laid.map(({ card }) => card)) : null,
    ].filter(Boolean));
  }

  drawBoard(step, animate) {
    if (element('#board').hidden) return;
    const { target, skunk_line: skunkLine, double_skunk_line: doubleSkunkLine } = this.game;
    const sides = step.sides.map((side, at) => ({ ...side, name: this.sideName(at) }));
    this.board.show({ sides, target, skunkLine, doubleSkunkLine, games: [], dealer: step.dealer }, { animate });
  }

  /** The latest counted hand or crib, combination by combination the first time that it is shown. */
  drawCounted(step, animate) {
    const wanted = `${step.shown?.number} ${language()}`;
    if (wanted === this.drawnCount) return;
    this.drawnCount = wanted;
    this.counting?.();
    const place = element('#count');
    place.dataset.side = step.shown?.side ?? '';
    this.counting = step.shown ? drawCounted(place, step.shown, language(), { animate }) : null;
    element('#counted').classList.toggle('none', !step.shown);
    if (!step.shown) place.replaceChildren();
  }

  // The chart

  charted() {
    const stands = ({ sides }) => sides.map(({ score }) => score);
    return {
      names: this.steps[0].sides.map((_, side) => this.sideName(side)),
      scores: [stands(this.steps[0]), ...this.deals.slice(1).map((at) => stands(this.steps[at])), stands(this.steps.at(-1))],
      target: this.game.target,
      skunkLine: this.game.skunk_line,
    };
  }

  drawChart() {
    if (!this.game || element('#stage').hidden) return;
    this.cursor = chart(element('#drawing'), this.charted());
    this.cursor(this.along());
  }

  /** The place in the game, in deals. */
  along() {
    const { deal } = this.steps[this.at];
    if (deal === 0) return 0;
    const [from, to] = [this.deals[deal - 1], this.deals[deal] ?? this.steps.length - 1];
    return deal - 1 + (to > from ? Math.min(1, (this.at - from) / (to - from)) : 1);
  }
}
