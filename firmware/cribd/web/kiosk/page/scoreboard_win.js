// A win: the side, the score, the peg in the game hole below, and confetti that falls once and stays there.

import { outline } from './cards.js';
import { drawn, node, seen } from './nodes.js';
import { nameOf, pegOf } from './scoreboard_sides.js';
import { language, say, tie } from './words.js';

const PIECES = 90;
/** Suits, and the heads of the pegs. */
const SHAPES = [...[...'SHDC'].map((suit) => `<path d="${outline(suit)}"/>`), '<circle r="9"/>', '<path d="M0-11 11 0 0 11-11 0Z"/>', '<path d="M-8-8H8V8H-8Z"/>'];
const GOLDEN = 0.61803398875;

let drawnFor = null;

/** `celebrates`: this page saw the win happen, so confetti falls. An older win has none. */
export function drawWin(place, picture, celebrates) {
  const { view, match, lobby, text } = picture;
  const key = JSON.stringify([view.winner, view.sides, picture.names, match, lobby, language(), celebrates]);
  if (key === drawnFor && place.hasChildNodes()) return;
  drawnFor = key;
  place.dataset.side = view.winner;
  const scores = view.sides.map(({ score }, at) => ({ score, at })).sort((a, b) => (b.at === view.winner) - (a.at === view.winner) || b.score - a.score);
  const fallen = place.querySelector('.confetti'); // it would fall again whenever the element is shown again
  for (const old of [...place.children]) if (old !== fallen || !celebrates) old.remove();
  if (celebrates && !fallen) place.append(confetti());
  const wins = say('page.score.wins', { side: nameOf(picture, view.winner) });
  place.append(...[
    node('h2', { class: wins.length > 20 ? 'long' : '' }, pegOf(view.winner), node('span', {}, tie(wins))),
    node('p', { class: 'skunk' }, text[language()].skunk),
    node('ol', { class: 'final' }, scores.map(({ score, at }) => node('li', { 'data-side': at, class: at === view.winner ? 'winner' : '' },
      node('span', {}, at === view.winner ? null : pegOf(at), at === view.winner ? null : nameOf(picture, at)), node('b', {}, String(score))))),
    node('p', { class: `match${match.over ? ' over' : ''}` }, ofMatch(picture, scores)),
  ]);
}

/** The score of the match, in the order of the scores, once the result is final: before that it lacks this game. */
function ofMatch({ match, names, lobby }, scores) {
  if (lobby === null) return null;
  if (match.over) return match.winner === null ? say('page.score.match_level') : say('page.score.match_won', { side: nameOf({ names }, match.winner) });
  if (match.of < 2) return null;
  const standings = match.standings === 'wins' ? match.games : match.points;
  return say('page.score.match_stands', { games: scores.map(({ at }) => standings[at]).join(' – ') });
}

const acrossOf = (at) => (at * GOLDEN) % 1;

/** Confetti of the colours of the text never lies behind it. */
const toneOf = (at) => (Math.abs(acrossOf(at) - 0.5) < 0.34 ? 2 + (at % 3) : at % 5);

/** The place of each piece follows from its number: always the same, evenly spread. */
function confetti() {
  return seen('div', { class: 'confetti' }, Array.from({ length: PIECES }, (_, at) => {
    const piece = node('i', { class: `tone-${toneOf(at)}` }, drawn(`<svg viewBox="-11 -11 22 22">${SHAPES[at % SHAPES.length]}</svg>`));
    const [across, down] = [acrossOf(at), (at * GOLDEN * GOLDEN * 7.3) % 1];
    Object.assign(piece.style, { left: `${(100 * across).toFixed(1)}%`, top: `${(100 * down).toFixed(1)}%`, animationDelay: `${((at * 0.37) % 1.6).toFixed(2)}s` });
    piece.style.setProperty('--turn', `${(at * 137) % 360}deg`);
    piece.style.setProperty('--size', (0.6 + ((at * 0.29) % 0.8)).toFixed(2));
    return piece;
  }));
}
