// The words of a page, in the languages that have a catalogue on the board. The browser stores the chosen one.

const KEPT = 'cribboard.tongue';
/** @type {Intl.LDMLPluralRule[]} */
const PLURALS = ['zero', 'one', 'two', 'few', 'many', 'other'];
let names = {};
let said = {};
let tongue = 'en';

const fetched = async (name) => (await fetch(`/page/${name}.json`)).json();
const root = (name) => name.split(/[-_]/)[0].toLowerCase();
const spelled = (name) => name.replaceAll('_', '-');

/** The current language for `Intl`: `en`, `fr-CA`. */
export const tag = () => spelled(tongue);

/** Load the languages of the board and choose one: the one asked for, as in `/verify?language=fr`, the one chosen here
 *  last, or the first of this browser's that the board knows. */
export async function loadLanguages(asked = new URLSearchParams(location.search).get('language')) {
  names = await fetched('languages');
  const wanted = [asked, storedLanguage(), ...navigator.languages];
  await speak(wanted.map(matchLanguage).find(Boolean) ?? Object.keys(names)[0]);
}

/** The board's name for a language: an exact match, `fr_CA` for `fr-CA`, or else a similar one, for `fr`. */
export const matchLanguage = (wanted) => {
  const like = (how) => Object.keys(names).find((name) => wanted && how(name) === how(wanted));
  return like((name) => spelled(name).toLowerCase()) ?? like(root);
};

/** The current language, as the board names it: `en`, `fr_CA`. */
export const language = () => tongue;

/** The name of a language in the current one: English, anglais. */
export const languageName = (spoken) => new Intl.DisplayNames(tag(), { type: 'language' }).of(root(spoken));

/** The next language, and its name in its own words. */
export const nextLanguage = () => {
  const all = Object.keys(names);
  const other = all[(all.indexOf(tongue) + 1) % all.length];
  return { language: other, name: names[other] };
};

export async function speak(wanted) {
  const { words } = document.documentElement.dataset; // of this page beside those of all
  const parts = [wanted, ...(words ? [`${words}.${wanted}`] : [])];
  said = Object.assign({}, ...await Promise.all(parts.map(fetched)));
  tongue = wanted;
}

/** `say('page.card', {rank: 'Ace', suit: 'hearts'})`; with `n`, in the plural form for n. `otherwise` is the code of what
 *  is said where there is no such phrase. */
export function say(code, values = {}, otherwise = code) {
  const forms = said[code] ?? said[otherwise] ?? code;
  const form = typeof forms === 'string' ? forms : forms[Math.min(plural(values.n), forms.length - 1)];
  return form.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/** The plural form for a number: a catalogue has the forms of its language in this order. */
function plural(n) {
  const rules = new Intl.PluralRules(tag());
  const categories = rules.resolvedOptions().pluralCategories;
  return PLURALS.filter((category) => categories.includes(category)).indexOf(rules.select(n));
}

/** A text of the screen with non-breaking spaces, so that no line begins with a punctuation mark in French. */
export const tie = (text) => text.replace(/ (?=[:!?;])/g, '\u00a0');

/** A text with a capital letter first. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A number in the format of this language, with one decimal at most; the minus is the one of print, and zero has none. */
export const figure = (number) => new Intl.NumberFormat(tag(), { maximumFractionDigits: 1 }).format(number).replace('-', '−').replace(/^−0$/, '0');

/** The time of day of a time in ISO 8601, by the clock that wrote it; of another day with the weekday. */
export const clockTime = (time, today) => shownAs(`${time.slice(0, 16)}Z`, { hour: 'numeric', minute: '2-digit', ...(time.startsWith(today) ? {} : { weekday: 'long' }) });

/** A time of UTC in words of this language; "" for one that is none. */
export const shownAs = (time, how) => (Number.isNaN(Date.parse(time)) ? '' : new Intl.DateTimeFormat(tag(), { ...how, timeZone: 'UTC' }).format(new Date(time)));

/** Write every word of a part of the page: text by `data-word`, an accessible name by `data-name`. */
export function write(part = document) {
  document.documentElement.lang = tag();
  for (const node of part.querySelectorAll('[data-word]')) node.textContent = say(node.dataset.word);
  for (const node of part.querySelectorAll('[data-name]')) node.setAttribute('aria-label', say(node.dataset.name));
}

/** The button that changes the language; its label is the other language. */
export function switcher(button, changed) {
  const show = () => {
    const { language: other, name } = nextLanguage();
    button.textContent = name;
    button.lang = spelled(other);
  };
  button.addEventListener('click', async () => {
    await speak(nextLanguage().language);
    keep();
    show();
    changed();
  });
  show();
}

function keep() {
  try {
    localStorage.setItem(KEPT, tongue);
  } catch { /* this browser stores nothing */ }
}

function storedLanguage() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
