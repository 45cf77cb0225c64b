// Who plays: a panel for each side with its score, whose deal and crib it is, who is to play, and the games won.

import { peg } from './drawn_board.js';
import { drawn, node, aloud, seen } from './nodes.js';
import { language, say } from './words.js';

/** What a side is called: by its name, or its colour. */
export const nameOf = ({ names }, at) => names[at] || say(`side.${at}`);

/** The peg of a side, which tells it by its shape. */
export const pegOf = (at) => node('span', { class: 'emblem' }, drawn(peg(at)));

/** Whether one view goes on where another was: the same game, a step further. */
export const follows = (view, old) => Boolean(old) && old.sides.length === view.sides.length && old.winner === null
  && view.number > old.number && (view.deal === old.deal || view.deal === old.deal + 1);

/** A panel for each side. What was scored last stands beside the score. */
export function drawSides(place, picture, before) {
  const { view } = picture;
  if (follows(view, before?.view)) remember(view, before.view);
  else gains = view.sides.map(() => 0);
  place.dataset.sides = view.sides.length;
  place.replaceChildren(...view.sides.map((side, at) => panel(picture, side, at)));
}

let gains = [];

/** A gain stands until any side scores again, or something is taken back. */
function remember(view, old) {
  const now = view.sides.map(({ score }, at) => score - old.sides[at].score);
  if (now.some((gain) => gain !== 0)) gains = now;
}

function panel(picture, side, at) {
  const { view, match } = picture;
  const acts = (view.asks.side ?? view.turnSide) === at;
  const deals = view.dealer === at;
  const long = side.score > 99;
  const name = nameOf(picture, at);
  return node('li', { 'data-side': at, class: `side${acts ? ' acts' : ''}` },
    aloud(say('page.table.side', { side: name, score: side.score, target: view.target })),
    seen('p', { class: `name${name.length > 14 ? ' longer' : name.length > 9 ? ' long' : ''}` }, pegOf(at), node('span', {}, name),
      gains[at] > 0 && node('small', {}, `+${gains[at]}`)),
    seen('p', { class: `score${long ? ' long' : ''}` }, node('b', {}, String(side.score))),
    node('p', { class: 'badges' },
      acts && node('span', { class: 'badge acts' }, say('page.score.acts')),
      deals && node('span', { class: 'badge' }, say('page.score.deals'))),
    games(match, at));
}

/** The games of the match: a brass pin for each, as on the board; where points are added up, those. */
function games({ games: won, points, of, standings }, at) {
  if (of < 2) return null;
  if (standings !== 'wins') return node('p', { class: 'pins' }, say('page.score.total', { n: points[at] }));
  const pins = Array.from({ length: Math.min(of, 9) }, (_, pin) => seen('i', { class: pin < won[at] ? 'won' : '' }));
  return node('p', { class: 'pins' }, aloud(say('page.score.games', { n: won[at] })), pins);
}

/** What the table asks of whom, and what was just done. */
export function drawNow(place, picture) {
  const { ask, said, hints, refusal } = picture.text[language()];
  const side = picture.menu ? null : picture.view.asks.side;
  const told = refusal.length ? refusal : [...said, ...hints].slice(0, 2);
  const [asked, below] = place.children;
  place.dataset.side = side ?? '';
  place.classList.toggle('refused', refusal.length > 0);
  asked.className = ask.length > 30 ? 'longer' : ask.length > 21 ? 'long' : '';
  asked.replaceChildren(...(side === null ? [] : [pegOf(side)]), node('span', {}, ask));
  below.textContent = told.join(' · ');
}

/** Which rules, which deal, which match. */
export function drawAbout(place, { view, match, lobby, text }) {
  const deal = view && lobby === null && view.deal > 0 ? say('page.score.deal', { deal: view.deal }) : '';
  const series = match.of < 2 ? '' : say(match.standings === 'wins' ? 'page.score.first_to' : 'page.score.series', { of: match.of });
  place.textContent = [text[language()].rules, series, deal].filter(Boolean).join(' · ');
}
