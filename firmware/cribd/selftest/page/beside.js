// The self-test beside the simulated board: a bar below the head of the page.

import { element } from '/page/nodes.js';
import { Progress } from './progress.js';

/** Begin to show the progress. The page of the simulated board draws it again when its language changes. */
export async function begin() {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/selftest/progress.css' }));
  element('#explained .beside').remove(); // it tells of a game alone
  return new Progress(element('header'), 'afterend');
}
