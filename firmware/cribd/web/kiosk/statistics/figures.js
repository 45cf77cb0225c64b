// The statistics as a page of their own. They stand below the past games too.

import { drawStatistics, fetchStatistics } from './statistics.js';
import { follow, patiently } from './stream.js';
import { learn, say, switcher, write } from './words.js';

const find = (selector) => document.querySelector(selector);
const place = find('#statistics');
let ended = null; // how many games had ended in the latest picture

function speak() {
  write();
  document.title = `Cribboard · ${say('page.statistics.title')}`;
  drawStatistics(place);
}

const gone = () => { find('#away').hidden = false; };

function receive(picture) {
  find('#away').hidden = true;
  if (ended !== null && picture.ended !== ended) patiently(() => fetchStatistics(place));
  ended = picture.ended;
}

await patiently(async () => {
  await learn();
  await fetchStatistics(place);
}, gone);
find('#away').hidden = true;
switcher(find('#language'), speak);
speak();
document.body.classList.remove('waiting');
follow('/table/events', { receive, gone });
