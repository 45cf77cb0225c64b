// A result as it is shown, and as it is entered: who won, then the points on a pad of number keys. The winner's points are
// the target. What was typed stays if the page is loaded again, until it is sent or its game is over.

import { node, seen } from './nodes.js';
import { say } from './words.js';

const KEPT = 'cribboard.entry';
const WINS = '★';
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'erase', '0'];

/** The draft of one game: `winner` is the index of a side, -1 for a game that was broken off, null while it is open;
 *  `typed` has the digits of each side; `at` is the side that is typed now. */
export class Entry {
  constructor() {
    this.draft = storedDraft();
  }

  /** The draft of this game: the one that is there, or an empty one.
   *  @param {string} game @param {{ saw?: number[] | null }} [found] the scores that it is about to change */
  open(game, { saw = null } = {}) {
    if (this.draft?.game !== game) this.draft = { game, winner: null, typed: ['', ''], at: 0, saw };
    this.keep();
  }

  /** Forget what was typed, unless it is for this game. */
  close(but = '') {
    if (this.draft && this.draft.game !== but) this.draft = null;
    this.keep();
  }

  /** Forget what was typed for this game. */
  forget(game) {
    if (this.draft?.game === game) this.close();
  }

  win(winner) {
    Object.assign(this.draft, { winner, at: winner === 0 ? 1 : 0 });
    this.keep();
  }

  /** Back to the question who won. */
  reopen() {
    this.draft.winner = null;
    this.keep();
  }

  type(key) {
    const { draft } = this;
    const digits = draft.typed[draft.at];
    draft.typed[draft.at] = key === 'erase' ? digits.slice(0, -1) : String(Number(digits + key)).slice(0, 3);
    this.keep();
  }

  /** The scores of both sides; null for one that is not typed yet. */
  scores(target) {
    const { winner, typed } = this.draft;
    return typed.map((digits, side) => (side === winner ? target : digits === '' ? null : Number(digits)));
  }

  /** Why these scores cannot be sent; nothing where they can. */
  problem({ target, losing_scores: losing }) {
    const scores = this.scores(target);
    const { most } = losing.at(-1);
    const wrong = scores.find((points, side) => side !== this.draft.winner && points !== null && points > most);
    if (scores.includes(null)) return say('page.phone.missing');
    return wrong === undefined ? '' : say('page.phone.most', { points: wrong, most });
  }

  keep() {
    try {
      if (this.draft) sessionStorage.setItem(KEPT, JSON.stringify(this.draft));
      else sessionStorage.removeItem(KEPT);
    } catch { /* this browser stores nothing */ }
  }
}

function storedDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
  } catch {
    return null;
  }
}

/** The badge of a loser who was skunked, by the board's word for it. */
export const BADGES = { none: '', skunk: 'skunk', double: 'double_skunk' };

/** The badge of a loser with these points, in the table of the rules. */
export const badgeOf = (points, { losing_scores: losing }) => BADGES[losing.find(({ most }) => points <= most)?.skunk ?? 'none'];

/** The players of an entrant whose name does not say who plays. */
export const people = ({ players }) => players.length > 0 && node('small', {}, players.join(' · '));

/** The sides with their scores, own side first; `scores` has null for one that is not known, `badge` stands beside the
 *  loser's.
 *  @param {Visit} visit @param {(number | null)[]} scores
 *  @param {{ winner?: number | null, badge?: string, active?: number | null, pick?: ((side: number) => void) | null }} [shown] */
export function board(visit, scores, { winner = null, badge = '', active = null, pick = null } = {}) {
  const order = [visit.mine, 1 - visit.mine];
  return node('ul', { class: 'board' }, order.map((side) => {
    const entrant = visit.entrants[side];
    const inside = [
      node('span', { class: 'name' }, entrant.name, people(entrant)),
      side === winner && node('span', { class: 'won' }, seen('i', {}, WINS), node('span', {}, say('page.phone.wins'))),
      badge && side !== winner && node('span', { class: 'badge' }, say(`page.phone.badge.${badge}`)),
      node('b', { id: `score-${side}` }, scores[side] ?? (active === side ? '' : '–'), active === side && seen('i', { class: 'caret' })),
    ];
    const choose = pick && side !== winner;
    const line = choose
      ? node('button', { type: 'button', id: `side-${side}`, 'aria-pressed': String(active === side), 'aria-label': `${say('page.phone.points.of', { name: entrant.name })}: ${scores[side] ?? ''}` }, inside)
      : node('div', {}, inside);
    if (choose) line.addEventListener('click', () => pick(side));
    return node('li', { class: [side === winner && 'winner', active === side && 'active'].filter(Boolean).join(' ') || null }, line);
  }));
}

/** The keys of a telephone. Calls `press(key)` with a digit or `erase`. */
export function keys(press) {
  const pad = node('div', { class: 'keys', role: 'group', 'aria-label': say('page.phone.pad') }, KEYS.map((key) => node('button', {
    type: 'button', id: `key-${key}`, 'data-key': key, 'aria-label': key === 'erase' ? say('page.phone.erase') : null,
  }, key === 'erase' ? '⌫' : key)));
  pad.addEventListener('click', (event) => {
    const { key } = /** @type {Element} */ (event.target).closest('[data-key]')?.dataset ?? {};
    if (key) press(key);
  });
  return pad;
}
