// A counted hand or crib: its cards, lit combination by combination, with the words of each.
//
//   const stop = drawCounted(div, snapshot.shown, language(), { animate: true });
//   stop();                  // shows its end at once
//
// The page needs counted.css; everything is sized by the font of the div. With reduced motion, or without `animate`,
// all combinations are shown at once and nothing moves.

import { face } from './faces.js';
import { drawn, node } from './nodes.js';
import { capital, say, tie } from './words.js';

const STEP_MS = 1400;
const WHOLE_MS = 11000; // the longest a count takes: with many combinations it goes faster
const FIRST_MS = 900;
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

/** Draw the `shown` count in a language, such as `fr_CA`. Returns a function that ends the animation. */
export function drawCounted(place, shown, spoken, { animate = true } = {}) {
  const { who, what, steps: said, ruling } = shown.text[spoken];
  const rows = shown.steps.map((step, at) => node('li', {}, node('b', {}, String(step.total)), ' ', node('span', {}, capital(said[at]))));
  const worth = ruling ? shown.points : shown.due ?? shown.points; // near the end fewer points may be pegged
  const total = node('b', {});
  const root = node('div', { class: 'counted' },
    node('p', { class: 'counted-title' }, node('b', {}, who), ' · ', capital(what)),
    node('p', { class: 'counted-cards' }, drawn(shown.cards.map(face).join('')), shown.starter && node('span', { class: 'counted-starter' }, drawn(face(shown.starter)))),
    node('div', { class: 'counted-words' },
      node('p', { class: 'counted-total' }, total, node('span', {}, ruling ? tied(ruling) : say('page.counted.points', { n: worth }))),
      node('ol', { class: 'counted-steps' }, rows)));
  root.classList.toggle('many', rows.length > 5);
  place.replaceChildren(root);
  const cards = [...root.querySelectorAll('.face')];
  let timer = 0;

  /** Light the cards of this step: -1 is before the first, the number of steps is the end. */
  const at = (now) => {
    const step = shown.steps[now];
    root.classList.toggle('lit', Boolean(step));
    root.classList.toggle('done', now >= rows.length);
    for (const card of cards) card.classList.toggle('lit', Boolean(step?.cards.includes(card.dataset.card)));
    rows.forEach((row, number) => {
      row.classList.toggle('now', number === now);
      row.classList.toggle('todo', number > now);
    });
    total.textContent = now < 0 ? 0 : step?.total ?? worth;
  };
  const play = (now) => {
    at(now);
    if (now < rows.length) timer = setTimeout(play, now < 0 ? FIRST_MS : Math.min(STEP_MS, WHOLE_MS / rows.length), now + 1);
  };
  const end = () => {
    clearTimeout(timer);
    at(rows.length);
  };
  if (animate && !STILL.matches && rows.length) play(-1);
  else end();
  return end;
}

/** Let a ruling wrap between its parts, never before a number. */
const tied = (text) => tie(text).replace(/ (?=\d)/g, '\u00a0');
