// Before the pad and the desk: the PIN, or how to set one.

import { ask } from './stream.js';
import { say } from './words.js';

let waiting = 0;

/** Whose PIN it is: where it is given, and its words. */
const OWNER = {
  address: '/table/pin', example: '[page]\npin = "····"',
  title: () => say('page.pin.title'), why: () => say('page.pin.why'),
  unset: () => say('page.pin.unset'), how: () => say('page.pin.unset.how'), then: () => say('page.pin.unset.then'),
};
export const ORGANISER = {
  address: '/desk/pin', example: '[page]\norganiser_pin = "····"',
  title: () => say('page.desk.pin'), why: () => say('page.desk.pin.why'),
  unset: () => say('page.desk.pin.unset'), how: () => say('page.pin.unset.how'), then: () => say('page.desk.pin.unset.then'),
};

/** Draw the form for the PIN. Calls `opened(pin)` when the PIN was right. */
export function draw(place, pin, opened, whose = OWNER) {
  clearTimeout(waiting);
  if (pin === 'unset') {
    place.innerHTML = '<h2></h2><p></p><pre></pre><p class="note"></p>';
    const [title, how, then] = place.querySelectorAll('h2, p');
    title.textContent = whose.unset();
    how.textContent = whose.how();
    place.querySelector('pre').textContent = whose.example;
    then.textContent = whose.then();
    return;
  }
  place.innerHTML = `<form><h2><label for="pin"></label></h2><p></p>
    <div><input id="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="12" required aria-describedby="told"><button class="wide first"></button></div>
    <p id="told" role="alert"></p><p id="left" class="told" aria-hidden="true"></p></form>`;
  place.querySelector('label').textContent = whose.title();
  place.querySelector('p').textContent = whose.why();
  place.querySelector('button').textContent = say('page.pin.open');
  place.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const field = place.querySelector('input');
    const given = field.value;
    field.value = '';
    field.focus();
    const message = place.querySelector('#told');
    try {
      const { status, said } = await ask(whose.address, { pin: given });
      if (status === 200) opened(said.pin);
      else if (status === 429) wait(place, said.wait);
      else message.textContent = say('page.pin.wrong', { n: said.left });
    } catch {
      message.textContent = say('page.away');
    }
  });
}

/** The seconds until the board takes another PIN: announced once; the countdown is only visible. */
function wait(place, seconds) {
  const message = place.querySelector('#told');
  message.textContent = say('page.pin.wait', { n: seconds });
  message.className = 'unseen';
  count(place, seconds);
}

function count(place, seconds) {
  const [message, left] = place.querySelectorAll('#told, #left');
  if (!message) return;
  place.querySelector('button').disabled = seconds > 0;
  left.textContent = seconds > 0 ? say('page.pin.wait', { n: seconds }) : '';
  if (seconds > 0) waiting = setTimeout(() => count(place, seconds - 1), 1000);
  else message.textContent = message.className = '';
}
