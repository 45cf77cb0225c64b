// The words of the page itself, in each language of words.json. The board speaks on its own screen.

const KEPT = 'cribboard.tongue'; // as on the board's other pages: `fr_CA` there, `fr` here
let all = {};
let spoken = 'en';

export async function learn() {
  all = await (await fetch('/twin/words.json')).json();
  const wanted = [storedLanguage(), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  spoken = wanted.find((tag) => tag && tag in all) ?? 'en';
}

/** `say('hole', {side: 'Blue', number: 14})` */
export function say(word, values = {}) {
  return all[spoken][word].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The word for a value: `pick('ranks', 'K')`; the value itself if there is none. */
export const pick = (words, name) => all[spoken][words][name] ?? name;

/** The language of the page: two letters. */
export const language = () => spoken;

/** The language after this one. */
function next() {
  const known = Object.keys(all);
  return known[(known.indexOf(spoken) + 1) % known.length];
}

/** Change to the next language. */
export function turn() {
  spoken = next();
  try {
    localStorage.setItem(KEPT, spoken);
  } catch { /* this browser stores nothing */ }
}

/** Write every word of a part of the page: text by `data-word`, names by `data-name`. */
export function write(root = document) {
  document.documentElement.lang = spoken;
  for (const node of root.querySelectorAll('[data-word]')) node.textContent = say(node.dataset.word);
  for (const node of root.querySelectorAll('[data-name]')) node.setAttribute('aria-label', say(node.dataset.name));
  for (const node of root.querySelectorAll('[data-next-language]')) {
    node.lang = next();
    node.textContent = all[next()].language;
  }
}

function storedLanguage() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
