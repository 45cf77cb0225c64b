// The queue of slips that were typed, the newest first. They go to the board one after the other, and each stays in the list
// until it is kept: nothing is lost where the board is away or refuses it. A slip belongs to the competition for which it was
// typed, and waits while another is shown.

import { inTurn } from './desk_acts.js';
import { act, fill, listen } from './desk_lists.js';
import { DeskPart } from './desk_part.js';
import { isSkunk, entrantName, tableOf } from './desk_state.js';
import { element, node } from './nodes.js';
import { say } from './words.js';

const SHOWN = 6; // the last slips

export class SlipQueue extends DeskPart {
  /** Calls `mend(slip)` to put one back into the row, and `refused(slip)` when the board has just refused it. */
  constructor(place, desk, { mend, refused }) {
    super(desk);
    this.place = place;
    this.refused = refused;
    this.all = [];
    this.sending = false;
    listen(place, { mend: ({ slip }) => mend(this.all.find(({ id }) => id === Number(slip))) });
  }

  /** The slips of the competition that is shown. */
  get here() {
    return this.all.filter(({ competition }) => competition === this.state.competition);
  }

  /** The round and table of the last slip. */
  get last() {
    return this.here[0]?.at;
  }

  /** Whether the board has all slips. */
  areAllKept() {
    return this.here.every(({ state }) => state === 'kept');
  }

  /** A slip: `at` is its table with its first game, `scores` are by game, `broken` says whether the last was broken off.
   *  Its `state` is `sending`, or `parked` with a `text` that says so. */
  add({ at, scores, broken, state = 'sending', text = '', competition = this.state.competition }) {
    this.all.unshift({ id: (this.all[0]?.id ?? 0) + 1, competition, at, scores, broken, state, text });
  }

  remove(slip) {
    this.all = this.all.filter((other) => other !== slip);
  }

  /** The open games by table, in the order in which slips are expected; not those of slips that the snapshot is yet to
   *  show. */
  openGames() {
    const isNew = ({ state, events }) => state === 'sending' || (state === 'kept' && events > this.state.events);
    const waiting = new Set(this.here.filter(isNew).map(({ at }) => `${at.round}/${at.table}`));
    const found = new Map();
    for (const { round, table, game } of this.state.outstanding) {
      const key = `${round}/${table}`;
      if (!waiting.has(key) && !found.has(key)) found.set(key, { round, table, game });
    }
    return [...found.values()];
  }

  // On their way

  /** Send what waits, the oldest first. */
  async send() {
    if (this.sending) return;
    this.sending = true;
    for (let slip; (slip = this.here.findLast(({ state }) => state === 'sending'));) {
      if (!await this.sendOne(slip)) break;
    }
    this.sending = false;
  }

  /** Send a slip. Returns whether the board has answered. */
  async sendOne(slip) {
    const { competition, at, broken, scores } = slip;
    const answer = await inTurn(...scores.map((pair, index) => () => this.desk.do({
      do: 'enter_result',
      at: { ...at, game: at.game + index },
      scores: pair,
      ending: broken && index === scores.length - 1 ? 'broken-off' : 'finished',
    }, this.desk.seen(competition))));
    if (answer.code === 'another_competition' || this.state.competition !== competition) return false;
    slip.text = answer.text;
    if (!answer.away) {
      slip.state = answer.done || this.isThere(slip) ? 'kept' : 'refused';
      slip.events = answer.said?.events ?? 0;
      if (slip.state === 'refused') this.refused(slip);
      else element('#aloud').textContent = this.summary(slip);
    }
    this.draw();
    return !answer.away;
  }

  /** Whether the board has just this slip: its answer was lost. */
  isThere({ at, scores }) {
    const { results } = tableOf(this.state, at.round, at.table) ?? { results: [] };
    return scores.every((pair, index) => String(results[at.game - 1 + index]?.scores) === String(pair));
  }

  /** What the board has not taken of a slip: its first game and the scores from there; all of it where nothing is left. */
  left({ at, scores }) {
    const { results } = tableOf(this.state, at.round, at.table);
    const stored = Math.max(0, results.length + 1 - at.game);
    return stored < scores.length ? { at: { ...at, game: at.game + stored }, scores: scores.slice(stored) } : { at, scores };
  }

  // The list

  /** A result of a table in words. */
  inWords({ entrants }, { scores, ending }) {
    const [first, second] = entrants.map((number) => entrantName(this.state, number));
    const words = `${first} ${scores[0]} – ${scores[1]} ${second}`;
    return ending === 'broken-off' ? `${words} · ${say('page.desk.broken_off')}` : words;
  }

  summary({ at, scores, broken }) {
    const seated = tableOf(this.state, at.round, at.table);
    const games = scores.map((pair, index) => this.inWords(seated, {
      scores: pair.map((score) => score ?? '…'), ending: broken && index === scores.length - 1 ? 'broken-off' : 'finished',
    }));
    const skunk = !broken && scores.some((pair) => pair.some((score) => isSkunk(this.state, score)));
    return [say('page.desk.table.short', { table: at.table }), ...games, skunk ? say('page.desk.skunk') : ''].filter(Boolean).join(' · ');
  }

  /** Returns the state of a slip; a stored one may since be corrected or taken back. */
  become(slip) {
    if (slip.state !== 'kept' || slip.events > this.state.events || this.isThere(slip)) return slip.state;
    const { results } = tableOf(this.state, slip.at.round, slip.at.table);
    return results.length < slip.at.game - 1 + slip.scores.length ? 'undone' : 'corrected';
  }

  draw() {
    const there = (slip) => tableOf(this.state, slip.at.round, slip.at.table);
    const shown = this.here.filter((slip, at) => there(slip) && (slip.state !== 'kept' || at < SHOWN));
    this.all = this.all.filter((slip) => slip.competition !== this.state.competition || shown.includes(slip));
    const sending = (slip) => slip.text || say('page.desk.entry.sending');
    const words = { sending, kept: () => say('page.desk.entry.kept'), undone: () => say('page.desk.undone'), corrected: () => say('page.desk.corrected'), refused: ({ text }) => text, parked: ({ text }) => text };
    fill(this.place, shown.map((slip) => [slip, this.become(slip)]).map(([slip, state]) => node('li', { 'data-key': slip.id, 'data-state': state },
      node('span', { class: 'what' }, this.summary(slip)),
      node('span', { class: 'how' }, words[state](slip)),
      ['refused', 'parked'].includes(slip.state) ? act('mend', say('page.desk.entry.mend'), { slip: slip.id }) : null)));
  }
}
