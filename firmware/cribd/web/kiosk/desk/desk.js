// The organiser's desk: the parts of the day, and one obvious next step on top. What is done comes back with the next
// snapshot; what is typed stays whatever comes.

import { Acts } from './desk_acts.js';
import { Boards } from './desk_boards.js';
import { Entrants } from './desk_entrants.js';
import { CompetitionPart } from './desk_competition.js';
import { act, fill, listen } from './desk_lists.js';
import { Log } from './desk_log.js';
import { Medals } from './desk_medals.js';
import { due } from './desk_next.js';
import { Outbox } from './desk_outbox.js';
import { Results } from './desk_results.js';
import { Round } from './desk_round.js';
import { Sheet } from './desk_sheet.js';
import { drawStandings } from './desk_standings.js';
import { disputes, entrantName, hasTwoBoards, placeName, setClock } from './desk_state.js';
import { sure } from './desk_sure.js';
import { ORGANISER, draw as gate } from './gate.js';
import { element, node } from './nodes.js';
import { ask, follow, patiently, showAway, showHere } from './stream.js';
import { language, loadLanguages, say, switcher, write } from './words.js';

const MINUTE_MS = 60000;
const hasClub = 'club' in document.documentElement.dataset;
const PARTS = ['competition', 'entrants', 'round', 'results', 'standings', 'medals', ...(hasClub ? ['boards'] : []), 'log'];

const desk = new Acts({ shut: () => checkPin().catch(gone), did: () => showAnswer({ done: true }), sure });
const outbox = new Outbox(element('#put-back'));
const sheet = new Sheet(element('#sheet'), outbox);
const competitionPart = new CompetitionPart(desk, sheet, { lock, showAnswer });
const entrants = new Entrants(desk, sheet, outbox);
const round = new Round(element('#round'), desk, sheet, { showAnswer });
const medals = new Medals(element('#medals'), desk, sheet, { showAnswer });
const boards = new Boards(element('#boards'), desk, sheet, { gone, showAnswer, changed: (hasNewRecords) => has && (drawCalls(), (part === 'boards' || hasNewRecords) && drawParts()) });
const results = new Results(desk, sheet, boards);
const log = new Log(element('#log'), desk, { undo });
let part = PARTS.find((name) => location.hash === `#${name}`) ?? null;
let pin = null;
/** @type {(() => void) | null} */
let endStream = null;
let has = false; // a snapshot has come
/** @type {{ text: Record<string, string>, competition: number | null, events: number } | null} */
let undone = null; // what the last act took back: its text by language, and the events after it

/** What draws each part. Only the part that is shown is drawn. */
const renderers = {
  competition: () => competitionPart.render(),
  entrants: () => entrants.render(),
  round: () => round.render(),
  results: () => results.render(),
  standings: () => drawStandings(desk.snapshot),
  medals: () => medals.render(),
  boards: () => boards.render(),
  log: () => log.render(),
};

competitionPart.begun = () => show('entrants', '#register-name');

// Parts of the page

function show(chosen, selector = '') {
  part = chosen;
  history.replaceState(null, '', `#${chosen}`);
  drawCalls();
  drawParts();
  if (selector) element(selector)?.focus();
}

function drawParts() {
  const isThere = desk.snapshot.competition !== null;
  const given = pin === 'given' && has;
  const shown = isThere ? part ?? first() : hasClub && part === 'boards' ? part : 'competition';
  for (const name of PARTS) {
    element(`#${name}`).hidden = !given || name !== shown;
    element(`#parts [data-part="${name}"]`).toggleAttribute('aria-current', name === shown);
    element(`#parts [data-part="${name}"]`).hidden = !isThere && name !== 'competition' && name !== 'boards';
  }
  element('#parts').hidden = !given || !(isThere || hasClub);
  element('#next').hidden = !given;
  element('#put-back').hidden = !given;
  if (given) renderers[shown]();
}

/** Returns the part for the current phase, until somebody chooses one. */
const first = () => ({ registration: 'entrants', play: desk.snapshot.stage === 'started' ? 'results' : 'round', played: 'medals', open: 'standings' }[desk.snapshot.phase]);

element('#parts').addEventListener('click', ({ target }) => {
  const button = target.closest('[data-part]');
  if (button) show(button.dataset.part);
});
element('#parts').addEventListener('keydown', (pressed) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[pressed.key];
  if (!by) return;
  pressed.preventDefault();
  const all = [...element('#parts').children].filter(({ hidden }) => !hidden);
  all[(all.indexOf(document.activeElement) + by + all.length) % all.length].focus();
});

// The next step

listen(element('#next'), {
  'to-competition': () => show('competition', '#begin-name'),
  'to-entrants': () => show('entrants', desk.snapshot.entrants.length > 1 ? '#find-name' : '#register-name'),
  'to-results': () => show('results', '#outstanding-title'),
  'to-entry': () => {
    show('results');
    results.focusEntry();
  },
  'to-pass': () => {
    show('results');
    results.toPass();
  },
  'to-medals': () => show('medals', '#medals [data-act="open"]'),
  'to-standings': () => show('standings'),
  begin: async () => {
    if ((await round.begin()).done) show('round');
  },
  draw: async () => {
    if ((await round.draw()).done) show('round');
  },
  start: async () => {
    if ((await round.start()).done) {
      show('results');
      results.focusEntry();
    }
  },
  resume: () => competitionPart.resume(),
  'end-play': async () => {
    if ((await competitionPart.end()).done) show('results');
  },
});

function drawNext() {
  const { says, more = '', steps } = due(desk.snapshot);
  if (element('#due').textContent !== says) element('#due').textContent = says;
  element('#due-more').textContent = more;
  fill(element('#steps'), steps.map(([words, name], at) => {
    const button = act(name, words, {}, at ? 'wide' : 'wide first');
    button.dataset.key = `step-${at}`;
    return button;
  }));
}

/** Show the outcome of an act that no form shows. */
function showAnswer(answer) {
  element('#refused').textContent = answer.done ? '' : answer.text;
  return answer;
}

async function undo() {
  const text = desk.snapshot.undo?.text;
  if (!text) return;
  if (!showAnswer(await desk.undo()).done) return;
  undone = { text, competition: desk.snapshot.competition, events: desk.own };
  drawUndo();
}

/** The button, what was taken back until the next act, and what is taken back next. */
function drawUndo() {
  const { undo: next, competition, events } = desk.snapshot;
  if (undone && (undone.competition !== competition || undone.events !== events)) undone = null;
  const what = next?.text[language()];
  element('#undo').hidden = pin !== 'given' || !what;
  element('#undo').textContent = `↶ ${say('page.desk.undo')}`;
  element('#undo').setAttribute('aria-label', what ? say('page.desk.undo.what', { what }) : '');
  element('#undo').title = what ?? '';
  element('#undone').textContent = undone ? [say('page.desk.undo.done', { what: undone.text[language()] }), what ? say('page.desk.undo.next', { what }) : ''].filter(Boolean).join(' · ') : '';
}

/** Whether somebody has typed into this control: there Ctrl+Z takes back letters. */
function isTypedIn(control) {
  const isText = control.matches('textarea, input:not([type="checkbox"], [type="radio"], [type="file"])');
  const isOffered = element('#entry').contains(control) && results.form.isPristine();
  return isText && control.value !== control.defaultValue && !isOffered;
}

listen(element('header'), { undo });
document.addEventListener('keydown', (pressed) => {
  const isUndo = pressed.key.toLowerCase() === 'z' && (pressed.ctrlKey || pressed.metaKey) && !pressed.shiftKey;
  if (!isUndo || sheet.dialog.open || isTypedIn(pressed.target)) return;
  pressed.preventDefault();
  if (!element('#undo').hidden) element('#undo').click();
});

// Calls for an official, results that wait for one, and those that came too late

listen(element('#calls'), {
  answer: async ({ entrant }) => showAnswer(await desk.do({ do: 'answer_call', entrant: Number(entrant) })),
  dismiss: ({ late }) => boards.dismiss(late),
  rule: ({ entrant, table }) => boards.rule(Number(entrant), Number(table)),
  settle: ({ round: number, table, game }) => results.openResult(Number(number), Number(table), Number(game)),
  'to-boards': () => show('boards'),
});

function drawCalls() {
  const { tables = [], phase } = desk.snapshot;
  const calls = phase === 'open' ? [] : desk.snapshot.calls ?? [];
  const disputed = phase && phase !== 'open' ? disputes(desk.snapshot) : [];
  const late = boards.late();
  const joining = part === 'boards' ? [] : boards.club.joining;
  element('#calls').hidden = !(calls.length + disputed.length + late.length + joining.length) || pin !== 'given';
  const where = (number) => tables.find(({ entrants: who }) => who.includes(number))?.table;
  const hasBoard = (table) => Boolean(table) && (boards.callsAt(table) !== undefined || table === competitionPart.board);
  const isSealed = phase && desk.snapshot.values.sealed === 'on';
  const isOwnWanted = !element('#calls').hidden && !isSealed && calls.some((number) => where(number) === competitionPart.board);
  boards.followOwn((isOwnWanted && competitionPart.board) || null);
  const position = (table) => (hasBoard(table) && !isSealed ? boards.position(table) : null);
  fill(element('#calls'), calls.map((number) => node('li', { 'data-key': number },
    node('span', {}, where(number) ? say('page.desk.call.at', { name: entrantName(desk.snapshot, number), table: where(number) }) : say('page.desk.call', { name: entrantName(desk.snapshot, number) }),
      position(where(number))),
    hasBoard(where(number)) ? act('rule', `${say('page.desk.boards.ruling')}…`, { entrant: number, table: where(number) }) : null,
    act('answer', say('page.desk.call.answer'), { entrant: number }))), disputed.map(({ round: { number }, table: { table, entrants: who }, game, result }) => {
    const [one, other] = who.map((entrant) => entrantName(desk.snapshot, entrant));
    const at = placeName(desk.snapshot, { round: number, table });
    const wrong = result.board?.record && result.board.record === result.record ? boards.wrongRecord(number, table, game) : '';
    const words = wrong ? say('page.desk.disputed.record', { at, game, why: wrong }) : hasTwoBoards(result)
      ? say('page.desk.disputed.boards', { at, game, first: result.scores.join('–'), second: result.board.scores.join('–') })
      : say(result.board && !result.other && !result.reason ? 'page.desk.disputed.board' : 'page.desk.disputed', { at, first: one, second: other });
    return node('li', { 'data-key': `${number}/${table}/${game}` },
      node('span', {}, words),
      act('settle', `${say('page.desk.settle')}…`, { round: number, table, game }));
  }), late.map(({ id, at, result, words }) => node('li', { 'data-key': `late ${id}` },
    node('span', {}, words),
    result ? act('settle', `${say(result.state === 'disputed' ? 'page.desk.settle' : 'page.desk.correct')}…`, at) : null,
    act('dismiss', `${say('page.desk.late.dismiss')}…`, { late: id }))), joining.map((board) => node('li', { 'data-key': `joins ${board.id}` },
    node('span', {}, boards.joinsInWords(board)),
    act('to-boards', `${say('page.desk.boards')}…`))));
}

// Drawing

function draw() {
  const { competition } = desk.snapshot;
  drawNext();
  drawCalls();
  drawParts();
  drawUndo();
  element('#competition-name').textContent = competition === null ? say('page.desk.title') : competitionPart.title();
  document.title = ['Cribboard', say('page.desk.title'), competition === null ? '' : desk.snapshot.name].filter(Boolean).join(' · ');
  if (competition !== null) results.form.render(); // a slip may be on its way
}

function receive(snapshot) {
  const isFirst = !has;
  has = true;
  showHere();
  desk.setSnapshot(snapshot);
  draw();
  if (isFirst && document.activeElement?.matches('body, main')) (element('#steps button') ?? element('#begin-name')).focus();
}

/** The board is away, or has forgotten this browser. */
function gone() {
  showAway();
  if (pin === 'given') checkPin().catch(() => {});
}

/** Whether this browser may organise. */
async function checkPin() {
  const answer = await fetch('/desk/pad');
  setClock(answer.headers.get('Date'));
  const before = pin;
  pin = answer.status === 200 ? (await answer.json()).pin : 'unset';
  if (pin === before) return;
  await enter();
}

/** Open or lock the page, as the PIN is given or not. What is typed stays. */
async function enter() {
  endStream?.();
  endStream = null;
  boards.stop();
  element('#gate').hidden = pin === 'given';
  element('#gate').replaceChildren();
  if (pin === 'given') {
    await competitionPart.fetchFormats();
    endStream = follow('/desk/events', { receive, gone });
    if (hasClub) boards.follow();
    sheet.takeUp();
  } else {
    sheet.layAside();
    gate(element('#gate'), pin, async (opened) => {
      pin = opened;
      await enter();
    }, ORGANISER);
    element('#pin')?.focus();
    has = false;
    showHere();
    element('#undo').hidden = true;
    element('#undone').textContent = '';
  }
  drawParts();
  drawCalls();
}

async function lock() {
  try {
    pin = (await ask('/desk/leave', {})).said.pin;
    await enter();
  } catch {
    gone();
  }
}

function speak() {
  write();
  element('#competition-name').textContent = say('page.desk.title');
  document.title = `Cribboard · ${say('page.desk.title')}`;
  competitionPart.drawFormats();
  if (pin !== 'given') enter();
  else if (has) draw();
}

await patiently(async () => {
  await loadLanguages();
  await checkPin();
}, gone);
switcher(element('#language'), speak);
speak();
setInterval(() => has && draw(), MINUTE_MS); // how long something has waited
