// The board to look at and touch: over the wood lie the lit pegs, the keys and a button on each hole.

import { Frame, RADIUS, wood } from '/page/drawn_wood.js';
import { say } from '/page/words.js';
import { rove } from './fingers.js';
import { halo, look } from './light.js';
import { plate, words } from './plate.js';
import { Glass } from './screen.js';

const SVG = 'http://www.w3.org/2000/svg';
const GLOSS = `<defs>
  <radialGradient id="gloss" cx=".36" cy=".3" r=".85">
    <stop offset="0" stop-color="#fff" stop-opacity=".75"/><stop offset=".22" stop-color="#fff" stop-opacity=".16"/>
    <stop offset=".6" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".42"/>
  </radialGradient>
  <radialGradient id="hot"><stop offset="0" stop-color="#fff" stop-opacity=".95"/>
    <stop offset=".45" stop-color="#fff" stop-opacity=".35"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>
  </radialGradient>
  <radialGradient id="cap" cx=".4" cy=".3" r=".9">
    <stop offset="0" stop-color="#fff" stop-opacity=".5"/><stop offset=".4" stop-color="#fff" stop-opacity=".06"/>
    <stop offset="1" stop-color="#000" stop-opacity=".5"/>
  </radialGradient></defs>`;

/** Digits of one number follow each other within this time. */
const TOGETHER_MS = 1500;

export class BoardPicture {
  /** Draws into `place` from the board's `geometry`; `board` has its LEDs, buttons, keys and screen. `upright` turns it
   *  upright, for a narrow page. */
  constructor(place, geometry, board, upright) {
    this.place = place;
    this.board = board;
    this.frame = new Frame(geometry, { whole: true, upright });
    this.scale = 1; // dots of the canvas for a millimetre
    this.spots = new Map(spots(board).map((spot) => [spot.led, spot]));
    this.pegs = new Map();
    this.leds = new Uint8Array();
    this.number = ''; // what was typed last, and when
    this.typedAt = -Infinity;
    this.glass = new Glass(board.oled.width, board.oled.height);
    this.draw();
  }

  draw() {
    const { board, frame, place } = this;
    place.style.setProperty('--wide', frame.width);
    place.style.setProperty('--high', frame.height);
    place.style.setProperty('--corner', `${(100 * 9) / frame.width}% / ${(100 * 9) / frame.height}%`);
    place.classList.toggle('upright', frame.upright);
    place.innerHTML = `${wood(frame, { plate: plate(board, frame), words: words(frame), fine: true })}
      <canvas class="halo" aria-hidden="true"></canvas>
      <svg class="live" viewBox="${frame.viewBox}" role="group">${GLOSS}${board.leds.map((led) => this.lamp(led)).join('')}<g class="pegs"></g>
        <g class="keys" aria-hidden="true">${board.keys.map((key) => this.key(key)).join('')}</g>
        ${board.tracks.filter((track) => track.holes.some((hole) => hole.button)).map((track) => this.holes(track)).join('')}</svg>`;
    place.querySelector('.live').setAttribute('aria-label', say('page.twin.board'));
    this.light = place.querySelector('.pegs');
    this.canvas = place.querySelector('.halo');
    this.live = place.querySelector('.live');
    this.setGlass();
    for (const group of place.querySelectorAll('.track')) rove(group, '[data-hole]');
    this.pegs.clear();
    this.fit();
  }

  /** A number that is typed goes to that hole, of the track that has the focus or else of the first one; Tab then goes
   *  to the same hole of the next track. Digits that follow soon belong together. */
  type(digit) {
    const now = performance.now();
    const tracks = [...this.place.querySelectorAll('.track')];
    const holes = (number) => tracks.map((track) => track.querySelector(`[data-hole="${Number(number)}"]`));
    const longer = now - this.typedAt < TOGETHER_MS ? `${this.number}${digit}` : digit;
    this.number = holes(longer).every(Boolean) ? longer : digit;
    this.typedAt = now;
    const wanted = holes(this.number);
    if (!wanted.length || !wanted.every(Boolean)) return;
    const at = Math.max(0, tracks.findIndex((track) => track.contains(document.activeElement)));
    for (const hole of this.place.querySelectorAll('.track [tabindex="0"]')) hole.setAttribute('tabindex', '-1');
    for (const hole of wanted) hole.setAttribute('tabindex', '0');
    wanted[at].focus();
  }

  /** The screen in its bezel on the plate, at its real size. */
  setGlass() {
    const { board, frame, glass } = this;
    const [x, y] = frame.at([board.oled.x, board.oled.y]);
    const [wide, high] = [21.76, 10.88];
    glass.canvas.classList.add('tiny');
    glass.canvas.setAttribute('aria-hidden', 'true');
    Object.assign(glass.canvas.style, {
      left: `${(100 * (x - wide / 2)) / frame.width}%`,
      top: `${(100 * (y - high / 2)) / frame.height}%`,
      width: `${(100 * wide) / frame.width}%`,
      height: `${(100 * high) / frame.height}%`,
    });
    this.place.append(glass.canvas);
  }

  /** The `transform` of what lies at a place, and is turned to its side unless the board is upright. */
  placed({ x, y, turn }) {
    return `translate(${this.frame.at([x, y]).join(' ')})${turn && !this.frame.upright ? ` rotate(${turn})` : ''}`;
  }

  /** An LED on a pin, dark, with what it shows. */
  lamp(led) {
    const { frame } = this;
    const radius = RADIUS.lamp;
    const caption = frame.upright ? 'x="5" y=".7"' : `y="${led.led % 2 ? -4.6 : 6.1}"`; // neighbours have theirs above and below
    return `<g class="lamp" role="img" data-lamp="${led.led}" transform="${this.placed(led)}">
      <circle r="${radius + 0.6}" fill="url(#wood-brass)"/><circle r="${radius}" fill="#0a0705"/>
      <circle r="${radius}" fill="rgb(${led.paint})" opacity=".3"/><circle r="${radius}" fill="url(#cap)" opacity=".8"/>
      <text class="caption" ${caption}>${shown(led)}</text></g>`;
  }

  key({ key, side, button, x, y, turn }) {
    const paint = side === null ? '#d8cdb8' : `rgb(${this.board.tracks[side].colour})`;
    return `<g class="key" data-button="${button}" transform="${this.placed({ x, y, turn })}">
      <circle r="6" fill="#0a0705"/><circle r="5.8" fill="none" stroke="url(#wood-brass)" stroke-width=".7"/>
      <g class="travel"><circle r="4.7" fill="${paint}"/><circle r="4.7" fill="url(#cap)"/></g>
      <text class="caption" y="9.3">${say(`key.${key}`)}</text></g>`;
  }

  holes(track) {
    const side = say(`side.${track.side}`);
    const last = track.holes.length;
    const holes = track.holes.map((hole) => {
      const [x, y] = this.frame.at([hole.x, hole.y]);
      const name = say(hole.number === last ? 'page.twin.game_hole' : 'page.twin.hole', { side, number: hole.number });
      const ring = RADIUS[hole.number === last ? 'game' : 'hole'] + 1;
      return `<g class="hole" role="button" data-track="${track.side}" data-hole="${hole.number}" data-led="${hole.led}"
        data-button="${hole.button}" aria-label="${name}">
        <circle class="reach" cx="${x}" cy="${y}" r="${this.frame.geometry.pitch / 2}"/><circle class="ring" cx="${x}" cy="${y}" r="${ring}"/></g>`;
    });
    return `<g class="track" role="group" aria-label="${side}">${holes.join('')}</g>`;
  }

  /** The nearest hole to a finger that came down between holes. */
  near(event) {
    if (!this.place.contains(event.target)) return null;
    const box = this.live.getBoundingClientRect();
    const scale = this.frame.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let best = /** @type {any} */ (null);
    let least = 0.95 * this.frame.geometry.pitch;
    for (const track of this.board.tracks) {
      for (const hole of track.holes) {
        const [hx, hy] = this.frame.at([hole.x, hole.y]);
        const distance = Math.hypot(hx - x, hy - y);
        if (distance < least) [best, least] = [hole, distance];
      }
    }
    return best && this.live.querySelector(`[data-button="${best.button}"]`);
  }

  /** Resize the light to the board. */
  fit() {
    const sharp = Math.min(devicePixelRatio || 1, 2);
    const { width, height } = this.place.getBoundingClientRect();
    this.canvas.width = Math.max(1, Math.round(width * sharp));
    this.canvas.height = Math.max(1, Math.round(height * sharp));
    this.scale = this.canvas.width / this.frame.width;
    this.glow(this.leds);
  }

  /** Let the LEDs glow as the chips hold them: red, green, blue and level for each. */
  glow(leds) {
    this.leds = leds;
    const shining = [];
    for (const [led, spot] of this.spots) {
      const seen = leds.length ? look(...leds.subarray(4 * led, 4 * led + 4)) : null;
      this.peg(led, spot, seen);
      if (spot.shows) this.name(spot, seen);
      if (!seen) continue;
      const [x, y] = this.frame.at([spot.x, spot.y]).map((part) => part * this.scale);
      shining.push({ x, y, pitch: this.frame.geometry.pitch * this.scale, ...seen });
    }
    halo(this.canvas, shining);
  }

  /** Say of an LED on a pin what it shows, and whether it is lit. */
  name(led, seen) {
    const values = { side: say(`side.${led.side}`), led: shown(led) };
    this.live.querySelector(`[data-lamp="${led.led}"]`).setAttribute('aria-label', say(seen ? 'page.twin.lit' : 'page.twin.dark', values));
  }

  peg(led, spot, seen) {
    let peg = this.pegs.get(led);
    if (!seen) {
      peg?.remove();
      this.pegs.delete(led);
      return;
    }
    if (!peg) {
      const [x, y] = this.frame.at([spot.x, spot.y]);
      const radius = RADIUS[spot.kind] + (spot.kind === 'lamp' ? 0 : 0.75);
      peg = document.createElementNS(SVG, 'g');
      peg.setAttribute('class', 'peg');
      peg.dataset.lit = led;
      const circle = (name, size, more = '') => `<circle class="${name}" cx="${x}" cy="${y}" r="${size}"${more}/>`;
      peg.innerHTML = circle('body', radius) + circle('heart', 0.5 * radius)
        + circle('shine', radius, ' fill="url(#gloss)"') + circle('hot', radius, ' fill="url(#hot)"');
      this.light.append(peg);
      this.pegs.set(led, peg);
    }
    const shown = `${seen.core} ${seen.tint} ${seen.strength}`;
    if (peg.shown === shown) return; // usually one peg blinks; the others are not repainted
    peg.shown = shown;
    peg.dataset.strength = seen.strength.toFixed(3);
    peg.querySelector('.body').setAttribute('fill', `rgb(${seen.core.join(', ')})`);
    peg.querySelector('.heart').setAttribute('fill', `rgba(${seen.tint}, ${(0.3 + 0.45 * seen.strength).toFixed(3)})`);
    peg.querySelector('.hot').setAttribute('opacity', (0.8 * seen.strength ** 1.5).toFixed(3));
  }
}

const SHOWN = { turn: 'page.twin.turn', dealer: 'page.twin.dealer', games: 'page.twin.games', pending: 'page.twin.pending' };

/** What an LED on a pin shows, in a word. */
const shown = ({ shows, number }) => `${say(SHOWN[shows])}${number > 1 ? ` ${number}` : ''}`;

/** Every hole and lamp of a board, with its LED and its kind. */
const spots = (board) => [...board.leds.map((led) => ({ ...led, kind: 'lamp' })), ...board.tracks.flatMap((track) => [
  ...track.starts.map((spot) => ({ ...spot, kind: 'hole' })),
  ...track.holes.map((spot, at) => ({ ...spot, kind: at === track.holes.length - 1 ? 'game' : 'hole' })),
  ...track.matches.map((spot) => ({ ...spot, kind: 'match' })),
  ...[track.dealer, track.lap].filter(Boolean).map((spot) => ({ ...spot, kind: 'lamp' })),
])];
