// The hall's screen: who plays whom where, what is outstanding, the standings or that they are sealed, the medals. It is
// read from ten metres away, without touch. A change is shown at once; what does not fit one page is turned.

import { confetti } from './confetti.js';
import { Countdown } from './event_countdown.js';
import { drawMoment, namesAt } from './event_medals.js';
import { pagesOf } from './event_pages.js';
import { sceneOf, titleOf } from './event_scene.js';
import { drawStrip } from './event_strip.js';
import { Turner } from './event_turner.js';
import { televise } from './television.js';
import { say } from './words.js';

const MOMENT_MS = 9000;

const find = (selector) => document.querySelector(selector);
let picture = null;
let before = null; // the picture before, unless the board was away meanwhile
let moments = []; // places that were opened while this page looked, and are still to be celebrated
let timer = 0;

const turner = new Turner({ place: find('#pages'), bar: find('#turns') });
const countdown = new Countdown(find('#countdown'));

function draw() {
  const scene = sceneOf(picture);
  document.body.dataset.scene = scene;
  const name = picture.name || 'Cribboard';
  document.title = `${name} · ${say('page.to.event')}`;
  find('header h1').textContent = name;
  drawStrip({ title: find('#title'), said: find('#said'), marks: find('#marks'), about: find('#about') }, picture);
  countdown.show(picture);
  turner.show(pagesOf(picture, before, turner.room()));
}

// The medals: a page that sees a place being opened celebrates it; one that is opened later shows the podium

function celebrate() {
  const same = before !== null && before.competition === picture.competition;
  const opened = picture.opened ?? [];
  if (!same || opened.length <= before.opened.length) {
    if (same && opened.length < before.opened.length) end(); // an undo
    return;
  }
  moments.push(...opened.slice(before.opened.length));
  if (find('#moment').hidden) begin();
}

function begin() {
  const place = moments.shift();
  if (place === undefined) return end();
  drawMoment(find('#moment'), picture, place);
  if (place === 1) find('#moment').append(confetti());
  turner.stop(true);
  clearTimeout(timer);
  timer = setTimeout(begin, MOMENT_MS);
}

function end() {
  clearTimeout(timer);
  moments = [];
  find('#moment').hidden = true;
  find('#moment').replaceChildren();
  turner.stop(false);
}

for (const touch of ['pointerdown', 'keydown']) {
  addEventListener(touch, (event) => {
    if (!find('#moment').hidden && !event.target.closest('a, button')) begin();
  });
}

/** The text for screen readers: the scene, or who has won a medal. */
function tell() {
  if (before === null || before.competition !== picture.competition) return;
  const place = picture.opened.length > before.opened.length ? picture.opened.at(-1) : null;
  const told = place === null ? titleOf(picture) : `${say(`page.event.place.${place}`)}: ${namesAt(picture, place).join(', ')}`;
  if (place !== null || titleOf(before) !== told) find('#aloud').textContent = told;
}

addEventListener('resize', () => picture && draw());

await televise('/event/events', {
  receive(shown) {
    picture = shown;
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
