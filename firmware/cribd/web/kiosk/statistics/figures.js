// The statistics as a page of their own. They stand below the past games too.

import { element } from './nodes.js';
import { drawStatistics, fetchStatistics } from './statistics.js';
import { follow, patiently } from './stream.js';
import { loadLanguages, say, switcher, write } from './words.js';

const place = element('#statistics');
let ended = null; // how many games had ended in the latest snapshot

function speak() {
  write();
  document.title = `Cribboard · ${say('page.statistics.title')}`;
  drawStatistics(place);
}

const gone = () => { element('#away').hidden = false; };

function receive(snapshot) {
  element('#away').hidden = true;
  if (ended !== null && snapshot.ended !== ended) patiently(() => fetchStatistics(place));
  ended = snapshot.ended;
}

await patiently(async () => {
  await loadLanguages();
  await fetchStatistics(place);
}, gone);
element('#away').hidden = true;
switcher(element('#language'), speak);
speak();
document.body.classList.remove('waiting');
follow('/table/events', { receive, gone });
