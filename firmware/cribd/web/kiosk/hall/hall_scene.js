// What the hall's screen shows: the scene, its title, and what follows from a snapshot of the competition.

import { say, tag } from './words.js';

/** The scene: `none`, `before`, `drawn`, `round`, `pause`, `played`, `medals` or `after`. */
export function sceneOf({ competition, phase, opened, paused, stage, outstanding }) {
  if (competition === null) return 'none';
  if (phase === 'registration') return 'before';
  if (phase === 'open') return 'after';
  if (opened.length) return 'medals';
  if (paused) return 'pause';
  if (stage === 'drawn') return 'drawn';
  return phase === 'played' && !outstanding.length ? 'played' : 'round';
}

/** The title of the scene. @param {HallSnapshot} snapshot */
export function titleOf(snapshot) {
  const scene = sceneOf(snapshot);
  if (scene !== 'drawn' && scene !== 'round') return say(`page.hall.title.${scene}`);
  if (snapshot.phase === 'played' && !snapshot.play_off) return say('page.hall.title.last');
  if (snapshot.play_off) return say('page.hall.title.play_off');
  return snapshot.round ? say('page.hall.title.of_round', { round: snapshot.round }) : say('page.hall.title.begun');
}

/** A list with "and": 3, 7 and 12. */
export const listed = (things) => new Intl.ListFormat(tag(), { type: 'conjunction' }).format(things.map(String));

/** The name of an entrant by its number. */
export const entrantName = ({ entrants }, number) => entrants[number - 1].name;

/** The players of an entrant, where it is a team. */
export const playersOf = ({ entrants }, number) => {
  const { players } = entrants[number - 1];
  return players.length > 1 ? players : [];
};

/** Whether an entrant is in the room. */
export const isPresent = ({ status }) => status === 'present';

/** The rounds that the hall can still see tables of, before the current one: `outstanding` of those. */
export const overdue = ({ outstanding, round }) => outstanding.filter((game) => game.round < round);

const NO_COLUMN = ['lasted', 'head_to_head']; // no number to be read, and one of two entrants alone

/** What is ranked by, in order, of what everybody has. */
export const criteria = ({ values }) => values.ranking.split('+').filter((criterion) => !NO_COLUMN.includes(criterion));
