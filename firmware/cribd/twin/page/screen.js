// The OLED, dot for dot: white-blue on black, on whole device pixels.

const LIT = [206, 232, 255];

/** A screen of this many dots. */
export class Glass {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.canvas = document.createElement('canvas');
    this.canvas.width = width;
    this.canvas.height = height;
    this.canvas.className = 'glass';
  }

  /** Make it as large as fits; every dot is the same whole number of pixels. */
  fit(wide, high) {
    const sharp = devicePixelRatio || 1;
    const dot = Math.max(1, Math.floor(Math.min(wide / this.width, high / this.height) * sharp)) / sharp;
    this.canvas.style.width = `${this.width * dot}px`;
    this.canvas.style.height = `${this.height * dot}px`;
    return dot;
  }

  /** Show a picture: `dots` holds a bit for each dot, row after row, the leftmost in the highest bit. */
  show({ on, contrast }, dots) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d', { willReadFrequently: true })); // small, and written dot by dot
    const image = context.createImageData(this.width, this.height);
    const alpha = Math.round(255 * brightness(contrast));
    if (on) {
      for (let at = 0; at < this.width * this.height; at++) {
        if (dots[at >> 3] & (0x80 >> (at & 7))) image.data.set([...LIT, alpha], 4 * at);
      }
    }
    context.putImageData(image, 0, 0);
    this.canvas.classList.toggle('on', on);
  }
}

/** The brightness of a contrast of 0 to 255: an OLED at 0 still glows. */
const brightness = (contrast) => 0.35 + 0.65 * (contrast / 255) ** 0.6;
