// The question before an act that has consequences. What is typed on while it opens answers nothing.

import { node } from './nodes.js';
import { say } from './words.js';

let last = Promise.resolve(); // one question at a time

/** Ask with this `text`. Returns whether the organiser says yes. */
export function sure(text) {
  last = last.then(() => asked(text));
  return last;
}

function asked(text) {
  const title = node('h2', { id: 'sure-title', tabindex: -1 }, say('page.desk.sure'));
  const dialog = node('dialog', { id: 'sure', 'aria-labelledby': 'sure-title' }, title, node('form', { method: 'dialog' },
    node('p', {}, text),
    node('div', { class: 'keys' },
      node('button', { class: 'wide', value: 'no' }, say('page.desk.leave')),
      node('button', { class: 'wide first', value: 'yes' }, say('page.desk.sure.yes')))));
  document.body.append(dialog);
  dialog.showModal();
  title.focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}
