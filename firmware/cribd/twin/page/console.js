// The console: the screen large enough to be read, and the keys large enough for a thumb.

import { say } from '/page/words.js';
import { letter } from './fingers.js';
import { Glass } from './screen.js';

export class Console {
  constructor(place, board) {
    this.place = place;
    this.board = board;
    this.glass = new Glass(board.oled.width, board.oled.height);
    this.glass.canvas.setAttribute('role', 'img');
    this.draw();
  }

  draw() {
    const { board, place } = this;
    const own = (side) => board.keys.filter((key) => key.side === side).map((key) => this.cap(key)).join('');
    place.classList.toggle('three', board.tracks.length > 2);
    place.classList.toggle('steps', board.keys.some(({ key }) => key === 'step'));
    const shared = board.keys.filter((key) => key.side === null);
    place.innerHTML = `
      ${this.side(board.tracks[0], own(0))}
      <div class="middle">
        <div class="shared">${shared.slice(0, 1).map((key) => this.cap(key)).join('')}</div>
        <div class="bezel"></div>
        <div class="shared">${shared.slice(1).map((key) => this.cap(key)).join('')}</div>
      </div>
      ${board.tracks.slice(1).map((track) => this.side(track, own(track.side))).join('')}`;
    place.querySelector('.bezel').append(this.glass.canvas);
    this.glass.canvas.setAttribute('aria-label', say('page.twin.oled'));
    this.glass.canvas.id = 'oled';
    for (const node of place.querySelectorAll('[data-colour]')) {
      node.style.setProperty('--paint', `rgb(${node.dataset.colour})`);
    }
    this.fit();
  }

  side(track, caps) {
    return `<div class="side" data-track="${track.name}" data-colour="${track.colour}"><h2>${say(`side.${track.side}`)}</h2><div class="caps">${caps}</div></div>`;
  }

  cap({ key, side, button }) {
    const word = say(`key.${key}`);
    const name = side === null ? word : say('page.twin.key', { side: say(`side.${side}`), key: word });
    const short = letter(button);
    const mark = side === null ? '' : ` data-side="${side}"`;
    return `<button type="button" class="cap ${key}" data-key="${key}"${mark} data-button="${button}" aria-label="${name}"
      ${short ? `aria-keyshortcuts="${short}"` : ''}><span class="top"><b>${word}</b></span>
      ${short ? `<kbd aria-hidden="true">${short}</kbd>` : ''}</button>`;
  }

  /** Make the screen as large as there is room for. */
  fit() {
    const style = getComputedStyle(this.place);
    const [wide, high] = ['--glass-wide', '--glass-high'].map((name) => parseFloat(style.getPropertyValue(name)));
    this.glass.fit(wide, high);
  }
}
