// What the desk asks of the board, and how a refusal is answered. What is done is answered when the snapshot shows it.

import { ask } from './stream.js';
import { language, say } from './words.js';

const MOMENT_MS = 1500; // how long an answer waits for its snapshot

export class Acts {
  /** Calls `shut()` when this browser may organise no more, and `did()` after each act that was done. `sure(text)` asks
   *  where an act has consequences, and promises whether it is to be done. */
  constructor({ shut, did, sure }) {
    this.shut = shut;
    this.did = did;
    this.sure = sure;
    this.waiting = new Set(); // checks of answers that wait for their snapshot
    this.last = Promise.resolve(); // the request that was sent last
    this.snapshot = { competition: null };
    this.own = 0; // events after the last act of this browser, which may be ahead of the snapshot
  }

  setSnapshot(snapshot) {
    if (this.snapshot.competition !== snapshot.competition) this.own = 0;
    this.snapshot = snapshot;
    for (const check of this.waiting) check();
  }

  /** Wait until the snapshot shows what the board answered; for a moment at most. */
  async shown({ competition, events }) {
    const isShown = () => this.snapshot.competition === competition && this.snapshot.events >= events;
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

  /** The version last shown: of the snapshot, or after what this browser did since. What was typed for one `competition` is
   *  refused while another is shown. */
  seen(competition = this.snapshot.competition) {
    return { competition, events: Math.max(this.snapshot.events, this.own) };
  }

  /** Fetch the newest state, where an act follows from the one before. */
  async refresh() {
    const { status, said } = await ask('/desk/state');
    if (status === 200) this.setSnapshot(said);
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

  /** Take back what the snapshot says, and nothing that came since. */
  undo() {
    const { competition, events } = this.snapshot;
    return this.do({ do: 'undo' }, { competition, events });
  }

  begin(heading) {
    return this.post('/desk/begin', heading);
  }

  /** Post, but ask first where the board says what it would cause: it is done once the organiser says yes. */
  async asked(address, request) {
    const answer = await this.post(address, { ...request, ask: true });
    if (answer.code !== 'asked') return answer;
    return (await this.sure(answer.text)) ? this.post(address, request) : { code: answer.code, text: say('page.desk.sure.no') };
  }

  /** Returns `done`, or the refusal with its `text` in the language of the page; `away` if it never came to one. */
  async post(address, request, type) {
    try {
      const sent = this.last.then(() => ask(address, request, type)); // in the order in which the organiser acts
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
      const { text, ...refused } = said?.refused ?? {};
      return { ...refused, text: text?.[language()] ?? say('page.desk.not_done') };
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
