// The page for a wrong address. It comes with its words; a language that was chosen here before replaces them.

import { loadLanguages, switcher, write } from './words.js';

const button = document.querySelector('#language');
await loadLanguages();
write();
button.hidden = false;
switcher(button, write);
