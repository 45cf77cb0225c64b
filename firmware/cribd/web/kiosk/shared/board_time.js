// The time of the board. A browser's own clock may be wrong, and a board without a network may be too: what counts down to
// a time of the board goes by the board.

let ahead = 0; // milliseconds by which the board's clock is ahead of this one

/** Learn the board's time, to about a second. */
export async function learnTime() {
  const asked = Date.now();
  const answer = await fetch('/page/languages.json', { method: 'HEAD', cache: 'no-store' });
  const serverTime = Date.parse(answer.headers.get('Date') ?? '') + 500; // it has whole seconds
  if (serverTime) ahead = serverTime - (asked + Date.now()) / 2;
}

/** Milliseconds since 1970 by the board's clock. */
export const boardNow = () => Date.now() + ahead;

/** The minute that is so many minutes from now by the board's clock, in this browser's zone: `2026-03-01T14:30-05:00`. */
export function minuteIn(minutes) {
  const east = -new Date().getTimezoneOffset(); // minutes
  const two = (number) => String(Math.floor(number)).padStart(2, '0');
  const local = new Date(boardNow() + (minutes + east) * 60_000).toISOString().slice(0, 16);
  return `${local}${east < 0 ? '-' : '+'}${two(Math.abs(east) / 60)}:${two(Math.abs(east) % 60)}`;
}
