// What lies on the wood of the whole board: the plate with the keys and the screen, and the words beside holes and lamps.

import { engraved, placesOf } from '/page/drawn_wood.js';
import { round } from '/page/paths.js';
import { say } from '/page/words.js';

/** The plate with the screen, over `<defs>` of its own. */
export function plate(board, frame) {
  const end = Math.max(...[...board.keys, ...board.leds].map(({ x }) => x), board.oled.x + 14) + 10;
  const { x, y } = board.oled;
  const size = [end - 4.9, frame.geometry.height - 9.8];
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
export function words(frame) {
  const { tracks, labels, laps, pitch } = frame.geometry;
  const written = new Map();
  const write = (kind, at, word) => {
    const place = frame.at(at).map(round);
    const turn = frame.upright && kind === 'word' ? ` transform="rotate(90 ${place.join(' ')})"` : '';
    written.set([word, ...place].join(), engraved(kind, place, word, turn)); // tracks may share a word
  };
  /** If tracks lie close, only the outermost have room for a word. */
  const writeIfRoom = ([x, y], away, word) => {
    const at = [x, y + away];
    if (tracks.flatMap(placesOf).every((place) => distance(place, at) > 0.73 * pitch)) write('word', at, word);
  };
  for (const track of tracks) {
    const writeBeside = (at, number, kind, word) => {
      const hole = track.holes[number - 1];
      const [label] = labels.filter(({ text }) => text === String(number)).sort((a, b) => distance(a.at, hole) - distance(b.at, hole));
      if (label && distance(label.at, hole) < 2.2 * pitch) write(kind, at.map((part, axis) => part + label.at[axis] - hole[axis]), word);
    };
    const last = track.holes.length;
    writeBeside(middle(track.start), 5, 'word', say('page.twin.start'));
    writeBeside(track.game, last, 'game', String(laps * last + 1));
    const away = track.side === 0 ? 6.4 : -6.4;
    if (track.dealer) writeIfRoom(track.dealer, away, say('page.twin.dealer'));
    if (track.lap) writeIfRoom(track.lap, away, say('page.twin.lap'));
    writeIfRoom(middle(track.match), away * 0.86, say('page.twin.games'));
  }
  return [...written.values()].join('');
}

const middle = (places) => places[0].map((part, axis) => (part + places.at(-1)[axis]) / 2);
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
