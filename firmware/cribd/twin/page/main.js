// The twin page: it draws what the chips hold, and sends fingers, cards and plugs as messages. Nothing else passes.

import '/page/help.js';
import { element, node } from '/page/nodes.js';
import { loadLanguages, say, switcher, write } from '/page/words.js';
import { BoardPicture } from './board.js';
import { Console } from './console.js';
import { Deck } from './deck.js';
import { feel } from './fingers.js';
import { Offer } from './offer.js';
import { Plugs } from './plugs.js';
import { Buzzer } from './sound.js';
import { bytes, connect } from './wires.js';

const narrow = matchMedia('(max-width: 799px)');

await loadLanguages();
const json = async (path) => (await fetch(path)).json();
const [table, board] = await Promise.all([json('/table/board'), json('/twin/board.json')]);
const geometry = board.tracks[0].holes.length ? table : { ...board, tracks: [], labels: [] };

/** @type {(act: object) => void} */
let send = () => {};
/** @type {{ draw(): void } | null} */
let beside = null; // who plays alone, where the board offers it
const state = { leds: new Uint8Array(), oled: null, dots: new Uint8Array(), edition: null, off: false };
let picture = new BoardPicture(element('.board'), geometry, board, narrow.matches);
const keys = new Console(element('#console'), board);
const deck = new Deck(element('#deck'), board.readers, (card, reader) => send({ present: [card, reader] }));
const plugs = new Plugs(element('#plugs'), element('#drawer'), (part, putIn) => send(putIn ? { plug: part } : { unplug: part }),
  (fault, make) => send(make ? { fault } : { mend: fault }));
const offer = new Offer(element('#offer'), board, (act) => send(act));
const buzzer = new Buzzer();

element('.pages').append(...(board.pages ?? []).map(({ path, word }) => node('a', { href: path, 'data-word': word })));
element('#explained .beside').hidden = !board.beside;
element('#sound').hidden = !board.has_buzzer;

feel({
  down: (button) => send({ down: button }),
  up: (button) => send({ up: button }),
  near: (event) => picture.near(event),
});

function showScreen() {
  if (!state.oled) return;
  keys.glass.show(state.oled, state.dots);
  picture.glass.show(state.oled, state.dots);
}

function receive(news) {
  document.body.classList.remove('waiting', 'away');
  element('#away').textContent = '';
  if (news.edition) {
    if (state.edition && state.edition !== news.edition) location.reload();
    state.edition = news.edition;
  }
  if (news.plugs) plugs.show(news.plugs);
  if (news.faults) plugs.showFaults(news.faults);
  if (news.table) {
    deck.show(news.table.seen ?? []);
    offer.show(news.table);
    state.off = Boolean(news.table.off);
  }
  document.body.classList.toggle('off', state.off);
  if (state.off) sayWhy('page.twin.off', 'page.twin.off.then');
  if (news.leds !== undefined) {
    state.leds = bytes(news.leds);
    picture.glow(state.leds);
  }
  if (news.oled) {
    state.oled = news.oled;
    state.dots = bytes(news.oled.pixels);
    showScreen();
  }
  if (news.buzzer !== undefined) {
    buzzer.sing(news.buzzer);
    element('#sound').classList.toggle('sounding', news.buzzer > 0);
  }
}

function gone() {
  document.body.classList.add('away');
  buzzer.sing(0);
  element('#sound').classList.remove('sounding');
  sayWhy('page.twin.away', 'page.again');
}

/** Say why nothing can be pressed, and what helps. */
function sayWhy(what, then) {
  element('#away').innerHTML = '<p><b></b><span></span></p>';
  element('#away b').textContent = say(what);
  element('#away span').textContent = say(then);
}

function speak() {
  write();
  document.title = say('page.twin.title');
  picture.draw();
  keys.draw();
  deck.draw();
  plugs.draw();
  offer.draw();
  beside?.draw();
  showScreen();
  if (document.body.classList.contains('away')) gone();
  else if (state.off) sayWhy('page.twin.off', 'page.twin.off.then');
}

switcher(element('#language'), () => {
  speak();
  offer.ask(true);
});
element('#sound').addEventListener('click', () => {
  buzzer.want(!buzzer.wanted);
  element('#sound').setAttribute('aria-pressed', String(buzzer.wanted));
});

// Digits go to a hole of the board; in a game alone they are points to peg.
document.addEventListener('keydown', (event) => {
  const isForm = /** @type {Element} */ (event.target).closest?.('input, select, dialog');
  if (event.ctrlKey || event.altKey || event.metaKey || isForm || document.body.classList.contains('alone')) return;
  if (/^\d$/.test(event.key)) picture.type(event.key);
  else picture.number = '';
});

// The number of the hole under the pointer, on a small tag: holes are hard to count.
const tag = element('#tag');
for (const kind of ['pointermove', 'pointerdown']) {
  document.addEventListener(kind, (event) => {
    const hole = (/** @type {Element} */ (event.target).closest?.('[data-hole]') ?? picture.near(event))?.closest('[data-hole]');
    tag.classList.toggle('shown', Boolean(hole));
    if (!hole) return;
    const box = hole.getBoundingClientRect();
    tag.textContent = hole.dataset.hole;
    tag.dataset.side = hole.dataset.track;
    tag.style.setProperty('--x', `${box.left + box.width / 2}px`);
    tag.style.setProperty('--y', `${box.top}px`);
  });
}
for (const kind of ['pointerleave', 'scroll', 'pointercancel']) {
  document.addEventListener(kind, () => tag.classList.remove('shown'), true);
}
document.addEventListener('pointerup', (event) => event.pointerType !== 'mouse' && tag.classList.remove('shown'));

new ResizeObserver(() => {
  keys.fit();
  picture.fit();
}).observe(element('.board'));
narrow.addEventListener('change', () => {
  picture = new BoardPicture(element('.board'), geometry, board, narrow.matches);
  picture.glow(state.leds);
  showScreen();
});

write();
document.title = say('page.twin.title');
send = connect({ receive, gone });
if (board.beside) beside = await (await import(board.beside)).begin({ tune: () => offer.tune() });
