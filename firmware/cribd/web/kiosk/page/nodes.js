// A piece of a page. What is written on it is text, whatever somebody typed: nothing of it is read as markup.

/** An element with attributes (`class`, `data-side`, …; what is null or false is left out) and what is inside: what is
 *  null, false or empty is left out there too. */
export function node(tag, attributes = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...inside.flat().filter((each) => each || each === 0));
  return made;
}

/** Text that is only read aloud. */
export const aloud = (text) => node('span', { class: 'unseen' }, text);

/** What is only seen: its words are said elsewhere. */
export const seen = (tag, attributes, ...inside) => node(tag, { ...attributes, 'aria-hidden': 'true' }, ...inside);

/** The mark of a side: a circle, four leaves, a square. */
export const mark = () => seen('i', { class: 'mark' });

/** Pieces of a page that a module draws as text of its own: cards and signs, never what somebody typed. */
export function drawn(markup) {
  const holder = document.createElement('template');
  holder.innerHTML = markup;
  return [...holder.content.childNodes];
}
