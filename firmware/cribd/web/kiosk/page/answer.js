// What the judge says: right or wrong, the count in cadence with its cards lighting up, or what would fit.

import { colour, corner, small } from './cards.js';
import { figure, language, say } from './words.js';

const STEP_MS = 1100;
const still = matchMedia('(prefers-reduced-motion: reduce)');
const RIGHT = '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 13l5.5 5.5L20 6.5"/></svg>';
const WRONG = '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M5.5 5.5l13 13M18.5 5.5l-13 13"/></svg>';
let playing = 0;

/** Draw the answer; returns what is read aloud. `light(cards)` lights cards where they lie. */
export function show(place, told, { called, crib, kind, full, light, judge, renew }) {
  clearTimeout(playing);
  const verdict = verdictOf(told, called, crib);
  const count = told.steps ? steps(told.steps) : told.fits || told.fits === null ? fits(told) : '';
  place.innerHTML = `<div class="verdict ${verdict.tone}">${verdict.mark}<div><strong></strong><span></span></div></div>
    ${called === null || told.closed ? '' : stepper()}
    ${count}
    <div class="after">${told.steps?.length ? '<button type="button" class="wide" id="replay"></button>' : ''}
      <button type="button" class="wide first" id="renew"></button></div>`;
  const write = (selector, text) => { const node = place.querySelector(selector); if (node) node.textContent = text; };
  write('.verdict strong', verdict.said);
  write('.verdict span', verdict.why);
  write('#replay', say('page.verify.replay'));
  write('#renew', say('page.verify.renew'));
  place.querySelector('#renew').addEventListener('click', renew);
  if (called !== null && !told.closed) {
    write('.stepper output', called);
    write('.stepper span', say('page.verify.called'));
    for (const [by, name] of [[-1, 'page.verify.less'], [1, 'page.verify.more']]) {
      const button = place.querySelector(`.stepper [data-by="${by}"]`);
      button.setAttribute('aria-label', say(name));
      button.disabled = called + by < 0 || called + by > 29;
      button.addEventListener('click', () => judge(called + by));
    }
  }
  if (told.steps) cadence(place, told.steps, light);
  else light([]);
  return [verdict.said, verdict.why, told.said?.[language()]].filter(Boolean).map((text) => text.replace(/\.$/, '')).join('. ');
}

function verdictOf(told, called, crib) {
  const count = told.said ? capital(told.said[language()]) : '';
  if (told.closed) return { tone: 'wait', mark: '', said: say('page.verify.closed'), why: say('page.verify.closed.why') };
  if (told.refused) return { tone: 'wait', mark: '', said: say('page.verify.refused'), why: '' };
  if (told.impossible && told.verdict !== 'exact') {
    return { tone: 'wrong', mark: WRONG, said: say(crib ? 'page.verify.no_crib' : 'page.verify.no_hand', { number: called }), why: told.due === undefined ? '' : say('page.verify.it_is', { due: told.due }) };
  }
  if (told.due === undefined) return unfinished(told, called);
  if (called === null) return { tone: 'plain', mark: '', said: say('page.verify.counts', { n: told.due }), why: count };
  if (told.jest) return { tone: 'right', mark: RIGHT, said: say('page.verify.jest'), why: say('page.verify.jest.why') };
  if (told.verdict === 'exact') return { tone: 'right', mark: RIGHT, said: say('page.verify.right', { due: told.due }), why: count };
  const off = Math.abs(called - told.due);
  return { tone: 'wrong', mark: WRONG, said: say('page.verify.wrong', { due: told.due }), why: say(called > told.due ? 'page.verify.too_many' : 'page.verify.too_few', { n: off }) };
}

function unfinished(told, called) {
  if (!told.fits) return { tone: 'wait', mark: '', said: say('page.verify.too_early'), why: say('page.verify.too_early.why') };
  const { ways, possible } = told.fits;
  if (ways === 0) return { tone: 'wrong', mark: WRONG, said: say('page.verify.nothing_fits', { called }), why: '' };
  return { tone: 'plain', mark: '', said: say('page.verify.fits', { called }), why: say('page.verify.ways', { n: ways, ways: figure(ways), possible: figure(possible) }) };
}

const stepper = () => `<div class="stepper"><span></span><button type="button" data-by="-1">−</button><output></output><button type="button" data-by="1">+</button></div>`;

function steps(counted) {
  const row = (step, at) => `<li><button type="button" data-at="${at}"><b>${step.total}</b><span>${capital(step.said[language()])}</span>
    <span class="with">${step.cards.map(small).join('')}</span></button></li>`;
  return counted.length ? `<ol class="cadence">${counted.map(row).join('')}</ol>` : '';
}

/** One step after the other lights its cards; a finger on one goes to it. */
function cadence(place, counted, light) {
  const rows = [...place.querySelectorAll('.cadence button')];
  const at = (now) => {
    rows.forEach((row, number) => row.classList.toggle('now', number === now));
    light(now === null ? [] : counted[now].cards);
  };
  const play = (now) => {
    clearTimeout(playing);
    if (now >= rows.length) {
      playing = setTimeout(() => at(null), STEP_MS);
      return;
    }
    at(now);
    playing = setTimeout(() => play(now + 1), STEP_MS);
  };
  rows.forEach((row, number) => row.addEventListener('click', () => {
    clearTimeout(playing);
    at(number);
  }));
  place.querySelector('#replay')?.addEventListener('click', () => play(0));
  at(null);
  if (!still.matches && rows.length) play(0);
}

function fits({ fits: found }) {
  if (!found || found.ways === 0) return '';
  if (found.starters.length) {
    return `<p class="label">${say('page.verify.starters')}</p><p class="chips">${found.starters.map(small).join('')}</p>`;
  }
  const ranks = (list, mark = '') => list.map((rank) => `<span class="chip rank">${corner(rank)}${mark}</span>`).join('');
  const row = ({ hand, starters, some }) => `<tr><td><span class="chips">${ranks(hand)}</span></td><td><span class="chips">${ranks(starters)}${ranks(some, '*')}</span></td></tr>`;
  const notes = [
    found.listed.some(({ some }) => some.length) ? say('page.verify.some') : '',
    found.leftOut ? say('page.verify.left_out', { n: found.leftOut, more: figure(found.leftOut) }) : '',
  ].filter(Boolean);
  return `<table class="fits"><thead><tr><th scope="col">${say('page.verify.to_hand')}</th><th scope="col">${say('page.verify.starter')}</th></tr></thead>
    <tbody>${found.listed.map(row).join('')}</tbody></table>${notes.map((note) => `<p class="note">${note}</p>`).join('')}`;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
