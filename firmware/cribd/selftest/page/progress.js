// The progress of a self-test, drawn from the board's stream.

import { follow } from '/page/stream.js';
import { language } from '/page/words.js';

export class Progress {
  /** Draws beside `place`, where `insertAdjacentHTML` puts it. */
  constructor(place, where, { receive = () => {}, gone = () => {} } = {}) {
    place.insertAdjacentHTML(where, `<section id="selftest" aria-labelledby="selftest-title">
      <h2 id="selftest-title"></h2><p class="asked" role="status"></p><p class="answered" role="alert"></p>
      <progress></progress><p class="count"></p>
      <details><summary></summary><ul></ul></details>
    </section>`);
    this.place = document.querySelector('#selftest');
    this.state = null;
    follow('/selftest/events', {
      receive: (state) => {
        this.state = state;
        this.draw();
        receive();
      },
      gone,
    });
  }

  draw() {
    if (!this.state) return;
    const { done, of } = this.state;
    const text = this.state.text[language()];
    const write = (name, words) => {
      const node = this.place.querySelector(name);
      if (node.textContent !== words) node.textContent = words; // what has not changed is not read aloud again
    };
    write('h2', text.title);
    write('.asked', text.asked);
    write('.answered', text.note);
    write('.count', text.count);
    write('summary', text.bad);
    const bar = this.place.querySelector('progress');
    bar.max = Math.max(1, of);
    bar.value = done;
    bar.setAttribute('aria-label', text.count);
    const problems = this.place.querySelector('details');
    problems.hidden = !text.problems.length;
    problems.querySelector('ul').replaceChildren(...text.problems.map((words) =>
      Object.assign(document.createElement('li'), { textContent: words })));
  }
}
