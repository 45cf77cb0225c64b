// Past games: their list, and the replay of one. The address names the game: /games, /games/12.

import { aloud, mark, node, seen } from './nodes.js';
import { Replay } from './replay.js';
import { drawSealed } from './sealed.js';
import { drawStatistics, fetchStatistics } from './statistics.js';
import { ask, follow, patiently } from './stream.js';
import { figure, language, learn, say, switcher, write } from './words.js';


const find = (selector) => document.querySelector(selector);
let games = []; // the fetched part of the list, the newest first
let older = null; // the game before which the next page begins
let sealed = 0; // how many sealed events there are
let ended = null; // how many games had ended in the latest picture
let replay = null;

/** A time in the board's time zone, in words: the page may be open in another one. */
const moment = (at, how) => new Intl.DateTimeFormat(language().replace('_', '-'), { ...how, timeZone: 'UTC' }).format(new Date(`${at.slice(0, 19)}Z`));
const day = (at) => capital(moment(at, { dateStyle: 'full' }));
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const time = (at) => moment(at, { timeStyle: 'short' });

const nameOf = (game, side) => game.names[side] || say(`side.${side}`);

// The list

function drawList() {
  const days = new Map();
  for (const game of games) {
    const title = game.damaged === undefined ? day(game.begun) : days.size ? [...days.keys()].at(-1) : say('page.games.title');
    days.set(title, [...(days.get(title) ?? []), game]);
  }
  find('#days').replaceChildren(...[...days].map(([title, played]) => node('section', {},
    node('h2', {}, title), node('ol', {}, played.map((game) => node('li', {}, line(game)))))));
  find('#empty').hidden = games.length > 0 || sealed > 0;
  find('#older').hidden = older === null;
  drawSealed(find('#sealed'), sealed, unlocked);
}

/** This browser has given the PIN: the list comes with the sealed games. */
async function unlocked() {
  games = [];
  await patiently(() => fetchList(false));
  find('#days a')?.focus();
}

function line(game) {
  if (game.damaged !== undefined) {
    return node('p', { class: 'game damaged' }, node('span', {}, say('page.games.number', { number: game.id })), node('span', {}, say('page.games.damaged')));
  }
  const link = node('a', { class: 'game', href: `/games/${game.id}`, 'data-game': game.id },
    node('time', { datetime: game.begun }, time(game.begun)),
    node('ul', { class: 'sides' }, game.scores.map((score, side) => node('li', { 'data-side': side, class: game.winner === side ? 'won' : null },
      mark(), node('span', { class: 'name' }, nameOf(game, side)), aloud(' '), node('b', {}, figure(score)),
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
  if (!more) patiently(() => fetchStatistics(find('#statistics')));
}

// One game

/** The number of the game that the address names. */
const wanted = () => Number(location.pathname.match(/^\/games\/(\d+)$/)?.[1] ?? 0);

async function go({ focus = false } = {}) {
  const number = wanted();
  const from = replay?.game?.id;
  replay?.stop();
  find('#past').hidden = find('#statistics').hidden = number > 0;
  find('#replay').hidden = number === 0;
  if (number) await open(number);
  title();
  if (!focus) return;
  if (number) find('#who').focus();
  else (find(`[data-game="${from}"]`) ?? find('#days a'))?.focus();
}

async function open(number) {
  if (replay?.game?.id !== number) {
    find('#replay').classList.add('coming');
    const { status, said } = await ask(`/games/${number}/steps`);
    if (wanted() !== number) return; // the person chose another game meanwhile
    const broken = status === 404 ? 'page.games.unknown' : said?.damaged !== undefined ? 'page.games.damaged.here' : null;
    if (!broken && status !== 200) throw new Error(`${status}`);
    replay ??= new Replay((await ask('/table/board')).said);
    replay.open(broken ? null : said);
    find('#broken').dataset.code = broken ?? '';
  }
  find('#replay').classList.remove('coming');
  drawTitle(number);
  window.scrollTo(0, 0);
}

function drawTitle(number) {
  const { code } = find('#broken').dataset;
  const game = replay?.game;
  find('#stage').hidden = find('#hint').hidden = find('#record').hidden = !game;
  find('#broken').hidden = Boolean(game);
  find('#broken').textContent = code ? say(code, { number }) : '';
  find('#record').href = `/games/${number}/record`;
  find('#who').textContent = game ? game.names.map((_, side) => nameOf(game, side)).join(' – ') : say('page.games.number', { number });
  find('#when').textContent = !game ? '' : [day(game.begun), time(game.begun), rulesOf(game), say('page.games.number', { number })].join(' · ');
}

function title() {
  const what = wanted() ? find('#who').textContent : say('page.games.title');
  document.title = `Cribboard · ${what}`;
}

// Buttons and keys

find('#down').addEventListener('click', () => {
  const section = find('#statistics');
  section.scrollIntoView();
  section.querySelector('summary')?.focus({ preventScroll: true });
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="/games"]:not([download])');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(null, '', link.getAttribute('href'));
  patiently(() => go({ focus: true }));
});

window.addEventListener('popstate', () => patiently(() => go({ focus: true })));

find('#older').addEventListener('click', async () => {
  const last = games.at(-1)?.id;
  find('#older').disabled = true;
  await patiently(() => fetchList(true));
  find('#older').disabled = false;
  const next = games[games.findIndex(({ id }) => id === last) + 1];
  find(`[data-game="${next?.id}"]`)?.focus();
});

// The board

function speak() {
  write();
  drawList();
  drawStatistics(find('#statistics'));
  replay?.draw();
  if (wanted()) drawTitle(wanted());
  title();
}

function receive(picture) {
  document.body.classList.remove('gone');
  const back = !find('#away').hidden;
  find('#away').hidden = true;
  const news = ended !== null && picture.ended !== ended;
  ended = picture.ended;
  if (back && wanted() && replay?.game?.id !== wanted()) patiently(go);
  if (back || news) patiently(() => fetchList(false));
}

function gone() {
  document.body.classList.add('gone');
  find('#away').hidden = false;
}

await patiently(async () => {
  await learn();
  await fetchList(false);
  write();
  await go();
}, gone);
find('#away').hidden = true;
document.body.classList.remove('waiting', 'gone');
switcher(find('#language'), speak);
speak();
follow('/table/events', { receive, gone });
