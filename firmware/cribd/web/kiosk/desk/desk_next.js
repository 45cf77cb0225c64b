// What the organiser does next, as the board says: one sentence, and one button for it.

import { entrantName, roundName, waits } from './desk_state.js';
import { language, say } from './words.js';

/** What is shown, by the name of the step: `says`, perhaps `more`, and `steps`: pairs of words and the name of an act. */
const SHOWN = {
  resume: ({ reason }) => ({ says: say('page.desk.next.paused', { reason }), steps: [[say('page.desk.resume'), 'resume']] }),
  register: () => ({ says: say('page.desk.next.nobody'), steps: [[say('page.desk.register'), 'to-entrants']] }),
  check_in: ({ n }) => ({ says: say('page.desk.next.arrive', { n }), steps: [[say('page.desk.check_in'), 'to-entrants']] }),
  begin: ({ n, here }) => ({
    says: say('page.desk.next.registered', { n, here }),
    more: n > here ? say('page.desk.next.not_here', { n: n - here }) : say('page.desk.next.all_here'),
    steps: [[say('page.desk.next.first_draw'), 'begin']],
  }),
  start: ({ round, is_play_off: isPlayOff, n }) => ({
    says: say(isPlayOff ? 'page.desk.next.drawn.play_off' : 'page.desk.next.drawn', { round, n }),
    steps: [[say('page.desk.start'), 'start']],
  }),
  enter: ({ round, n, table, since }, state) => ({
    says: say('page.desk.next.outstanding', { round: roundName(state, round), n }),
    more: say('page.desk.next.oldest', { table, since: waits(since) }),
    steps: [[say('page.desk.entry'), 'to-entry']],
  }),
  settle: ({ n }) => ({ says: say('page.desk.next.disputed', { n }), steps: [[say('page.desk.settle'), 'to-results']] }),
  draw: ({ round }) => ({
    says: round > 1 ? say('page.desk.next.complete', { round: round - 1 }) : say('page.desk.next.begun'),
    steps: [[say('page.desk.draw', { round }), 'draw']],
  }),
  end_play: () => ({ says: say('page.desk.next.all_played'), more: say('page.desk.next.all_played.then'), steps: [[say('page.desk.end_play'), 'end-play']] }),
  check: ({ n }) => ({ says: say('page.desk.next.unchecked', { n }), steps: [[say('page.desk.pass'), 'to-pass']] }),
  play_off: ({ place, entrants }, state) => ({
    says: say('page.desk.next.level', { place, names: entrants.map((number) => entrantName(state, number)).join(', ') }),
    steps: [[say('page.desk.play_off'), 'draw'], [say('page.desk.medals'), 'to-medals']],
  }),
  rank: () => ({ says: say('page.desk.next.nobody_ranked'), steps: [[say('page.desk.standings'), 'to-standings']] }),
  open: ({ is_sealed: isSealed }) => ({
    says: isSealed ? say('page.desk.next.open') : say('page.desk.next.medals'), steps: [[say('page.desk.medals'), 'to-medals']],
  }),
  over: () => ({ says: say('page.desk.next.over'), more: say('page.desk.next.over.then'), steps: [[say('page.desk.standings'), 'to-standings'], [say('page.desk.begin'), 'to-competition']] }),
};

/** The next step in words, with its acts, the obvious one first. */
export function due(state) {
  if (state.competition === null) return { says: say(state.damaged ? 'page.desk.next.damaged' : 'page.desk.next.none'), more: state.damaged?.text[language()], steps: [] };
  return SHOWN[state.next_step.step](state.next_step, state);
}
