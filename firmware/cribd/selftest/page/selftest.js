// The page of a self-test: what is asked now, how much is done, and what is not right.

import { element } from '/page/nodes.js';
import { showAway, showHere } from '/page/stream.js';
import { loadLanguages, switcher, write } from '/page/words.js';
import { Progress } from './progress.js';

await loadLanguages();
const progress = new Progress(element('main'), 'beforeend', { receive: () => showHere(), gone: showAway });
const speak = () => {
  write();
  progress.draw();
};
switcher(element('#language'), speak);
speak();
