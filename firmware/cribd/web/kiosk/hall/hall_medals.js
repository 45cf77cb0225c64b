// The medals: the moment of each, and the podium that stays.

import { called, fitted } from './hall_room.js';
import { criteria, entrantName, playersOf } from './hall_scene.js';
import { node, seen } from './nodes.js';
import { figure, say, tie } from './words.js';

const rowsAt = ({ standings }, place) => standings.filter((row) => row.place === place);

/** The names of those who have this place: several, where it is shared. @param {HallSnapshot} snapshot */
export const namesAt = (snapshot, place) => rowsAt(snapshot, place).map(({ entrant }) => entrantName(snapshot, entrant));

const medal = (place) => seen('span', { class: 'medal', 'data-place': place }, node('i', { class: 'ribbon' }), node('b', {}, String(place)));

/** The moment in which a place is opened. @param {HallSnapshot} snapshot */
export function drawMoment(place, snapshot, opened) {
  const rows = rowsAt(snapshot, opened);
  place.dataset.place = opened;
  place.replaceChildren(node('div', { class: 'light', 'aria-hidden': 'true' }), medal(opened),
    node('h2', {}, tie(say(`page.hall.place.${opened}`))),
    node('ul', { class: rows.length > 2 ? 'several' : '' }, rows.map((row) => node('li', {}, called(entrantName(snapshot, row.entrant)),
      node('p', {}, playersOf(snapshot, row.entrant).join(' · '))))),
    node('p', { class: 'amount' }, amountOf(snapshot, rows[0])));
  place.hidden = false;
  fitted(place);
}

/** The podium: places that were opened, and steps that still wait for theirs. @param {HallSnapshot} snapshot */
export function drawPodium(snapshot) {
  const places = Array.from({ length: snapshot.values.medals }, (_, at) => at + 1);
  const steps = places.filter((place) => snapshot.phase !== 'open' || rowsAt(snapshot, place).length);
  return node('ol', { class: 'podium', 'data-steps': steps.length }, steps.map((place) => step(snapshot, place)));
}

/** @param {HallSnapshot} snapshot */
function step(snapshot, place) {
  const rows = snapshot.opened.includes(place) ? rowsAt(snapshot, place) : [];
  return node('li', { class: rows.length ? 'step' : 'step closed', 'data-place': place },
    node('div', { class: rows.length > 2 ? 'several' : '' },
      rows.map((row) => node('p', { class: 'winner' }, called(entrantName(snapshot, row.entrant)), node('small', {}, playersOf(snapshot, row.entrant).join(' · ')))),
      rows.length ? [node('p', { class: 'amount' }, amountOf(snapshot, rows[0])), medal(place)] : null),
    node('b', { class: 'block' }, String(place)));
}

/** The first amount that is ranked by, in words. @param {HallSnapshot} snapshot */
function amountOf(snapshot, row) {
  const [by] = criteria(snapshot);
  return by && row ? say('page.hall.amount', { amount: figure(row.amounts[by]), criterion: say(`competition.criterion.${by}`) }) : '';
}
