// The sides: a panel for each with its score, whose deal and crib it is, who is to play, and the games won.

import { peg } from './drawn_board.js';
import { drawn, node, aloud, seen } from './nodes.js';
import { language, say, tie } from './words.js';

/** The name of a side: its player's, or its colour. */
export const sideName = ({ names }, at) => names[at] || say(`side.${at}`);

/** The peg of a side; its shape identifies the side. */
export const pegOf = (at) => node('span', { class: 'emblem' }, drawn(peg(at)));

/** Whether one view follows another: the same game, a step further. */
export const follows = (view, old) => Boolean(old) && old.sides.length === view.sides.length && old.winner === null
  && view.number > old.number && (view.deal === old.deal || view.deal === old.deal + 1);

let gains = [];

/** A panel for each side. The latest points are beside the name until a side scores again. */
export function drawSides(place, snapshot, before) {
  const { view } = snapshot;
  const old = before?.view;
  if (!follows(view, old) && view.number !== old?.number) gains = [];
  const now = view.sides.map(({ score }, at) => score - (old?.sides[at]?.score ?? score));
  if (follows(view, old) && now.some(Boolean)) gains = now;
  place.dataset.sides = view.sides.length;
  place.replaceChildren(...view.sides.map((side, at) => panel(snapshot, side, at)));
}

function panel(snapshot, { score }, at) {
  const { view, match, lobby } = snapshot;
  const acts = lobby === null && (view.asks.side ?? (view.phase === 'play' ? view.turn_side : null)) === at;
  const name = sideName(snapshot, at);
  const fits = name.length > 17 ? ' longest' : name.length > 14 ? ' longer' : name.length > 9 ? ' long' : '';
  return node('li', { 'data-side': at, class: `side${acts ? ' acts' : ''}` },
    aloud(say('page.table.side', { side: name, score, target: view.target })),
    seen('p', { class: `name${fits}` }, pegOf(at), node('span', {}, name), gains[at] > 0 && node('small', {}, `+${gains[at]}`)),
    seen('p', { class: `score${score > 99 ? ' long' : ''}` }, node('b', {}, String(score))),
    node('p', { class: 'badges' },
      acts && node('span', { class: 'badge acts' }, say('page.score.acts')),
      view.dealer === at && node('span', { class: 'badge' }, say('page.score.deals')),
      node('span', { class: 'total' }, total(match, at))),
    pins(match, at));
}

const MOST_PINS = 9;

/** The games won in the match: a brass pin for each, as on the board. */
function pins({ games, of, standings }, at) {
  if (of < 2 || of > MOST_PINS || standings !== 'wins') return null;
  const all = Array.from({ length: of }, (_, pin) => seen('i', { class: pin < games[at] ? 'won' : '' }));
  return node('p', { class: 'pins' }, aloud(say('page.score.games', { n: games[at] })), all);
}

/** The same in words, if there are too many for pins, or the match adds up points. */
function total({ games, points, of, standings }, at) {
  if (standings !== 'wins') return say('page.score.total', { n: points[at] });
  return of > MOST_PINS ? say('page.score.games', { n: games[at] }) : null;
}

/** The prompt, and the latest act. */
export function drawNow(place, snapshot) {
  const { ask, said, hints, refusal } = snapshot.text[language()];
  const side = snapshot.menu || snapshot.lobby !== null ? null : snapshot.view.asks.side;
  const lines = refusal.length ? refusal : [...said, ...hints].slice(0, 2);
  const [asked, below] = place.children;
  place.dataset.side = side ?? '';
  place.classList.toggle('refused', refusal.length > 0);
  asked.className = ask.length > 29 ? 'longer' : ask.length > 21 ? 'long' : '';
  asked.replaceChildren(...(side === null ? [] : [pegOf(side)]), node('span', {}, tie(ask)));
  below.textContent = tie(lines.join(' · '));
  place.classList.toggle('wordy', below.textContent.length > 44);
}

/** The rules, the deal and the match; of a far board its place in the event. @param {TableSnapshot} snapshot */
export function drawAbout(place, snapshot) {
  const { view, match, lobby, text, table, round, game } = snapshot;
  const what = table && view ? say('page.score.at', { table, round, game }) : text[language()].rules;
  const deal = view && lobby === null && view.deal > 0 ? say('page.score.deal', { deal: view.deal }) : '';
  const series = match.of < 2 ? '' : say(match.standings === 'wins' ? 'page.score.first_to' : 'page.score.series', { of: match.of });
  place.textContent = [what, series, deal].filter(Boolean).join(' · ');
}
