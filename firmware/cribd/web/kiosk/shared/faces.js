// Cards that can be read from five metres: the rank as large as possible, the suit twice, a crown for a court card.

import { colour, corner, cardName, outline } from './cards.js';
import { placed } from './paths.js';
import { say } from './words.js';

const CROWNS = {
  K: 'M-15 8-18-7-8 0 0-12 8 0 18-7 15 8ZM-1.5-19 1.5-19 1.5-16.5 4-16.5 4-13.5-4-13.5-4-16.5-1.5-16.5Z',
  Q: 'M-15 8-17-5A3 3 0 1 1-13-6L-7 0-2-9A3 3 0 1 1 2-9L7 0 13-6A3 3 0 1 1 17-5L15 8Z',
  J: 'M-15 8C-17-2-10-8 2-8 12-8 16-2 15 8ZM4-8C6-18 14-20 20-18 15-16 10-12 8-7Z',
};

const sign = (suit, x, y, scale) => `<path d="${placed(outline(suit), x, y, scale)}"/>`;

function front(rank, suit) {
  const crown = CROWNS[rank] ? `<path class="crown" d="${placed(CROWNS[rank], 66, 65)}"/>` : '';
  const ring = rank === 'A' ? '<circle class="ring" cx="62" cy="98" r="31"/>' : '';
  return `<text x="${rank === 'T' ? 3 : 8}" y="49" ${rank === 'T' ? 'textLength="44" lengthAdjust="spacingAndGlyphs"' : ''}>${corner(rank)}</text>
    ${sign(suit, 22, 74, 1.2)}${ring}${crown}${sign(suit, rank === 'A' ? 62 : 66, rank === 'A' ? 98 : 104, rank === 'A' ? 2.1 : 2.7)}`;
}

const picture = (drawn) => `<svg viewBox="0 0 100 140" aria-hidden="true">${drawn}</svg>`;

/** A card, or the back of an unread card. Its height is `--card`. */
export const face = (card) => (card === null
  ? `<span class="face back" role="img" aria-label="${say('page.card.unread')}">${picture('<text class="unread" x="50" y="92">?</text>')}</span>`
  : `<span class="face ${colour(card[1])}" data-card="${card}" role="img" aria-label="${cardName(card)}">${picture(front(...card))}</span>`);

/** A card that lies face down, without a name. */
export const FACE_DOWN = '<span class="face back" aria-hidden="true"></span>';
