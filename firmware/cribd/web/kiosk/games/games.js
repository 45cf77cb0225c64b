// Past games: their list, and the replay of one. The address names the game: /games, /games/12.

import { aloud, element, mark, node, seen } from './nodes.js';
import { Replay } from './replay.js';
import { drawSealed } from './sealed.js';
import { drawStatistics, fetchStatistics } from './statistics.js';
import { ask, follow, patiently, showAway, showHere } from './stream.js';
import { capital, figure, language, loadLanguages, say, shownAs, switcher, write } from './words.js';

let games = []; // the fetched part of the list, the newest first
let older = null; // the game before which the next page begins
let sealed = 0; // how many sealed events there are
let ended = null; // how many games had ended in the latest snapshot
/** @type {Replay | null} */
let replay = null;

/** A time in the board's time zone, in words: the page may be open in another one. */
const moment = (at, how) => shownAs(`${at.slice(0, 19)}Z`, how);
const day = (at) => capital(moment(at, { dateStyle: 'full' }));
const time = (at) => moment(at, { timeStyle: 'short' });

const sideName = (game, side) => game.names[side] || say(`side.${side}`);

// The list

function drawList() {
  const days = new Map();
  for (const game of games) {
    const heading = game.damaged === undefined ? day(game.begun) : days.size ? [...days.keys()].at(-1) : say('page.games.title');
    days.set(heading, [...(days.get(heading) ?? []), game]);
  }
  element('#days').replaceChildren(...[...days].map(([heading, played]) => node('section', {},
    node('h2', {}, heading), node('ol', {}, played.map((game) => node('li', {}, line(game)))))));
  element('#empty').hidden = games.length > 0 || sealed > 0;
  element('#older').hidden = older === null;
  drawSealed(element('#sealed'), sealed, unlocked);
}

/** Fetch the list again, now with the sealed games. */
async function unlocked() {
  games = [];
  await patiently(() => fetchList(false));
  element('#days a')?.focus();
}

function line(game) {
  if (game.damaged !== undefined) {
    return node('p', { class: 'game damaged' }, node('span', {}, say('page.games.number', { number: game.id })), node('span', {}, say('page.games.damaged')));
  }
  const link = node('a', { class: 'game', href: `/games/${game.id}`, 'data-game': game.id },
    node('time', { datetime: game.begun }, time(game.begun)),
    node('ul', { class: 'sides' }, game.scores.map((score, side) => node('li', { 'data-side': side, class: game.winner === side ? 'won' : null },
      mark(), node('span', { class: 'name' }, sideName(game, side)), aloud(' '), node('b', {}, figure(score)),
      game.winner === side ? [seen('i', { class: 'star' }, '★'), aloud(`, ${say('page.games.won')}`)] : null))),
    node('span', { class: 'how' },
      game.winner === null ? node('span', { class: 'badge' }, say('page.games.broken_off')) : null,
      game.text[language()].skunk ? node('span', { class: 'badge skunk' }, game.text[language()].skunk) : null,
      node('small', {}, rulesOf(game))));
  return link;
}

const rulesOf = (game) => `${game.text[language()].rules} · ${game.text[language()].way}`;

/** Fetch the next older games, or those that ended since. */
async function fetchList(more) {
  const { status, said } = await ask(more && older !== null ? `/games/list?before=${older}` : '/games/list');
  if (status !== 200) throw new Error(`${status}`);
  sealed = said.sealed;
  if (more) {
    games = [...games, ...said.games];
    older = said.older;
  } else {
    const news = said.games.filter(({ id }) => !games.length || id > games[0].id);
    if (games.length && news.length === said.games.length) games = []; // more have ended than one answer has room for
    if (!games.length) older = said.older;
    games = [...news, ...games];
  }
  drawList();
  if (!more) patiently(() => fetchStatistics(element('#statistics')));
}

// One game

/** The number of the game that the address names. */
const wanted = () => Number(location.pathname.match(/^\/games\/(\d+)$/)?.[1] ?? 0);

async function go({ takesFocus = false } = {}) {
  const number = wanted();
  const from = replay?.game?.id;
  replay?.stop();
  element('#past').hidden = element('#statistics').hidden = number > 0;
  element('#replay').hidden = number === 0;
  if (number) await show(number);
  title();
  if (!takesFocus) return;
  if (number) element('#who').focus();
  else (element(`[data-game="${from}"]`) ?? element('#days a'))?.focus();
}

async function show(number) {
  if (replay?.game?.id !== number) {
    element('#replay').classList.add('coming');
    const { status, said } = await ask(`/games/${number}/steps`);
    if (wanted() !== number) return; // the person chose another game meanwhile
    const broken = status === 404 ? 'page.games.unknown' : said?.damaged !== undefined ? 'page.games.damaged.here' : null;
    if (!broken && status !== 200) throw new Error(`${status}`);
    replay ??= new Replay((await ask('/table/board')).said);
    replay.open(broken ? null : said);
    element('#broken').dataset.code = broken ?? '';
  }
  element('#replay').classList.remove('coming');
  drawTitle(number);
  window.scrollTo(0, 0);
}

function drawTitle(number) {
  const { code } = element('#broken').dataset;
  const game = replay?.game;
  element('#stage').hidden = element('#hint').hidden = element('#record').hidden = !game;
  element('#broken').hidden = Boolean(game);
  element('#broken').textContent = code ? say(code, { number }) : '';
  element('#record').href = `/games/${number}/record`;
  element('#who').textContent = game ? game.names.map((_, side) => sideName(game, side)).join(' – ') : say('page.games.number', { number });
  element('#when').textContent = !game ? '' : [day(game.begun), time(game.begun), rulesOf(game), say('page.games.number', { number })].join(' · ');
}

function title() {
  const what = wanted() ? element('#who').textContent : say('page.games.title');
  document.title = `Cribboard · ${what}`;
}

// Buttons and keys

element('#down').addEventListener('click', () => {
  const section = element('#statistics');
  section.scrollIntoView();
  section.querySelector('summary')?.focus({ preventScroll: true });
});

document.addEventListener('click', (event) => {
  const link = /** @type {Element} */ (event.target).closest('a[href^="/games"]:not([download])');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(null, '', link.getAttribute('href'));
  patiently(() => go({ takesFocus: true }));
});

window.addEventListener('popstate', () => patiently(() => go({ takesFocus: true })));

element('#older').addEventListener('click', async () => {
  const last = games.at(-1)?.id;
  element('#older').disabled = true;
  await patiently(() => fetchList(true));
  element('#older').disabled = false;
  const next = games[games.findIndex(({ id }) => id === last) + 1];
  element(`[data-game="${next?.id}"]`)?.focus();
});

// The board

function speak() {
  write();
  drawList();
  drawStatistics(element('#statistics'));
  replay?.draw();
  if (wanted()) drawTitle(wanted());
  title();
}

function receive(snapshot) {
  const back = showHere();
  const news = ended !== null && snapshot.ended !== ended;
  ended = snapshot.ended;
  if (back && wanted() && replay?.game?.id !== wanted()) patiently(go);
  if (back || news) patiently(() => fetchList(false));
}

await patiently(async () => {
  await loadLanguages();
  await fetchList(false);
  write();
  await go();
}, showAway);
showHere();
switcher(element('#language'), speak);
speak();
follow('/table/events', { receive, gone: showAway });
