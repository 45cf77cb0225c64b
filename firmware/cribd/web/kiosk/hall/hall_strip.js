// The strip on top of every page: the round, what is outstanding, that results are sealed, a call for an official.

import { node } from './nodes.js';
import { isPresent, listed, overdue, sceneOf, titleOf } from './hall_scene.js';
import { say, tie } from './words.js';

const MOST_NAMED = 8; // tables that are named one by one

/** Draw the strip, and describe the competition in words.
 *  @param {{ title: any, said: any, marks: any, about: any }} places @param {HallSnapshot} snapshot */
export function drawStrip({ title, said, marks, about }, snapshot) {
  put(title, tie(titleOf(snapshot)));
  put(said, tie(stateOf(snapshot)));
  const list = node('ul', {}, marksOf(snapshot).map(([kind, text]) => node('li', { 'data-kind': kind }, text)));
  if (marks.innerHTML !== list.innerHTML) marks.replaceChildren(...list.children);
  put(about, snapshot.competition === null ? '' : formatOf(snapshot).join(' · '));
}

/** Write a text only if it is new, so that the screen paints no more. */
function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** The format in words, part by part. */
export function formatOf({ format, games, rules }) {
  return [
    say(`competition.format.${format.split('/')[0]}`),
    games ? say('page.hall.games', { n: games }) : '',
    say('page.hall.target', { target: rules.target }),
  ].filter(Boolean);
}

/** @param {HallSnapshot} snapshot */
function stateOf(snapshot) {
  const { tables, entrants, phase } = snapshot;
  switch (sceneOf(snapshot)) {
    case 'none': return say('page.hall.none');
    case 'before': return say('page.hall.present', { present: entrants.filter(isPresent).length, n: entrants.length });
    case 'drawn': return say('page.hall.seats');
    case 'round': return phase === 'play' && !tables.length ? say('page.hall.draw_follows') : progressOf(snapshot);
    case 'pause': return '';
    case 'played': return say('page.hall.medals_follow');
    case 'medals': return '';
    default: return say('page.hall.thanks');
  }
}

function progressOf({ tables }) {
  const playing = tables.filter((table) => !table.is_over).map(({ table }) => table);
  if (!playing.length) return say('page.hall.all_done');
  if (playing.length > MOST_NAMED || playing.length === tables.length) return say('page.hall.done', { done: tables.length - playing.length, n: tables.length });
  return say('page.hall.still', { n: playing.length, tables: listed(playing) });
}

/** @param {HallSnapshot} snapshot */
function marksOf(snapshot) {
  if (snapshot.competition === null) return [];
  const scene = sceneOf(snapshot);
  const going = ['drawn', 'round', 'pause', 'played'].includes(scene);
  const [late, calls] = going ? [overdue(snapshot), snapshot.calls] : [[], []];
  return [
    ...calls.map((number) => ['call', callOf(snapshot, number)]),
    ...late.map(({ round, table, play_off: playOff }) => ['late', say(playOff ? 'page.hall.late.play_off' : 'page.hall.late', { round, table })]),
    ...(snapshot.is_sealed && scene !== 'before' ? [['sealed', say('page.hall.sealed')]] : []),
  ];
}

function callOf({ tables }, number) {
  const at = tables.find(({ entrants }) => entrants.includes(number));
  return at ? say('page.hall.call_at', { table: at.table }) : say('page.hall.call');
}
