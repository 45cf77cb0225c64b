// The medals: the moment of each, and the podium that stays.

import { called, fitted } from './event_room.js';
import { criteria, nameOf, playersOf } from './event_scene.js';
import { node, seen } from './nodes.js';
import { figure, say, tie } from './words.js';

const rowsAt = ({ standings }, place) => standings.filter((row) => row.place === place);

/** The names of those who have this place: several, where it is shared. */
export const namesAt = (picture, place) => rowsAt(picture, place).map(({ entrant }) => nameOf(picture, entrant));

const medal = (place) => seen('span', { class: 'medal', 'data-place': place }, node('i', { class: 'ribbon' }), node('b', {}, String(place)));

/** The moment in which a place is opened. */
export function drawMoment(place, picture, opened) {
  const rows = rowsAt(picture, opened);
  place.dataset.place = opened;
  place.replaceChildren(node('div', { class: 'light', 'aria-hidden': 'true' }), medal(opened),
    node('h2', {}, tie(say(`page.event.place.${opened}`))),
    node('ul', { class: rows.length > 2 ? 'several' : '' }, rows.map((row) => node('li', {}, called(nameOf(picture, row.entrant)),
      node('p', {}, playersOf(picture, row.entrant).join(' · '))))),
    node('p', { class: 'amount' }, amountOf(picture, rows[0])));
  place.hidden = false;
  fitted(place);
}

/** The podium: places that were opened, and steps that still wait for theirs. */
export function drawPodium(picture) {
  const places = Array.from({ length: picture.values.medals }, (_, at) => at + 1);
  const steps = places.filter((place) => picture.phase !== 'open' || rowsAt(picture, place).length);
  return node('ol', { class: 'podium', 'data-steps': steps.length }, steps.map((place) => step(picture, place)));
}

function step(picture, place) {
  const rows = picture.opened.includes(place) ? rowsAt(picture, place) : [];
  return node('li', { class: rows.length ? 'step' : 'step closed', 'data-place': place },
    node('div', { class: rows.length > 2 ? 'several' : '' },
      rows.map((row) => node('p', { class: 'winner' }, called(nameOf(picture, row.entrant)), node('small', {}, playersOf(picture, row.entrant).join(' · ')))),
      rows.length ? [node('p', { class: 'amount' }, amountOf(picture, rows[0])), medal(place)] : null),
    node('b', { class: 'block' }, String(place)));
}

/** The first amount that is ranked by, in words. */
function amountOf(picture, row) {
  const [by] = criteria(picture);
  return by && row ? say('page.event.amount', { amount: figure(row.amounts[by]), criterion: say(`competition.criterion.${by}`) }) : '';
}
