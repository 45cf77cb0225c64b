// The wood of a drawn board: walnut, maple streets, holes, numbers and the skunk lines; everything that never moves.

import { curve, round } from './paths.js';
import { say } from './words.js';

const DEFS = `
  <linearGradient id="wood-walnut" x1="0" y1="0" x2=".25" y2="1">
    <stop offset="0" stop-color="#9a5b2c"/><stop offset=".35" stop-color="#844a25"/>
    <stop offset=".65" stop-color="#8e522a"/><stop offset="1" stop-color="#713e1c"/>
  </linearGradient>
  <linearGradient id="wood-brass" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#fff3c9"/><stop offset=".35" stop-color="#d9b15f"/>
    <stop offset=".7" stop-color="#9a7231"/><stop offset="1" stop-color="#e3c27a"/>
  </linearGradient>
  <radialGradient id="wood-hole" cx=".5" cy=".68" r=".62">
    <stop offset="0" stop-color="#4a3524"/><stop offset=".55" stop-color="#21150c"/><stop offset="1" stop-color="#080402"/>
  </radialGradient>
  <radialGradient id="wood-lamp" cx=".38" cy=".3" r=".8">
    <stop offset="0" stop-color="#d9cdb9"/><stop offset=".3" stop-color="#84786a"/><stop offset="1" stop-color="#2f271f"/>
  </radialGradient>
  <radialGradient id="wood-sheen" cx=".3" cy="-.2" r="1.15">
    <stop offset="0" stop-color="#ffe7c2" stop-opacity=".34"/><stop offset=".5" stop-color="#ffe2b8" stop-opacity=".06"/>
    <stop offset="1" stop-color="#000" stop-opacity=".25"/>
  </radialGradient>`;

/** Each grain in one tone. `along` and `across` are the frequencies of the streaks, per millimetre. */
const GRAINS = {
  figure: { along: 0.0035, across: 0.05, tone: [0.12, 0.045, 0.02], strength: 1.9, from: -0.76, seed: 29 },
  fibre: { along: 0.012, across: 0.55, tone: [0.09, 0.035, 0.02], strength: 1.3, from: -0.5, seed: 4 },
  shine: { along: 0.006, across: 0.12, tone: [1, 0.78, 0.5], strength: 0.85, from: -0.43, seed: 12 },
  maple: { along: 0.02, across: 0.6, tone: [0.45, 0.27, 0.1], strength: 0.7, from: -0.28, seed: 7 },
};
const PAINT = ['#2a63c9', '#c2331f', '#1c8a55'];
const MARGIN_MM = 10;
const BEND_MM = 6; // a street that turns back reaches beyond its holes

/** The radius of a hole or a lamp, and the width of its brass rim, in millimetres. */
export const RADIUS = { hole: 1.7, game: 2.6, match: 1.45, lamp: 2.4 };
const RIM = { hole: 0.5, game: 0.8, match: 0.5, lamp: 0.8 };

/** What is drawn of a board, in millimetres, and where its places lie in the drawing: the part with holes, or the whole
 *  board with keys and screen, as it lies or `upright`. */
export class Frame {
  constructor(geometry, { whole = false, upright = false } = {}) {
    this.geometry = geometry;
    this.upright = upright;
    const { left, top, width, height } = whole ? { left: 0, top: 0, ...geometry } : partWithHoles(geometry);
    this.left = left;
    this.top = top;
    this.width = upright ? height : width;
    this.height = upright ? width : height;
  }

  /** A place of the board in the drawing. @param {number[]} place @returns {[number, number]} */
  at([x, y]) {
    return this.upright ? [this.geometry.height - y, x] : [x, y];
  }

  get viewBox() {
    return [this.left, this.top, this.width, this.height].map(round).join(' ');
  }

  /** The attributes of a rectangle that lies so far inside. */
  inside(mm = 0) {
    const [width, height] = [this.width, this.height].map((size) => round(size - 2 * mm));
    return `x="${round(this.left + mm)}" y="${round(this.top + mm)}" width="${width}" height="${height}"`;
  }
}

/** The holes and lamps of a track, by kind. */
const spotsOf = ({ start, holes, game, match, dealer, lap }) => (
  { hole: [...start, ...holes], game: [game], match, lamp: [dealer, lap].filter(Boolean) });

export const placesOf = (track) => Object.values(spotsOf(track)).flat();

function partWithHoles(geometry) {
  const places = [...geometry.tracks.flatMap(placesOf), ...geometry.labels.map(({ at }) => at)];
  const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]));
  const [left, top] = [Math.min(...xs) - MARGIN_MM, Math.min(...ys) - MARGIN_MM];
  return { left, top, width: Math.max(...xs) - left + MARGIN_MM + BEND_MM, height: Math.max(...ys) - top + MARGIN_MM };
}

/** The board without pegs, as an SVG. `lines` run across the streets: `{score, word}`, where a score is short of it.
 *  `plate` and `words` are markup that lies on the wood, and what else is engraved there. With `fine` the maple has its
 *  grain too, and takes longer to paint.
 *  @param {Frame} frame
 *  @param {{ lines?: { score: number, word: string }[], plate?: string, words?: string, fine?: boolean }} more */
export function wood(frame, { lines = [], plate = '', words = '', fine = false } = {}) {
  const { geometry } = frame;
  const { tracks, labels, pitch } = geometry;
  const edge = `${frame.inside(3)} rx="5" fill="none"`;
  const grains = Object.entries(GRAINS).map(([name, values]) => grain(name, values, frame)).join('');
  const all = (paint) => `<rect ${frame.inside()} ${paint}/>`;
  const ways = tracks.map((track) => curve([...track.start, ...track.holes, track.game].map((place) => frame.at(place))));
  return `<svg class="wood" viewBox="${frame.viewBox}" text-anchor="middle" dominant-baseline="central" aria-hidden="true">
    <defs>${DEFS}${grains}</defs>
    ${all('fill="url(#wood-walnut)"')}${['figure', 'shine', 'fibre'].map((name) => all(`filter="url(#wood-${name})"`)).join('')}${all('fill="url(#wood-sheen)"')}
    <rect ${edge} stroke="#1d0f06" stroke-opacity=".6" stroke-width="1"/><rect ${edge} stroke="url(#wood-brass)" stroke-width=".5"/>
    ${plate}
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      ${tracks.map((track, at) => street(track, ways[at], pitch)).join('')}
      ${fine ? `<path d="${ways.join('')}" stroke="#000" stroke-width="${round(0.86 * pitch)}" filter="url(#wood-maple)"/>` : ''}
    </g>
    ${lines.map(({ score }) => tracks.map((track) => across(track, score, frame)).join('')).join('')}
    ${tracks.map((track) => drilled(track, frame)).join('')}
    ${labels.map(({ text, at }) => engraved('number', frame.at(at), text)).join('')}${words}
    ${lines.map((line) => named(line, frame)).join('')}
  </svg>`;
}

const grain = (name, { along, across: aside, tone, strength, from, seed }, frame) => `
  <filter id="wood-${name}" filterUnits="userSpaceOnUse" ${frame.inside()} color-interpolation-filters="sRGB">
    <feTurbulence type="fractalNoise" baseFrequency="${frame.upright ? [aside, along] : [along, aside]}" numOctaves="3" seed="${seed}"/>
    <feColorMatrix values="0 0 0 0 ${tone[0]}  0 0 0 0 ${tone[1]}  0 0 0 0 ${tone[2]}  ${strength} 0 0 0 ${from}"/>
    <feComposite operator="in" in2="SourceGraphic"/>
  </filter>`;

function street(track, way, pitch) {
  const line = (paint, wide, more = '') => `<path d="${way}" stroke="${paint}" stroke-width="${round(wide * pitch)}"${more}/>`;
  return `<g class="street" data-side="${track.side}">${line('#140a04', 1.44, ' stroke-opacity=".55"')}
    ${line('url(#wood-brass)', 1.3)}${line(PAINT[track.side], 1.2)}${line('#f4dfb6', 0.94)}${line('#e5c997', 0.86)}</g>`;
}

/** The point between the last hole before a score and the next one, and the unit vector across the street there. */
function between(track, score) {
  const [from, to] = [score - 2, score - 1].map((index) => track.holes[index % track.holes.length]);
  const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
  return { at: from.map((part, axis) => (part + to[axis]) / 2), way: [(from[1] - to[1]) / long, (to[0] - from[0]) / long] };
}

const along = ({ at, way }, mm) => at.map((part, axis) => round(part + mm * way[axis]));

function across(track, score, frame) {
  const place = between(track, score);
  const [from, to] = [-0.68, 0.68].map((far) => frame.at(along(place, far * frame.geometry.pitch)));
  const path = `class="line" d="M${from}L${to}"`;
  return `<path ${path} stroke="#fff3d6" stroke-width="2"/><path ${path} stroke="#8d1420" stroke-width="1.2" stroke-dasharray="2 1"/>`;
}

/** The name of a line, beside the first street or the last, where there is no other text. */
function named({ score, word }, frame) {
  const { tracks, labels, pitch } = frame.geometry;
  const taken = [...labels.map(({ at }) => at), ...tracks.flatMap((track) => [...track.holes, ...track.match])];
  const room = (spot) => Math.min(...taken.map((at) => Math.hypot(at[0] - spot[0], (at[1] - spot[1]) * 1.5)));
  const spots = [tracks[0], tracks.at(-1)].flatMap((track) => [1, -1].map((far) => {
    const place = between(track, score);
    return along(place, far * pitch * (1.05 + 0.8 * Math.abs(place.way[0])));
  }));
  return engraved('word', frame.at(spots.sort((a, b) => room(b) - room(a))[0]), say(word));
}

/** A text in the wood, in the middle of its place in the drawing. */
export const engraved = (kind, [x, y], text, more = '') => `<text class="${kind}" x="${round(x)}" y="${round(y)}"${more}>${text}</text>`;

function drilled(track, frame) {
  const hole = (kind, place) => {
    const [x, y] = frame.at(place).map(round);
    return `<circle cx="${x}" cy="${y}" r="${RADIUS[kind] + RIM[kind]}" fill="url(#wood-brass)" stroke="#4a2f10" stroke-width=".2"/>
      <circle cx="${x}" cy="${y}" r="${RADIUS[kind]}" fill="url(#wood-${kind === 'lamp' ? 'lamp' : 'hole'})"/>`;
  };
  const all = Object.entries(spotsOf(track)).flatMap(([kind, places]) => places.map((place) => hole(kind, place)));
  return `<g class="spots" data-side="${track.side}">${all.join('')}</g>`;
}
