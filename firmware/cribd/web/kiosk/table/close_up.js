// The game as the board's own screen shows it: the prompt, each side's score, the cards, the drawn board.

import { small } from './cards.js';
import { drawCounted } from './counted.js';
import { aloud, drawn, element, mark, node, seen } from './nodes.js';
import { DrawnBoard } from './drawn_board.js';
import { language, say, tie } from './words.js';

/** The name of a side: its player's, or its colour. */
export const sideName = (snapshot, side) => snapshot.names[side] || say(`side.${side}`);

/** Write a text only if it is new: a live region reads aloud everything that is written. */
export function set(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

export class CloseUp {
  constructor(geometry) {
    this.board = new DrawnBoard(element('#board'), geometry);
    this.end = geometry.laps * geometry.tracks[0].holes.length + 1;
    this.drawnCount = { number: 0, language: '' }; // the count that is drawn
    this.stop = () => {};
  }

  draw(snapshot) {
    const { view, lobby, text } = snapshot;
    const words = text[language()];
    const asked = lobby || snapshot.menu ? null : view?.asks.side ?? null;
    const lines = (selector, said) => set(element(selector), tie(said.join(' · ')));
    element('#now').dataset.side = asked ?? '';
    lines('#ask', [words.ask]);
    lines('#refusal', words.refusal);
    const announced = [...words.said, ...words.hints].slice(0, 3);
    lines('#said', words.refusal.length ? [] : lobby ? [...announced, say('page.table.ok')] : announced);
    const withCause = (fault, at) => words.causes[at] ? say('page.table.fault', { fault, cause: words.causes[at] }) : fault;
    lines('#faults', words.faults.map(withCause));
    const played = lobby === 'start' ? null : view;
    this.drawScores(snapshot, played);
    this.drawShown(lobby ? null : view);
    this.drawBoard(snapshot, played);
    this.drawCount(lobby ? null : snapshot.shown);
  }

  drawScores(snapshot, view) {
    const of = view?.target;
    const line = (side, at) => {
      const name = sideName(snapshot, at);
      const said = say('page.table.side', { side: name, score: side.score, target: of });
      const played = view.phase === 'play' && view.turn_side === at;
      return node('li', { 'data-side': at, class: view.asks.side === at ? 'asked' : null },
        aloud(`${said}${snapshot.names[at] ? `, ${say(`side.${at}`)}` : ''}`),
        seen('span', { class: 'name' }, mark(), node('span', {}, name)),
        seen('span', { class: 'score' }, node('b', {}, String(side.score)), node('small', {}, `/${of}`)),
        node('span', { class: 'does' },
          view.dealer === at && badge('deals', say('page.table.deals'), seatOf(view, view.dealer_seat)),
          view.dealer === at && badge('crib', say('page.table.crib')),
          played && badge('turn', say('page.table.turn'), seatOf(view, view.turn)),
          view.winner === at && badge('wins', say('page.table.wins'))));
    };
    document.body.classList.toggle('three', view?.sides.length === 3);
    element('#scores').replaceChildren(...(view ? view.sides.map(line) : []));
    const { games, points, standings } = snapshot.match;
    const won = view && games.some(Boolean);
    set(element('#match'), won ? tie([say('page.table.games', { games: games.join(' – ') }),
      standings === 'wins' ? '' : say('page.table.points', { points: points.join(' – ') })].filter(Boolean).join(' · ')) : '');
  }

  drawShown(view) {
    const row = (label, cards) => (cards.length
      ? node('p', {}, node('span', { class: 'label' }, label), node('span', { class: 'chips' }, drawn(cards.map(small).join('')))) : null);
    const count = !view || view.phase !== 'play' ? null
      : view.count === null ? say('page.table.unknown') : say('page.table.count', { count: view.count });
    element('#shown').replaceChildren(...(!view ? [] : [
      row(say('page.table.starter'), view.starter ? [view.starter] : []),
      row(say('page.table.counted'), view.counted),
      count && (row(count, view.laid.map(({ card }) => card)) ?? node('p', {}, node('span', { class: 'label' }, count))),
    ].filter(Boolean)));
  }

  /** The drawn board; its pegs wait at the start while no game is under way. */
  drawBoard(snapshot, view) {
    const sides = snapshot.names.map((_, at) => ({
      score: 0, back: 0, in_hand: null, ...view?.sides[at], name: sideName(snapshot, at),
    }));
    const { target = this.end, skunk_line: skunkLine = null, double_skunk_line: doubleSkunkLine = null, dealer = null } = view ?? {};
    this.board.show({ sides, target, skunkLine, doubleSkunkLine, games: snapshot.match.games, dealer }, { animate: true });
  }

  /** The latest counted hand or crib, combination by combination; after a change of language all at once. */
  drawCount(shown) {
    const wanted = { number: shown?.number ?? 0, language: language() };
    if (wanted.number === this.drawnCount.number && wanted.language === this.drawnCount.language) return;
    const animate = wanted.number !== this.drawnCount.number;
    this.drawnCount = wanted;
    this.stop();
    element('#counted').replaceChildren();
    this.stop = shown ? drawCounted(element('#counted'), shown, wanted.language, { animate }) : () => {};
  }
}

const badge = (is, words, seat = '') => node('span', { class: 'badge', 'data-is': is }, seat && `${seat} · `, words);

/** The number of a seat, if a side has several. */
const seatOf = (view, seat) => (view.players > view.sides.length && seat !== null ? String(Math.floor(seat / view.sides.length) + 1) : '');
