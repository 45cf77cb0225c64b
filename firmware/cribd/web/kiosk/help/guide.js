// The guide for players and the rule sets, in the language of the page.

import { element } from './nodes.js';
import { patiently } from './stream.js';
import { language, loadLanguages, say, switcher, write } from './words.js';

async function draw() {
  write();
  document.title = `Cribboard · ${say('page.guide.title')}`;
  const place = element('#guide');
  place.innerHTML = await (await fetch(`/page/guide.${language()}.html`)).text();
  for (const title of place.querySelectorAll('h2')) title.tabIndex = -1; // a link to it takes the focus there
  const parts = [...place.querySelectorAll('h2')].map((title) => `<li><a href="#${title.id}">${title.innerHTML}</a></li>`);
  place.insertAdjacentHTML('afterbegin', `<nav aria-label="${say('page.guide.parts')}"><ol>${parts.join('')}</ol></nav>`);
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

await patiently(async () => {
  await loadLanguages();
  await draw();
}, () => { element('#away').hidden = false; });
element('#away').hidden = true;
switcher(element('#language'), draw);
document.body.classList.remove('waiting');
