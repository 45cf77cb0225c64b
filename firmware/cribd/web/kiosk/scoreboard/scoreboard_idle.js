// The rest screen, while nobody plays: how a game begins, the last results, the best hands of the day.

import { small } from './cards.js';
import { face } from './faces.js';
import { drawn, node } from './nodes.js';
import { sideName, pegOf } from './scoreboard_sides.js';
import { ask } from './stream.js';
import { language, say, tie } from './words.js';

const FAN = ['5S', '5H', '5C', 'JD', '5D']; // the best hand there is
const MOST_RESULTS = 5;
const MOST_BEST = 4; // more are sent, and do not fit
const AGAIN_MS = 30000;
const STALE_MS = 1800000; // so that the best hands change after midnight

let today = { results: [], best: [] };
/** @type {{ address: string | null, code: string | null }} */
let invitation = { address: null, code: null };
/** @type {number | null} */
let fetchedFor = null;
/** @type {TableSnapshot} */
let latest; // the newest snapshot: it may change while lists are fetched
let timer = 0;

/** Draw the rest screen. Fetches the lists again whenever another game has ended, and from time to time. */
export function drawIdle(place, snapshot) {
  latest = snapshot;
  if (fetchedFor !== snapshot.ended) {
    fetchedFor = snapshot.ended;
    const later = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        fetchedFor = null; // the next snapshot tries again, or the timer
        if (!place.hidden) drawIdle(place, latest);
      }, ms);
    };
    fetchLists().then(() => (compose(place), later(STALE_MS))).catch(() => later(AGAIN_MS));
  }
  compose(place);
}

/** The screen of a table of the hall at which no game is shown. */
export function drawNone(place, snapshot) {
  const { table, is_sealed: isSealed } = snapshot;
  place.className = 'bare';
  place.replaceChildren(node('div', { class: 'hero' }, node('div', { class: 'fan' }, drawn(FAN.map(face).join(''))),
    node('div', {}, node('p', { class: 'ask' }, tie(say('page.score.none', { table }))), node('p', { class: 'start' }, say(isSealed ? 'page.score.none.sealed' : 'page.score.none.then')))));
}

async function fetchLists() {
  const [lists, way] = await Promise.all([ask('/games/today'), ask('/table/invitation')]);
  if (lists.status !== 200 || way.status !== 200) throw new Error(`${lists.status}, ${way.status}`);
  today = lists.said;
  invitation = way.said;
}

function compose(place) {
  const { text, lobby, menu } = latest;
  const { ask: invited, hints } = text[language()];
  const start = lobby === 'resume' || menu || latest.event || latest.waits ? hints.join(' · ') : say('page.score.start');
  const results = today.results.slice(0, MOST_RESULTS);
  const lists = [results, today.best].filter((list) => list.length).length;
  place.classList.toggle('bare', lists === 0);
  place.classList.toggle('lone', lists === 1);
  place.classList.toggle('coded', invitation.code !== null);
  place.replaceChildren(...[
    node('div', { class: 'hero' },
      node('div', { class: 'fan' }, drawn(FAN.map(face).join(''))),
      node('div', {}, node('p', { class: 'ask' }, tie(invited)), node('p', { class: 'start' }, start))),
    results.length ? list('results', say('page.score.results'), results.map(result)) : null,
    today.best.length ? list('best', say('page.score.best'), today.best.slice(0, MOST_BEST).map(best)) : null,
    phoneQrCode(),
  ].filter(Boolean));
  fit(place);
}

/** Remove the oldest results until nothing overflows, where the page cannot grow. */
function fit(place) {
  const rows = [...place.querySelectorAll('.results li')];
  const passes = () => place.scrollHeight > place.parentElement.clientHeight + 1;
  while (rows.length > 1 && passes()) rows.pop().remove();
}

const list = (kind, title, rows) => node('div', { class: kind }, node('h2', {}, title), node('ol', {}, rows));

/** A name, in smaller type if it is long; it may take two lines. */
const called = (name) => node('span', { class: `who${name.length > 16 ? ' longest' : name.length > 12 ? ' long' : ''}` }, name);

function result({ names, scores, winner, text }) {
  const side = (score, at) => node('span', { class: at === winner ? 'winner' : '' }, pegOf(at), called(sideName({ names }, at)), node('b', {}, String(score)));
  return node('li', { 'data-sides': scores.length }, scores.map(side), node('small', {}, text[language()].skunk));
}

function best({ points, cards, starter, of, side, name }) {
  return node('li', {}, node('b', {}, String(points)),
    node('p', {}, pegOf(side), called(name || say(`side.${side}`)), node('small', {}, of === 'crib' ? say('page.score.crib') : null)),
    node('span', { class: 'chips' }, drawn([...cards, starter].map(small).join(''))));
}

function phoneQrCode() {
  const { address, code } = invitation;
  return node('div', { class: 'invite' }, node('h2', {}, say('page.score.phone')),
    code ? node('div', { class: 'code', role: 'img', 'aria-label': say('page.score.code') }, drawn(code)) : null,
    node('p', {}, address?.split('//')[1] ?? say('page.score.no_phone')));
}
