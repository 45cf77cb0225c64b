// The strip on top of every page: the round, what is outstanding, that results are sealed, a call for an official.

import { node } from './nodes.js';
import { isPresent, overdue, sceneOf, titleOf } from './event_scene.js';
import { listed, say, tie } from './words.js';

const MOST_NAMED = 8; // tables that are named one by one

/** Draw it, and what the competition is in words. */
export function drawStrip({ title, said, marks, about }, picture) {
  put(title, tie(titleOf(picture)));
  put(said, tie(stateOf(picture)));
  const list = node('ul', {}, marksOf(picture).map(([kind, text]) => node('li', { 'data-kind': kind }, text)));
  if (marks.innerHTML !== list.innerHTML) marks.replaceChildren(...list.children);
  put(about, picture.competition === null ? '' : formatOf(picture).join(' · '));
}

/** Text that is the same is not painted again. */
function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** The format in words, part by part. */
export function formatOf({ format, games, rules }) {
  return [
    say(`competition.format.${format.split('/')[0]}`),
    games ? say('page.event.games', { n: games }) : '',
    say('page.event.target', { target: rules.target }),
  ].filter(Boolean);
}

function stateOf(picture) {
  const { tables, entrants, phase } = picture;
  switch (sceneOf(picture)) {
    case 'none': return say('page.event.none');
    case 'before': return say('page.event.present', { present: entrants.filter(isPresent).length, n: entrants.length });
    case 'drawn': return say('page.event.seats');
    case 'round': return phase === 'play' && !tables.length ? say('page.event.draw_follows') : progressOf(picture);
    case 'pause': return '';
    case 'played': return say('page.event.medals_follow');
    case 'medals': return '';
    default: return say('page.event.thanks');
  }
}

function progressOf({ tables }) {
  const playing = tables.filter((each) => !each.is_over).map(({ table }) => table);
  if (!playing.length) return say('page.event.all_done');
  if (playing.length > MOST_NAMED || playing.length === tables.length) return say('page.event.done', { done: tables.length - playing.length, n: tables.length });
  return say('page.event.still', { n: playing.length, tables: listed(playing) });
}

function marksOf(picture) {
  if (picture.competition === null) return [];
  const scene = sceneOf(picture);
  const going = ['drawn', 'round', 'pause', 'played'].includes(scene);
  const [late, calls] = going ? [overdue(picture), picture.calls] : [[], []];
  return [
    ...calls.map((number) => ['call', callOf(picture, number)]),
    ...late.map(({ round, table, play_off: playOff }) => ['late', say(playOff ? 'page.event.late.play_off' : 'page.event.late', { round, table })]),
    ...(picture.is_sealed && scene !== 'before' ? [['sealed', say('page.event.sealed')]] : []),
  ];
}

function callOf({ tables }, number) {
  const at = tables.find(({ entrants }) => entrants.includes(number));
  return at ? say('page.event.call_at', { table: at.table }) : say('page.event.call');
}
