// The hall's screen: who plays whom where, what is outstanding, the standings or that they are sealed, the medals. It is
// read from ten metres away, without touch. A change is shown at once; what does not fit one page is turned.

import { confetti } from './confetti.js';
import { Countdown } from './hall_countdown.js';
import { drawMoment, namesAt } from './hall_medals.js';
import { pagesOf } from './hall_pages.js';
import { sceneOf, titleOf } from './hall_scene.js';
import { drawStrip } from './hall_strip.js';
import { Turner } from './hall_turner.js';
import { element } from './nodes.js';
import { follow } from './stream.js';
import { televise } from './television.js';
import { say } from './words.js';

const MOMENT_MS = 9000;

/** @type {HallSnapshot} */ let snapshot;
/** @type {HallSnapshot | null} */ let before = null; // the snapshot before, unless the board was away meanwhile
/** @type {number[]} */ let moments = []; // places that were opened while this page looked, and are still to be celebrated
/** @type {LiveGame[]} */ let live = []; // the games under way at boards of the club
let timer = 0;

const turner = new Turner({ place: element('#pages'), bar: element('#turns') });
const countdown = new Countdown(element('#countdown'));

function draw() {
  const scene = sceneOf(snapshot);
  document.body.dataset.scene = scene;
  const name = snapshot.name || 'Cribboard';
  document.title = `${name} · ${say('page.to.event')}`;
  element('header h1').textContent = name;
  drawStrip({ title: element('#title'), said: element('#said'), marks: element('#marks'), about: element('#about') }, snapshot);
  countdown.show(snapshot);
  turner.show(`${sceneOf(snapshot)} ${snapshot.competition}`, pagesOf(snapshot, before, turner.room(), live));
}

// The medals: a page that sees a place being opened celebrates it; one that is opened later shows the podium

function celebrate() {
  const same = before?.competition === snapshot.competition ? before : null;
  const opened = snapshot.opened ?? [];
  if (!same || opened.length < same.opened.length) end(); // another event, or an undo
  if (!same || opened.length <= same.opened.length) return;
  moments.push(...opened.slice(same.opened.length));
  if (element('#moment').hidden) begin();
}

function begin() {
  const place = moments.shift();
  if (place === undefined) return end();
  drawMoment(element('#moment'), snapshot, place);
  if (place === 1) element('#moment').append(confetti());
  turner.stop(true);
  clearTimeout(timer);
  timer = setTimeout(begin, MOMENT_MS);
}

function end() {
  clearTimeout(timer);
  moments = [];
  element('#moment').hidden = true;
  element('#moment').replaceChildren();
  turner.stop(false);
}

for (const touch of ['pointerdown', 'keydown']) {
  addEventListener(touch, (event) => {
    if (!element('#moment').hidden && !/** @type {Element} */ (event.target).closest('a, button')) begin();
  });
}

/** The text for screen readers: the scene, or who has won a medal. */
function tell() {
  if (before === null || before.competition !== snapshot.competition) return;
  const place = snapshot.opened.length > before.opened.length ? snapshot.opened.at(-1) : null;
  const message = place === null ? titleOf(snapshot) : `${say(`page.hall.place.${place}`)}: ${namesAt(snapshot, place).join(', ')}`;
  if (place !== null || titleOf(before) !== message) element('#aloud').textContent = message;
}

addEventListener('resize', () => snapshot && draw());

await televise('/event/events', {
  receive(shown) {
    snapshot = shown;
    if (shown.competition !== null) {
      celebrate();
      tell();
    } else end();
    draw();
    before = shown.competition === null ? null : shown;
  },
  draw,
  gone() {
    before = null; // what was opened meanwhile is shown, and not celebrated
  },
});

if ('club' in document.documentElement.dataset) {
  follow('/event/games', {
    receive({ games }) {
      live = games;
      if (snapshot) draw();
    },
    gone() {}, // the stream of the event says it
  });
}
