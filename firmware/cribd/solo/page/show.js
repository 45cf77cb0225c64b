// The show, where the count of the play lay: the hand or crib that is counted, large, and once its claim is closed its
// combinations, lit one by one. With reduced motion all are shown at once. After the game, how it ended.

import { language, say } from '/page/words.js';

const STEP_MS = 1200;
const WHOLE_MS = 5000; // the longest that it takes: with many combinations it goes faster
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

/** What is counted now, or was last; null in the play, and once new cards are dealt. `counts` are those of the deal. */
export function counted(state) {
  const { counting, counts, seats } = state;
  const last = counts?.at(-1) ?? null;
  if (!counting) return state.hand.length || state.laid.length || state.phase === 'play' || !last ? null : { seat: last.seat, crib: last.of === 'crib', cards: last.cards, starter: last.starter, entry: last };
  const { seat, crib } = counting;
  const entry = last && last.deal === state.deal && last.seat === seat && (last.of === 'crib') === crib ? last : null;
  return { seat, crib, cards: crib ? state.crib.open : seats[seat].open, starter: state.starter, entry };
}

/** The words of a score in the language of the page. */
const worded = (entry) => entry.text[language()];

/** "You called 4; it is 2: a pair." Of a call that was right nothing. */
export function corrected(entry) {
  if (!entry || !['too-many', 'too-few'].includes(entry.verdict)) return '';
  const steps = worded(entry).steps.join(', ');
  const { called, due } = entry;
  return say(due ? `page.solo.corrected.${entry.verdict}` : 'page.solo.corrected.nothing', { called, due, lost: due - called, steps });
}

export class Show {
  /** Draws into `place` with `paper(card)`; `who(seat)` names a seat. */
  constructor(place, paper, who) {
    this.place = place;
    this.paper = paper;
    this.who = who;
    this.key = '';
  }

  draw(state) {
    const now = counted(state);
    this.place.hidden = !now;
    const key = now ? JSON.stringify([now.cards, now.crib, now.seat, now.entry?.number, document.documentElement.lang]) : '';
    if (key === this.key) return;
    clearTimeout(this.timer);
    this.key = key;
    this.place.classList.remove('lighting');
    if (!now) return;
    const { entry, seat, crib, cards, starter } = now;
    const rows = entry ? entry.steps.map((step, at) => `<li><b>${step.total}</b> ${worded(entry).steps[at]}</li>`) : [];
    const total = entry ? `<output>${entry.due ?? entry.points}</output>` : '';
    const wrong = corrected(entry);
    const whose = state.person && seat === 0 ? say(crib ? 'page.solo.my_crib' : 'page.solo.my_hand') : say(crib ? 'page.solo.crib_of' : 'page.solo.hand_of', { who: this.who(seat) });
    this.place.innerHTML = `<span class="shown">${cards.map(this.paper).join('')}${starter ? `<span class="starter">${this.paper(starter)}</span>` : ''}</span>
      <div><p>${whose}${total}</p><ol>${rows.join('')}</ol>${wrong ? `<p class="wrong">${wrong}</p>` : ''}</div>`;
    if (rows.length && !STILL.matches) this.light(entry.steps, 0);
  }

  /** Light the cards of one combination after the other, and at the end all. */
  light(steps, at) {
    const step = steps[at];
    this.place.classList.toggle('lighting', Boolean(step));
    for (const card of this.place.querySelectorAll('[data-face]')) card.classList.toggle('lit', Boolean(step?.cards.includes(card.dataset.face)));
    this.place.querySelectorAll('li').forEach((row, number) => row.classList.toggle('now', number === at));
    if (step) this.timer = setTimeout(() => this.light(steps, at + 1), Math.min(STEP_MS, WHOLE_MS / steps.length));
  }
}

/** How the game ended, for the person; "" while it is played. */
export function ending(state, result) {
  const { end, person } = state;
  if (!end) return '';
  const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
  const figures = person ? ['hand', 'crib', 'play', 'gave_up'].filter((name) => end[name] !== null) : [];
  const skunk = end.skunk === 'none' ? '' : `<strong>${say(`page.solo.skunk.${end.skunk}`)}</strong>`;
  return `<h2>${result}</h2>${skunk}<p>${say('page.solo.deals', { deals: end.deals })}</p>
    <dl>${figures.map((name) => `<div><dt>${say(`page.solo.figures.${name}`)}</dt><dd>${number.format(end[name])}</dd></div>`).join('')}</dl>`;
}
