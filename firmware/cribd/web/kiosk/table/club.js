// The club of the board: the owner joins one, compares the two words with those of the desk, and leaves it. What is asked
// is what the screen of the board asks, and OK here is OK there.

import { element, node } from './nodes.js';
import { language, say } from './words.js';

export class Club {
  /** `send(act)` sends what the owner does. */
  constructor(send) {
    this.send = send;
  }

  /** The part of the page, empty until the first snapshot. */
  box() {
    const button = (id, words, act) => {
      const made = node('button', { type: 'button', class: 'wide', id, hidden: true }, words);
      made.addEventListener('click', () => this.send({ act }));
      return made;
    };
    const typed = node('form', { id: 'club-address', hidden: true },
      node('label', { for: 'club-hub' }, say('page.owner.club.address')),
      node('input', { id: 'club-hub', maxlength: 200, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', inputmode: 'url', placeholder: '192.168.1.20' }),
      node('button', { class: 'wide' }, say('page.owner.club.join')));
    typed.addEventListener('submit', (event) => {
      event.preventDefault();
      const address = element('#club-hub').value.trim();
      if (address) this.send({ act: 'join', address });
    });
    return node('section', { class: 'tool-box', 'aria-labelledby': 'do-club', id: 'club', hidden: true },
      node('h2', { id: 'do-club' }, say('page.owner.club')),
      node('div', { role: 'status' }, node('p', { id: 'club-ask' }), node('p', { id: 'club-words' })),
      button('club-open', say('page.owner.club.open'), 'open'),
      button('club-ok', say('page.owner.club.ok'), 'ok'),
      button('club-next', say('page.owner.club.next'), 'next'),
      button('club-close', say('page.owner.club.close'), 'close'),
      typed,
      node('p', { id: 'club-message', class: 'told', role: 'alert' }));
  }

  /** Take a new snapshot. What is being typed stays. */
  look({ club, text }) {
    element('#club').hidden = !club;
    if (!club) return;
    const { step, name } = club;
    const [first = ''] = text[language()].hints;
    const none = name ? say('page.owner.club.of', { club: name }) : say('page.owner.club.none');
    element('#club-ask').textContent = step ? text[language()].ask : none;
    element('#club-words').textContent = ['words', 'desk', 'found', 'ended', 'member', 'joined', 'leave'].includes(step) ? first : '';
    element('#club-open').hidden = Boolean(step);
    element('#club-ok').hidden = !['words', 'found', 'member', 'leave'].includes(step);
    element('#club-next').hidden = step !== 'found';
    element('#club-close').hidden = !step;
    element('#club-address').hidden = ![null, 'search', 'found', 'ended', 'member'].includes(step);
  }
}
