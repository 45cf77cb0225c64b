// Every count of the game so far, deal by deal, the newest first: its side, its cards, and how it is counted.

import { small } from './cards.js';
import { sideName } from './close_up.js';
import { aloud, drawn, mark, node, seen } from './nodes.js';
import { ask } from './stream.js';
import { figure, language, say } from './words.js';

const AGAIN_MS = 2000;

export class Scores {
  constructor(place) {
    this.place = place;
    this.scores = [];
    this.has = null; // the scores that were fetched
    this.wants = null; // the scores that the newest snapshot has
    this.fetching = false;
    this.snapshot = null;
  }

  /** Take a new snapshot. Fetches only if this part is visible, one answer at a time. */
  async look(snapshot, isOpen) {
    const renamed = String(snapshot.names) !== String(this.snapshot?.names);
    this.snapshot = snapshot;
    const { view } = snapshot;
    this.wants = view ? [snapshot.ended, view.deal, view.scored].join() : '';
    if (renamed) this.draw();
    if (!isOpen || this.fetching) return;
    this.fetching = true;
    while (this.has !== this.wants) {
      const wanted = this.wants;
      try {
        const { status, said } = await ask('/table/scores');
        if (status !== 200) throw new Error(`${status}`);
        this.scores = said;
        this.has = wanted;
        this.draw();
      } catch { // the board is away or busy
        await new Promise((soon) => { setTimeout(soon, AGAIN_MS); });
      }
    }
    this.fetching = false;
  }

  /** Note that the board was away: the scores may be old. */
  forget() {
    this.has = null;
  }

  draw() {
    if (!this.snapshot) return;
    const numbers = [...new Set(this.scores.map(({ deal }) => deal))].reverse();
    const deals = numbers.map((number) => this.deal(number, this.scores.filter(({ deal }) => deal === number)));
    this.place.replaceChildren(...(deals.length ? deals : [node('p', { class: 'note empty' }, say('page.counts.none'))]));
  }

  deal(deal, scores) {
    return node('section', { class: 'deal', 'aria-labelledby': `deal-${deal}` },
      node('h2', { id: `deal-${deal}` }, say('page.counts.deal', { number: deal })),
      node('ol', { reversed: true }, scores.reverse().map((score) => this.score(score))));
  }

  score(score) {
    const said = score.text[language()];
    const isHand = score.of === 'hand' || score.of === 'crib';
    const points = `${score.points < 0 ? '−' : '+'}${figure(Math.abs(score.points))}`;
    return node('li', { 'data-side': score.side, class: isHand && 'hand' },
      node('p', { class: 'what' },
        mark(),
        node('span', { class: 'for' }, node('strong', {}, said.who), ' ', node('span', {}, said.what),
          !isHand && score.steps.length === 1 && chips(score.steps[0].cards)),
        aloud(say('page.counts.points', { n: score.points, score: score.score, side: sideName(this.snapshot, score.side) })),
        seen('b', { class: 'points' }, points), seen('span', { class: 'stands' }, figure(score.score))),
      isHand && node('p', { class: 'cards' }, chips(score.cards), score.starter && chips([score.starter])),
      explained(score, said),
      said.ruling && node('p', { class: 'ruling' }, said.ruling));
  }
}

/** How it is counted: a hand step by step, as counted aloud; in the play, only if that says more than its name. */
function explained({ cards, steps }, said) {
  if (cards.length && !steps.length) return said.spoken && node('p', { class: 'steps' }, said.spoken);
  if (!cards.length && steps.length < 2) return null;
  return node('ol', { class: 'steps' }, said.steps.map((words, at) => node('li', {}, chips(steps[at].cards), node('span', {}, words))));
}

const chips = (cards) => cards.length > 0 && node('span', { class: 'chips' }, drawn(cards.map(small).join('')));
