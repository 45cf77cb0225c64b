// The table on a phone: what the board asks, and a pad of 52 cards for whoever gave the owner's PIN. A tap is a scan;
// what comes of it is said by the board, in the next picture.

import { name, small } from './cards.js';
import { draw as gate } from './gate.js';
import { Pad } from './pad.js';
import { ask, follow } from './stream.js';
import { language, learn, say, switcher, write } from './words.js';

const AGAIN_MS = 2000;
const TWICE_MS = 600; // a finger that trembles taps once

const find = (selector) => document.querySelector(selector);
let picture = null;
let pin = 'wanted';
let last = { card: null, at: 0 };

const pad = new Pad(find('#pad'), { tap });

async function tap(card, button) {
  const now = performance.now();
  if (last.card === card && now - last.at < TWICE_MS) return;
  last = { card, at: now };
  button.classList.remove('tapped');
  void button.offsetWidth; // begin again
  button.classList.add('tapped');
  try {
    const { status } = await ask('/table/scan', { card });
    if (status === 403) await look();
    else find('#aloud').textContent = status === 204 ? say('page.table.tapped', { card: name(card) }) : say('page.table.lost');
    if (status !== 204 && status !== 403) find('#tap').textContent = say('page.table.lost');
  } catch {
    find('#tap').textContent = find('#aloud').textContent = say('page.table.lost');
  }
}

/** Whether this phone may tap cards. */
async function look() {
  pin = (await ask('/table/pad')).said.pin;
  drawGate();
}

function drawGate() {
  find('#cards').hidden = pin !== 'given';
  find('#gate').hidden = pin === 'given';
  if (pin !== 'given') {
    gate(find('#gate'), pin, (given) => {
      pin = given;
      drawGate();
      pad.button(pad.at).focus({ preventScroll: true });
    });
  }
}

// The picture

function draw() {
  if (!picture) return;
  const { view, lobby, text } = picture;
  const words = text[language()];
  const asked = lobby || picture.menu ? null : view?.asks.side ?? null;
  const set = (selector, lines) => {
    const node = find(selector);
    const said = lines.join(' · ').replace(/ (?=[:!?;])/g, '\u00a0');
    if (node.textContent !== said) node.textContent = said;
  };
  find('#now').dataset.side = asked ?? '';
  set('#ask', [words.ask]);
  set('#refusal', words.refusal);
  const told = [...words.said, ...words.hints].slice(0, 3);
  set('#said', words.refusal.length ? [] : lobby ? [...told, say('page.table.ok')] : told);
  set('#faults', words.faults);
  drawScores(lobby === 'start' ? null : view);
  drawShown(lobby ? null : view);
  const table = !view || lobby ? [] : [...view.laid.map(({ card }) => card), view.starter, ...view.counted];
  pad.take(table.filter(Boolean));
  find('#cards').classList.toggle('wanted', picture.wanted);
  find('#pad').hidden = !picture.wanted && (!view || Boolean(lobby) || picture.way === 'trust');
  set('#tap', [say(picture.way === 'trust' ? 'page.table.trusts' : picture.wanted ? 'page.table.tap' : 'page.table.no_card')]);
}

function drawScores(view) {
  const side = ({ score }, at) => {
    const label = say('page.table.side', { side: say(`side.${at}`), score, target: view.target });
    return `<li data-side="${at}" class="${view.asks.side === at ? 'asked' : ''}"><span class="unseen">${label}</span>
      <i aria-hidden="true"></i><b aria-hidden="true">${score}</b><span aria-hidden="true">${say(`side.${at}`)}</span>${view.dealer === at ? `<small>${say('page.table.deals')}</small>` : ''}</li>`;
  };
  find('#scores').innerHTML = view ? view.sides.map(side).join('') : '';
}

function drawShown(view) {
  const row = (label, cards) => (cards.length ? `<p><span class="label">${label}</span> <span class="chips">${cards.map(small).join('')}</span></p>` : '');
  find('#shown').innerHTML = !view ? '' : [
    row(say('page.table.starter'), view.starter ? [view.starter] : []),
    row(say('page.table.counted'), view.counted),
    row(view.count === null ? say('page.table.unknown') : say('page.table.count', { count: view.count }), view.laid.map(({ card }) => card)),
  ].join('');
}

function speak() {
  write();
  document.title = `Cribboard · ${say('page.table.title')}`;
  pad.draw();
  drawGate();
  draw();
}

function here(shown) {
  picture = shown;
  document.body.classList.remove('waiting', 'gone');
  const back = !find('#away').hidden;
  find('#away').hidden = true;
  draw();
  if (back) look().catch(() => {}); // a board that was started again knows nobody
}

function gone() {
  document.body.classList.add('gone');
  find('#away').hidden = false;
}

find('#lock').addEventListener('click', async () => {
  try {
    pin = (await ask('/table/leave', {})).said.pin;
    drawGate();
    find('#pin')?.focus();
  } catch {
    gone();
  }
});

async function patiently() {
  try {
    await learn();
    await look();
  } catch {
    gone();
    setTimeout(patiently, AGAIN_MS);
    return;
  }
  find('#away').hidden = true;
  switcher(find('#language'), speak);
  speak();
  follow('/table/events', { hear: here, gone });
}

await patiently();
