// The table on a phone: the game, every count of it, and the owner's acts. With the PIN it has a pad of 52 cards: a tap
// is a scan. The result of an act comes with the next snapshot.

import { cardName } from './cards.js';
import { CloseUp, set } from './close_up.js';
import { draw as gate } from './gate.js';
import { element } from './nodes.js';
import { Tools } from './owner.js';
import { Pad } from './pad.js';
import { Scores } from './scores.js';
import { ask, follow, patiently, showAway, showHere } from './stream.js';
import { loadLanguages, say, switcher, write } from './words.js';

const TWICE_MS = 600; // a second tap within this time is ignored

const wide = matchMedia('(min-width: 1000px)'); // the game fits beside the other parts
/** @type {TableSnapshot} */
let snapshot;
let pin = 'wanted';
let part = 'game';
let last = { card: null, at: 0 };
/** @type {CloseUp} */
let closeUp;

const pad = new Pad(element('#pad'), { tap });
const scores = new Scores(element('#counts'));
const tools = new Tools(element('#tools'), { shut: look, lock });

// Parts of the page

function show(chosen) {
  part = chosen;
  history.replaceState(null, '', chosen === 'game' ? ' ' : `#${chosen}`);
  drawParts();
}

function drawParts() {
  const aside = wide.matches && part === 'game' ? 'counts' : part;
  for (const name of ['game', 'counts', 'owner']) {
    element(`#${name}`).hidden = name !== aside && !(wide.matches && name === 'game');
    element(`#parts [data-part="${name}"]`).toggleAttribute('aria-current', name === aside);
  }
  if (snapshot) scores.look(snapshot, !element('#counts').hidden);
}

element('#parts').addEventListener('click', (event) => {
  const button = /** @type {Element} */ (event.target).closest('[data-part]');
  if (button) show(button.dataset.part);
});
wide.addEventListener('change', drawParts);

// The pad, and the owner's PIN before it

async function tap(card, button) {
  const now = performance.now();
  if (last.card === card && now - last.at < TWICE_MS) return;
  last = { card, at: now };
  button.classList.remove('tapped');
  void button.offsetWidth; // restart the animation
  button.classList.add('tapped');
  try {
    const { status } = await ask('/table/scan', { card });
    if (status === 403) await look();
    else set(element('#aloud'), status === 204 ? say('page.table.tapped', { card: cardName(card) }) : say('page.table.lost'));
    if (status !== 204 && status !== 403) element('#tap').textContent = say('page.table.lost');
  } catch {
    element('#tap').textContent = element('#aloud').textContent = say('page.table.lost');
  }
}

/** Whether this phone may do anything. */
async function look() {
  const before = pin;
  pin = (await ask('/table/pad')).said.pin;
  if (pin === before) return;
  drawOwner();
  if (before === 'given' && part === 'owner') element('#pin')?.focus();
}

async function lock() {
  try {
    pin = (await ask('/table/leave', {})).said.pin;
    drawOwner();
    element('#pin')?.focus();
  } catch {
    showAway();
  }
}

/** `then` is the part to open after the PIN. */
function drawOwner(then = 'owner') {
  const given = pin === 'given';
  element('#gate').hidden = given;
  element('#tools').hidden = !given;
  element('#gate').replaceChildren();
  if (given) {
    tools.draw();
  } else {
    tools.close();
    gate(element('#gate'), pin, (opened) => {
      pin = opened;
      drawOwner();
      show(then);
      draw();
      if (then === 'game') pad.button(pad.at).focus({ preventScroll: true });
      else element('#tools button').focus();
    });
  }
  draw();
}

element('#reads').addEventListener('click', () => {
  show('owner');
  drawOwner('game');
  element('#pin')?.focus();
});

// Drawing

function draw() {
  if (!snapshot || !closeUp) return;
  const { view, lobby, wanted, way } = snapshot;
  const refused = element('#refusal').textContent;
  closeUp.draw(snapshot);
  if (!refused && element('#refusal').textContent) element('#now').scrollIntoView({ block: 'nearest' });
  const laid = !view || lobby ? [] : [...view.laid.map(({ card }) => card), view.starter, ...view.counted];
  pad.take(laid.filter(Boolean));
  const taps = wanted || (view && !lobby && way !== 'trust');
  element('#cards').hidden = pin !== 'given' || !taps;
  document.body.classList.toggle('pads', !element('#cards').hidden);
  element('#cards').classList.toggle('wanted', wanted);
  element('#reads').hidden = pin === 'given' || !wanted;
  set(element('#tap'), say(wanted ? 'page.table.tap' : 'page.table.no_card'));
  if (pin === 'given') tools.look(snapshot);
  scores.look(snapshot, !element('#counts').hidden);
}

function speak() {
  write();
  document.title = `Cribboard · ${say('page.table.title')}`;
  pad.draw();
  scores.draw();
  drawOwner();
}

function receive(shown) {
  snapshot = shown;
  if (showHere()) {
    scores.forget();
    look().catch(() => {}); // a restarted board has forgotten the session
  }
  draw();
}

await patiently(async () => {
  await loadLanguages();
  closeUp = new CloseUp((await ask('/table/board')).said);
  await look();
}, showAway);
element('#away').hidden = true;
switcher(element('#language'), speak);
speak();
show(['counts', 'owner'].find((name) => location.hash === `#${name}`) ?? 'game');
follow('/table/events', { receive, gone: showAway });
