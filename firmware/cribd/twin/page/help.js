// The `?` opens a sheet that explains what is on the page. While it is open, no letter presses a button of the board.

const button = document.querySelector('#help');
const sheet = document.querySelector('#explained');

button.addEventListener('click', () => sheet.showModal());
sheet.addEventListener('click', ({ target }) => (target === sheet || target.closest('button')) && sheet.close());
sheet.addEventListener('close', () => button.focus());
addEventListener('keydown', (event) => sheet.open && event.stopPropagation(), { capture: true });

/** Explain only what this board has: a game alone is offered `beside` it, or not. */
export function explain({ beside }) {
  sheet.querySelector('.beside').hidden = !beside;
}
