// Pictures of the table as they come. When the board is away it says so, and it comes back by itself.

const LATE_MS = 40000; // the board says every 15 seconds that it is there

/** `hear(picture)` gets each picture, `gone()` hears that the board is away. */
export function follow(address, { hear, gone }) {
  let source = null;
  let edition = null;
  let late = 0;

  const open = () => {
    source?.close();
    source = new EventSource(address);
    source.addEventListener('message', (event) => {
      const picture = JSON.parse(event.data);
      if (edition && edition !== picture.edition) location.reload();
      edition = picture.edition;
      wait();
      hear(picture);
    });
    source.addEventListener('alive', wait);
    source.addEventListener('error', () => {
      gone();
      // A browser tries again by itself, but not after an answer that was none: then we do.
      if (source.readyState === EventSource.CLOSED) again(2000);
    });
    wait();
  };
  const again = (ms) => {
    clearTimeout(late);
    late = setTimeout(open, ms);
  };
  const wait = () => {
    clearTimeout(late);
    late = setTimeout(() => {
      gone();
      open();
    }, LATE_MS);
  };
  open();
}

/** Ask the board something: the answer's status and what it says. Throws if the board is away. */
export async function ask(address, told) {
  const answer = await fetch(address, told === undefined ? {} : {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(told),
  });
  const text = await answer.text();
  return { status: answer.status, said: answer.headers.get('Content-Type')?.startsWith('application/json') ? JSON.parse(text) : null };
}
