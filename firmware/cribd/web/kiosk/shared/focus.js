// The focus never falls to the body. Where the control that had it is taken away, hidden or disabled, it goes to the
// same control drawn anew, to the first one beside it, or to the page's main part.

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]';
/** @type {HTMLElement | null} */
let last = null; // the control that had the focus
/** @type {Element[]} */
let places = []; // what it stood in, from the inside outwards

const canHave = (node) => node.isConnected && !node.disabled && node.checkVisibility({ visibilityProperty: true });
/** Also where the browser has not noticed yet. */
const isLost = () => !document.activeElement || document.activeElement.matches('body, html') || !canHave(document.activeElement);

/** What finds this control again where it was drawn anew. */
function selectorOf({ id, localName, dataset }) {
  if (id) return `#${CSS.escape(id)}`;
  const name = (key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return localName + Object.entries(dataset).map(([key, value]) => `[data-${name(key)}="${CSS.escape(value)}"]`).join('');
}

/** The same control, or the first of those in the innermost place that still has one. */
/** @param {HTMLElement} control */
function nearest(control) {
  for (const place of places.filter(canHave)) {
    const others = place.matches('main') ? [] : place.querySelectorAll(CONTROLS); // there a link may be the first
    const next = [...place.querySelectorAll(selectorOf(control)), ...others].find((each) => each.tabIndex >= 0 && canHave(each));
    if (next) return next;
  }
  return null;
}

function keep() {
  if (!last || !isLost() || canHave(last)) return;
  const next = nearest(last) ?? document.querySelector('main');
  if (next.matches('main')) next.tabIndex = -1;
  next.focus({ preventScroll: true });
}

document.addEventListener('focusin', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  last = target;
  places = [];
  for (let place = target.parentElement; place && place !== document.body; place = place.parentElement) places.push(place);
});
document.addEventListener('pointerdown', () => { last = null; }); // whoever clicks beside a control leaves it
new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(keep)))
  .observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['hidden', 'disabled', 'open', 'class', 'style', 'data-step'] });
