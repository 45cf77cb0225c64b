// The count judge: cards are tapped or typed, a number is called, and the board says who is right.

import { show as answer } from './answer.js';
import { RANKS, colour, cornerAndSuit, cardName } from './cards.js';
import { element } from './nodes.js';
import { Pad } from './pad.js';
import { ask, patiently } from './stream.js';
import { language, loadLanguages, say, switcher, tag, write } from './words.js';

const AGAIN_MS = 2000;

const wide = matchMedia('(min-width: 900px)');
const body = document.body;
const state = { cards: /** @type {string[]} */ ([]), crib: false, rules: null, called: null, typed: '', asked: 0 };
let rules = [];
let judgment = /** @type {any} */ (null);

const played = () => rules.find((set) => set.label === state.rules) ?? rules[0];
const kind = () => played()[state.crib ? 'crib' : 'hand'];
const wanted = () => kind().cards + 1;
/** The most that a hand or crib counts, by any of these rules. */
const highest = () => Math.max(...rules.flatMap(({ hand, crib }) => [hand.most, crib.most]));
const full = () => state.cards.length === wanted();

/** A list with "or": 19, 25 or 26. */
const either = (things) => new Intl.ListFormat(tag(), { type: 'disjunction' }).format(things.map(String));

const pad = new Pad(element('#pad'), { tap: (card) => toggle(card) });

// Cards

function toggle(card) {
  if (state.cards.includes(card)) change(state.cards.filter((other) => other !== card));
  else if (!full()) change([...state.cards, card]);
}

function change(cards) {
  state.cards = cards;
  state.typed = '';
  forget();
  draw();
  go(full() ? 'call' : 'cards');
}

/** Forget the called number and the answer, as the cards have changed. */
function forget() {
  state.called = null;
  state.asked += 1;
  judgment = null;
}

function count(crib, label) {
  [state.crib, state.rules] = [crib, label];
  if (state.cards.length > wanted()) state.cards = []; // it is unknown which of them is the starter
  const called = state.called;
  const answered = judgment !== null;
  forget();
  draw();
  if (answered && (full() || called !== null)) judge(called);
  else if (body.dataset.step === 'answer') go(full() ? 'call' : 'cards');
}

// The number

async function judge(called) {
  state.called = called;
  state.asked += 1;
  const asked = state.asked;
  try {
    const { status, said } = await ask('/verify/judge', { cards: state.cards, crib: state.crib, rules: state.rules, called, words: true });
    if (asked !== state.asked) return;
    found();
    if (status === 503) {
      setTimeout(() => asked === state.asked && judge(called), AGAIN_MS);
      return;
    }
    judgment = said ?? {};
    draw();
    go('answer');
  } catch {
    lost();
    setTimeout(() => asked === state.asked && judge(called), AGAIN_MS);
  }
}

const lost = () => { element('#away').hidden = false; };
const found = () => { element('#away').hidden = true; };

// Drawing

function go(step) {
  body.dataset.step = step;
  for (const button of document.querySelectorAll('#steps button')) {
    if (button.dataset.step === step) button.setAttribute('aria-current', 'step');
    else button.removeAttribute('aria-current');
  }
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  if (!wide.matches && focused?.closest('main section') && focused.offsetParent === null) {
    element(`#${step}`).focus({ preventScroll: true });
  }
  if (!wide.matches) scrollTo(0, 0);
}

function draw() {
  drawSlots();
  pad.take(state.cards);
  drawNumbers();
  element('#is-hand').setAttribute('aria-pressed', String(!state.crib));
  element('#is-crib').setAttribute('aria-pressed', String(state.crib));
  element('#undo').disabled = state.cards.length === 0;
  element('#count').disabled = !full();
  element('#first').classList.toggle('done', state.cards.length > 0);
  element('#typed').textContent = state.typed;
  const [cards, call, answered] = document.querySelectorAll('#steps b');
  cards.textContent = `${state.cards.length}/${wanted()}`;
  call.textContent = state.called ?? '';
  answered.textContent = judgment?.due ?? '';
  element('#steps [data-step=answer]').disabled = judgment === null;
  const place = element('#answer');
  if (judgment === null) {
    place.replaceChildren();
    element('#aloud').textContent = '';
    light([]);
  } else {
    element('#aloud').textContent = answer(place, judgment, { called: state.called, most: highest(), light, judge, renew });
  }
}

function drawSlots() {
  const slot = (at) => {
    const card = state.cards[at];
    const starter = at === wanted() - 1;
    const label = starter ? say('page.verify.starter') : say('page.verify.card', { number: at + 1 });
    const inside = card
      ? `<button type="button" class="card ${colour(card[1])}" data-slot="${card}" aria-label="${say('page.verify.take_away', { card: cardName(card) })}">${cornerAndSuit(card)}</button>`
      : `<span class="empty${at === state.cards.length ? ' next' : ''}"><span class="unseen">${say('page.verify.empty', { place: label })}</span></span>`;
    return `<li class="${starter ? 'starter' : ''}">${inside}${starter ? `<small aria-hidden="true">${label}</small>` : ''}</li>`;
  };
  element('#slots').innerHTML = Array.from({ length: wanted() }, (_, at) => slot(at)).join('');
}

function drawNumbers() {
  const { impossible, most } = kind();
  const never = (number) => impossible.includes(number) || number > most;
  const focusedNumber = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.number;
  element('#numbers').innerHTML = Array.from({ length: highest() + 1 }, (_, number) => {
    const label = never(number) ? say('page.verify.never', { number }) : String(number);
    return `<button type="button" data-number="${number}" class="${never(number) ? 'never' : ''}" aria-pressed="${number === state.called}" aria-label="${label}">${number}</button>`;
  }).join('');
  if (focusedNumber) element(`[data-number="${focusedNumber}"]`)?.focus();
  element('#impossible').textContent = impossible.length === 0 ? '' : say(state.crib ? 'page.verify.impossible.crib' : 'page.verify.impossible.hand', { numbers: either(impossible) });
}

/** Light these cards; without any, none. */
function light(cards) {
  for (const card of document.querySelectorAll('[data-slot]')) {
    card.classList.toggle('lit', cards.includes(card.dataset.slot));
    card.classList.toggle('unlit', cards.length > 0 && !cards.includes(card.dataset.slot));
  }
}

function renew() {
  change([]);
  element('#cards').focus({ preventScroll: true });
}

function speak() {
  write();
  document.title = `Cribboard · ${say('page.verify.title')}`;
  element('#rules').innerHTML = rules.map(({ label }) => `<option value="${label}"></option>`).join('');
  rules.forEach(({ name: names }, at) => { element('#rules').options[at].textContent = names[language()]; });
  element('#rules').value = state.rules;
  pad.draw();
  draw();
}

// Fingers and keys

element('#slots').addEventListener('click', (event) => {
  const card = /** @type {Element} */ (event.target).closest('[data-slot]');
  if (card) change(state.cards.filter((other) => other !== card.dataset.slot));
});
element('#numbers').addEventListener('click', (event) => {
  const number = /** @type {Element} */ (event.target).closest('[data-number]');
  if (number) judge(Number(number.dataset.number));
});
element('#count').addEventListener('click', () => judge(null));
element('#undo').addEventListener('click', () => change(state.cards.slice(0, -1)));
element('#is-hand').addEventListener('click', () => count(false, state.rules));
element('#is-crib').addEventListener('click', () => count(true, state.rules));
element('#rules').addEventListener('change', (event) => count(state.crib, event.target.value));
element('#steps').addEventListener('click', (event) => {
  const button = /** @type {Element} */ (event.target).closest('[data-step]');
  if (button) go(button.dataset.step);
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || /** @type {Element} */ (event.target).closest?.('select, input')) return;
  if (event.key === 'Backspace' && (state.typed || state.cards.length)) {
    event.preventDefault();
    if (state.typed) retype('');
    else change(state.cards.slice(0, -1));
  } else if (full() || element('#call').contains(document.activeElement)) typeNumber(event);
  else typeCard(event.key.toUpperCase());
});

document.addEventListener('paste', (event) => {
  if (/** @type {Element} */ (event.target).closest?.('select, input')) return;
  event.preventDefault();
  for (const key of event.clipboardData?.getData('text').toUpperCase() ?? '') if (!full()) typeCard(key);
});

function retype(text) {
  state.typed = text;
  element('#typed').textContent = text;
}

/** Move the focus to the cards, so that a space after what is typed presses no button. */
function typeHere() {
  if (document.activeElement?.matches('button, a') && !element('#pad').contains(document.activeElement)) element('#cards').focus({ preventScroll: true });
}

/** A rank, then a suit: 5H, 10S, 5♥; a French V, D or R is a rank too. */
function typeCard(typed) {
  const key = { '♣': 'C', '♦': 'D', '♥': 'H', '♠': 'S' }[typed[0]] ?? typed;
  const french = language().startsWith('fr') && !state.typed ? { V: 'J', D: 'Q', R: 'K' }[key] : undefined;
  const rank = french ?? key;
  if (RANKS.includes(rank) || rank === '1') typeHere();
  if (state.typed === '' && (RANKS.includes(rank) || rank === '1')) retype(rank);
  else if (state.typed === '1' && key === '0') retype('T');
  else if (RANKS.includes(state.typed) && 'CDHS'.includes(key) && key.length === 1) {
    const card = state.typed + key;
    retype('');
    if (!state.cards.includes(card)) change([...state.cards, card]);
  }
}

/** One or two figures, then Enter. */
function typeNumber(event) {
  if (/^\d$/.test(event.key)) {
    const number = (state.typed + event.key).slice(-2);
    retype(Number(number) <= highest() ? number : event.key);
    element(`[data-number="${Number(state.typed)}"]`).focus();
  } else if (event.key === 'Enter' && state.typed) {
    event.preventDefault();
    const called = Number(state.typed);
    retype('');
    judge(called);
  }
}

async function begin() {
  await loadLanguages();
  const { said } = await ask('/verify/rules');
  rules = said.rules;
  state.rules = rules.some(({ label }) => label === said.played) ? said.played : rules[0].label;
  switcher(element('#language'), speak);
  speak();
  go('cards');
  body.classList.remove('waiting');
}

await patiently(begin, lost);
found();
