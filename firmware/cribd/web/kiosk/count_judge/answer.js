// The judge's answer: right or wrong, the count step by step with its cards lit, or the cards that would fit.

import { corner, small } from './cards.js';
import { capital, figure, language, say } from './words.js';

const STEP_MS = 1100;
const still = matchMedia('(prefers-reduced-motion: reduce)');
const MARKS = {
  right: '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 13l5.5 5.5L20 6.5"/></svg>',
  wrong: '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M5.5 5.5l13 13M18.5 5.5l-13 13"/></svg>',
};
let playing = 0;

/** Draw the answer. Returns the text for screen readers. `light(cards)` lights these cards. */
export function show(place, judgment, { called, most, light, judge, renew }) {
  clearTimeout(playing);
  const { said, why } = worded(judgment);
  const tone = toneOf(judgment);
  const count = judgment.steps ? steps(judgment.steps) : judgment.fits || judgment.fits === null ? fits(judgment) : '';
  place.innerHTML = `<div class="verdict ${tone}">${MARKS[tone] ?? ''}<div><strong></strong><span></span></div></div>
    ${called === null || judgment.closed ? '' : stepper()}
    ${count}
    <div class="after">${judgment.steps?.length ? '<button type="button" class="wide" id="replay"></button>' : ''}
      <button type="button" class="wide first" id="renew"></button></div>`;
  const write = (selector, text) => { const node = place.querySelector(selector); if (node) node.textContent = text; };
  write('.verdict strong', said);
  write('.verdict span', why);
  write('#replay', say('page.verify.replay'));
  write('#renew', say('page.verify.renew'));
  place.querySelector('#renew').addEventListener('click', renew);
  if (called !== null && !judgment.closed) {
    write('.stepper output', called);
    write('.stepper span', say('page.verify.called'));
    for (const [by, name] of [[-1, 'page.verify.less'], [1, 'page.verify.more']]) {
      const button = place.querySelector(`.stepper [data-by="${by}"]`);
      button.setAttribute('aria-label', say(name));
      button.disabled = called + by < 0 || called + by > most;
      button.addEventListener('click', () => judge(called + by));
    }
  }
  if (judgment.steps) cadence(place, judgment.steps, light);
  else light([]);
  return [said, why, judgment.said?.[language()]].filter(Boolean).map((text) => text.replace(/\.$/, '')).join('. ');
}

/** The lines of the answer, as the board words them. What it refuses to judge has none. */
const worded = (judgment) => judgment.words?.[language()] ?? { said: say('page.verify.refused'), why: '' };

function toneOf(judgment) {
  if (judgment.verdict === 'exact') return 'right';
  if (judgment.verdict || judgment.impossible || judgment.fits?.ways === 0) return 'wrong';
  return judgment.fits || judgment.due !== undefined ? 'plain' : 'wait';
}

const stepper = () => `<div class="stepper"><span></span><button type="button" data-by="-1">−</button><output></output><button type="button" data-by="1">+</button></div>`;

function steps(counted) {
  const row = (step, at) => `<li><button type="button" data-at="${at}"><b>${step.total}</b><span>${capital(step.said[language()])}</span>
    <span class="with">${step.cards.map(small).join('')}</span></button></li>`;
  return counted.length ? `<ol class="cadence">${counted.map(row).join('')}</ol>` : '';
}

/** Light the cards of each step in turn; a tap on a step goes to it. */
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
    found.left_out ? say('page.verify.left_out', { n: found.left_out, more: figure(found.left_out) }) : '',
  ].filter(Boolean);
  return `<table class="fits"><thead><tr><th scope="col">${say('page.verify.to_hand')}</th><th scope="col">${say('page.verify.starter')}</th></tr></thead>
    <tbody>${found.listed.map(row).join('')}</tbody></table>${notes.map((note) => `<p class="note">${note}</p>`).join('')}`;
}
