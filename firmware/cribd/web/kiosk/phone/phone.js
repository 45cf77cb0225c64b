// The phone of an entrant at a table of a competition: its pairing, the result of its game, the call for an official. What is
// shown comes with the stream; what was typed is kept while the board is away, and nothing is sent by itself.

import { aloud, element, node, seen } from './nodes.js';
import { BADGES, Entry, badgeOf, board, keys, people } from './phone_entry.js';
import { Seat } from './phone_seat.js';
import { Question } from './question.js';
import { ask, follow, patiently, showAway, showHere } from './stream.js';
import { language, loadLanguages, say, switcher, write } from './words.js';

const AWAY = ['rest', 'drawn']; // steps of an entrant that plays no game now
const SETTLED_MS = 1500; // a snapshot that does not come after an answer is not coming
const HERE = Number(location.pathname.split('/')[3] ?? 0); // the table of the address, 0 for none

const entry = new Entry();
const question = new Question(element('#sure'));
const seat = new Seat(HERE, { draw });
/** @type {PhoneSnapshot} */ let snapshot; // none before the first
let refused = ''; // why the last request was refused
let busy = false;
let lastName = '';

// What is due

/** Who this phone speaks for, and its visit at a table. What is drawn without them asks first whether they are there. */
const you = () => /** @type {PhoneEntrant} */ (snapshot.you);
const visit = () => /** @type {Visit} */ (snapshot.visit);
const mine = () => visit().entrants[visit().mine];
const theirs = () => visit().entrants[1 - visit().mine];
const name = (number) => visit().entrants.find((entrant) => entrant.number === number)?.name;
const gameKey = (game) => [snapshot.competition, visit().round, visit().table, game].join('/');
const at = (game) => ({ round: visit().round, table: visit().table, game });

/** The number of the game whose report is being corrected on this phone; 0 for none. */
const correctedGame = () => visit().results.findIndex((one, index) => one?.state === 'reported'
  && entry.draft?.game === gameKey(index + 1) && String(entry.draft.saw) === String(one.scores)) + 1;

/** The step that this phone is at: its name and the number of its game.
 *  @returns {[step: string, game?: number | null]} */
function due() {
  if (!snapshot.competition) return ['none'];
  const { name: step, game } = snapshot.step;
  if (step === 'sit') return [seat.card.key ? 'choose' : 'scan'];
  return AWAY.includes(step) || !correctedGame() ? [step, game] : ['enter', correctedGame()];
}

// Drawing

const button = (id, words, act, kind = '') => {
  const made = node('button', { type: 'button', id, class: `wide ${kind}`, 'aria-disabled': busy ? 'true' : null }, words);
  made.addEventListener('click', () => { if (!busy) act(); });
  return made;
};
const title = (words) => node('h2', { tabindex: '-1' }, words);
const text = (words, kind = '') => node('p', { class: kind }, words);
const refusal = () => node('p', { class: 'wrong', id: 'told', role: 'alert' }, refused);

/** A result, of one game or of the only one. */
function result({ scores, winner, skunk }, game) {
  return [
    several() && text(say('page.phone.game', { game }), 'label'),
    board(visit(), scores, { winner, badge: BADGES[skunk] }),
    winner === null && text(say('page.phone.state.broken'), 'badge'),
  ];
}

const several = () => visit().games !== 1;

const STEPS = {
  none: () => [title(say('page.phone.none')), text(say('page.phone.none.then'))],

  scan: () => [
    refusal(),
    title(say('page.phone.scan')),
    text(say('page.phone.scan.how')),
    seat.form(),
    seat.seating(snapshot.tables),
  ],

  choose: () => (seat.entrants.length ? [
    atTable(seat.card.table),
    refusal(),
    title(say('page.phone.choose')),
    ...seat.entrants.map((entrant) => button(`sit-${entrant.number}`, [node('b', {}, entrant.name), people(entrant)], () => sit(entrant.number), 'who')),
    text(say('page.phone.choose.then'), 'note'),
  ] : [atTable(seat.card.table), refusal(), title(say('page.phone.choose.nobody')), text(say('page.phone.choose.wait'))]),

  drawn: () => [...pairing(), title(say('page.phone.drawn')), text(say('page.phone.drawn.then'))],

  enter: (game) => {
    const saw = visit().results[game - 1];
    entry.open(gameKey(game), { saw: saw?.scores ?? null });
    return entry.draft.winner === null ? who(game, saw) : points(game);
  },

  confirm: (game) => {
    const found = /** @type {Result} */ (visit().results[game - 1]);
    return [
      refusal(),
      title(say('page.phone.confirm')),
      text(say('page.phone.confirm.then', { name: theirs().name })),
      ...result(found, game),
      button('yes', say('page.phone.confirm.yes'), () => act('confirm_result', game, { saw: found.scores }), 'first big'),
      button('no', say('page.phone.confirm.no'), () => { edit(game, found.scores); }, 'big'),
    ];
  },

  wait: (game) => {
    const found = /** @type {Result} */ (visit().results[game - 1]);
    return [
      refusal(),
      title(say('page.phone.waiting', { name: theirs().name })),
      ...result(found, game),
      text(say('page.phone.waiting.then')),
      button('correct', say('page.phone.correct'), () => { edit(game, found.scores); }),
    ];
  },

  disputed: (game) => {
    const found = /** @type {Result} */ (visit().results[game - 1]);
    const other = visit().entrants.find((entrant) => entrant.number !== found.by)?.number;
    return [
      refusal(),
      title(say('page.phone.disputed')),
      text(say('page.phone.says', { name: found.by ? name(found.by) : say('page.phone.slip') }), 'label'),
      board(visit(), found.scores, { winner: found.winner }),
      found.other && text(say('page.phone.says', { name: name(other) }), 'label'),
      found.other && board(visit(), found.other, { winner: found.other_winner }),
      found.board && text(say('page.phone.says', { name: say('page.phone.board') }), 'label'),
      found.board && board(visit(), found.board.scores, { winner: found.board.winner }),
      text(say('page.phone.disputed.then')),
    ];
  },

  done: () => {
    const last = visit().results.length;
    const found = visit().results[last - 1];
    const { winner, wins } = visit();
    return [
      node('p', { class: 'tick' }, seen('span', {}, '✓')),
      title(winner ? say('page.phone.match', { name: name(winner) }) : say(found ? 'page.phone.done' : 'page.phone.over')),
      wins && text(say('page.phone.match.games'), 'label'),
      wins && board(visit(), wins, { winner: winner === visit().entrants[0].number ? 0 : winner ? 1 : null }),
      !wins && found && result(found, last),
      ...after(),
    ];
  },

  rest: () => after(),
};

/** What comes when there is no game to play now. */
function after() {
  const { has_bye: bye, waits: queue, place: rank } = you();
  if (snapshot.phase === 'open') {
    return [title(say('page.phone.open')), rank && text(say('page.phone.place'), 'label'), rank && text(rank, 'rank')];
  }
  if (snapshot.phase === 'played') return [title(say('page.phone.played')), text(say('page.phone.played.then'))];
  if (you().status !== 'present') return [];
  const why = bye ? 'page.phone.bye' : queue ? 'page.phone.queue' : visit() ? '' : 'page.phone.unseated';
  return [why && title(say(why)), text(say('page.phone.next'))];
}

const atTable = (table) => text(say('page.phone.table', { table }), 'place');

function pairing() {
  return [atTable(visit().table), node('p', { class: 'against' }, say('page.phone.against', { name: theirs().name }), people(theirs()))];
}

function who(game, saw) {
  const win = (winner) => () => {
    refused = '';
    entry.win(winner);
    draw();
  };
  const { mine: side, wins } = visit();
  const own = mine().players.length ? say('page.phone.we_won') : say('page.phone.i_won');
  return [
    refusal(),
    title(saw ? say('page.phone.right') : several() ? say('page.phone.who.game', { game }) : say('page.phone.who')),
    !saw && text(say('page.phone.who.then'), 'note'),
    wins && text(`${say('page.phone.match.games')} ${wins[side]}–${wins[1 - side]}`, 'label'),
    button('we', [node('b', {}, own), node('small', {}, mine().name)], win(visit().mine), 'who'),
    button('they', [node('b', {}, say('page.phone.they_won', { name: theirs().name })), people(theirs())], win(1 - visit().mine), 'who'),
    node('div', { class: 'row' },
      saw && button('back', say('page.phone.back'), () => { entry.close(); refused = ''; draw(); }),
      button('broken', say('page.phone.broken'), win(-1))),
    saw && saw.by !== you().number && button('official', say('page.phone.official'), () => act('dispute_result', game, { saw: saw.scores, reason: say('page.phone.reason') })),
  ];
}

function points(game) {
  const { winner, at: side } = entry.draft;
  const scores = entry.scores(visit().target);
  const badge = winner >= 0 && scores[1 - winner] !== null ? badgeOf(scores[1 - winner], visit()) : '';
  return [
    refused ? refusal() : title(winner < 0 ? say('page.phone.points.both') : say('page.phone.points', { name: visit().entrants[side].name })),
    board(visit(), scores, { winner: winner < 0 ? null : winner, badge, active: side, pick: winner < 0 ? (chosen) => { if (!busy) entry.draft.at = chosen; draw(); } : null }),
    keys((key) => {
      if (busy) return;
      refused = '';
      entry.type(key);
      draw();
    }),
    node('div', { class: 'row' },
      button('back', say('page.phone.back'), () => { entry.reopen(); refused = ''; draw(); }),
      button('send', say('page.phone.send'), () => send(game, scores), 'first')),
  ];
}

/** The other games of this visit, beside the one that the page is about. */
function drawGames(step, game) {
  const about = game ?? (step === 'done' && !visit().wins ? visit().results.length : 0);
  const shown = visit()?.started && step !== 'rest' ? visit().results : [];
  const rows = shown.map((one, index) => one && index + 1 !== about && row(one, index + 1)).filter(Boolean);
  element('#games').hidden = rows.length === 0;
  element('#games').replaceChildren(node('ul', {}, rows));
}

function row({ scores, ending, state, by }, game) {
  const [own, other] = [scores[visit().mine], scores[1 - visit().mine]];
  const waiting = by === you().number ? 'mine' : 'theirs';
  const what = { reported: waiting, disputed: 'disputed' }[state] ?? (ending === 'broken-off' ? 'broken' : '');
  return node('li', {}, node('b', {}, say('page.phone.game', { game })),
    node('span', { class: 'both' }, seen('span', {}, `${own}–${other}`), aloud(say('page.phone.score', { first: own, second: other }))),
    what ? node('small', {}, say(`page.phone.state.${what}`, { name: theirs().name })) : node('small', { class: 'ok' }, seen('span', {}, '✓')),
    what === 'mine' && button(`mend-${game}`, say('page.phone.correct'), () => edit(game, scores)));
}

function drawYou() {
  const place = element('#you');
  place.hidden = !you();
  if (!you()) return;
  const notes = [
    snapshot.paused && say('page.phone.paused', { reason: snapshot.paused }),
    you().status !== 'present' && say(`page.phone.status.${you().status}`),
    HERE && visit() && !visit().is_over && HERE !== visit().table && say('page.phone.elsewhere', { table: HERE, mine: visit().table }),
  ].filter(Boolean);
  const shown = visit() && !AWAY.includes(snapshot.step.name);
  place.replaceChildren(...[
    node('div', { class: 'row' }, node('p', { class: 'name' }, you().name, people(you())), button('leave', say('page.phone.other', { name: you().name }), leave)),
    shown && node('p', { class: 'where' }, node('b', {}, say('page.phone.table', { table: visit().table })), ` · ${visit().play_off ? say('page.phone.play_off') : say('page.phone.round', { round: visit().round })} · ${say('page.phone.against', { name: theirs().name })}`),
    ...notes.map((note) => text(note, 'remark')),
  ].filter(Boolean));
}

function drawCall() {
  const place = element('#call');
  place.hidden = !you()?.can_call;
  if (place.hidden) return;
  const { called, may_call: may, captain } = you();
  if (called) place.replaceChildren(text(say('page.phone.called'), 'coming'));
  else if (may) place.replaceChildren(button('official-come', say('page.phone.call'), call));
  else place.replaceChildren(text(say('page.phone.captain', { name: captain }), 'note'), seat.form());
}

/** Draw everything. Focus stays where it was, and so does an open form. */
function draw() {
  if (!snapshot) return;
  const { id: focused } = document.activeElement ?? {};
  const typed = element('#code')?.value;
  const [step, game] = due();
  const opened = element('#captain')?.open;
  document.body.dataset.step = step;
  const now = element('#now');
  now.replaceChildren(...STEPS[step](game).flat().filter((part) => part && (part.id !== 'told' || refused)));
  now.setAttribute('aria-busy', String(busy));
  const known = snapshot.competition && you();
  if (known) {
    drawYou();
    drawGames(step, game);
  }
  element('#you').hidden = !known;
  if (!known) element('#games').hidden = true;
  drawCall();
  if (element('#captain') && opened) element('#captain').open = true;
  if (element('#code') && typed) element('#code').value = typed;
  if (focused) (document.getElementById(focused) ?? element('#now h2')).focus({ preventScroll: true });
}

// Acts

const edit = (game, saw) => {
  refused = '';
  entry.close();
  entry.open(gameKey(game), { saw });
  draw();
};

function send(game, scores) {
  const { winner, saw } = entry.draft;
  refused = entry.problem(visit());
  if (refused) draw();
  else act('report_result', game, { scores, ending: winner < 0 ? 'broken-off' : 'finished', saw });
}

const act = (what, game, beside) => request({ do: what, at: at(game), ...beside }, gameKey(game));

async function call() {
  const sure = await question.ask({ what: say('page.phone.call.sure'), then: say('page.phone.call.then'), yes: say('page.phone.call.yes'), no: say('page.phone.call.no') });
  if (sure) await request({ do: 'call_official' });
}

/** Send a request. Until the next snapshot no other is sent. The draft of its game is forgotten only once the board has
 *  it; by then the next game may be typed. */
async function request(asked, game = '') {
  busy = true;
  refused = '';
  draw();
  try {
    const { status, said } = await ask('/event/table/do', { competition: snapshot.competition, ...asked });
    if (status === 200) {
      entry.forget(game);
      setTimeout(idle, SETTLED_MS);
      return;
    }
    refused = said?.refused?.text[language()] ?? say('page.phone.lost');
  } catch {
    refused = say('page.phone.lost');
  }
  idle();
}

function idle() {
  busy = false;
  draw();
}

async function sit(entrant) {
  refused = await seat.sit(entrant);
  draw();
}

async function leave() {
  const then = say('page.phone.leave.then', { name: you().name });
  if (!await question.ask({ what: say('page.phone.leave'), then, yes: say('page.phone.leave.do'), no: say('page.phone.call.no') })) return;
  await seat.leave().catch(gone);
}

// The stream

async function receive(shown) {
  const before = snapshot;
  snapshot = shown;
  showHere();
  if (shown.you) lastName = shown.you.name;
  else if (before?.you && shown.competition === before.competition) refused = say('page.phone.taken', { name: lastName });
  if (shown.visit && !correctedGame()) entry.close(gameKey(visit().game));
  if (!shown.you && shown.competition) refused = await seat.look().catch(() => '') || refused;
  busy = false;
  draw();
  element('#aloud').textContent = element('#now h2')?.textContent ?? '';
}

function gone() {
  document.body.classList.remove('waiting');
  showAway();
}

function speak() {
  write();
  document.title = `Cribboard · ${say('page.phone.title')}`;
  refused = seat.wrongCode = '';
  draw();
}

await patiently(() => loadLanguages(), gone);
switcher(element('#language'), speak);
speak();
follow('/event/table/events', { receive, gone });
