// The rules for the scripts of the pages: eslint's own, and that no name hides one of the browser's. A script that
// forgets to declare such a name would run, with the browser's thing in its place.

import js from '@eslint/js';
import globals from 'globals';

/** Words that mean one thing on every page, and may be declared. Nowhere do they stand for the browser's thing. */
const DECLARED = ['event', 'name', 'status', 'top'];

/** What a browser has under a common word. Where it is meant, it is written `window.print()`. */
const COMMON = [
  'alert', 'blur', 'close', 'closed', 'confirm', 'external', 'find', 'focus', 'frames',
  'length', 'moveTo', 'open', 'opener', 'origin', 'parent', 'print', 'prompt', 'screen', 'scroll',
  'self', 'stop', 'toolbar',
];

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: globals.browser },
    rules: {
      eqeqeq: 'error',
      'no-redeclare': ['error', { builtinGlobals: true }],
      'no-restricted-globals': ['error', ...DECLARED, ...COMMON],
      'no-shadow': ['error', { builtinGlobals: true, allow: DECLARED }],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
];
