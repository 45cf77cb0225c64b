// The focus never falls to the body. Where the control that had it is taken away, hidden or disabled, it goes to the
// same control drawn anew, to the one that does the same for the next in its list, to the page's next step (`data-next`),
// to the first one beside it, or to the page's main part.

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]';
/** @type {HTMLElement | null} */
let last = null; // the control that had the focus
/** @type {Element[]} */
let places = []; // what it stood in, from the inside outwards
/** @type {number[]} */
let before = []; // how many controls of the same act stood before it in each
let wasOut = false; // the control was taken away or disabled, and the focus with it, even if it is there again

const isOut = (node) => node.disabled || !node.isConnected;
const canHave = (node) => !isOut(node) && node.checkVisibility({ visibilityProperty: true });
/** Also where the browser has not noticed yet. */
const isLost = () => !document.activeElement || document.activeElement.matches('body, html') || !canHave(document.activeElement);

const within = (place, selector) => (selector ? [...place.querySelectorAll(selector)] : []);
const beside = (place) => within(place, place.matches('main') ? '' : CONTROLS); // there a link may be the first
const alike = ({ dataset }) => dataset.act && `[data-act="${CSS.escape(dataset.act)}"]`;

/** What finds this control again where it was drawn anew.
 *  @param {any} control */
function selectorOf({ id, localName, type, name, value, dataset }) {
  if (id) return `#${CSS.escape(id)}`;
  const data = (key) => `data-${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const known = Object.entries(dataset).map(([key, of]) => [data(key), of]);
  if (type === 'radio') known.push(['name', name], ['value', value]);
  return localName + known.map(([key, of]) => `[${key}="${CSS.escape(of)}"]`).join('');
}

/** Where the focus of this control goes. What a dialog covers cannot have it.
 *  @param {HTMLElement} control */
function nearest(control) {
  const all = [
    ...places.flatMap((place) => within(place, selectorOf(control))),
    ...places.flatMap((place, at) => within(place, alike(control)).slice(before[at])),
    ...places.flatMap((place) => within(place, alike(control)).reverse()),
    ...places.slice(0, 1).flatMap(beside),
    ...within(document, '[data-next] button'),
    ...places.flatMap(beside),
  ];
  const modal = document.querySelector(':modal');
  return all.find((candidate) => candidate.tabIndex >= 0 && canHave(candidate) && (modal?.contains(candidate) ?? true));
}

function keep() {
  if (!last || !isLost() || (canHave(last) && !wasOut)) return;
  const next = nearest(last) ?? document.querySelector('main');
  if (next.matches('main')) next.tabIndex = -1;
  next.focus({ preventScroll: true });
}

document.addEventListener('focusin', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  last = target;
  wasOut = false;
  places = [];
  for (let place = target.parentElement; place && place !== document.body; place = place.parentElement) places.push(place);
  before = places.map((place) => within(place, alike(target)).indexOf(target));
});
document.addEventListener('pointerdown', () => { last = null; }); // whoever clicks beside a control leaves it
new MutationObserver(() => {
  wasOut ||= last !== null && isOut(last);
  requestAnimationFrame(() => requestAnimationFrame(keep));
}).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['hidden', 'disabled', 'open', 'class', 'style', 'data-step'] });
