// Fingers on buttons: mouse, touch, pen and keyboard become `down` and `up`, several at once. An element with a
// `data-button` is a button; the class `down` shows it pressed wherever it is drawn.

const SHORT = {
  a: 'blue go', s: 'blue ok', d: 'blue challenge',
  f: 'green go', g: 'green ok', h: 'green challenge',
  j: 'red go', k: 'red ok', l: 'red challenge',
  w: 'blue step', t: 'green step', i: 'red step',
  u: 'undo', m: 'menu',
};

/** The letter on the keyboard for a button, if it has one. */
export const letter = (button) => Object.keys(SHORT).find((key) => SHORT[key] === button)?.toUpperCase();

/** Listen everywhere. Calls `down(button)` and `up(button)` in turn, also with several fingers on one button. */
export function feel({ down, up, near }) {
  const fingers = new Map(); // pointer or key: its button
  const taps = new Map(); // pointer: the button near it; it may still become a scroll

  const put = (finger, button) => {
    lift(finger);
    const first = ![...fingers.values()].includes(button);
    fingers.set(finger, button);
    if (first) down(button);
    show(button, true);
  };
  const lift = (finger) => {
    const button = fingers.get(finger);
    if (button === undefined) return;
    fingers.delete(finger);
    if ([...fingers.values()].includes(button)) return;
    up(button);
    show(button, false);
  };
  const all = () => [...fingers.keys()].forEach(lift);

  const show = (button, pressed) => {
    for (const node of document.querySelectorAll(`[data-button="${button}"]`)) node.classList.toggle('down', pressed);
  };
  const under = (event) => /** @type {Element} */ (event.target).closest?.('[data-button]');

  document.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const node = under(event);
    const nearby = node ? null : near(event);
    if (node ?? (nearby && event.pointerType !== 'touch')) put(event.pointerId, (node ?? nearby).dataset.button);
    else if (nearby) taps.set(event.pointerId, nearby.dataset.button);
  });
  document.addEventListener('pointerup', (event) => {
    if (taps.has(event.pointerId)) put(event.pointerId, taps.get(event.pointerId));
    taps.delete(event.pointerId);
    lift(event.pointerId);
  });
  document.addEventListener('pointercancel', (event) => {
    taps.delete(event.pointerId);
    lift(event.pointerId);
  });
  document.addEventListener('contextmenu', (event) => (under(event) ?? near(event)) && event.preventDefault());
  document.addEventListener('click', (event) => {
    // A click without pointer or key comes from an assistive tool: the shortest possible press.
    const node = /** @type {Element} */ (event.target).closest?.('[data-button]');
    if (node && event.detail === 0 && event.isTrusted) {
      put('aid', node.dataset.button);
      lift('aid');
    }
  });

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (/** @type {Element} */ (event.target).closest?.('input, select')) return; // a letter there is for the form
    const focused = document.activeElement?.closest?.('[data-button]');
    const pressed = focused && (event.key === ' ' || event.key === 'Enter');
    const button = pressed ? focused.dataset.button : SHORT[event.key.toLowerCase()];
    if (!button || !document.querySelector(`[data-button="${button}"]`)) return;
    event.preventDefault();
    if (!event.repeat) put(event.code, button);
  });
  document.addEventListener('keyup', (event) => {
    if (fingers.has(event.code)) {
      event.preventDefault();
      lift(event.code);
    }
  });
  addEventListener('blur', all);
  document.addEventListener('visibilitychange', () => document.hidden && all());
}

/** Arrow keys move between the elements that a selector finds in a group; Tab skips the group. */
export function rove(group, selector) {
  group.querySelectorAll(selector).forEach((thing, at) => thing.setAttribute('tabindex', at ? '-1' : '0'));
  group.addEventListener('keydown', (event) => {
    const things = [...group.querySelectorAll(selector)];
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const at = things.indexOf(document.activeElement);
    const next = { Home: things[0], End: things.at(-1) }[event.key] ?? (step && things[at + step]);
    if (at < 0 || !next) return;
    event.preventDefault();
    things[at].setAttribute('tabindex', '-1');
    next.setAttribute('tabindex', '0');
    next.focus();
  });
}
