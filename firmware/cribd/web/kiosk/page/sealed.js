// Games whose results are sealed: how many there are, and for the owner the way to open them.

import { draw as gate } from './gate.js';
import { node } from './nodes.js';
import { ask } from './stream.js';
import { say } from './words.js';

/** Show how many games are sealed; nothing if none are. Calls `opened()` when the owner has opened them. */
export function drawSealed(place, sealed, opened) {
  place.hidden = sealed === 0;
  const title = sealed ? say('page.games.sealed', { n: sealed }) : '';
  const known = place.querySelector('summary');
  if (known?.textContent === title) return; // do not disturb a PIN that is being typed
  const summary = node('summary', {}, title);
  const way = node('div', { class: 'way' });
  const details = node('details', {}, summary, node('p', {}, say('page.games.sealed.then')), way);
  details.addEventListener('toggle', () => { if (details.open) look(way, opened); });
  place.replaceChildren(details);
}

async function look(way, opened) {
  try {
    const { said } = await ask('/table/pad');
    offer(way, said.pin, opened);
  } catch {
    way.textContent = say('page.away');
  }
}

/** The form for the owner: the PIN, and then a button. */
function offer(way, pin, opened) {
  if (pin !== 'given') {
    gate(way, pin, (given) => {
      offer(way, given, opened);
      way.querySelector('button').focus();
    });
    return;
  }
  const button = node('button', { type: 'button', class: 'wide first' }, say('page.games.sealed.open'));
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const { status } = await ask('/games/open', {});
      if (status === 204) await opened();
      else await look(way, opened);
    } catch {
      button.disabled = false;
    }
  });
  way.replaceChildren(button);
}
