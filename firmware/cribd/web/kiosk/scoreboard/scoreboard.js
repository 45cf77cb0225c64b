// The scoreboard: the game, to be read from five metres, without touch. It shows one scene at a time: the game,
// a win, or the rest screen while nobody plays. Scores and count change at once; animations follow. At `/event/live/4` it
// is that of a far board, as the hall may see it.

import { DrawnBoard } from './drawn_board.js';
import { element } from './nodes.js';
import { Night } from './scoreboard_night.js';
import { drawNone, drawIdle } from './scoreboard_idle.js';
import { drawAbout, drawNow, drawSides, follows, sideName } from './scoreboard_sides.js';
import { Stage } from './scoreboard_stage.js';
import { drawWin, isOfMatch } from './scoreboard_win.js';
import { ask } from './stream.js';
import { televise } from './television.js';
import { language, say } from './words.js';

const FAR = /^\/event\/live\/\d+$/.test(location.pathname); // the board of another table
const WIN_MS = 180000; // how long a win is shown if no other game begins

/** @type {TableSnapshot} */ let snapshot;
/** @type {TableSnapshot | null} */ let before = null;
/** @type {DrawnBoard} */ let board;
/** @type {Record<string, object>} */ let drawings = {}; // of a far board: those that it may be, by name
/** @type {{ number?: number, celebrates?: boolean, over?: boolean, timer?: number }} */
let won = {}; // of this view: whether its win is celebrated, and whether it was shown long enough

document.body.classList.toggle('far', FAR);

const stage = new Stage(element('#stage'));
const night = new Night(element('#all'), element('#night'));

/** The scene to show: `game`, `win` or `rest`. */
function scene({ view, lobby }) {
  if (view && view.winner !== null && (lobby === null || lobby === 'again') && !won.over) return 'win';
  return (lobby === null || lobby === 'resume') && view ? 'game' : 'rest'; // an unfinished game is shown too
}

function draw() {
  if (snapshot.view?.number !== won.number) decideCelebration();
  const now = scene(snapshot);
  document.body.dataset.scene = now;
  document.title = `Cribboard · ${say('page.score.title')}`;
  if (now !== 'win' || isOfMatch(snapshot)) drawAbout(element('#about'), snapshot); // else the rules are those of the next game
  element('#faults').textContent = snapshot.text[language()].faults.join(' · ');
  element('#sides').hidden = element('#now').hidden = element('#stage').hidden = now !== 'game';
  element('#win').hidden = now !== 'win';
  element('#rest').hidden = now !== 'rest';
  element('#board').hidden = now === 'rest';
  if (now === 'game') {
    drawSides(element('#sides'), snapshot, before);
    drawNow(element('#now'), snapshot);
    stage.draw(snapshot);
  } else stage.clear();
  if (now === 'win') drawWin(element('#win'), snapshot, won.celebrates);
  if (now === 'rest') (FAR ? drawNone : drawIdle)(element('#rest'), snapshot);
  else drawBoard();
  tell(now);
  before = snapshot;
}

/** A win is shown for a while, at most until the next game begins. Only a page that saw it happen celebrates it: one
 *  that is opened later only shows the result. */
function decideCelebration() {
  const { view } = snapshot;
  const old = before?.view;
  const came = old && view && (old.winner === null ? view.number > old.number : won.celebrates);
  clearTimeout(won.timer);
  won = { number: view?.number, celebrates: Boolean(came) && view?.winner !== null, over: false };
  won.timer = setTimeout(() => {
    won.over = true;
    draw();
  }, WIN_MS);
}

function drawBoard() {
  const { match, names } = snapshot;
  const view = /** @type {GameView} */ (snapshot.view); // it is there in every scene but the rest screen
  const sides = view.sides.map((side, at) => ({ ...side, name: names[at] }));
  const { target, skunk_line: skunkLine, double_skunk_line: doubleSkunkLine, dealer } = view;
  board.show({ sides, target, skunkLine, doubleSkunkLine, dealer, games: match.games }, { animate: follows(view, before?.view) });
}

/** The text for screen readers: that a side has scored or won. */
function tell(now) {
  const { view } = snapshot;
  const old = before?.view;
  if (!view || !old || now === 'rest') return;
  const scored = view.sides.flatMap(({ score }, at) => (score !== old.sides[at]?.score
    ? [say('page.table.side', { side: sideName(snapshot, at), score, target: view.target })] : []));
  const wins = view.winner !== null && old.winner === null ? [say('page.score.wins', { side: sideName(snapshot, view.winner) })] : [];
  if (scored.length + wins.length) element('#aloud').textContent = [...scored, ...wins].join('. ');
}

/** A far board sends nothing of a game once its players have agreed on the result. The win stays as at the board itself,
 *  without the match: what was sent of it lacks this game. */
const agreed = (shown) => (FAR && !shown.view && snapshot?.view && snapshot.view.winner !== null
  ? { ...snapshot, lobby: 'again', match: { ...snapshot.match, of: 1 } } : shown);

/** Draw a far game on its own kind of board. */
function take(drawing) {
  const geometry = drawings[drawing];
  if (geometry && geometry !== board?.geometry) board = new DrawnBoard(element('#board'), geometry);
}

await televise(FAR ? `${location.pathname}/events` : '/table/events', {
  async ready() {
    if (FAR) drawings = (await ask('/page/boards.json')).said;
    else board = new DrawnBoard(element('#board'), (await ask('/table/board')).said);
  },
  receive(shown) {
    if (JSON.stringify(shown) !== JSON.stringify(snapshot)) night.wake(); // a reconnection changes nothing
    snapshot = agreed(shown);
    if (FAR) take(snapshot.board);
    night.tell('');
    draw();
  },
  draw,
  gone() {
    night.tell(element('#away b').textContent);
  },
});
