// Elements of a page. Their content is always text: nothing that somebody typed is parsed as markup.

/** The element that a selector finds, of whatever kind the page's HTML has there. Null where there is none.
 *  @param {string} selector @returns {any} */
export const element = (selector) => document.querySelector(selector);

/** An element with attributes (`class`, `data-side`, …; null and false are left out) and children (null, false and
 *  empty ones are left out). */
export function node(tag, attributes = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...inside.flat().filter((child) => child || child === 0));
  return made;
}

/** Text for screen readers only. */
export const aloud = (text) => node('span', { class: 'unseen' }, text);

/** Content that screen readers skip: its words are elsewhere. */
export const seen = (tag, attributes, ...inside) => node(tag, { ...attributes, 'aria-hidden': 'true' }, ...inside);

/** The mark of a side: a circle, four leaves, a square. */
export const mark = () => seen('i', { class: 'mark' });

/** Elements from markup that a module made itself: cards and symbols, never what somebody typed. */
export function drawn(markup) {
  const holder = document.createElement('template');
  holder.innerHTML = markup;
  return [...holder.content.childNodes];
}
