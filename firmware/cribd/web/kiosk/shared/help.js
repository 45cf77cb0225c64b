// The `?` of a page opens a sheet that explains what is on it. While it is open, no key does anything else on the page.

const button = document.querySelector('#help');
const sheet = document.querySelector('#explained');

button.addEventListener('click', () => sheet.showModal());
sheet.addEventListener('click', ({ target }) => (target === sheet || target.closest('button')) && sheet.close());
sheet.addEventListener('close', () => button.focus());
addEventListener('keydown', (event) => sheet.open && event.stopPropagation(), { capture: true });
