// The stream of snapshots of the table. It reports when the board is away, and reconnects by itself.

import { element } from './nodes.js';

const LATE_MS = 40000; // the board sends a sign of life every 15 seconds
const AGAIN_MS = 2000;

/** Calls `receive(snapshot)` with each snapshot, and `gone()` when the board is away. Returns what ends the stream. */
export function follow(address, { receive, gone }) {
  /** @type {EventSource} */ let source;
  let edition = null;
  let late = 0;

  const reconnect = () => {
    source?.close();
    source = new EventSource(address);
    source.addEventListener('message', (event) => {
      const snapshot = JSON.parse(event.data);
      if (edition && edition !== snapshot.edition) location.reload();
      edition = snapshot.edition;
      wait();
      receive(snapshot);
    });
    source.addEventListener('alive', wait);
    source.addEventListener('error', () => {
      gone();
      // The browser reconnects by itself, but not after an error status: then we do.
      if (source.readyState === EventSource.CLOSED) again(2000);
    });
    wait();
  };
  const again = (ms) => {
    clearTimeout(late);
    late = setTimeout(reconnect, ms);
  };
  const wait = () => {
    clearTimeout(late);
    late = setTimeout(() => {
      gone();
      reconnect();
    }, LATE_MS);
  };
  reconnect();
  return () => {
    clearTimeout(late);
    source.close();
  };
}

/** Show that the board is away. */
export function showAway() {
  document.body.classList.add('gone');
  element('#away').hidden = false;
}

/** Show that the board answers. Returns whether it was away. */
export function showHere() {
  const wasAway = !element('#away').hidden;
  document.body.classList.remove('waiting', 'gone');
  element('#away').hidden = true;
  return wasAway;
}

/** Send a request to the board: JSON, or a text of this `type`. Returns status and body of the answer. Throws if the board is away. */
export async function ask(address, request, type = 'application/json') {
  const answer = await fetch(address, request === undefined ? {} : {
    method: 'POST', headers: { 'Content-Type': type }, body: type === 'application/json' ? JSON.stringify(request) : request,
  });
  const text = await answer.text();
  return { status: answer.status, said: answer.headers.get('Content-Type')?.startsWith('application/json') ? JSON.parse(text) : null };
}

/** Retry until it works: the board may be away or busy. Other errors of the board are shown by the board itself. */
export async function patiently(work, failed = () => {}) {
  for (;;) {
    try {
      return await work();
    } catch {
      failed();
      await new Promise((soon) => { setTimeout(soon, AGAIN_MS); });
    }
  }
}
