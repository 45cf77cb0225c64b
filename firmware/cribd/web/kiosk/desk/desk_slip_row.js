// The fields of the row for slips: a pair for each game, and what is typed in them.

import { DeskPart } from './desk_part.js';
import { element, node } from './nodes.js';

export class SlipRow extends DeskPart {
  fields() {
    return [...element('#entry-games').querySelectorAll('input')];
  }

  clear(field) {
    field.value = '';
    delete field.dataset.made;
  }

  pair(index) {
    const field = (side) => node('p', {}, node('label', { for: `entry-${index}-${side}` }),
      node('input', { id: `entry-${index}-${side}`, inputmode: 'numeric', maxlength: 4, autocomplete: 'off', enterkeyhint: 'done' }));
    return node('div', { class: 'pair', role: 'group' }, node('span', { class: 'game' }), field(0), node('span', { class: 'dash' }, '–'), field(1));
  }

  pairs() {
    const fields = this.fields();
    return fields.flatMap((field, at) => (at % 2 ? [] : [[field, fields[at + 1]]]));
  }

  score(field) {
    return /^\d+$/.test(field.value.trim()) ? Number(field.value) : field.value.trim();
  }

  /** The scores that are typed, by game; `null` for a score that is missing. */
  scores() {
    return this.pairs().map((pair) => pair.map((field) => (field.value.trim() ? this.score(field) : null))).filter((pair) => pair.some((score) => score !== null));
  }
}
