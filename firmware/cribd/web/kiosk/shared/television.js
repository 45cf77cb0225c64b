// What the screens for a television share: the language, chosen here or else the table's; patience while the board is
// away; and the whole page moves by a few pixels now and then, so that nothing burns in. A sheet that somebody has
// opened and left closes by itself.

import { element } from './nodes.js';
import { follow, patiently, showAway, showHere } from './stream.js';
import { language, loadLanguages, matchLanguage, nextLanguage, speak, write } from './words.js';

const SHIFT_MS = 120000;
const IDLE_MS = 8000; // nobody touches anything: the body is `idle`
const READ_MS = 120000; // and what was opened to be read closes
/** The offsets of the page, in pixels: small steps in a circle. */
const SHIFTS = [[0, 0], [3, 1], [5, 4], [3, 7], [0, 8], [-3, 7], [-5, 4], [-3, 1]];

/** Show what comes from the stream at `path`: `receive(snapshot)` each new snapshot, in its language; `draw()` the last one
 *  again, in another language; `gone()` that the board is away. `ready` loads what the page needs before the first. */
export async function televise(path, { ready = async () => {}, receive, draw, gone }) {
  const asked = new URLSearchParams(location.search).get('language');
  const button = element('#language');
  /** @type {string | null} */
  let chosen = null; // language, by the address or the button; null is the table's language
  let newest = /** @type {any} */ (null);
  let shifted = 0;
  let waiting = 0;
  let reading = 0;

  const spoken = () => matchLanguage(chosen ?? newest?.language) ?? language();

  function wake() {
    clearTimeout(waiting);
    clearTimeout(reading);
    document.body.classList.remove('idle');
    waiting = setTimeout(() => document.body.classList.add('idle'), IDLE_MS);
    reading = setTimeout(() => element('#explained').close(), READ_MS);
  }

  async function turn() {
    await speak(spoken());
    write();
    button.textContent = nextLanguage().name;
    button.lang = nextLanguage().language.replace('_', '-');
  }

  function away() {
    showAway();
    gone();
  }

  async function take(shown) {
    newest = shown;
    if (language() !== spoken()) await turn().catch(away);
    if (newest !== shown) return; // a newer snapshot came meanwhile
    showHere();
    receive(shown);
  }

  setInterval(() => {
    shifted = (shifted + 1) % SHIFTS.length;
    element('#all').style.setProperty('--shift', SHIFTS[shifted].map((by) => `${by}px`).join(' '));
  }, SHIFT_MS);
  for (const touch of ['pointerdown', 'pointermove', 'keydown']) addEventListener(touch, wake, { passive: true, capture: true });
  wake();
  button.addEventListener('click', async () => {
    chosen = nextLanguage().language;
    await turn();
    if (newest) draw();
  });
  await patiently(async () => {
    await loadLanguages(asked);
    chosen = matchLanguage(asked) ?? null;
    await turn();
    await ready();
  }, away);
  follow(path, { receive: take, gone: away });
}
