// How cards are drawn and named. A card is written as a rank A23456789TJQK and a suit CDHS.

import { say } from './words.js';

export const RANKS = [...'A23456789TJQK'];
export const SUITS = [...'SHCD'];

const SHAPES = {
  H: 'M0 9.6C-3.2 6-9.8 1.6-9.8-4.1-9.8-7.3-7.5-9.4-4.8-9.4-2.7-9.4-.9-8.2 0-6.2.9-8.2 2.7-9.4 4.8-9.4 7.5-9.4 9.8-7.3 9.8-4.1 9.8 1.6 3.2 6 0 9.6Z',
  D: 'M0-10.4C2.2-6.4 5-2.9 8-.2 5 2.5 2.2 6 0 10 -2.2 6-5 2.5-8-.2-5-2.9-2.2-6.4 0-10.4Z',
  S: 'M0-10.2C3-6.4 9.4-2.6 9.4 2.4 9.4 5.2 7.2 7 4.9 7 3.2 7 1.8 6.2 1 4.9 1.2 7.3 2 8.9 3.6 9.8L-3.6 9.8C-2 8.9-1.2 7.3-1 4.9-1.8 6.2-3.2 7-4.9 7-7.2 7-9.4 5.2-9.4 2.4-9.4-2.6-3-6.4 0-10.2Z',
  C: 'M0-10A4.6 4.6 0 0 1 3.6-2.5 4.6 4.6 0 1 1 .9 4.2C1.1 7 2 8.8 3.6 9.8L-3.6 9.8C-2 8.8-1.1 7-.9 4.2A4.6 4.6 0 1 1-3.6-2.5 4.6 4.6 0 0 1 0-10Z',
};

/** The rank in the corner: 10, J; V in French. */
export const corner = (rank) => say(`rank.${RANKS.indexOf(rank) + 1}`);

export const colour = (suit) => ('DH'.includes(suit) ? 'red' : 'black');

export const suitName = (suit) => say(`page.suit.${suit}`);

/** The name of a card: Jack of diamonds.
 *  @param {string} card */
export const cardName = ([rank, suit]) => say('page.card', { rank: say(`page.rank.${rank}`), suit: suitName(suit) });

/** The outline of a suit's symbol, centred, 22 to each side. */
export const outline = (suit) => SHAPES[suit];

/** The symbol of a suit. */
export const sign = (suit) => `<svg class="sign ${colour(suit)}" viewBox="-11 -11 22 22" aria-hidden="true"><path d="${SHAPES[suit]}"/></svg>`;

/** The face of a card: the corner and the suit. The element around it sets the size.
 *  @param {string} card */
export const cornerAndSuit = ([rank, suit]) => `<b>${corner(rank)}</b>${sign(suit)}`;

/** A card in a line of text, with its name; an unread card shows its back. */
export const small = (card) => (card === null
  ? `<span class="chip back" role="img" aria-label="${say('page.card.unread')}">?</span>` : face(card));

const face = (card) => `<span class="chip ${colour(card[1])}" role="img" aria-label="${cardName(card)}">${cornerAndSuit(card)}</span>`;
