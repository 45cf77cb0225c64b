// The standings: place, name, the amounts that are ranked by, and what separates entrants that the first leaves level.

import { called, dealt, isWide } from './hall_room.js';
import { criteria, listed, entrantName } from './hall_scene.js';
import { node } from './nodes.js';
import { figure, say } from './words.js';

const ROW = { least: 68, remarked: 98, most: 104, phone: 86 }; // `remarked`: least, where a remark stands below a name
const HEADS = 70; // the heads of the columns
const LINE = { high: 40, letters: 95 }; // of the text below
const AMOUNTS = 4; // columns of a table that stands alone; of two side by side each has two
const MOST_WHY = 3;
const BETWEEN = ' · ';

/** A page for each part of the standings; none before anything was played, and none while they are sealed.
 *  @param {HallSnapshot} snapshot */
export function standingsPages(snapshot, room) {
  const rows = snapshot.standings.filter(({ place, status }) => place !== null || status === 'present');
  if (snapshot.is_sealed || !rows.some(({ played }) => played > 0)) return [];
  const most = Math.max(1, Math.floor((room.high - HEADS - LINE.high) / (rows.some((row) => remarks(snapshot, row).length) ? ROW.remarked : ROW.least)));
  const beside = isWide(room) && rows.length > most; // two tables side by side
  const columns = isWide(room) && !beside ? criteria(snapshot).slice(0, AMOUNTS) : twoOf(criteria(snapshot), rows);
  const lists = dealt(rows.map((row, at) => ({ row, by: groupOf(rows, row).separated_by, below: nextGroup(rows, at), above: rows[at - 1] })), most * (beside ? 2 : 1));
  const size = Math.ceil(lists[0].length / (beside ? 2 : 1));
  const whys = lists.map((some) => reasons(some, columns));
  const below = LINE.high * Math.max(1, ...whys.map((why) => Math.ceil(why.join(BETWEEN).length / LINE.letters)));
  const high = Number.isFinite(room.high) ? Math.min(ROW.most, (room.high - HEADS - below) / size) : ROW.phone;
  return lists.map((some, at) => ({ key: `standings ${at}`, make: () => page(snapshot, columns, dealt(some, size), whys[at], high) }));
}

/** The first criterion, and the one that separates most of those that it leaves level. */
function twoOf([first, ...others], rows) {
  const times = (by) => rows.filter((row) => row.separated_by === by).length;
  const [second] = [...others].sort((one, other) => times(other) - times(one));
  return [first, second].filter(Boolean);
}

/** The first of those who share the place of this row: it says what separates them from the others. */
const groupOf = (rows, row) => (row.place === null ? row : rows.find(({ place }) => place === row.place));

/** The first row of the group below, where it comes right after the group of this row. */
function nextGroup(rows, at) {
  const found = rows.slice(at + 1).find(({ separated_by: by }) => by !== null);
  return found && adjoins(rows[at], found) ? found : null;
}

/** Whether one group of level entrants stands right above another. */
const adjoins = (row, below) => row.place !== null && row.place + row.level + 1 === below.place;

/** Whether this criterion separates a row from the group above or below, which the first column leaves level. */
const separates = (by, ranked, columns) => by !== columns[0] && (ranked.by === by || ranked.below?.separated_by === by);

/** What stands below a page: what its frames mean, and what separates rows where that is in no column. */
const reasons = (rows, columns) => [
  isFramed(rows, columns) ? say('page.hall.separated') : '',
  ...rows.flatMap((ranked) => because(ranked, columns)).slice(0, MOST_WHY),
].filter(Boolean);

const isFramed = (rows, columns) => rows.some((ranked) => columns.some((by) => separates(by, ranked, columns)));

/** @param {HallSnapshot} snapshot */
function page(snapshot, columns, parts, why, high) {
  const made = node('div', { class: `standings${parts.length > 1 ? ' beside' : ''}` },
    parts.map((rows) => table(snapshot, columns, rows)),
    why.length ? node('p', { class: isFramed(parts.flat(), columns) ? 'why framed' : 'why' }, why.join(BETWEEN)) : null);
  made.style.setProperty('--high', high);
  return made;
}

/** What separates a row from the one above, where that is in no column. */
function because({ row, above }, columns) {
  const by = row.separated_by;
  if (!by || !above || columns.includes(by) || !(by in above.amounts)) return [];
  const values = { places: listed([above.place, row.place]), criterion: say(`competition.criterion.${by}`), amounts: [above, row].map(({ amounts }) => figure(amounts[by])).join(' – ') };
  return [say('page.hall.by', values)];
}

/** @param {HallSnapshot} snapshot */
function table(snapshot, columns, rows) {
  const head = (text, kind) => node('th', { scope: 'col', class: kind }, text);
  const wide = (by) => { // as its longest figure
    const made = head(say(`competition.criterion.${by}`), 'amount');
    made.style.setProperty('--letters', Math.max(...rows.map(({ row }) => amount(row, by).length)));
    return made;
  };
  return node('table', {}, node('thead', {}, node('tr', {},
    head(say('page.hall.rank'), 'rank'), head(say('page.hall.name'), 'name'),
    columns.map(wide))),
  node('tbody', {}, rows.map((ranked) => line(snapshot, columns, ranked))));
}

/** @param {HallSnapshot} snapshot */
function line(snapshot, columns, ranked) {
  const { row } = ranked;
  return node('tr', { 'data-place': row.place },
    node('td', { class: 'rank' }, node('b', {}, row.place === null ? '–' : String(row.place))),
    node('th', { scope: 'row', class: 'name' }, node('p', { class: 'side' }, called(entrantName(snapshot, row.entrant)), node('small', {}, remarks(snapshot, row).join(BETWEEN)))),
    columns.map((by) => node('td', { class: `amount${separates(by, ranked, columns) ? ' frames' : ''}` }, amount(row, by))));
}

/** What stands below a name: a guest, games short, a penalty. @param {HallSnapshot} snapshot */
const remarks = (snapshot, row) => [
  row.place === null ? say('page.hall.guest') : '',
  row.missing && snapshot.phase !== 'play' ? say('page.hall.missing', { n: row.missing }) : '',
  row.penalty ? say('page.hall.penalty', { points: row.penalty }) : '',
].filter(Boolean);

const amount = (row, by) => (by in row.amounts ? figure(row.amounts[by]) : '–');
