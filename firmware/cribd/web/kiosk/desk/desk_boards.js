// The boards of the club: where each stands and how it is, and what the desk can do with it.

import { small } from './cards.js';
import { inTurn } from './desk_acts.js';
import { act, fill, listen } from './desk_lists.js';
import { DeskPart } from './desk_part.js';
import { entrantName, placeName, tableOf, waits } from './desk_state.js';
import { drawn, node, seen } from './nodes.js';
import { follow } from './stream.js';
import { language, say } from './words.js';

const MOST_OFFERED = 24; // tables, each with a button
const LONGEST_WORD = 60; // where no club runs

const scoresOf = ({ sides }) => sides.map(({ score }) => score).join('–');
const titleOf = ({ name }) => name || say('page.desk.boards.nameless');

export class Boards extends DeskPart {
  /** Calls `changed(hasNewRecords)` with each change of the boards, `gone()` when the hub is away, and `showAnswer(answer)` with what became of
   *  an act that no form shows. */
  constructor(place, desk, sheet, { gone, showAnswer, changed }) {
    super(desk, sheet);
    this.place = place;
    this.gone = gone;
    this.showAnswer = showAnswer;
    this.changed = changed;
    /** @type {any} */
    this.club = { boards: [], joining: [], by_slips: [], taken: [], records: [], late: [], disputed: [], rehearsal: null, longest_word: 0 };
    /** @type {(() => void) | null} */
    this.end = null;
    /** @type {(() => void) | null} */
    this.endOwn = null;
    /** @type {TableSnapshot | null} */
    this.own = null;
    /** @type {number | null} */
    this.ownTable = null;
    listen(place, {
      rehearse: () => this.send('rehearse', { running: true }),
      quiet: () => this.send('rehearse', { running: false }),
      accept: ({ board }) => this.send('join', { board, accept: true }),
      refuse: ({ board }) => this.send('join', { board, accept: false }),
      seat: ({ board }) => this.seat(this.board(board)),
      more: ({ board }) => this.more(this.board(board)),
    });
  }

  follow() {
    this.end = follow('/desk/boards/events', {
      gone: this.gone,
      receive: (club) => {
        const hasNewRecords = JSON.stringify(club.records) !== JSON.stringify(this.club.records);
        this.club = club;
        this.changed(hasNewRecords);
      },
    });
  }

  stop() {
    this.end?.();
    this.end = null;
  }

  board(id) {
    return this.club.boards.find((board) => board.id === id);
  }

  /** The board that stands at a table. */
  at(table) {
    return this.club.boards.find((board) => table && board.table === table);
  }

  /** The board at which an official is called for a table: the desk may have given it another place since its game began. */
  callsAt(table) {
    return this.club.boards.find(({ calls, plays }) => calls.length && plays === table) ?? this.at(table);
  }

  /** Follow the game of this machine's own board, which stands at this table; none ends that. */
  followOwn(table) {
    if (table === this.ownTable) return;
    this.endOwn?.();
    this.own = null;
    this.ownTable = table;
    this.endOwn = table ? follow('/table/events', { gone() {}, receive: (/** @type {TableSnapshot} */ shown) => {
      this.own = shown;
      this.changed();
    } }) : null;
  }

  /** The position of the game at a table; nothing where none is shown, as of a sealed game. */
  position(table) {
    const game = this.callsAt(table)?.game;
    if (game) return position(game, game.laid, game.text[language()] ?? []);
    if (table !== this.ownTable || !this.own?.view) return null;
    const { ask: asks, said } = this.own.text[language()];
    return position(this.own.view, this.own.view.laid.map(({ card }) => card), [asks, ...said]);
  }

  /** What is known of the record of a game that a board has handed in, in words; nothing of one that is sound, and of a wrong
   *  one only while its result is disputed. */
  record(round, table, game, isDisputed) {
    const wrong = this.wrongRecord(round, table, game);
    if (wrong) return isDisputed ? wrong : '';
    return this.records(round, table, game).some(({ found }) => !found) ? say('page.desk.record.waits') : '';
  }

  /** Why the record of a game does not bear its result out, in words; nothing of one that does, or is not known. */
  wrongRecord(round, table, game) {
    const wrong = this.records(round, table, game).find(({ found }) => found && found !== 'not_taken');
    return wrong ? say(`page.desk.record.${wrong.found}`) : '';
  }

  records(round, table, game) {
    return this.club.records.filter((record) => record.round === round && record.table === table && record.game === game);
  }

  /** Whether a board has handed in a result of this game that was not entered. */
  isNotTaken(round, table, game) {
    return this.records(round, table, game).some(({ found }) => found === 'not_taken');
  }

  /** The results that boards have handed in too late, in words, each with its id, its place and whether the game has a result. */
  late() {
    const { phase } = this.state;
    return (phase ? this.club.late : []).map(({ id, name, round, table, game, scores: [first, second], counts, unseated }) => {
      const at = { round, table, game };
      if (unseated.length) {
        const [one, other] = unseated.map((entrant) => entrantName(this.state, entrant) || entrant);
        const values = { at: placeName(this.state, at), game, name: titleOf({ name }), one, other, first, second };
        return { id, at, result: undefined, words: say('page.desk.unseated', values) };
      }
      const result = tableOf(this.state, round, table)?.results[game - 1];
      const now = counts ? 'stands' : result ? 'disputed' : phase === 'open' ? 'open' : 'slip';
      const words = say('page.desk.late', { at: placeName(this.state, at), game, name: titleOf({ name }), first, second });
      return { id, at, result, words: `${words} ${say(`page.desk.late.${now}`, { first: counts?.[0], second: counts?.[1] })}` };
    });
  }

  // What is shown

  render() {
    const { boards, by_slips: bySlips } = this.club;
    const online = boards.filter(({ is_online: is }) => is).length;
    const sorted = [...boards].sort((one, other) => (one.table ?? Infinity) - (other.table ?? Infinity) || one.name.localeCompare(other.name));
    fill(this.place,
      this.club.joining.map((board) => this.joins(board)),
      node('div', { class: 'box', 'data-key': 'rehearsal' },
        node('h2', {}, say('page.desk.boards'), boards.length ? node('span', { class: 'badge' }, say('page.desk.boards.online', { online, n: boards.length })) : null),
        boards.length ? null : node('p', { class: 'note' }, say('page.desk.boards.none')),
        this.warnings(),
        bySlips.length ? node('p', {}, say('page.desk.boards.by_slips', { tables: bySlips.join(', ') })) : null,
        boards.length ? this.rehearsal() : null),
      boards.length ? this.list(sorted) : null);
  }

  list(boards) {
    const before = this.place.querySelector('#boards-list');
    const list = before ?? node('ul', { id: 'boards-list', class: 'rows', 'data-key': 'list' });
    fill(list, boards.map((board) => this.row(board)));
    return list;
  }

  /** That a board wants to join, in words. */
  joinsInWords({ name, table }) {
    const who = titleOf({ name });
    return table ? say('page.desk.boards.joins.at', { name: who, table }) : say('page.desk.boards.joins', { name: who });
  }

  joins({ id, words, name, table, is_confirmed: isConfirmed }) {
    return node('div', { class: 'box joins', 'data-key': `joins ${id}` },
      node('h2', {}, this.joinsInWords({ name, table })),
      node('p', {}, say('page.desk.boards.joins.how')),
      node('p', {}, node('b', {}, words.join(' · '))),
      isConfirmed ? null : node('p', { class: 'note' }, say('page.desk.boards.joins.waits')),
      node('p', { class: 'keys' }, act('refuse', say('page.desk.boards.joins.no'), { board: id }, 'wide'), act('accept', say('page.desk.boards.joins.yes'), { board: id }, 'wide first')));
  }

  warnings() {
    const taken = this.club.taken.map(({ name, round, table, game, fate }) => node('p', { class: fate === 'ends' ? 'note' : 'warning' },
      say(`page.desk.boards.taken.${fate}`, { name: titleOf({ name }), round, table, game })));
    return [...taken, ...this.club.disputed.map((table) => {
      const names = this.club.boards.filter((board) => table === board.table || table === board.shows).map(titleOf).join(', ');
      return node('p', { class: 'warning' }, say('page.desk.boards.disputed', { table, names }));
    })];
  }

  rehearsal() {
    const { boards, rehearsal } = this.club;
    if (!rehearsal) return [node('p', { class: 'note' }, say('page.desk.boards.rehearse.how')), node('p', { class: 'keys' }, act('rehearse', say('page.desk.boards.rehearse'), {}, 'wide'))];
    const left = boards.filter(({ has_answered: has }) => !has).map(titleOf);
    const done = boards.length - left.length;
    return [
      node('p', { role: 'status' }, [say('page.desk.boards.rehearsal', { since: waits(rehearsal), done, n: boards.length }), left.length ? say('page.desk.boards.rehearsal.left', { names: left.join(', ') }) : ''].join(' ')),
      node('p', { class: 'keys' }, act('quiet', say('page.desk.boards.rehearse.end'), {}, 'wide first')),
    ];
  }

  row(board) {
    const { id, table, shows, game, word } = board;
    const name = titleOf(board);
    const plays = game ? say('page.desk.boards.plays', { names: game.names.join(' – '), game: game.game, scores: scoresOf(game) }) : '';
    const lines = [plays, word ? say('page.desk.boards.says', { word }) : '', shows && shows !== table ? say('page.desk.boards.shows', { table: shows }) : ''];
    return node('li', { 'data-key': id, 'data-state': board.is_online ? 'online' : 'away' },
      node('span', { class: 'number' }, table ? [node('span', { class: 'unseen' }, `${say('page.desk.table')} `), String(table)] : seen('span', {}, '–')),
      node('span', { class: 'who' }, node('b', {}, name), lines.filter(Boolean).map((line) => node('small', {}, line))),
      node('span', { class: 'badges' }, this.health(board).map(([is, words]) => node('span', { class: 'badge', 'data-is': is }, words))),
      act('seat', node('span', {}, say('page.desk.boards.seat'), node('span', { class: 'unseen' }, ` ${name}`), '…'), { board: id }, table ? 'tool' : 'tool first'),
      act('more', node('span', {}, node('span', { 'aria-hidden': 'true' }, '⋯'), node('span', { class: 'unseen' }, say('page.desk.more', { name }))), { board: id }, 'tool dots'));
  }

  /** What is to be known of a board: `bad` must be seen to, `wait` passes by itself. */
  health(board) {
    const { is_online: isOnline, since, backlog, faults } = board;
    return [
      isOnline ? ['present', say('page.desk.boards.is_online', { since: waits(since) })] : ['bad', since ? say('page.desk.boards.is_away', { since: waits(since) }) : say('page.desk.boards.is_unheard')],
      board.has_copy ? ['bad', say('page.desk.boards.copied')] : null,
      this.club.rehearsal && board.has_answered ? ['present', say('page.desk.boards.answered')] : null,
      board.is_paused ? ['wait', say('page.desk.boards.paused')] : null,
      backlog ? ['wait', say('page.desk.boards.backlog', { n: backlog })] : null,
      ...faults.map((text) => ['bad', text[language()]]),
      release(board),
      since ? [null, say(board.reader ? 'page.desk.boards.reader' : 'page.desk.boards.no_reader')] : null,
    ].filter((shown) => shown !== null);
  }

  // What is done

  send(name, request) {
    return this.post(name, request).then(this.showAnswer);
  }

  post(name, request) {
    return this.desk.post(`/desk/boards/${name}`, request);
  }

  seat(board) {
    const { id, table } = board;
    const tables = Array.from({ length: this.state.table_count ?? 0 }, (_, at) => at + 1);
    const free = tables.filter((number) => !this.at(number) && !this.club.by_slips.includes(number)).slice(0, MOST_OFFERED);
    this.sheet.open({
      title: say('page.desk.boards.seat.of', { name: titleOf(board) }),
      about: [node('p', { class: 'note' }, say('page.desk.boards.seat.how'))],
      fields: [{ name: 'table', label: say('page.desk.table'), kind: 'number', value: table ?? '', optional: true, first: true, ready: free.map(String) }],
      watch: (values) => {
        const there = this.at(values.table);
        if (there && there.id !== id) return say('page.desk.boards.seat.taken', { name: titleOf(there) });
        const plays = this.club.boards.find((other) => other.plays === values.table && other.id !== id);
        return values.table && plays ? say('page.desk.boards.seat.plays', { name: titleOf(plays) }) : '';
      },
      yes: say('page.desk.save'),
      act: (values) => this.post('seat', { board: id, table: values.table === '' ? null : values.table }),
    });
  }

  more(board) {
    const { table } = board;
    const kinds = [
      table ? ['pause', say(board.is_paused ? 'page.desk.boards.go_on' : 'page.desk.boards.pause', { table })] : null,
      ['say', `${say('page.desk.boards.say')}…`],
      table || board.plays ? ['swap', `${say('page.desk.boards.swap')}…`] : null,
      table && !this.club.by_slips.includes(table) ? ['slips', `${say('page.desk.boards.slips', { table })}…`] : null,
      board.is_hub ? null : ['remove', `${say('page.desk.boards.remove')}…`],
    ].filter((kind) => kind !== null);
    const menu = node('ul', { class: 'menu' }, kinds.map(([kind, words]) => node('li', {}, act(kind, words, {}, 'wide'))));
    listen(menu, Object.fromEntries(kinds.map(([kind]) => [kind, () => this.about(kind, board)])));
    this.sheet.open({ title: titleOf(board), about: [menu, board.is_hub ? node('p', { class: 'note' }, say('page.desk.boards.remove.hub')) : null] });
    menu.querySelector('button').focus();
  }

  about(kind, { id, table, name, word, is_paused: isPaused, is_online: isOnline, ends_games: endsGames }) {
    const isBusy = (board) => Number(Boolean(board.table || board.plays || !board.is_online));
    const others = this.club.boards.filter((board) => board.id !== id).sort((one, other) => isBusy(one) - isBusy(other)).map((board) => [board.id, board.table ? `${titleOf(board)} (${board.table})` : titleOf(board)]);
    const title = (words) => `${name || say('page.desk.boards.nameless')} · ${words}`;
    const note = (code) => [node('p', { class: 'note' }, say(code))];
    const asks = {
      say: () => ({
        title: title(say('page.desk.boards.say')), about: note('page.desk.boards.say.how'), yes: say('page.desk.save'),
        fields: [{ name: 'text', label: say('page.desk.boards.say'), value: word, most: this.club.longest_word, first: true }],
        act: ({ text }) => this.post('say', { board: id, text }),
      }),
      swap: () => (others.length ? {
        title: title(say('page.desk.boards.swap')), yes: say('page.desk.boards.swap'),
        fields: [
          { name: 'new', label: say('page.desk.boards.swap.with'), kind: 'choice', options: others, value: others[0][0], first: true },
          { name: 'game', label: say('page.desk.boards.swap.game'), kind: 'choice', value: 'slip', options: ['slip', 'ends', ...(isOnline ? [] : ['anew'])].map((game) => [game, say(`page.desk.boards.swap.${game}`)]) },
        ],
        watch: (values) => {
          if (values.game !== 'ends') return say(`page.desk.boards.swap.${values.game}.how`);
          if (!isOnline) return say('page.desk.boards.swap.away');
          return endsGames ? say('page.desk.boards.swap.ends.how') : say('page.desk.boards.swap.by_hand');
        },
        act: (values) => this.post('swap', { old: id, new: values.new, game: values.game }),
      } : { title: title(say('page.desk.boards.swap')), about: note('page.desk.boards.swap.none') }),
      slips: () => ({ title: title(say('page.desk.boards.slips', { table })), about: note('page.desk.boards.slips.how'), yes: say('page.desk.boards.slips', { table }), act: () => this.post('slips', { table }) }),
      remove: () => ({ title: title(say('page.desk.boards.remove')), about: note('page.desk.boards.remove.how'), yes: say('page.desk.boards.remove'), act: () => this.post('remove', { board: id }) }),
    };
    if (kind === 'pause') {
      this.sheet.dialog.close();
      return this.send('pause', { table, paused: !isPaused });
    }
    return this.sheet.open(asks[kind]());
  }

  /** Show a late result no more. */
  dismiss(late) {
    const title = say('page.desk.late.dismiss');
    this.sheet.open({ title, about: [node('p', { class: 'note' }, say('page.desk.late.dismiss.how'))], yes: title, act: () => this.post('dismiss', { late }) });
  }

  /** The answer to a call for an official, in words that the board at this table shows. It may be this machine's own. */
  rule(entrant, table) {
    const board = this.callsAt(table);
    const send = (text) => (board ? this.post('say', { board: board.id, text }) : this.desk.post('/desk/board/say', { text }));
    this.sheet.open({
      title: say('page.desk.boards.ruling'), about: [node('p', { class: 'note' }, say('page.desk.boards.ruling.how'))], yes: say('page.desk.save'),
      fields: [{ name: 'text', label: say('page.desk.boards.say'), most: this.club.longest_word || LONGEST_WORD, first: true }],
      act: ({ text }) => inTurn(() => send(text), () => this.desk.do({ do: 'answer_call', entrant })),
    });
  }
}

/** The scores, what the board asks, the latest act, and the cards on the table. */
function position({ deal, sides, count, starter }, laid, lines) {
  const cards = (some) => node('span', { class: 'chips' }, some.flatMap((card) => drawn(small(card))));
  return node('small', { class: 'position' }, [say('page.desk.boards.position', { deal, scores: scoresOf({ sides }) }), ...lines].join(' · '),
    laid.length ? [' · ', cards(laid), count === null ? null : ` = ${count}`] : null,
    starter ? [` · ${say('page.table.starter')} `, cards([starter])] : null);
}

/** The version of a board, beside that of the hub; nothing before it was heard. */
function release({ release: version, ahead }) {
  if (ahead === null) return null;
  if (ahead > 0) return ['bad', say('page.desk.boards.newer', { release: version })];
  if (ahead < -1) return ['bad', say('page.desk.boards.too_old', { release: version })];
  return [null, say(ahead ? 'page.desk.boards.older' : 'page.desk.boards.release', { release: version })];
}
