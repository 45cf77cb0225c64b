// A pad of 52 cards, a row or two for each suit. Every card is a button; arrow keys go from one to the next.

import { RANKS, SUITS, colour, cornerAndSuit, cardName, sign, suitName } from './cards.js';
import { say } from './words.js';

export class Pad {
  /** Calls `tap(card)` for each tapped card; `named(card, name)` may extend the accessible name of one. */
  constructor(place, { tap, named = (_, plain) => plain }) {
    this.place = place;
    this.named = named;
    this.taken = new Set();
    this.at = 'AS';
    place.addEventListener('click', (event) => {
      const button = /** @type {Element} */ (event.target).closest('[data-card]');
      if (!button) return;
      this.rest(button.dataset.card);
      tap(button.dataset.card, button);
    });
    place.addEventListener('keydown', (event) => this.step(event));
  }

  draw() {
    const card = (rank, suit) => `<button type="button" class="card ${colour(suit)}" data-card="${rank}${suit}">${cornerAndSuit(rank + suit)}</button>`;
    this.place.innerHTML = SUITS.map((suit) => `<div class="suit" role="group" aria-label="${suitName(suit)}">
      <i>${sign(suit)}</i>${RANKS.map((rank) => card(rank, suit)).join('')}</div>`).join('');
    this.mark();
    this.rest(this.at);
  }

  /** These cards lie on the table: they are dimmed, and their names say so. */
  take(cards) {
    this.taken = new Set(cards);
    this.mark();
  }

  mark() {
    for (const button of this.place.querySelectorAll('[data-card]')) {
      const { card } = button.dataset;
      const taken = this.taken.has(card);
      button.classList.toggle('taken', taken);
      button.setAttribute('aria-label', this.named(card, taken ? say('page.card.taken', { card: cardName(card) }) : cardName(card)));
    }
  }

  button(card) {
    return this.place.querySelector(`[data-card="${card}"]`);
  }

  /** Tab returns to this card. */
  rest(card) {
    this.at = card;
    for (const button of this.place.querySelectorAll('[data-card]')) button.tabIndex = button.dataset.card === card ? 0 : -1;
  }

  step(event) {
    const [rank, suit] = this.at;
    const [column, row] = [RANKS.indexOf(rank), SUITS.indexOf(suit)];
    const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1], Home: [-column, 0], End: [12 - column, 0] }[event.key] ?? [];
    const next = right !== undefined && RANKS[column + right] && SUITS[row + down] ? RANKS[column + right] + SUITS[row + down] : null;
    if (!next || !/** @type {Element} */ (event.target).closest('[data-card]')) return;
    event.preventDefault();
    this.rest(next);
    this.button(next).focus();
  }
}
