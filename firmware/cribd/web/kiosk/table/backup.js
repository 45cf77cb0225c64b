// The copies on a USB stick, on the owner's part of the page: when the last one was made, and a button for the next.

import { node } from './nodes.js';
import { ask } from './stream.js';
import { language, say } from './words.js';

/** A section with a button. `shut()` is called when this phone may act no more. */
export function backup(shut) {
  const how = node('p');
  const button = node('button', { type: 'button', class: 'wide', id: 'backup' }, say('page.owner.backup.do'));
  const message = node('p', { id: 'backup-message', class: 'told', role: 'alert' });
  const section = node('section', { class: 'tool-box', 'aria-labelledby': 'do-backup', hidden: true },
    node('h2', { id: 'do-backup' }, say('page.owner.backup')), how, button, message);
  const tell = (text, tone) => { message.textContent = text; message.dataset.tone = tone; };
  const send = async (...body) => {
    const { status, said } = await ask('/table/backup', ...body);
    if (status === 403) await shut();
    section.hidden = !said;
    if (said) how.textContent = [say('page.owner.backup.how', { label: said.label }), last(said)].join(' ');
    return said;
  };
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    tell(say('page.owner.backup.busy'), '');
    try {
      const said = await send({});
      if (!said) tell('', '');
      else if (!said.there) tell(say('page.owner.backup.no_stick'), 'wrong');
      else if (said.problem) tell(say('page.owner.backup.failed', { why: said.problem[language()] }), 'wrong');
      else tell(say('page.owner.backup.done'), 'done');
    } catch {
      tell(say('page.away'), 'wrong');
    }
    button.removeAttribute('aria-disabled');
  });
  send().catch(() => {}); // a board that is away: the page says so
  return section;
}

/** When the last copy was made, and that the stick is not there or why the last one failed. */
function last({ last: made, there, problem }) {
  const date = made && new Date(made).toLocaleString(language().replace('_', '-'), { dateStyle: 'long', timeStyle: 'short' });
  return [date ? say('page.owner.backup.last', { when: date }) : say('page.owner.backup.never'),
    there ? '' : say('page.owner.backup.no_stick'),
    problem ? say('page.owner.backup.failed', { why: problem[language()] }) : ''].filter(Boolean).join(' ');
}
