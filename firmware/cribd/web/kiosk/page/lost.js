// Where there is no page. Its words are there already; a browser that chose a language here gets them in that one.

import { learn, switcher, write } from './words.js';

const button = document.querySelector('#language');
await learn(new URLSearchParams(location.search).get('language'));
write();
button.hidden = false;
switcher(button, write);
