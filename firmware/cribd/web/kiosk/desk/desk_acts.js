// What the desk asks of the board, and what it is told of a refusal. What is done is answered when the picture shows it.

import { ask } from './stream.js';
import { language, say } from './words.js';

const MOMENT_MS = 1500; // how long an answer waits for its picture

export class Acts {
  /** Calls `shut()` when this browser may organise no more, and `did()` after each act that was done. `sure(text)` asks
   *  where an act has consequences, and promises whether it is to be done. */
  constructor({ shut, did, sure }) {
    this.shut = shut;
    this.did = did;
    this.sure = sure;
    this.waiting = new Set(); // checks of answers that wait for their picture
    this.last = Promise.resolve(); // the request that was sent last
    this.picture = { competition: null };
    this.own = 0; // events after the last act of this browser, which may be ahead of the picture
  }

  look(picture) {
    if (this.picture.competition !== picture.competition) this.own = 0;
    this.picture = picture;
    for (const check of this.waiting) check();
  }

  /** Until the picture shows what the board answered; for a moment at most. */
  async shown({ competition, events }) {
    const isShown = () => this.picture.competition === competition && this.picture.events >= events;
    if (isShown()) return;
    await /** @type {Promise<void>} */ (new Promise((resolve) => {
      const end = () => {
        this.waiting.delete(check);
        resolve();
      };
      const check = () => isShown() && end();
      this.waiting.add(check);
      setTimeout(end, MOMENT_MS);
    }));
  }

  /** The version last shown: of the picture, or after what this browser did since. What was typed for one `competition` is
   *  refused while another is shown. */
  seen(competition = this.picture.competition) {
    return { competition, events: Math.max(this.picture.events, this.own) };
  }

  /** Fetch the newest state, where an act follows from the one before. */
  async refresh() {
    const { status, said } = await ask('/desk/state');
    if (status === 200) this.look(said);
  }

  do(action, seen = this.seen()) {
    return this.asked('/desk/do', { ...action, seen });
  }

  /** What a draw would seat now: nothing is done. */
  propose() {
    return this.post('/desk/draw');
  }

  draw() {
    return this.asked('/desk/draw', { seen: this.seen() });
  }

  /** Take back what the picture says, and nothing that came since. */
  undo() {
    const { competition, events } = this.picture;
    return this.do({ do: 'undo' }, { competition, events });
  }

  begin(heading) {
    return this.post('/desk/begin', heading);
  }

  /** As `post`, and first what it would cause: it is done once the organiser says yes. */
  async asked(address, told) {
    const answer = await this.post(address, { ...told, ask: true });
    if (answer.code !== 'asked') return answer;
    return (await this.sure(answer.text)) ? this.post(address, told) : { code: answer.code, text: say('page.desk.sure.no') };
  }

  /** Returns `done`, or `code`, `values` and `text` of a refusal; `away` if it never came to a refusal. */
  async post(address, told, type) {
    try {
      const sent = this.last.then(() => ask(address, told, type)); // in the order in which the organiser acts
      this.last = sent.then(() => {}, () => {});
      const { status, said } = await sent;
      if (status === 200) {
        if (said.events !== undefined) {
          this.own = said.events;
          await this.shown(said);
          this.did();
        }
        return { done: true, said };
      }
      if (status === 403) {
        this.shut();
        return { away: true, text: say('page.desk.locked') };
      }
      const { code, values, text } = said?.refused ?? {};
      return { code, values, text: text?.[language()] ?? say('page.desk.not_done') };
    } catch {
      return { away: true, text: say('page.away') };
    }
  }
}

/** Send one after the other; ends with the first that is not done. */
export async function inTurn(...acts) {
  let answer = { done: true };
  for (const act of acts) {
    answer = await act();
    if (!answer.done) break;
  }
  return answer;
}
