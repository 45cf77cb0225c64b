// The drawn board of a game: wood from the board file, and two pegs for each side that move hole by hole.
//
//   const board = new DrawnBoard(div, await (await fetch('/table/board')).json());
//   board.show({ sides: [{ score, back, in_hand, name }, …], target: 121, skunkLine: 90, doubleSkunkLine: null,
//                games: [2, 1], dealer: 0 }, { animate: true });
//   board.describe()         // the same in words, for screen readers
//
// The page needs drawn.css, and a div that has a width. Sides differ by the shape of their pegs as well as by their
// colour, as everywhere on the pages; a front peg is filled, a back peg hollow, and one in hand is lifted.

import { Frame, wood } from './drawn_wood.js';
import { language, say } from './words.js';

const HOLE_MS = 110;
const LONGEST_MS = 2600; // for any move
const PEG_MM = 10; // the size of a drawn peg, with its shadow
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

// A circle, four leaves, a square: unlike any road or danger sign.
const HEADS = [
  '<circle r="3.5"/>',
  '<path d="M-2-2A2 2 0 0 1 2-2 2 2 0 0 1 2 2 2 2 0 0 1-2 2 2 2 0 0 1-2-2Z"/>',
  '<rect x="-3.3" y="-3.3" width="6.6" height="6.6" rx=".7"/>',
];

/** Returns the drawing of a peg: `front`, `back` or `lifted`; other modules use it as the mark of a side. */
export const peg = (side, kind = 'front') => {
  const head = HEADS[side];
  return `<svg class="peg-picture ${kind}" data-side="${side}" viewBox="-5 -5 10 10" aria-hidden="true">
    <g class="shade">${head}</g><g class="head">${head}</g><circle class="dimple" r="1.1"/></svg>`;
};

export class DrawnBoard {
  constructor(node, geometry) {
    this.node = node;
    this.geometry = geometry;
    this.frame = new Frame(geometry);
    this.shown = null;
    this.drawn = null;
    this.pegs = [];
    node.classList.add('drawn-board');
    node.setAttribute('role', 'img');
    const aspect = this.frame.width / this.frame.height;
    node.style.aspectRatio = aspect;
    node.style.setProperty('--aspect', aspect); // for style sheets that set its height
  }

  /** Show a game. With `animate` the pegs move from where they were shown last; else they are placed at once. */
  show(state, { animate = false } = {}) {
    this.draw(state);
    const before = this.shown?.sides.length === state.sides.length ? this.shown : null;
    this.shown = state;
    state.sides.forEach((side, at) => this.stand(at, side, before?.sides[at], animate && before !== null));
    this.lamps(state);
    this.node.setAttribute('aria-label', this.describe());
  }

  /** The positions of the pegs, in words. */
  describe() {
    if (!this.shown) return '';
    return this.shown.sides.map(({ name, score, back, in_hand: inHand }, at) => {
      const side = name || say(`side.${at}`);
      return say(isLifted({ score, in_hand: inHand }) ? 'page.board.lifted' : 'page.board.side', { side, score, back, lifted: inHand ?? '' });
    }).join(' ');
  }

  /** Draw the wood and the pegs, unless they are there already for this number of sides and these lines. */
  draw({ sides, skunkLine, doubleSkunkLine }) {
    const last = this.geometry.laps * this.geometry.tracks[0].holes.length;
    const lines = [{ score: skunkLine, word: 'page.board.skunk' }, { score: doubleSkunkLine, word: 'page.board.double' }]
      .filter(({ score }) => score > 1 && score <= last);
    const wanted = JSON.stringify([sides.length, lines, language()]);
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    this.node.innerHTML = wood(this.frame, { lines });
    this.lights = this.layer('lights');
    this.pegs = sides.map((_, at) => Object.fromEntries(['back', 'front', 'lifted'].map((kind) => [kind, this.peg(at, kind)])));
  }

  layer(name) {
    const node = document.createElement('div');
    node.className = name;
    this.node.append(node);
    return node;
  }

  peg(side, kind) {
    const node = this.layer(`peg ${kind}`);
    node.dataset.side = side;
    node.innerHTML = peg(side, kind);
    this.size(node, PEG_MM);
    return node;
  }

  /** Set the size in millimetres, with the origin in the middle. */
  size(node, mm) {
    const width = this.part(mm);
    Object.assign(node.style, { width, height: width, left: `calc(${width} / -2)`, top: `calc(${width} / -2)` });
  }

  stand(at, { score, back, in_hand: inHand }, before, animate) {
    const { front, back: behind, lifted } = this.pegs[at];
    const isUp = isLifted({ score, in_hand: inHand });
    const wasUp = before && isLifted(before);
    front.classList.toggle('raised', inHand === score);
    front.classList.toggle('home', score >= this.shown.target);
    behind.hidden = isUp;
    lifted.hidden = !isUp;
    const from = wasUp && score === before.in_hand ? before.in_hand : before?.score ?? score;
    this.walk(front, at, from, score, animate);
    this.walk(behind, at, back, back, false, score === 0 ? 0 : 1);
    if (isUp) this.walk(lifted, at, wasUp ? before.in_hand : score, inHand, animate);
  }

  /** Move a peg from one score to another over every hole between. Its new position is announced at once. */
  walk(node, side, from, to, animate, start = 1) {
    node.dataset.hole = to;
    for (const moving of node.getAnimations()) moving.cancel();
    const there = this.move(this.place(side, to, start));
    node.style.translate = there;
    const steps = Math.abs(to - from);
    if (!animate || steps === 0 || STILL.matches) return;
    const way = Array.from({ length: steps + 1 }, (_, step) => from + step * Math.sign(to - from));
    const keyframes = way.map((score) => ({ translate: this.move(this.place(side, score)), easing: 'cubic-bezier(.5,0,.3,1)' }));
    const timing = { duration: Math.min(LONGEST_MS, HOLE_MS * steps + 150) };
    node.animate(keyframes, timing);
    node.animate([{ scale: 1 }, { scale: 1.3, offset: 0.12 }, { scale: 1.3, offset: 0.88 }, { scale: 1 }], timing);
  }

  /** The position of a peg with this score, in millimetres of the board; past the target, the target's hole. */
  place(side, score, start = 1) {
    const track = this.geometry.tracks[side];
    const { target } = this.shown;
    if (score <= 0) return track.start[start];
    const holes = track.holes.length;
    if (score >= target && (target - 1) % holes === 0) return track.game;
    return track.holes[(Math.min(score, target) - 1) % holes];
  }

  /** For CSS `translate`, not `transform`: a lifted peg is also scaled, and must stay where it is. */
  move([x, y]) {
    return `${this.part(x - this.frame.left)} ${this.part(y - this.frame.top)}`;
  }

  /** Millimetres as a percentage of the board's width. */
  part(mm) {
    return `${((100 * mm) / this.frame.width).toFixed(3)}cqw`;
  }

  /** The match holes of the games won, the dealer's lamp, and the lap lamp. */
  lamps({ games = [], dealer = null, sides, target }) {
    /** @type {[kind: string, place: [number, number], mm: number][]} */
    const lit = this.geometry.tracks.slice(0, sides.length).flatMap((track, at) => [
      ...track.match.slice(0, games[at] ?? 0).map((place) => ['won', place, 4.2]),
      ...(dealer === at ? [['lamp', track.dealer, 7]] : []),
      ...(track.lap && Math.min(sides[at].score, target - 1) > track.holes.length ? [['lamp', track.lap, 7]] : []),
    ]);
    this.lights?.replaceChildren(...lit.map(([kind, place, mm]) => {
      const node = document.createElement('i');
      node.className = kind;
      this.size(node, mm);
      node.style.translate = this.move(place);
      return node;
    }));
  }
}

const isLifted = ({ score, in_hand: inHand }) => inHand !== null && inHand !== undefined && inHand !== score;
