// A win: the side, the score, the peg in the game hole below, and confetti that falls once and stays there.

import { confetti } from './confetti.js';
import { node } from './nodes.js';
import { sideName, pegOf } from './scoreboard_sides.js';
import { language, say, tie } from './words.js';

let drawnFor = '';

/** `celebrates`: this page saw the win happen, so confetti falls. An older win has none. */
export function drawWin(place, snapshot, celebrates) {
  const { view, match, lobby, text } = snapshot;
  const key = JSON.stringify([view.winner, view.sides, snapshot.names, match, lobby, language(), celebrates]);
  if (key === drawnFor && place.hasChildNodes()) return;
  drawnFor = key;
  place.dataset.side = view.winner;
  const scores = view.sides.map(({ score }, at) => ({ score, at })).sort((a, b) => Number(b.at === view.winner) - Number(a.at === view.winner) || b.score - a.score);
  clearAndCelebrate(place, celebrates);
  const wins = say('page.score.wins', { side: sideName(snapshot, view.winner) });
  place.append(...[
    node('h2', { class: wins.length > 20 ? 'long' : '' }, pegOf(view.winner), node('span', {}, tie(wins))),
    node('p', { class: 'skunk' }, text[language()].skunk),
    node('ol', { class: 'final' }, scores.map(({ score, at }) => node('li', { 'data-side': at, class: at === view.winner ? 'winner' : '' },
      node('span', {}, at === view.winner ? null : pegOf(at), at === view.winner ? null : sideName(snapshot, at)), node('b', {}, String(score))))),
    node('p', { class: `match${match.over ? ' over' : ''}` }, ofMatch(snapshot, scores)),
  ]);
}

/** Clear the place. Confetti falls once, if this page saw the win happen, and lies there. */
function clearAndCelebrate(place, celebrates) {
  const fallen = place.querySelector('.confetti'); // it would fall again whenever the element is shown again
  for (const old of [...place.children]) if (old !== fallen || !celebrates) old.remove();
  if (celebrates && !fallen) place.append(confetti());
}

/** Whether the snapshot's match is that of the win. After the last game of a meeting it is a new one: nobody has won there.
 *  @param {TableSnapshot} snapshot */
export const isOfMatch = ({ match, lobby }) => lobby === null || [...match.games, ...match.points].some(Boolean);

/** The score of the match, in the order of the scores, once the result is final: before that it lacks this game. */
function ofMatch(snapshot, scores) {
  const { match, names, lobby } = snapshot;
  if (lobby === null || !isOfMatch(snapshot)) return null;
  if (match.over) return match.winner === null ? say('page.score.match_level') : say('page.score.match_won', { side: sideName({ names }, match.winner) });
  if (match.of < 2) return null;
  const standings = match.standings === 'wins' ? match.games : match.points;
  return say('page.score.match_stands', { games: scores.map(({ at }) => standings[at]).join(' – ') });
}
