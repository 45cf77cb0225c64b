// The board with all its lights out, drawn from the board file: wood, streets, holes, numbers, the plate.

import { curve, round } from '/page/paths.js';
import { say } from '/page/words.js';

const DEFS = `
  <linearGradient id="walnut" x1="0" y1="0" x2=".25" y2="1">
    <stop offset="0" stop-color="#a4622f"/><stop offset=".35" stop-color="#90512a"/>
    <stop offset=".65" stop-color="#995a2e"/><stop offset="1" stop-color="#7d4520"/>
  </linearGradient>
  <linearGradient id="plate" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#2a2320"/><stop offset=".5" stop-color="#191412"/><stop offset="1" stop-color="#110d0b"/>
  </linearGradient>
  <linearGradient id="brass" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#fff3c9"/><stop offset=".35" stop-color="#d9b15f"/>
    <stop offset=".7" stop-color="#9a7231"/><stop offset="1" stop-color="#e3c27a"/>
  </linearGradient>
  <radialGradient id="drilled" cx=".5" cy=".68" r=".62">
    <stop offset="0" stop-color="#4a3524"/><stop offset=".55" stop-color="#21150c"/><stop offset="1" stop-color="#080402"/>
  </radialGradient>
  <radialGradient id="lens" cx=".38" cy=".3" r=".8">
    <stop offset="0" stop-color="#d9cdb9"/><stop offset=".3" stop-color="#84786a"/><stop offset="1" stop-color="#2f271f"/>
  </radialGradient>
  <radialGradient id="sheen" cx=".3" cy="-.2" r="1.1">
    <stop offset="0" stop-color="#ffe7c2" stop-opacity=".34"/><stop offset=".5" stop-color="#ffe2b8" stop-opacity=".06"/>
    <stop offset="1" stop-color="#000" stop-opacity=".22"/>
  </radialGradient>
  <filter id="sunk" x="-5%" y="-20%" width="110%" height="140%">
    <feDropShadow dx="0" dy=".35" stdDeviation=".5" flood-color="#120802" flood-opacity=".85"/>
  </filter>
  <filter id="soft" x="-20%" y="-20%" width="140%" height="150%">
    <feDropShadow dx="0" dy=".8" stdDeviation=".9" flood-color="#000" flood-opacity=".6"/>
  </filter>`;

/** Grain along the board, in one tone. `along` and `across` are the frequencies of the streaks, per millimetre. */
const grain = (name, { along, across, tone, strength, from, seed, frame }) => `
  <filter id="${name}" filterUnits="userSpaceOnUse" x="0" y="0" width="${frame.width}" height="${frame.height}" color-interpolation-filters="sRGB">
    <feTurbulence type="fractalNoise" baseFrequency="${frame.upright ? [across, along] : [along, across]}" numOctaves="4" seed="${seed}"/>
    <feColorMatrix values="0 0 0 0 ${tone[0]}  0 0 0 0 ${tone[1]}  0 0 0 0 ${tone[2]}  ${strength} 0 0 0 ${from}"/>
    <feComposite operator="in" in2="SourceGraphic"/>
  </filter>`;

/** A point of the board in the picture: as it is, or turned upright. */
export class Frame {
  constructor(board, upright) {
    this.upright = upright;
    this.board = board;
    this.width = upright ? board.height : board.width;
    this.height = upright ? board.width : board.height;
  }

  at(x, y) {
    return this.upright ? [this.board.height - y, x] : [x, y];
  }

  of(spot) {
    return this.at(spot.x, spot.y);
  }

  /** The attributes of a rectangle, from two corners on the board. */
  box(left, top, right, bottom) {
    const [a, b] = [this.at(left, top), this.at(right, bottom)];
    const size = a.map((part, axis) => round(Math.abs(part - b[axis])));
    return `x="${round(Math.min(a[0], b[0]))}" y="${round(Math.min(a[1], b[1]))}" width="${size[0]}" height="${size[1]}"`;
  }
}

/** The extent of the plate with the keys and the screen. */
const plateEnd = (board) => Math.max(...board.keys.map((key) => key.x), board.oled.x + 14) + 10;

/** The radius of a spot, in millimetres: a hole, the game hole, a match hole or a lamp. */
export const RADIUS = { hole: 1.75, game: 2.6, match: 1.45, lamp: 2.5 };

/** Every spot of a board with its kind. */
export function spots(board) {
  return board.tracks.flatMap((track) => [
    ...track.starts.map((spot) => ({ ...spot, kind: 'hole' })),
    ...track.holes.map((spot, at) => ({ ...spot, kind: at === track.holes.length - 1 ? 'game' : 'hole' })),
    ...track.matches.map((spot) => ({ ...spot, kind: 'match' })),
    ...[track.dealer, track.lap].filter(Boolean).map((spot) => ({ ...spot, kind: 'lamp' })),
  ].map((spot) => ({ ...spot, side: track.side })));
}

export function wood(board, frame) {
  const filters = [
    grain('figure', { along: 0.0035, across: 0.045, tone: [0.13, 0.05, 0.02], strength: 1.9, from: -0.78, seed: 29, frame }),
    grain('fibre', { along: 0.012, across: 0.55, tone: [0.1, 0.04, 0.02], strength: 1.25, from: -0.5, seed: 4, frame }),
    grain('shine', { along: 0.006, across: 0.12, tone: [1, 0.78, 0.5], strength: 0.9, from: -0.44, seed: 12, frame }),
    grain('maple', { along: 0.02, across: 0.6, tone: [0.45, 0.27, 0.1], strength: 0.9, from: -0.34, seed: 7, frame }),
  ].join('');
  return `<defs>${DEFS}${filters}</defs>
    ${timber(frame)}${plate(board, frame)}
    ${board.tracks.map((track) => street(board, track, frame)).join('')}
    ${engraving(board, frame)}
    ${spots(board).map((spot) => `<g class="spot" data-side="${spot.side}">${hole(spot, frame)}</g>`).join('')}`;
}

function timber(frame) {
  const size = `width="${frame.width}" height="${frame.height}"`;
  return `<rect ${size} fill="url(#walnut)"/><rect ${size} filter="url(#figure)"/>
    <rect ${size} filter="url(#shine)"/><rect ${size} filter="url(#fibre)"/><rect ${size} fill="url(#sheen)"/>
    <rect x="3.6" y="3.6" width="${frame.width - 7.2}" height="${frame.height - 7.2}" rx="5.4" fill="none"
      stroke="#1d0f06" stroke-opacity=".55" stroke-width="1.1"/>
    <rect x="3.6" y="3.6" width="${frame.width - 7.2}" height="${frame.height - 7.2}" rx="5.4" fill="none"
      stroke="url(#brass)" stroke-width=".55"/>`;
}

function plate(board, frame) {
  const end = plateEnd(board);
  const { x, y } = board.oled;
  const [middle, above] = frame.at(x, y - (frame.upright ? 0 : 15.5));
  const name = frame.upright ? '' : `<text class="maker" x="${middle}" y="${above}">Cribboard</text>`;
  return `<g filter="url(#soft)"><rect ${frame.box(4.9, 4.9, end, board.height - 4.9)} rx="4.2" fill="url(#plate)"
      stroke="url(#brass)" stroke-width=".5"/></g>
    <g filter="url(#soft)"><rect ${screenBox(frame, x, y, 13.4, 9.2)} rx="1.5" fill="#08090b"
      stroke="url(#brass)" stroke-width=".6"/></g>
    <rect ${screenBox(frame, x, y, 11.4, 6)} rx=".5" fill="#020304" stroke="#23282e" stroke-width=".3"/>${name}`;
}

/** The screen is never turned, so that it can be read. */
function screenBox(frame, x, y, wide, high) {
  const [cx, cy] = frame.at(x, y);
  return `x="${round(cx - wide)}" y="${round(cy - high)}" width="${2 * wide}" height="${2 * high}"`;
}

function street(board, track, frame) {
  const way = curve([...track.starts].reverse().concat(track.holes).map((spot) => frame.of(spot)));
  const edge = `rgb(${track.colour.map((part, axis) => Math.round(0.62 * part + 0.38 * [70, 40, 20][axis]))})`;
  const wide = board.pitch;
  return `<g class="street" data-side="${track.side}">
    <path d="${way}" stroke="#140a04" stroke-opacity=".7" stroke-width="${1.34 * wide}" filter="url(#sunk)"/>
    <path d="${way}" stroke="url(#brass)" stroke-width="${1.3 * wide}"/>
    <path d="${way}" stroke="${edge}" stroke-width="${1.2 * wide}"/>
    <path d="${way}" stroke="#f1dcb2" stroke-width="${0.94 * wide}"/>
    <path d="${way}" stroke="#e2c391" stroke-width="${0.84 * wide}"/>
    <path d="${way}" stroke="#000" stroke-width="${0.84 * wide}" filter="url(#maple)"/>
  </g>`;
}

function hole(spot, frame) {
  const [x, y] = frame.of(spot).map(round);
  const radius = RADIUS[spot.kind];
  if (spot.kind === 'lamp') {
    return `<circle cx="${x}" cy="${y}" r="${radius + 0.75}" fill="url(#brass)" filter="url(#sunk)"/>
      <circle cx="${x}" cy="${y}" r="${radius}" fill="url(#lens)"/>`;
  }
  const rim = { game: 0.8, hole: 0.5, match: 0.55 }[spot.kind];
  const edge = spot.kind === 'match' ? '' : ' stroke="#4a2f10" stroke-width=".2"'; // to stand out on the maple
  return `<circle cx="${x}" cy="${y}" r="${radius + rim}" fill="url(#brass)"${edge}/>
    <circle cx="${x}" cy="${y}" r="${radius}" fill="url(#drilled)"/>`;
}

/** Numbers and words in the wood. Start and end have their number on the same side as every fifth hole. */
function engraving(board, frame) {
  const words = board.labels.map((label) => text('number', label.x, label.y, label.text, frame));
  const seen = new Set();
  const once = (kind, x, y, word) => {
    const key = [word, round(x), round(y)].join();
    if (!seen.has(key)) words.push(text(kind, x, y, word, frame));
    seen.add(key);
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
    if (first) once('word', start[0] + first[0], start[1] + first[1], say('page.twin.start'));
    const game = track.holes.at(-1);
    if (last) once('game', game.x + last[0], game.y + last[1], String(board.target));

    const away = track.side === 0 ? 6.4 : -6.4;
    const name = (x, y, word) => lonely(board, x, y) && once('word', x, y, word);
    const middle = (track.matches[0].x + track.matches.at(-1).x) / 2;
    name(track.dealer.x, track.dealer.y + away, say('page.twin.dealer'));
    if (track.lap) name(track.lap.x, track.lap.y + away, say('page.twin.lap'));
    name(middle, track.matches[0].y + away * 0.86, say('page.twin.games'));
  }
  return words.join('');
}

/** Whether a word has room there: if tracks lie close, only the outermost have one. */
const lonely = (board, x, y) => spots(board).every((spot) => distance(spot, { x, y }) > 0.73 * board.pitch);

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

function text(kind, x, y, word, frame) {
  const [left, top] = frame.at(x, y).map(round);
  const turn = frame.upright && kind === 'word' ? ` transform="rotate(90 ${left} ${top})"` : '';
  return `<text class="${kind}" x="${left}" y="${top}"${turn}>${word}</text>`;
}
