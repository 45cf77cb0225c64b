// What the organiser does next: one sentence, and one button for it.

import { isOn, nameOf, present, roundName, waits } from './desk_state.js';
import { language, say } from './words.js';

/** Returns `says`, perhaps `more`, and `steps`: pairs of words and the name of an act, the obvious one first. */
export function due(state) {
  if (state.competition === null) return { says: say(state.damaged ? 'page.desk.next.damaged' : 'page.desk.next.none'), more: state.damaged?.text[language()], steps: [] };
  if (state.paused) return { says: say('page.desk.next.paused', { reason: state.paused }), steps: [[say('page.desk.resume'), 'resume']] };
  return { registration, play, played, open: opened }[state.phase](state);
}

function registration(state) {
  const [n, here] = [state.entrants.length, present(state).length];
  if (!n) return { says: say('page.desk.next.nobody'), steps: [[say('page.desk.register'), 'to-entrants']] };
  if (here < 2) return { says: say('page.desk.next.arrive', { n }), steps: [[say('page.desk.check_in'), 'to-entrants']] };
  const away = n - here;
  return {
    says: say('page.desk.next.registered', { n, here }),
    more: away ? say('page.desk.next.not_here', { n: away }) : say('page.desk.next.all_here'),
    steps: [[say('page.desk.next.first_draw'), 'begin']],
  };
}

function play(state) {
  const running = round(state);
  if (running) return running;
  if (state.rounds_left) {
    const says = state.round ? say('page.desk.next.complete', { round: state.round }) : say('page.desk.next.begun');
    return { says, steps: [[say('page.desk.draw', { round: state.round + 1 }), 'draw']] };
  }
  return { says: say('page.desk.next.all_played'), more: say('page.desk.next.all_played.then'), steps: [[say('page.desk.end_play'), 'end-play']] };
}

/** What is due of the round that was drawn last; nothing when all of its results are there. */
function round(state) {
  const { round: number, stage, tables } = state;
  if (stage === 'drawn') return { says: say(state.play_off ? 'page.desk.next.drawn.play_off' : 'page.desk.next.drawn', { round: number, n: tables.length }), steps: [[say('page.desk.start'), 'start']] };
  const disputed = tables.filter(({ results }) => results.some((result) => result.state === 'disputed'));
  const waiting = new Set(state.outstanding.map((at) => `${at.round}/${at.table}`)).size;
  if (!waiting && !disputed.length) return null;
  if (!waiting) return { says: say('page.desk.next.disputed', { n: disputed.length }), steps: [[say('page.desk.settle'), 'to-results']] };
  const oldest = [...state.outstanding].sort((a, b) => a.since.localeCompare(b.since))[0];
  const more = say('page.desk.next.oldest', { table: oldest.table, since: waits(oldest.since) });
  return { says: say('page.desk.next.outstanding', { round: roundName(state, number), n: waiting }), more, steps: [[say('page.desk.entry'), 'to-entry']] };
}

function played(state) {
  const running = state.stage === 'drawn' || state.outstanding.length ? round(state) : null;
  if (running) return running;
  const left = (code) => state.obstacles.filter((obstacle) => obstacle.code === code).length;
  if (left('disputed')) return { says: say('page.desk.next.disputed', { n: left('disputed') }), steps: [[say('page.desk.settle'), 'to-results']] };
  if (left('not_checked')) {
    return { says: say('page.desk.next.unchecked', { n: left('not_checked') }), steps: [[say('page.desk.pass'), 'to-pass']] };
  }
  if (state.level.length && state.values.level_medals === 'play_off') {
    const { place, entrants } = state.level[0];
    return {
      says: say('page.desk.next.level', { place, names: entrants.map((number) => nameOf(state, number)).join(', ') }),
      steps: [[say('page.desk.play_off'), 'draw'], [say('page.desk.medals'), 'to-medals']],
    };
  }
  if (state.next_place === null) return { says: say('page.desk.next.nobody_ranked'), steps: [[say('page.desk.standings'), 'to-standings']] };
  const says = isOn(state.values.sealed) ? say('page.desk.next.open') : say('page.desk.next.medals');
  return { says, steps: [[say('page.desk.medals'), 'to-medals']] };
}

function opened() {
  return { says: say('page.desk.next.over'), more: say('page.desk.next.over.then'), steps: [[say('page.desk.standings'), 'to-standings'], [say('page.desk.begin'), 'to-event']] };
}
