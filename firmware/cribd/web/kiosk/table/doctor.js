// The doctor on the owner's part of the page: examines the board, and lists what it found, the worst groups opened.

import { node } from './nodes.js';
import { ask } from './stream.js';
import { language, say } from './words.js';

const CODE = /`([^`]*)`/;

/** A section with a button. `shut()` is called when this phone may act no more. */
export function doctor(shut) {
  const button = node('button', { type: 'button', class: 'wide', id: 'examine' }, say('page.owner.doctor.do'));
  const message = node('p', { id: 'doctor-message', class: 'told', role: 'alert' });
  const found = node('div', { id: 'findings' });
  const tell = (text, tone) => { message.textContent = text; message.dataset.tone = tone; };
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    tell(say('page.owner.doctor.busy'), '');
    try {
      const { status, said } = await ask('/table/doctor', { language: language() });
      if (status === 403) await shut();
      else if (!said) tell(say('page.owner.wrong'), 'wrong');
      else {
        tell(...summary(said));
        found.replaceChildren(...groups(said));
      }
    } catch {
      tell(say('page.away'), 'wrong');
    }
    button.removeAttribute('aria-disabled');
  });
  return node('section', { class: 'tool-box', 'aria-labelledby': 'do-doctor' },
    node('h2', { id: 'do-doctor' }, say('page.owner.doctor')), node('p', {}, say('page.owner.doctor.how')), button, message, found);
}

function summary(findings) {
  const count = (level) => findings.filter((finding) => finding.level === level).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  return faults + warnings ? [say('page.owner.doctor.count', { faults, warnings }), 'wrong'] : [say('page.owner.doctor.right'), 'done'];
}

/** A heading for each group that opens to its findings; it is open where something is wrong. */
function groups(findings) {
  const names = [...new Set(findings.map(({ group }) => group))];
  return names.map((name) => {
    const inside = findings.filter(({ group }) => group === name);
    const worst = ['fault', 'warning', 'ok', 'not_looked_at'].map((code) => inside.find((finding) => finding.level === code)).find(Boolean);
    const isWrong = worst.level === 'fault' || worst.level === 'warning';
    return node('details', { open: isWrong }, node('summary', {}, name, level(worst)), node('ul', {}, inside.map(line)));
  });
}

const level = (finding) => node('span', { class: 'level', 'data-level': finding.level }, finding.level_name);

const line = (finding) => node('li', {}, level(finding), node('span', {}, finding.measured),
  finding.remedy ? node('p', {}, ...commands(finding.remedy)) : '');

/** A text, its commands as code. */
function commands(text) {
  return text.split(CODE).map((part, at) => (at % 2 ? node('code', {}, part) : part));
}
