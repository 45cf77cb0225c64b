// Slips in a row: table, score, score, Enter. The winner's score completes itself. What was typed goes to the board at
// once; the list below says what becomes of it.

import { SlipRow } from './desk_slip_row.js';
import { SlipQueue } from './desk_slip_queue.js';
import { disputes, isDecided, isLosing, isSkunk, entrantName, placeName, roundOf, tableOf } from './desk_state.js';
import { element } from './nodes.js';
import { say } from './words.js';

export class SlipForm extends SlipRow {
  /** Calls `correct(round, table, game, typed, then)` to open a result that is there already, with what is `typed` in place
   *  of it; `then()` follows when it was corrected. */
  constructor(form, desk, { correct }) {
    super(desk);
    this.form = form;
    this.correct = correct;
    this.table = element('#entry-table');
    this.broken = element('#entry-broken');
    this.competition = null; // the competition whose slips are entered
    this.at = null; // the round and table that is being entered, with its first game
    this.back = null; // a slip that the board has refused and that stands in the row
    this.slips = new SlipQueue(element('#entered'), desk, {
      mend: (slip) => this.mend(slip),
      refused: (slip) => this.isPristine() && this.mend(slip, this.table),
    });
    this.proposed = '';
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('keydown', (event) => this.handleKey(event));
    form.addEventListener('input', (event) => this.handleInput(event.target));
    const isNumber = ({ target }) => target.matches('input:not([type="checkbox"])');
    form.addEventListener('focusin', (event) => isNumber(event) && event.target.select());
    form.addEventListener('mousedown', (event) => { // else the browser takes the selection back when the button goes up
      if (!isNumber(event) || event.target.disabled) return;
      event.preventDefault();
      event.target.focus();
      event.target.select();
    });
    form.addEventListener('focusout', ({ target }) => this.complete(target));
    form.querySelector('button.first').addEventListener('click', ({ detail }) => detail < 2 && this.submit());
  }

  isPristine() {
    return this.table.value === this.proposed && !this.broken.checked && this.fields().every(({ value }) => !value);
  }

  /** Whether another table may be offered: nobody has begun with this one, and it waits no longer. */
  mayPropose() {
    const begun = !this.isPristine() || element('#entry-games').contains(document.activeElement);
    const pending = this.at && this.slips.openGames().find(({ round, table }) => round === this.at.round && table === this.at.table);
    return !begun && (!pending || pending.game !== this.at.game);
  }

  // The board

  render() {
    const { phase, outstanding } = this.state;
    this.form.hidden = phase !== 'play' && !(phase === 'played' && (outstanding.length || !this.slips.areAllKept()));
    if (this.competition !== this.state.competition) this.switchCompetition();
    if (this.at && !roundOf(this.state, this.at.round)) this.at = null; // the round was taken back
    if (this.mayPropose()) this.propose();
    else this.drawNames();
    this.slips.draw();
    this.slips.send();
  }

  /** Put what is typed aside while another competition is shown. */
  switchCompetition() {
    if (!this.isPristine()) this.park(this.competition);
    this.competition = this.state.competition;
    this.selectGame(null);
    this.proposed = '';
    this.showMessage('');
  }

  /** Offer a table: this one, or the next after the last slip. */
  propose(at = null) {
    const pending = this.slips.openGames();
    const { last } = this.slips;
    const after = last && pending.find(({ round, table }) => round === last.round && table >= last.table);
    this.selectGame(at ?? after ?? pending[0] ?? null);
    this.proposed = this.table.value;
    if (document.activeElement === this.table) this.table.select();
  }

  selectGame(at) {
    this.back = null;
    this.table.value = at ? at.table : '';
    this.broken.checked = false;
    this.drawGames(at);
  }

  /** Begin with a table that was tapped. */
  beginTable(at) {
    if (!this.isPristine()) this.park();
    this.propose(at);
    (this.fields()[0] ?? this.table).focus();
  }

  // What is typed

  handleInput(field) {
    this.showMessage('');
    if (field === this.table) this.redrawGames(this.typedGame());
    else delete field.dataset.made;
    for (const pair of this.pairs()) {
      if (pair.includes(field)) pair.filter((other) => other.dataset.made).forEach((other) => this.clear(other));
    }
    if (this.broken.checked) this.fields().filter(({ dataset }) => dataset.made).forEach((other) => this.clear(other));
    this.fitGameCount();
    this.preview();
  }

  /** The game that the number of the table means: one that is disputed or open, or a result that is there already. */
  typedGame() {
    const table = Number(this.table.value);
    if (!table) return null;
    const pending = this.slips.openGames().find((game) => game.table === table);
    const disputed = disputes(this.state).findLast((result) => result.table.table === table && (!pending || result.round.number === pending.round));
    if (disputed) return { round: disputed.round.number, table, game: disputed.game };
    const seated = tableOf(this.state, this.state.round, table);
    return pending ?? (seated && this.state.stage === 'started' ? { round: this.state.round, table, game: seated.results.length + 1 } : null);
  }

  /** Draw the fields of this table's games, and say who sits there. */
  drawGames(at) {
    this.at = at;
    const games = at ? Math.max(1, this.gamesLeft(at)) : 1;
    const isMatch = at && roundOf(this.state, at.round).match;
    element('#entry-games').replaceChildren(...Array.from({ length: isMatch ? 1 : games }, (_, index) => this.pair(index)));
    this.drawNames();
  }

  /** Draw the fields of another table; what is typed in them stays. */
  redrawGames(at) {
    const typed = this.fields().map(({ value, dataset }) => [value, dataset.made]);
    this.drawGames(at);
    this.fields().forEach((field, index) => {
      const [value, made] = typed[index] ?? [''];
      field.value = value;
      if (made) field.dataset.made = made;
    });
  }

  /** How many games may follow at this table. */
  gamesLeft({ round, game }) {
    return roundOf(this.state, round).most_games - game + 1;
  }

  /** Write who plays over the fields; what is typed in them stays. */
  drawNames() {
    const seated = this.at && tableOf(this.state, this.at.round, this.at.table);
    const names = seated ? seated.entrants.map((number) => entrantName(this.state, number)) : [say('page.desk.side.first'), say('page.desk.side.second')];
    const numbered = this.at && roundOf(this.state, this.at.round).most_games > 1;
    [...element('#entry-games').children].forEach((pair, index) => {
      const game = say('page.desk.game', { game: (this.at?.game ?? 1) + index });
      pair.setAttribute('aria-label', game);
      pair.querySelector('.game').textContent = numbered ? game : '';
      pair.querySelectorAll('label').forEach((label, side) => { label.textContent = names[side]; });
    });
    for (const field of this.fields()) field.disabled = !this.at && !this.table.value.trim();
    this.preview();
  }

  /** Fill in the winner of a game where one score is below the game hole. */
  complete(field) {
    if (this.broken.checked || !this.at) return;
    const pair = this.pairs().find((fields) => fields.includes(field));
    const other = pair?.find((one) => one !== field);
    const score = pair && this.score(field);
    const { target } = this.state.rules;
    if (!other || other.value || typeof score !== 'number' || !isLosing(this.state, score)) return;
    other.value = target;
    other.dataset.made = 'yes';
    this.fitGameCount();
    this.preview();
  }

  /** Show the fields of one more game until the match is decided. */
  fitGameCount() {
    if (!this.at) return;
    const round = roundOf(this.state, this.at.round);
    if (!round.match) return;
    const seated = tableOf(this.state, this.at.round, this.at.table);
    const pairs = this.pairs();
    const typed = this.scores().filter((pair) => pair.every((score) => typeof score === 'number'));
    const decided = this.broken.checked || isDecided(round, [...seated.results.slice(0, this.at.game - 1).map(({ scores }) => scores), ...typed]);
    const isFull = typed.length === pairs.length;
    if (decided && !isFull && pairs.length > 1 && pairs.at(-1)?.every(({ value }) => !value)) element('#entry-games').lastElementChild.remove();
    else if (!decided && isFull && pairs.length < this.gamesLeft(this.at)) element('#entry-games').append(this.pair(pairs.length));
    else return;
    this.drawNames();
  }

  preview() {
    const { target } = this.state.rules ?? {};
    for (const pair of this.pairs()) {
      const scores = pair.map((field) => this.score(field));
      pair.forEach((field, side) => {
        const ghost = !this.broken.checked && typeof scores[1 - side] === 'number' && isLosing(this.state, scores[1 - side]);
        field.placeholder = ghost && !field.value ? target : '';
        field.toggleAttribute('data-won', !this.broken.checked && scores[side] === target && scores[1 - side] !== target);
      });
    }
    this.drawLive();
  }

  /** Say which game is meant, unless the refusal says so. */
  drawLive() {
    const text = this.describe();
    element('#entry-live').textContent = text === element('#entry-message').textContent ? '' : text;
  }

  /** Say who plays, and whether there is a skunk. */
  describe() {
    if (!this.table.value.trim()) return this.state.outstanding?.length ? '' : say('page.desk.entry.none');
    if (!this.at) return say('page.desk.entry.no_table', { table: this.table.value, tables: this.tables() });
    const seated = tableOf(this.state, this.at.round, this.at.table);
    const where = placeName(this.state, this.at);
    const there = this.gameWithResult();
    if (there) {
      const shown = this.isDisputed() ? [seated.results[there - 1]] : seated.results;
      return [where, ...shown.map((result) => this.slips.inWords(seated, result)), say(this.isDisputed() ? 'page.desk.entry.disputed' : 'page.desk.entry.there')].join(' · ');
    }
    const skunk = this.scores().some((pair) => pair.some((score) => typeof score === 'number' && isSkunk(this.state, score))) && !this.broken.checked;
    return skunk ? `${where} · ${say('page.desk.skunk')}` : where;
  }

  tables() {
    return [...new Set(this.slips.openGames().map(({ table }) => table))].sort((a, b) => a - b).join(', ') || '—';
  }

  // Keys

  handleKey(event) {
    const { key, target } = event;
    if (!target.matches('#entry-row input') || event.ctrlKey || event.metaKey || event.altKey) return;
    const text = target.matches('[type="checkbox"]') ? '' : target.value;
    const acts = {
      Enter: () => this.handleEnter(target),
      Escape: () => this.clearRow(),
      '*': () => this.breakOff(),
      ' ': target === this.broken ? null : () => this.focusNeighbour(target, 1),
      ArrowUp: target === this.table ? () => this.browse(-1) : null,
      ArrowDown: target === this.table ? () => this.browse(1) : null,
      ArrowRight: target.selectionEnd === text.length ? () => this.focusNeighbour(target, 1) : null,
      ...Object.fromEntries(['+', '-', '/', '.', ','].map((sign) => [sign, () => this.focusNeighbour(target, 1)])), // a number pad has no space bar
      ArrowLeft: target.selectionStart === 0 ? () => this.focusNeighbour(target, -1) : null,
    };
    if (!acts[key]) return;
    event.preventDefault();
    acts[key]();
  }

  focusNeighbour(field, by) {
    const all = [this.table, ...this.fields().filter(({ disabled }) => !disabled)];
    all[all.indexOf(field) + by]?.focus();
  }

  breakOff() {
    this.broken.checked = !this.broken.checked;
    this.handleInput(this.broken);
  }

  /** Empty the row. */
  clearRow() {
    this.showMessage('');
    this.fields().forEach((field) => { field.value = ''; });
    this.propose();
    this.table.focus();
    this.table.select();
  }

  /** Offer the open table before or after this one. */
  browse(by) {
    const pending = this.slips.openGames();
    const at = pending.findIndex(({ round, table }) => round === this.at?.round && table === this.at?.table);
    if (pending.length) this.propose(pending[(at + by + pending.length) % pending.length]);
  }

  /** On Enter, go to the next empty field, and send when none is left. */
  handleEnter(field) {
    if (field === this.table) {
      if (this.gameWithResult()) this.reopen();
      else if (this.at) this.fields()[0].focus();
      else this.refuse(this.table, this.describe());
      return;
    }
    if (!this.at || (field.value.trim() && field !== this.broken && typeof this.score(field) !== 'number')) {
      this.submit();
      return;
    }
    this.complete(field);
    const fields = this.fields();
    const at = fields.indexOf(field);
    if (this.gameWithResult() && at >= 0 && fields.slice(at - (at % 2), at - (at % 2) + 2).every(({ value }) => value)) {
      this.reopen();
      return;
    }
    const isEmptyGame = at > 1 && at % 2 === 0 && !field.value && !fields[at + 1].value;
    const missing = isEmptyGame || at < 0 ? null : fields.slice(at - (at % 2)).find(({ value }) => !value);
    if (missing && missing !== field) missing.focus();
    else if (missing && fields[at + 1]) fields[at + 1].focus();
    else this.submit();
  }

  /** The game of the result that a slip of this table meets: one that is disputed, or the last where all are there; 0 if
   *  there is none. */
  gameWithResult() {
    const seated = this.at && tableOf(this.state, this.at.round, this.at.table);
    if (!seated) return 0;
    if (this.isDisputed()) return this.at.game;
    return seated.is_over && this.at.game > seated.results.length ? seated.results.length : 0;
  }

  isDisputed() {
    return tableOf(this.state, this.at.round, this.at.table)?.results[this.at.game - 1]?.state === 'disputed';
  }

  /** Open the result that is there. The games after it stay in the row. */
  reopen() {
    const { round, table } = this.at;
    const game = this.gameWithResult();
    const [scores, ...rest] = this.scores();
    const broken = this.broken.checked;
    this.correct(round, table, game, { scores, broken: broken && !rest.length }, () => {
      this.clearRow();
      if (rest.length) this.fillIn({ at: { round, table, game: game + 1 }, scores: rest, broken });
    });
  }

  /** Send what is typed. What cannot be right stays in the row. */
  submit() {
    const scores = this.scores();
    const { target } = this.state.rules;
    if (!this.at) return this.refuse(this.table, this.describe());
    const wrong = this.fields().find((field) => field.value.trim() && typeof this.score(field) !== 'number');
    if (wrong) return this.refuse(wrong, say('page.desk.entry.number', { value: wrong.value.trim(), target }));
    if (this.gameWithResult()) return this.reopen();
    const missing = this.pairs().find((pair) => pair.some(({ value }) => value) && !pair.every(({ value }) => value))?.find(({ value }) => !value);
    if (missing || !scores.length) return this.refuse(missing ?? this.fields()[0], say('page.desk.entry.missing', { target }));
    this.slips.add({ at: this.at, scores, broken: this.broken.checked });
    const { back, at } = this;
    const isOther = back && back.at.table !== at.table && String(back.scores) !== String(scores);
    if (isOther) this.slips.add({ ...back, state: 'refused' }); // the next slip was typed over it
    this.fields().forEach((field) => this.clear(field));
    this.propose();
    this.table.focus();
    this.slips.draw();
    this.slips.send();
    return undefined;
  }

  refuse(field, text) {
    this.showMessage(text);
    field.focus();
    field.select();
  }

  showMessage(text) {
    if (element('#entry-message').textContent !== text) element('#entry-message').textContent = text;
    this.drawLive();
  }

  // Slips in the list

  /** Put a slip back into the row. The focus goes to a field: to the table's where the next slip may be on its way. */
  mend(slip, field = null) {
    if (!slip) return;
    if (!this.isPristine()) this.park();
    this.slips.remove(slip);
    this.fillIn({ ...slip, ...this.slips.left(slip) });
    this.back = slip;
    this.showMessage(slip.text);
    (field ?? this.fields()[0]).focus();
    (field ?? this.fields()[0]).select();
    this.slips.draw();
  }

  fillIn({ at, scores, broken }) {
    this.selectGame(at);
    scores.forEach((pair, index) => {
      if (!this.pairs()[index]) element('#entry-games').append(this.pair(index));
      this.pairs()[index].forEach((field, side) => { field.value = pair[side] ?? ''; });
    });
    this.broken.checked = broken;
    this.drawNames();
  }

  /** Put what is typed aside, because another table comes first. */
  park(competition = this.state.competition) {
    const scores = this.scores();
    if (this.at && scores.length) this.slips.add({ competition, at: this.at, scores, broken: this.broken.checked, state: 'parked', text: say('page.desk.entry.parked') });
    this.fields().forEach((field) => this.clear(field));
    this.slips.draw();
  }
}
