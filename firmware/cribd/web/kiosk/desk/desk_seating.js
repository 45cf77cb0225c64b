// A round that the organiser seats by hand. The board's own draw is there to begin with, and the board judges what becomes
// of it.

import { entrantName, namesOf } from './desk_state.js';
import { node } from './nodes.js';
import { say, tag } from './words.js';

const NOBODY = 0;

/** Ask who sits where, and draw that round; then call `then()`. Returns the board's answer to the wish for a draw. */
export async function seatByHand(desk, sheet, then) {
  const seen = desk.seen();
  const proposed = await desk.propose();
  if (!proposed.done) return proposed;
  const { do: draw, seating } = proposed.said;
  const form = new Seats(desk.snapshot, draw, seating);
  sheet.open({
    title: say('page.desk.seat'),
    about: [node('p', { class: 'note' }, say('page.desk.seat.how'))],
    fields: form.fields(),
    watch: (values) => form.idleIn(values),
    wide: true,
    yes: say('page.desk.seat.do'),
    then,
    act: (values) => form.problem(values) ?? desk.do({ do: draw, seating: form.seating(values) }, seen),
  });
  return proposed;
}

class Seats {
  constructor(state, draw, proposed) {
    this.state = state;
    this.isPlayOff = draw === 'draw_play_off';
    this.proposed = proposed;
    const level = this.isPlayOff ? state.level.flatMap(({ entrants }) => entrants) : [];
    const named = [...proposed.pairings.flatMap(({ entrants }) => entrants), ...proposed.byes, ...proposed.waiting, ...level];
    const { compare } = new Intl.Collator(tag(), { numeric: true });
    this.numbers = [...new Set(named)].sort((one, other) => compare(entrantName(state, one), entrantName(state, other)));
    const highest = Math.max(...proposed.pairings.map(({ table }) => table));
    const tables = Math.min(state.table_count, Math.max(highest, Math.floor(this.numbers.length / 2)));
    this.tables = Array.from({ length: tables }, (_, at) => at + 1);
  }

  fields() {
    const options = [[NOBODY, '–'], ...this.numbers.map((number) => [number, entrantName(this.state, number)])];
    return this.tables.map((table) => ({
      name: `table-${table}`, kind: 'pair', label: say('page.desk.table.short', { table }), options, first: table === 1,
      parts: [say('page.desk.seat.first'), say('page.desk.seat.second')],
      value: this.proposed.pairings.find((pairing) => pairing.table === table)?.entrants ?? [NOBODY, NOBODY],
    }));
  }

  pairings(values) {
    return this.tables.map((table) => ({ table, entrants: values[`table-${table}`].map(Number) })).filter(({ entrants }) => entrants.some(Boolean));
  }

  /** Returns the entrants without a seat. */
  idle(values) {
    const seated = new Set(this.pairings(values).flatMap(({ entrants }) => entrants));
    return this.numbers.filter((number) => !seated.has(number));
  }

  idleIn(values) {
    const idle = this.idle(values);
    return idle.length ? say('page.desk.seat.idle', { names: namesOf(this.state, idle) }) : '';
  }

  /** A table with one seat taken, which the board would not understand; null if there is none. */
  problem(values) {
    const half = this.pairings(values).find(({ entrants }) => !entrants.every(Boolean));
    return half ? { text: say('page.desk.seat.half', { table: half.table }), field: `table-${half.table}` } : null;
  }

  /** Let as many entrants without a seat wait as in the draw; the others have byes. */
  seating(values) {
    const pairings = this.pairings(values);
    const idle = this.idle(values);
    if (this.isPlayOff) return { pairings };
    if (this.state.is_elimination) return { pairings, waiting: idle };
    const waiting = this.proposed.waiting.filter((number) => idle.includes(number));
    const others = idle.filter((number) => !waiting.includes(number)).sort((one, other) => this.rested(one) - this.rested(other));
    waiting.push(...others.splice(0, this.proposed.waiting.length - waiting.length));
    return { pairings, byes: others, waiting };
  }

  rested(number) {
    return Number(this.proposed.byes.includes(number));
  }
}
