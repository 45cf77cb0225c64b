// The words of whoever plays alone, in the language of the twin's page.

import { language } from '/twin/words.js';

let all = {};

export async function learn() {
  all = await (await fetch('/solo/words.json')).json();
}

const of = (path) => path.split('.').reduce((found, name) => found?.[name], all[language()]);

/** `say('ask.discard', { wanted: 2 })`; the sentence of `otherwise` if there is none. */
export function say(path, values = {}, otherwise = path) {
  return (of(path) ?? of(otherwise) ?? '').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}
