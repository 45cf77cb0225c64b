// Confetti that falls once and stays there: suits, and the heads of the pegs.

import { outline } from './cards.js';
import { drawn, node, seen } from './nodes.js';

const PIECES = 90;
/** Suits, and the heads of the pegs. */
const SHAPES = [...[...'SHDC'].map((suit) => `<path d="${outline(suit)}"/>`), '<circle r="9"/>', '<path d="M0-11 11 0 0 11-11 0Z"/>', '<path d="M-8-8H8V8H-8Z"/>'];
const GOLDEN = 0.61803398875;

const acrossOf = (at) => (at * GOLDEN) % 1;

/** Confetti of the colours of the text never lies behind it. */
const toneOf = (at) => (Math.abs(acrossOf(at) - 0.5) < 0.34 ? 2 + (at % 3) : at % 5);

/** The place of each piece follows from its number: always the same, evenly spread. */
export function confetti() {
  return seen('div', { class: 'confetti' }, Array.from({ length: PIECES }, (_, at) => {
    const piece = node('i', { class: `tone-${toneOf(at)}` }, drawn(`<svg viewBox="-11 -11 22 22">${SHAPES[at % SHAPES.length]}</svg>`));
    const [across, down] = [acrossOf(at), (at * GOLDEN * GOLDEN * 7.3) % 1];
    Object.assign(piece.style, { left: `${(100 * across).toFixed(1)}%`, top: `${(100 * down).toFixed(1)}%`, animationDelay: `${((at * 0.37) % 1.6).toFixed(2)}s` });
    piece.style.setProperty('--turn', `${(at * 137) % 360}deg`);
    piece.style.setProperty('--size', (0.6 + ((at * 0.29) % 0.8)).toFixed(2));
    return piece;
  }));
}
