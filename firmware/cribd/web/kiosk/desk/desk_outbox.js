// What was typed and is on its way to the board. A form is empty again as soon as it is sent; entries go one after the
// other. What the board refuses comes back into its form with the reason, unless somebody has typed on: then it waits in
// a list until it is taken up.

import { act, fill, listen } from './desk_lists.js';
import { node } from './nodes.js';
import { say } from './words.js';

export class Outbox {
  /** `place` is the list of what was refused meanwhile. */
  constructor(place) {
    this.place = place;
    this.refused = [];
    this.number = 0;
    this.touched = 0; // keys and taps so far
    this.last = /** @type {Promise<any>} */ (Promise.resolve());
    for (const kind of ['keydown', 'pointerdown']) document.addEventListener(kind, () => { this.touched += 1; }, true);
    const take = (number) => {
      const entry = this.refused.find((refused) => refused.number === Number(number));
      this.refused = this.refused.filter((other) => other !== entry);
      this.draw();
      return entry;
    };
    listen(place, {
      mend: ({ number }) => {
        const { back, answer } = take(number);
        back(answer);
      },
      drop: ({ number }) => { take(number); },
    });
  }

  /** Send an entry after those before it. `what` names it, `work()` returns the board's answer, and `back(answer)` puts it
   *  back into its form; `isThere()` says whether that form is to be seen. Returns the answer. */
  async send({ what, work, back, isThere = () => true }) {
    const { touched } = this;
    const sent = this.last.then(work);
    this.last = sent;
    const answer = await sent;
    if (answer.done) return answer;
    if (this.touched === touched && isThere()) back(answer);
    else {
      this.refused.push({ number: this.number += 1, what, answer, back });
      this.draw();
    }
    return answer;
  }

  /** List what is typed in a form that a refused entry comes back into. */
  park({ what, back }) {
    this.refused.push({ number: this.number += 1, what, answer: { text: say('page.desk.entry.parked') }, back });
    this.draw();
  }

  draw() {
    fill(this.place, this.refused.map(({ number, what, answer }) => node('li', { 'data-key': number },
      node('span', {}, node('b', {}, what), ' · ', answer.text),
      act('mend', say('page.desk.entry.mend'), { number }), act('drop', say('page.desk.leave'), { number }))));
  }
}
