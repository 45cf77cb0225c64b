// The order of strength of an elimination: a list in which each entrant goes up or down.

import { act, fill, listen } from './desk_lists.js';
import { aloud, node, seen } from './nodes.js';
import { say } from './words.js';

/** Ask for the order, and set it. Who is in no order yet comes last. It may be taken from a competition that is over. */
export async function seed(desk, sheet) {
  const past = (await desk.post('/desk/competitions')).said?.filter(({ phase }) => phase === 'open') ?? [];
  const { entrants, seeds } = desk.snapshot;
  const before = desk.seen();
  const order = [...seeds, ...entrants.map(({ number }) => number).filter((number) => !seeds.includes(number))];
  const list = node('ol', { class: 'seeds' });
  const said = node('p', { class: 'unseen', role: 'status' });
  const named = new Map(entrants.map(({ number, name }) => [number, name]));
  const arrow = (which, sign, words, number, stops) => {
    const button = act(which, [seen('span', {}, sign), aloud(words)], { entrant: number }, 'tool dots');
    button.disabled = stops;
    return button;
  };
  const row = (number, at) => {
    const name = named.get(number);
    const down = arrow('down', '▼', say('page.desk.seeds.down', { name }), number, at === order.length - 1);
    down.toggleAttribute('data-first', at === 0);
    return node('li', { 'data-key': number }, node('b', { class: 'number' }, at + 1), node('span', { class: 'who' }, name),
      arrow('up', '▲', say('page.desk.seeds.up', { name }), number, at === 0), down);
  };
  const look = () => fill(list, order.map(row));
  const move = (by) => ({ entrant }, button) => {
    const number = Number(entrant);
    const at = order.indexOf(number);
    order.splice(at + by, 0, ...order.splice(at, 1));
    look();
    const moved = list.querySelector(`[data-key="${number}"]`);
    (moved.querySelector(`[data-act="${button.dataset.act}"]:enabled`) ?? moved.querySelector('button:enabled')).focus();
    said.textContent = say('page.desk.seeds.at', { name: named.get(number), place: at + by + 1 });
  };
  listen(list, { up: move(-1), down: move(1) });
  look();
  const taken = node('p', { class: 'note', role: 'status' });
  const from = node('select', {}, node('option', { value: '' }, '–'),
    past.map(({ competition, name, date }) => node('option', { value: competition }, [name, date].filter(Boolean).join(' · '))));
  from.addEventListener('change', async () => {
    if (!from.value) return;
    const { done, said: found, text } = await desk.post(`/desk/seeds?from=${from.value}`);
    taken.textContent = done ? say('page.desk.seeds.taken', { n: found.placed, all: order.length }) : text;
    if (!done) return;
    order.splice(0, order.length, ...found.entrants);
    look();
  });
  sheet.open({
    title: say('page.desk.seeds'),
    about: [node('p', { class: 'note' }, say('page.desk.seeds.how')),
      past.length ? node('p', {}, node('label', {}, node('span', {}, say('page.desk.seeds.from')), from), taken) : null, list, said].filter(Boolean),
    yes: say('page.desk.seeds.do'),
    act: () => desk.do({ do: 'seed_entrants', entrants: order }, before),
  });
}
