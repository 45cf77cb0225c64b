// Sealed events: how many there are, and the PIN that shows their games in this browser.

import { draw as gate } from './gate.js';
import { node } from './nodes.js';
import { ask } from './stream.js';
import { say } from './words.js';

/** Show how many events are sealed; nothing if none are. Calls `unlocked()` once this browser has given the PIN. */
export function drawSealed(place, sealed, unlocked) {
  place.hidden = sealed === 0;
  const title = sealed ? say('page.games.sealed', { n: sealed }) : '';
  const known = place.querySelector('summary');
  if (known?.textContent === title) return; // do not disturb a PIN that is being typed
  const summary = node('summary', {}, title);
  const way = node('div', { class: 'way' });
  const details = node('details', {}, summary, node('p', {}, say('page.games.sealed.then')), way);
  details.addEventListener('toggle', () => { if (details.open) look(way, unlocked); });
  place.replaceChildren(details);
}

async function look(way, unlocked) {
  try {
    const { said } = await ask('/table/pad');
    if (said.pin === 'given') await unlocked();
    else gate(way, said.pin, unlocked);
  } catch {
    way.textContent = say('page.away');
  }
}
