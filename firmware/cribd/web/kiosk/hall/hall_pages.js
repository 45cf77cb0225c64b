// The pages of each scene: seats by table or by name, tables that are done, the standings, the podium. A page has a key, by
// which it is known again when the snapshot changes, and what makes it.

import { numberOf, track } from './hall_games.js';
import { drawPodium } from './hall_medals.js';
import { called, grid, grids, heightOf, isWide, rowsIn } from './hall_room.js';
import { isPresent, entrantName, playersOf, sceneOf } from './hall_scene.js';
import { standingsPages } from './hall_standings.js';
import { formatOf } from './hall_strip.js';
import { aloud, node, seen } from './nodes.js';
import { say, shownAs, tag, tie } from './words.js';

const NAME = { least: 84, most: 112, phone: 84 }; // the height of a name with a number
const TABLE = { least: 154, most: 320, phone: 190 };
const TILE = { least: 90, most: 190, phone: 90 };
const ALONE = 2; // tables, or names, that stand in one column
const FEW = 8; // that stand in two; more stand in three
const MANY = 12; // tables below each other on a phone; of more, seats are told by name

/** The order of things with a `name`, as this language sorts. */
const byName = (one, other) => new Intl.Collator(tag(), { numeric: true }).compare(one.name, other.name);

/** A day of the calendar, written 2026-03-01, in words. */
const day = (date) => shownAs(`${date}T00:00Z`, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** The pages to show. `before` is the snapshot before: what is new in this one is lit. `live` are the games under way.
 *  @param {HallSnapshot} snapshot @param {LiveGame[]} live */
export function pagesOf(snapshot, before, room, live) {
  const standings = () => standingsPages(snapshot, room);
  switch (sceneOf(snapshot)) {
    case 'none': return [hero('none', say('page.hall.hall'), [say('page.hall.begins')])];
    case 'before': return [welcome(snapshot), ...guests(snapshot, room)];
    case 'drawn': return seats(snapshot, room);
    case 'round': return snapshot.tables.length ? [...tables(snapshot, before, room, live), ...standings()] : [welcome(snapshot), ...guests(snapshot, room)];
    case 'pause': return [hero('pause', snapshot.paused, []), ...standings()];
    case 'played': return snapshot.is_sealed ? [hero('sealed', say('page.hall.sealed'), [say('page.hall.sealed_why')])] : standings();
    case 'medals': return [podium(snapshot)];
    default: return [podium(snapshot), ...standings()];
  }
}

/** @param {HallSnapshot} snapshot */
const podium = (snapshot) => ({ key: 'podium', make: () => drawPodium(snapshot), stays: 2 });

// Words alone

const hero = (key, big, lines) => ({
  key,
  make: () => node('div', { class: `hero${big.length > 28 ? ' long' : ''}` }, node('p', { class: 'big' }, tie(big)), lines.map((line) => node('p', {}, tie(line)))),
});

/** @param {HallSnapshot} snapshot */
function welcome(snapshot) {
  const format = formatOf(snapshot);
  return hero('welcome', snapshot.name || format[0], [day(snapshot.date), format.join(' · ')]);
}

// Names

/** In how many columns so many stand; in a narrow place in one. */
const columnsOf = (room, cells) => (!isWide(room) || cells <= ALONE ? 1 : cells <= FEW ? 2 : 3);

/** Who is registered, and who is there. @param {HallSnapshot} snapshot */
function guests(snapshot, room) {
  const names = snapshot.entrants.filter((entrant) => isPresent(entrant) || entrant.status === 'registered').sort(byName);
  const cells = names.map((entrant) => () => node('li', { class: isPresent(entrant) ? 'there' : '' }, node('p', { class: 'side' }, called(entrant.name)),
    isPresent(entrant) ? node('b', {}, seen('i', {}, '✓'), aloud(say('page.hall.there'))) : null));
  return grids('guests', 'names guests', cells, { ...NAME, room, columns: columnsOf(room, cells.length) });
}

/** Where everybody sits: by table if that fits one page, or else by name. @param {HallSnapshot} snapshot */
function seats(snapshot, room) {
  const cells = cellsOf(snapshot);
  return cells <= (isWide(room) ? columnsOf(room, cells) * rowsIn(room, TABLE.least) : MANY) ? tables(snapshot, null, room, []) : byNames(snapshot, room);
}

/** @param {HallSnapshot} snapshot */
function byNames(snapshot, room) {
  const seated = snapshot.tables.flatMap(({ table: seat, entrants }) => entrants.map((number) => ({ name: entrantName(snapshot, number), table: seat })));
  const others = (numbers, why) => numbers.map((number) => ({ name: entrantName(snapshot, number), why }));
  const all = [...seated, ...others(snapshot.byes, say('page.hall.bye')), ...others(snapshot.waiting, say('page.hall.waits'))].sort(byName);
  const cells = all.map(({ name, table: seat, why }) => () => node('li', {}, node('p', { class: 'side' }, called(name)),
    seat ? node('b', {}, aloud(`${say('page.hall.table')} `), String(seat)) : node('em', {}, why)));
  return grids('seats', 'names', cells, { ...NAME, room, columns: columnsOf(room, cells.length) });
}

// Tables

const cellsOf = ({ tables: seated, byes, waiting }) => seated.length + byes.length + waiting.length;

/** @param {HallSnapshot} snapshot @param {LiveGame[]} live */
function tables(snapshot, before, room, live) {
  const columns = columnsOf(room, cellsOf(snapshot));
  const old = before?.round === snapshot.round ? before.tables : [];
  const cells = [
    ...snapshot.tables.map((seated) => () => table(snapshot, seated, old, live)),
    ...snapshot.byes.map((number) => () => alone(snapshot, number, say('page.hall.bye'))),
    ...snapshot.waiting.map((number) => () => alone(snapshot, number, say('page.hall.waits'))),
  ];
  const pages = grids('tables', `tables in-${columns}`, cells, { ...TABLE, room, columns });
  const isMany = pages.length > 1 && snapshot.stage === 'started';
  return isMany ? [{ key: 'overview', make: () => overview(snapshot, old, room) }, ...pages] : pages;
}

const hasJust = (old, number) => old.some((seated) => seated.table === number && !seated.is_over);

/** @param {HallSnapshot} snapshot @param {any} seated @param {any} old @param {LiveGame[]} live */
function table(snapshot, { table: number, entrants, is_over: over, results, winner }, old, live) {
  const started = snapshot.stage === 'started';
  const done = started && over;
  const counted = results.filter(({ state }) => state === 'accepted' || state === 'checked');
  const game = started && !over ? live.find((shown) => shown.table === number && shown.round === snapshot.round) : undefined;
  return node('li', { class: ['table', done && 'done', game && 'live', done && hasJust(old, number) && 'fresh'].filter(Boolean).join(' ') },
    game ? numberOf(number) : node('b', { class: 'number' }, aloud(`${say('page.hall.table')} `), String(number), done ? seen('i', {}, '✓') : null),
    node('div', {}, entrants.map((entrant, at) => node('div', { 'data-side': at }, side(snapshot, entrant), score(counted, at, winner === entrant),
      game ? [node('b', { class: 'score now' }, String(game.sides[at].score)), track(game.sides[at], game.target)] : null))),
    started ? aloud(say(done ? 'page.hall.is_done' : 'page.hall.is_played')) : null);
}

/** @param {HallSnapshot} snapshot */
function side(snapshot, number) {
  const players = playersOf(snapshot, number);
  return node('p', { class: 'side' }, called(entrantName(snapshot, number)), players.length ? node('small', {}, players.join(' · ')) : null);
}

const MOST_SCORES = 2;

/** What a side has scored in each game; of a long match, the games it has won. */
function score(results, at, wins) {
  if (!results.length) return null;
  const shown = results.length > MOST_SCORES
    ? results.filter(({ scores }) => scores[at] > scores[1 - at]).length : results.map(({ scores }) => scores[at]).join(' · ');
  return node('b', { class: 'score' }, String(shown), wins ? seen('i', {}, ' ★') : null);
}

/** @param {HallSnapshot} snapshot */
const alone = (snapshot, number, why) => node('li', { class: 'table alone' }, node('b', { class: 'number' }, '–'),
  node('div', {}, node('div', {}, side(snapshot, number)), node('p', { class: 'why' }, why)));

/** All tables by their numbers alone. @param {HallSnapshot} snapshot */
function overview(snapshot, old, room) {
  const tiles = snapshot.tables.map(({ table: number, is_over: over }) => node('li', { class: `tile${over ? ' done' : ''}${over && hasJust(old, number) ? ' fresh' : ''}` },
    node('b', {}, String(number)), over ? seen('i', {}, '✓') : null, aloud(say(over ? 'page.hall.is_done' : 'page.hall.is_played'))));
  const columns = isWide(room) ? (tiles.length > 40 ? 12 : 8) : 5;
  const rows = Math.ceil(tiles.length / columns);
  return grid('tiles', { columns, rows, high: heightOf(room, rows, TILE) }, tiles);
}
