// The page for a wrong address. It comes with its words; a language that was chosen here before replaces them.

import { learn, switcher, write } from './words.js';

const button = document.querySelector('#language');
await learn(new URLSearchParams(location.search).get('language'));
write();
button.hidden = false;
switcher(button, write);
