// The page for a wrong address. It comes with its words; a language that was chosen here before replaces them.

import { learn, switcher, write } from './words.js';

const button = document.querySelector('#language');
await learn();
write();
button.hidden = false;
switcher(button, write);
