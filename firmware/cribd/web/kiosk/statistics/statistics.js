// The figures of each player: a card for each, with the average of a deal beside its par.

import { small } from './cards.js';
import { aloud, drawn, mark, node, seen } from './nodes.js';
import { ask } from './stream.js';
import { figure, say, shownAs, tag } from './words.js';

const OPEN = matchMedia('(min-width: 700px)').matches ? 4 : 1; // how many cards are open at the start
const AGAIN_MS = 50; // between two requests, while there are games that are not added up yet

let figures = /** @type {any} */ (null);
let fetching = false;

/** @param {number} number @param {Intl.NumberFormatOptions['signDisplay']} [sign] */
const exact = (number, sign = 'auto') => new Intl.NumberFormat(tag(), { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: sign }).format(number).replace('-', '−');

/** Fetch the figures in parts and draw each: with many games it takes a while to add them up. */
export async function fetchStatistics(section) {
  if (fetching) return;
  fetching = true;
  try {
    do {
      if (figures?.unread) await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
      const { status, said } = await ask('/games/statistics');
      if (status !== 200) throw new Error(`${status}`);
      figures = said;
      drawStatistics(section);
    } while (figures.unread);
  } finally {
    fetching = false;
  }
}

export function drawStatistics(section) {
  if (figures === null) return;
  const shut = new Set([...section.querySelectorAll('details:not([open])')].map((details) => details.dataset.who));
  const known = new Set([...section.querySelectorAll('details')].map((details) => details.dataset.who));
  const { players, unread } = figures;
  const isOpen = (who, place) => (known.has(who) ? !shut.has(who) : place < OPEN);
  section.replaceChildren(
    node('h2', {}, say('page.statistics.title')),
    node('p', { role: 'status', class: 'note' }, unread ? say('page.statistics.unread', { n: unread }) : players.length ? null : say('page.statistics.nobody')),
    ...players.map((player, place) => card(player, (who) => isOpen(who, place))),
    players.some(({ deals }) => deals.some(({ par }) => par)) ? node('p', { class: 'note source' }, say('page.statistics.source')) : '',
  );
}

function card(player, isOpen) {
  const who = `${player.name.toLowerCase()} ${player.side ?? ''}`;
  const name = player.name || say('page.statistics.nameless', { side: say(`side.${player.side}`) });
  return node('details', { class: 'player', 'data-who': who, open: isOpen(who) },
    node('summary', {},
      node('h3', { 'data-side': player.side }, player.name ? null : mark(), name),
      node('span', { class: 'wins' }, seen('i', {}, '★'), aloud(`${say('page.statistics.won')} `), say('page.statistics.of', { n: figure(player.won), all: figure(player.games) }))),
    ...byKind(player.deals).map(kind),
    player.hands ? null : node('p', { class: 'note' }, say('page.statistics.trusted')),
    tally(player),
    best(player.best));
}

/** The deals of each kind of game together: those as pone, and those as dealer. */
function byKind(deals) {
  const kinds = new Map();
  for (const deal of deals) {
    const title = `${deal.players} ${deal.cards} ${deal.par}`;
    kinds.set(title, [...(kinds.get(title) ?? []), deal]);
  }
  return [...kinds.values()];
}

function kind(roles) {
  const [{ players, cards, par }] = roles;
  const title = say('page.statistics.kind', { players, cards });
  const house = players === 2 && cards === 6 && !par;
  return node('section', { class: 'kind' },
    node('h4', {}, house ? say('page.statistics.house', { kind: title }) : title),
    node('div', { class: 'roles' }, roles.map(table)));
}

function table({ role, parts, par }) {
  const heads = ['part', 'average', ...(par ? ['par', 'difference'] : []), 'times'];
  return node('table', { class: par ? 'against' : 'plain' },
    node('caption', {}, say(`page.statistics.role.${role}`)),
    node('thead', {}, node('tr', {}, heads.map((head) => node('th', { scope: 'col', class: head }, say(`page.statistics.head.${head}`))))),
    node('tbody', {}, parts.map((part) => row(part, par))));
}

function row({ part, average, par, times }, compared) {
  return node('tr', {},
    node('th', { scope: 'row' }, say(`page.statistics.part.${part}`)),
    node('td', { class: 'average' }, node('b', {}, exact(average)), compared ? bar(average, par) : null),
    compared ? node('td', { class: 'par' }, exact(par)) : null,
    compared ? node('td', { class: `difference ${beside(average, par)}` }, exact(difference(average, par), 'exceptZero')) : null,
    node('td', { class: 'times' }, figure(times)));
}

/** The difference of the rounded values, so that it adds up. */
const difference = (average, par) => (Math.round(10 * average) - Math.round(10 * par)) / 10;

const beside = (average, par) => ['under', 'even', 'over'][1 + Math.sign(difference(average, par))];

/** The length of the bar of an average; par is the line in the middle. */
function bar(average, par) {
  const filled = node('i', { class: beside(average, par) });
  filled.style.width = `${Math.max(2, Math.min(100, (50 * average) / par))}%`;
  return seen('span', { class: 'bar' }, filled);
}

function tally({ skunks, doubles, left, hands }) {
  const skunked = (of) => (doubles[of] ? say('page.statistics.doubles', { n: figure(skunks[of]), doubles: figure(doubles[of]) }) : figure(skunks[of]));
  const facts = [
    ['given', skunks.given ? skunked('given') : null],
    ['taken', skunks.taken ? skunked('taken') : null],
    ['left', left && say('page.statistics.a_deal', { average: exact(left.average), points: figure(left.points) })],
    ['mugged', left?.mugged ? figure(left.mugged) : null],
    ['big', hands && say('page.statistics.of', { n: figure(hands.big), all: figure(hands.counted) })],
    ['perfect', hands?.perfect ? figure(hands.perfect) : null],
  ].filter(([, value]) => value !== null);
  return facts.length ? node('dl', {}, facts.map(([what, value]) => node('div', {}, node('dt', {}, say(`page.statistics.tally.${what}`)), node('dd', {}, value)))) : null;
}

function best(hands) {
  if (!hands.length) return null;
  return node('section', { class: 'best' },
    node('h4', {}, say('page.statistics.best')),
    node('ol', {}, hands.map((hand) => node('li', {},
      node('b', {}, figure(hand.points)),
      node('span', { class: 'chips' }, hand.cards.flatMap((dealt) => drawn(small(dealt)))),
      node('span', { class: 'chips starter' }, aloud(say('page.statistics.starter')), drawn(small(hand.starter))),
      node('small', {}, [say(`page.statistics.of.${hand.of}`), day(hand.date)].filter(Boolean).join(' · '))))));
}

/** The day in a record; it may be any text. */
const day = (date) => shownAs(`${date}T12:00:00Z`, { dateStyle: 'medium' });
