// A pack of cards beside the board. A tap holds a card before the reader. A card that the board has taken lies open
// on the table and is lowered here. A refused card stays in the pack; one that was undone returns to it.

import { RANKS, colour, corner, cardName, outline, suitName } from '/page/cards.js';
import { placed } from '/page/paths.js';
import { say } from '/page/words.js';
import { rove } from './fingers.js';

const SUITS = [...'CDSH'];
// Where the pips of a number lie: columns at -1, 0, 1 and rows from -1 (top) to 1 (bottom).
const SIDES = (...rows) => rows.flatMap((row) => [[-1, row], [1, row]]);
const MIDDLE = (...rows) => rows.map((row) => [0, row]);
const PIPS = {
  A: MIDDLE(0), 2: MIDDLE(-1, 1), 3: MIDDLE(-1, 0, 1), 4: SIDES(-1, 1), 5: [...SIDES(-1, 1), ...MIDDLE(0)],
  6: SIDES(-1, 0, 1), 7: [...SIDES(-1, 0, 1), ...MIDDLE(-0.5)], 8: [...SIDES(-1, 0, 1), ...MIDDLE(-0.5, 0.5)],
  9: [...SIDES(-1, -1 / 3, 1 / 3, 1), ...MIDDLE(0)], T: [...SIDES(-1, -1 / 3, 1 / 3, 1), ...MIDDLE(-2 / 3, 2 / 3)],
};

export class Deck {
  /** `present(card, reader)` holds a card before one of `readers`, each of which has a name and a kind. */
  constructor(place, readers, present) {
    this.place = place;
    this.readers = readers;
    this.reader = readers[0]?.name;
    this.sendCard = present;
    this.seen = new Set();
    place.addEventListener('click', (event) => {
      const card = /** @type {Element} */ (event.target).closest('[data-card]');
      if (card) this.present(card);
    });
    place.addEventListener('change', (event) => (this.reader = event.target.value));
    this.draw();
  }

  draw() {
    const fan = (suit) => `<div class="fan" role="group" aria-label="${suitName(suit)}">${RANKS.map((rank) =>
      `<button type="button" class="card ${colour(suit)}" data-card="${rank}${suit}">
        <span class="face">${cardFace(rank, suit)}</span></button>`).join('')}</div>`;
    this.place.setAttribute('aria-label', say('page.twin.deck'));
    this.place.innerHTML = `${SUITS.slice(0, 2).map(fan).join('')}
      <div class="pile">${this.choice()}<span class="backs"><i></i><i></i><i></i></span><output></output></div>
      ${SUITS.slice(2).map(fan).join('')}`;
    for (const group of this.place.querySelectorAll('.fan')) {
      group.querySelectorAll('.card').forEach((card, at) => card.style.setProperty('--at', at - 6));
      rove(group, '.card');
    }
    this.mark();
  }

  /** With several readers: the one that reads a tapped card. */
  choice() {
    if (this.readers.length < 2) return '';
    const options = this.readers.map(({ name, kind }) =>
      `<option value="${name}"${name === this.reader ? ' selected' : ''}>${name} (${kind})</option>`);
    return `<select class="reader" aria-label="${say('page.twin.part.reader')}">${options.join('')}</select>`;
  }

  present(card) {
    this.sendCard(card.dataset.card, this.reader);
    card.classList.remove('scanning');
    void card.offsetWidth; // restart the animation of the scanner's line
    card.classList.add('scanning');
  }

  /** Exactly these cards lie open on the table now. */
  show(cards) {
    this.seen = new Set(cards);
    this.mark();
  }

  mark() {
    for (const card of this.place.querySelectorAll('.card')) {
      const spoken = cardName(card.dataset.card);
      const used = this.seen.has(card.dataset.card);
      card.classList.toggle('used', used);
      card.setAttribute('aria-label', used ? say('page.card.taken', { card: spoken }) : spoken);
    }
    this.place.querySelector('.pile output').textContent = say('page.twin.left', { count: 52 - this.seen.size });
  }
}

/** The picture of a card: `cardFace('T', 'H')`. All its signs are one path. */
export function cardFace(rank, suit) {
  const text = corner(rank);
  const index = (more = '') => `<text class="index${text.length > 1 ? ' wide' : ''}" x="7.2" y="14.6"${more}>${text}</text>`;
  const sign = (x, y, size) => placed(outline(suit), x, y, size);
  const signs = [sign(7.2, 21.6, 0.46), sign(55.8, 66.4, -0.46), ...rank in PIPS ? pips(rank, sign) : [sign(31.5, 69.5, 0.5), crown(rank)]];
  return `<svg viewBox="0 0 63 88" aria-hidden="true">${index()}${index(' transform="rotate(180 31.5 44)"')}
    ${rank in PIPS ? '' : initial(rank)}<path d="${signs.join('')}"/></svg>`;
}

function pips(rank, sign) {
  const size = rank === 'A' ? 1.35 : 0.62;
  return PIPS[rank].map(([column, row]) => sign(31.5 + 12 * column, 44 + 27 * row, row > 0 ? -size : size));
}

/** Jack, queen and king: a framed initial, over a crown. */
const crown = (rank) => placed({
  J: 'M-8 4 -8-3 -3 0 0-5 3 0 8-3 8 4Z',
  Q: 'M-9 4 -11-5 -5-1 0-8 5-1 11-5 9 4Z',
  K: 'M-10 4 -10-5 -5-2 -2-6-2-9-4-9-4-11-2-11-2-13 2-13 2-11 4-11 4-9 2-9 2-6 5-2 10-5 10 4Z',
}[rank], 31.5, 31);

const initial = (rank) => `<rect class="frame" x="14" y="10" width="35" height="68" rx="2.5"/>
    <text class="letter" x="31.5" y="60">${corner(rank)}</text>`;
