// The cards on the felt: those of the running count, or a hand that is counted; during the deal the pack.

import { drawCounted } from './counted.js';
import { FACE_DOWN, face } from './faces.js';
import { drawn, node } from './nodes.js';
import { pegOf } from './scoreboard_sides.js';
import { language, say } from './words.js';

export class Stage {
  constructor(place) {
    this.place = place;
    this.counting = null; // the count that is being animated
    this.stop = () => {};
  }

  clear() {
    this.stop();
    this.counting = null;
    this.place.replaceChildren();
  }

  draw(snapshot) {
    const { view, shown } = snapshot;
    if (view.phase === 'play') this.put(play(snapshot), 'play');
    else if (view.counted.length && !isCounted(view, shown)) this.put(hand(view), 'hand');
    else if (shown) this.count(shown);
    else if (view.phase === 'pegging' || snapshot.way === 'trust') this.put(lastCall(snapshot), 'told');
    else this.put(pack(view), 'pack');
  }

  put(nodes, kind) {
    this.stop();
    this.counting = null;
    this.place.dataset.kind = kind;
    this.place.replaceChildren(...nodes);
  }

  /** A count is animated once; after a change of language its end is drawn. */
  count(shown) {
    const [number, tongue] = this.counting ?? [];
    if (number === shown.number && tongue === language()) return;
    this.stop();
    this.place.dataset.kind = 'counted';
    this.stop = drawCounted(this.place, shown, language(), { animate: number !== shown.number });
    this.counting = [shown.number, language()];
  }
}

/** Whether the cards on the felt are those of the count that was closed. */
const isCounted = (view, shown) => shown !== null && shown.deal === view.deal && view.counted.every((card) => shown.cards.includes(card));

const place = (kind, label, ...inside) => node('div', { class: kind }, ...inside, node('p', { class: 'label' }, label));

const starter = (card) => place('starter', say('page.table.starter'), drawn(card ? face(card) : '<span class="face empty"></span>'));

function play({ view }) {
  const partners = view.players > view.sides.length;
  const laid = view.laid.map(({ card, side, seat }) => node('li', {}, drawn(face(card)),
    node('span', { class: 'whose' }, pegOf(side), partners ? String(Math.floor(seat / view.sides.length) + 1) : null)));
  const count = view.count === null ? '?' : String(view.count);
  const label = view.count === null ? say('page.table.unknown') : say('page.score.count');
  const list = node('ol', { class: 'laid', 'data-name': 'page.score.laid', 'aria-label': say('page.score.laid') }, laid);
  list.style.setProperty('--cards', laid.length);
  return [place('count', label, node('b', {}, count)), list, starter(view.starter)];
}

function hand(view) {
  return [node('div', { class: 'laid open' }, drawn(view.counted.map(face).join(''))), starter(view.starter)];
}

/** Before the play a pack to cut and to deal from; after it, until the first hand is shown, the starter alone. */
function pack(view) {
  const fan = node('div', { class: 'fan' }, drawn(FACE_DOWN.repeat(view.phase === 'cut' ? 9 : 6)));
  if (view.phase === 'cut') return [fan];
  if (view.phase === 'deal') return [fan, starter(view.starter)];
  return view.starter ? [starter(view.starter)] : [];
}

/** A table that trusts has no cards to show: the called points are shown instead, or the latest announcement. */
function lastCall({ view, text }) {
  if (view.phase === 'cut') return pack(view);
  const calls = view.sides.find(({ in_hand: inHand }) => inHand !== null);
  const said = calls ? `+${calls.in_hand - calls.score}` : text[language()].said[0];
  const size = calls ? ' call' : said?.length > 20 ? ' long' : '';
  return said ? [node('p', { class: `word${size}` }, said)] : [];
}
