// How an LED looks, from the values in its chip: the drivers' gamma is undone, and bright LEDs glow.

const GAMMA = 2.2;
const DIMMEST = 0.42; // the least strength of a lit LED: real ones are far brighter than any display

/**
 * How an LED looks: `tint` (its pure colour), `core` (the colour of the peg), both 0 to 255, and `strength` 0 to 1, as
 * the eye sees it. Null if it is dark. Each colour is 0 to 255 as sent, `level` is the chip's own brightness, 0 to 31.
 */
export function look(red, green, blue, level) {
  const light = [red, green, blue].map((sent) => (sent / 255) * (level / 31));
  const most = Math.max(...light);
  if (most === 0) return null;
  const strength = most ** (1 / GAMMA);
  const hue = light.map((part) => (part / most) ** (1 / GAMMA));
  const shown = DIMMEST + (1 - DIMMEST) * strength;
  return {
    strength,
    tint: hue.map((part) => Math.round(255 * part)),
    core: hue.map((part) => Math.round(255 * part * shown)),
  };
}

/** Paint the light that falls on the wood around the lit LEDs. `spots`: {x, y, pitch} in pixels, and their look. */
export function halo(canvas, spots) {
  const context = canvas.getContext('2d');
  context.globalCompositeOperation = 'source-over';
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.globalCompositeOperation = 'lighter';
  for (const { x, y, pitch, strength, tint } of spots) {
    const radius = pitch * (1.1 + 2.9 * strength);
    const fade = context.createRadialGradient(x, y, 0, x, y, radius);
    const at = (alpha) => `rgba(${tint}, ${alpha * (0.1 + 0.9 * strength)})`;
    fade.addColorStop(0, at(0.95));
    fade.addColorStop(0.22, at(0.6));
    fade.addColorStop(0.5, at(0.2));
    fade.addColorStop(1, at(0));
    context.fillStyle = fade;
    context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  }
}
