// The standings as the organiser sees them: every amount that was compared, and what put each below the one above.

import { fill } from './desk_lists.js';
import { entrantName } from './desk_state.js';
import { element, node } from './nodes.js';
import { papers } from './desk_papers.js';
import { figure, say } from './words.js';

const NAMED = 2; // of more who are level there is a number

export function drawStandings(state) {
  const { standings } = state;
  const amounts = [...new Set(standings.flatMap((row) => Object.keys(row.amounts)))];
  const head = [say('page.desk.place'), state.values.team_size === 2 ? say('page.desk.team') : say('page.desk.name'), say('page.desk.played'), ...amounts.map((amount) => say(`competition.criterion.${amount}`)), say('page.desk.why')];
  const table = node('table', {},
    node('thead', {}, node('tr', {}, head.map((words, at) => node('th', { scope: 'col', class: at > 1 && at < head.length - 1 ? 'figure' : null }, words)))),
    node('tbody', {}, standings.map((row) => line(state, row, amounts))));
  fill(element('#standings'), node('div', { class: 'box', 'data-key': 'standings' },
    node('h2', { id: 'standings-title' }, say('page.desk.standings')),
    state.values.sealed === 'on' && state.phase !== 'open' ? node('p', { class: 'note' }, say('page.desk.standings.sealed')) : null,
    standings.length ? node('div', { class: 'scrolls', tabindex: 0, role: 'group', 'aria-labelledby': 'standings-title' }, table) : node('p', { class: 'note' }, say('page.desk.standings.none')),
    papers('standings', state)));
}

function line(state, row, amounts) {
  const { place, entrant, part, status, played, amounts: has } = row;
  const amount = (criterion) => node('td', { class: row.separated_by === criterion ? 'figure decides' : 'figure' }, has[criterion] === undefined ? '' : figure(has[criterion]));
  const said = place === null ? (part === 'guest' ? say('competition.part.guest') : say(`competition.status.${status}`)) : '';
  return node('tr', { class: place === null ? 'out' : place <= state.values.medals ? 'medal' : null },
    node('td', { class: 'place' }, place === null ? '–' : place),
    node('th', { scope: 'row' }, entrantName(state, entrant)),
    node('td', { class: 'figure' }, played),
    ...amounts.map(amount),
    node('td', { class: 'why' }, [said, ...why(state, row)].filter(Boolean).join(' · ')));
}

/** What separates a row from the one above, and what is to be known of it. */
function why(state, { place, separated_by: by, level, level_with: others, missing, byes, penalty }) {
  return [
    by && state.standings[0].place !== place && by !== state.values.ranking.split('+')[0] ? say('page.desk.why.by', { criterion: say(`competition.criterion.${by}`) }) : '',
    level ? (level > NAMED ? say('page.desk.why.level.many', { n: level }) : say('page.desk.why.level', { names: others.map((number) => entrantName(state, number)).join(', ') })) : '',
    missing ? say('page.desk.why.missing', { n: missing }) : '',
    byes ? say('page.desk.why.byes', { n: byes }) : '',
    penalty ? say('page.desk.why.penalty', { n: penalty }) : '',
  ];
}
