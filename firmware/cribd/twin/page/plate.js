// What lies on the wood of the whole board: the plate with the keys and the screen, and the words beside holes and lamps.

import { engraved } from '/page/drawn_wood.js';
import { round } from '/page/paths.js';
import { say } from '/page/words.js';

/** The plate with the screen, over `<defs>` of its own. */
export function plate(board, frame) {
  const end = Math.max(...board.keys.map((key) => key.x), board.oled.x + 14) + 10;
  const { x, y } = board.oled;
  const size = [end - 4.9, board.height - 9.8];
  const [width, height] = frame.upright ? size.reverse() : size;
  return `<defs>
    <linearGradient id="plate" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="#2a2320"/><stop offset=".5" stop-color="#191412"/><stop offset="1" stop-color="#110d0b"/>
    </linearGradient>
    <filter id="soft" x="-20%" y="-20%" width="140%" height="150%">
      <feDropShadow dx="0" dy=".8" stdDeviation=".9" flood-color="#000" flood-opacity=".6"/>
    </filter></defs>
    <rect x="4.9" y="4.9" width="${width}" height="${height}" rx="4.2" fill="url(#plate)" stroke="url(#wood-brass)" stroke-width=".5" filter="url(#soft)"/>
    <rect ${aroundScreen(frame, x, y, 13.4, 9.2)} rx="1.5" fill="#08090b" stroke="url(#wood-brass)" stroke-width=".6" filter="url(#soft)"/>
    <rect ${aroundScreen(frame, x, y, 11.4, 6)} rx=".5" fill="#020304" stroke="#23282e" stroke-width=".3"/>
    ${frame.upright ? '' : engraved('maker', [x, y - 15.5], 'Cribboard')}`;
}

/** The attributes of a rectangle around the screen. That is never turned, so that it can be read. */
function aroundScreen(frame, x, y, wide, high) {
  const [left, top] = frame.at([x, y]);
  return `x="${round(left - wide)}" y="${round(top - high)}" width="${2 * wide}" height="${2 * high}"`;
}

/** Words beside starts, ends and lamps. Start and end have theirs on the same side as every fifth hole its number. */
export function words(board, frame) {
  const written = new Map();
  const write = (kind, x, y, word) => {
    const place = frame.at([x, y]);
    const turn = frame.upright && kind === 'word' ? ` transform="rotate(90 ${place.map(round).join(' ')})"` : '';
    written.set([word, ...place.map(round)].join(), engraved(kind, place, word, turn)); // tracks may share a word
  };
  for (const track of board.tracks) {
    const beside = (number) => {
      const spot = track.holes[number - 1];
      const label = board.labels
        .filter((numbered) => numbered.text === String(number))
        .sort((a, b) => distance(a, spot) - distance(b, spot))[0];
      return label && distance(label, spot) < 2.2 * board.pitch ? [label.x - spot.x, label.y - spot.y] : null;
    };
    const [first, last] = [beside(5), beside(track.holes.length - 1)];
    const start = track.starts.reduce((sum, spot) => [sum[0] + spot.x / 2, sum[1] + spot.y / 2], [0, 0]);
    if (first) write('word', start[0] + first[0], start[1] + first[1], say('page.twin.start'));
    const game = track.holes.at(-1);
    if (last) write('game', game.x + last[0], game.y + last[1], String(board.target));

    const away = track.side === 0 ? 6.4 : -6.4;
    const name = (x, y, word) => hasRoom(board, x, y) && write('word', x, y, word);
    const middle = (track.matches[0].x + track.matches.at(-1).x) / 2;
    name(track.dealer.x, track.dealer.y + away, say('page.twin.dealer'));
    if (track.lap) name(track.lap.x, track.lap.y + away, say('page.twin.lap'));
    name(middle, track.matches[0].y + away * 0.86, say('page.twin.games'));
  }
  return [...written.values()].join('');
}

/** Whether a word has room there: if tracks lie close, only the outermost have one. */
const hasRoom = (board, x, y) => spots(board).every((spot) => distance(spot, { x, y }) > 0.73 * board.pitch);

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** Every hole and lamp of a board, with its kind. */
export function spots(board) {
  return board.tracks.flatMap((track) => [
    ...track.starts.map((spot) => ({ ...spot, kind: 'hole' })),
    ...track.holes.map((spot, at) => ({ ...spot, kind: at === track.holes.length - 1 ? 'game' : 'hole' })),
    ...track.matches.map((spot) => ({ ...spot, kind: 'match' })),
    ...[track.dealer, track.lap].filter(Boolean).map((spot) => ({ ...spot, kind: 'lamp' })),
  ]);
}
