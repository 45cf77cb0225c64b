// The wood of a drawn board: walnut, maple streets, holes, numbers and the skunk lines; everything that never moves.

import { curve, round } from './paths.js';
import { say } from './words.js';

const DEFS = `
  <linearGradient id="wood-walnut" x1="0" y1="0" x2=".25" y2="1">
    <stop offset="0" stop-color="#8f5429"/><stop offset=".35" stop-color="#774220"/>
    <stop offset=".65" stop-color="#824a25"/><stop offset="1" stop-color="#643618"/>
  </linearGradient>
  <linearGradient id="wood-brass" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#fff3c9"/><stop offset=".35" stop-color="#d9b15f"/>
    <stop offset=".7" stop-color="#9a7231"/><stop offset="1" stop-color="#e3c27a"/>
  </linearGradient>
  <linearGradient id="wood-maple" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="#ecd3a4"/><stop offset="1" stop-color="#dcbb86"/>
  </linearGradient>
  <radialGradient id="wood-hole" cx=".5" cy=".68" r=".62">
    <stop offset="0" stop-color="#4a3524"/><stop offset=".55" stop-color="#21150c"/><stop offset="1" stop-color="#080402"/>
  </radialGradient>
  <radialGradient id="wood-sheen" cx=".3" cy="-.2" r="1.15">
    <stop offset="0" stop-color="#ffe7c2" stop-opacity=".32"/><stop offset=".5" stop-color="#ffe2b8" stop-opacity=".05"/>
    <stop offset="1" stop-color="#000" stop-opacity=".3"/>
  </radialGradient>`;

/** Grain along the board, in one tone. `along` and `across` are the frequencies of the streaks, per millimetre. */
const grain = (name, { along, across: aside, tone, strength, from, seed }) => `
  <filter id="${name}" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">
    <feTurbulence type="fractalNoise" baseFrequency="${along} ${aside}" numOctaves="3" seed="${seed}"/>
    <feColorMatrix values="0 0 0 0 ${tone[0]}  0 0 0 0 ${tone[1]}  0 0 0 0 ${tone[2]}  ${strength} 0 0 0 ${from}"/>
    <feComposite operator="in" in2="SourceGraphic"/>
  </filter>`;

const GRAINS = grain('wood-figure', { along: 0.0035, across: 0.05, tone: [0.1, 0.04, 0.015], strength: 1.9, from: -0.74, seed: 29 })
  + grain('wood-fibre', { along: 0.012, across: 0.55, tone: [0.08, 0.03, 0.015], strength: 1.3, from: -0.5, seed: 4 })
  + grain('wood-shine', { along: 0.006, across: 0.12, tone: [1, 0.78, 0.5], strength: 0.8, from: -0.42, seed: 12 });

const PAINT = ['#2a63c9', '#c2331f', '#1c8a55'];
const MARGIN_MM = 10;
const BEND_MM = 6; // a street that turns back reaches beyond its holes

/** The part of the board that is drawn, in millimetres: the part with holes, without keys and screen. */
export function frame(geometry) {
  const places = [
    ...geometry.tracks.flatMap((track) => [...track.start, ...track.holes, track.game, ...track.match, track.dealer]),
    ...geometry.labels.map(({ at }) => at),
  ];
  const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]));
  const [left, top] = [Math.min(...xs) - MARGIN_MM, Math.min(...ys) - MARGIN_MM];
  return { left, top, width: Math.max(...xs) - left + MARGIN_MM + BEND_MM, height: Math.max(...ys) - top + MARGIN_MM };
}

/** The board without pegs, as an SVG. `lines` run across the streets: `{score, word}`, where a score is short of it. */
export function wood(geometry, lines) {
  const { left, top, width, height } = frame(geometry);
  const all = `x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}"`;
  const edge = `x="${round(left + 2.6)}" y="${round(top + 2.6)}" width="${round(width - 5.2)}" height="${round(height - 5.2)}" rx="4.5" fill="none"`;
  return `<svg class="wood" viewBox="${[left, top, width, height].map(round).join(' ')}" aria-hidden="true">
    <defs>${DEFS}${GRAINS}</defs>
    <rect ${all} fill="url(#wood-walnut)"/><rect ${all} filter="url(#wood-figure)"/><rect ${all} filter="url(#wood-shine)"/>
    <rect ${all} filter="url(#wood-fibre)"/><rect ${all} fill="url(#wood-sheen)"/>
    <rect ${edge} stroke="#1d0f06" stroke-opacity=".6" stroke-width="1"/><rect ${edge} stroke="url(#wood-brass)" stroke-width=".5"/>
    ${geometry.tracks.map((track) => street(track, geometry.pitch)).join('')}
    ${lines.map(({ score }) => geometry.tracks.map((track) => across(track, score, geometry.pitch)).join('')).join('')}
    ${geometry.tracks.map(holes).join('')}
    ${geometry.labels.map(({ text, at }) => engraved('number', at, text)).join('')}
    ${lines.map((line) => named(line, geometry)).join('')}
  </svg>`;
}

function street(track, pitch) {
  const way = curve([...track.start, ...track.holes, track.game]);
  const line = (paint, wide, more = '') => `<path class="street" d="${way}" stroke="${paint}" stroke-width="${round(wide * pitch)}"${more}/>`;
  return line('#140a04', 1.44, ' stroke-opacity=".55"') + line('url(#wood-brass)', 1.3) + line(PAINT[track.side], 1.2)
    + line('#f6e3bb', 0.94) + line('url(#wood-maple)', 0.86);
}

/** The point between the last hole before a score and the next one, and the unit vector across the street there. */
function between(track, score) {
  const [from, to] = [score - 2, score - 1].map((index) => track.holes[index % track.holes.length]);
  const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
  return { at: from.map((part, axis) => (part + to[axis]) / 2), way: [(from[1] - to[1]) / long, (to[0] - from[0]) / long] };
}

const along = ({ at, way }, mm) => at.map((part, axis) => round(part + mm * way[axis]));

function across(track, score, pitch) {
  const place = between(track, score);
  const path = `class="line" d="M${along(place, -0.68 * pitch)}L${along(place, 0.68 * pitch)}"`;
  return `<path ${path} stroke="#fff3d6" stroke-width="2"/><path ${path} stroke="#8d1420" stroke-width="1.2" stroke-dasharray="2 1"/>`;
}

/** The name of a line, beside the first street or the last, where there is no other text. */
function named({ score, word }, { tracks, labels, pitch }) {
  const taken = [...labels.map(({ at }) => at), ...tracks.flatMap((track) => [...track.holes, ...track.match])];
  const room = (spot) => Math.min(...taken.map((at) => Math.hypot(at[0] - spot[0], (at[1] - spot[1]) * 1.5)));
  const spots = [tracks[0], tracks.at(-1)].flatMap((track) => [1, -1].map((far) => {
    const place = between(track, score);
    return along(place, far * pitch * (1.05 + 0.8 * Math.abs(place.way[0])));
  }));
  return engraved('word', spots.sort((a, b) => room(b) - room(a))[0], say(word));
}

const engraved = (kind, [x, y], text) => `<text class="${kind}" x="${x}" y="${y}">${text}</text>`;

function holes(track) {
  const hole = ([x, y], radius, rim, edge = '#4a2f10') => `<circle cx="${x}" cy="${y}" r="${radius + rim}" fill="url(#wood-brass)" stroke="${edge}" stroke-width=".2"/>
    <circle cx="${x}" cy="${y}" r="${radius}" fill="url(#wood-hole)"/>`;
  return [...track.start, ...track.holes].map((at) => hole(at, 1.6, 0.45)).join('')
    + hole(track.game, 2.6, 0.8) + track.match.map((at) => hole(at, 1.45, 0.5)).join('')
    + [track.dealer, track.lap].filter(Boolean).map((at) => hole(at, 2.3, 0.8)).join('');
}
