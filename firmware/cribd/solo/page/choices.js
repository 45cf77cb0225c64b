// What is played alone: one button that deals at once, and a small sheet with rules, who counts, and how strong the robot is.

import { language, say } from '/page/words.js';

const KEPT = 'cribboard.solo';
const USUAL = { way: 'verify', strength: 'medium', coach: true };

export class Choices {
  /** `act` sends what was chosen. */
  constructor(act) {
    this.act = act;
    this.offered = null;
    this.asked = null;
    this.left = false; // whether a game was left that can be taken up again
    document.querySelector('h1').insertAdjacentHTML('afterend', `<div id="alone"><button type="button" class="tool first" data-do="play"></button>
      <button type="button" class="tool" data-do="watch"></button>
      <button type="button" class="tool" data-do="choose" aria-expanded="false" aria-controls="choices">⋯</button><p class="refused" role="alert"></p></div>
      <section id="choices" hidden></section>`);
    this.place = document.querySelector('#alone');
    this.said = this.place.querySelector('.refused'); // why a game does not begin
    this.sheet = document.querySelector('#choices');
    for (const part of [this.place, this.sheet]) {
      // Ignore the second click of a double click.
      part.addEventListener('click', (event) => event.detail < 2 && this.tapped(event.target.closest('[data-do]')?.dataset.do));
    }
    this.sheet.addEventListener('change', (event) => this.changed(event.target));
    document.addEventListener('keydown', (event) => event.key === 'Escape' && !this.sheet.hidden && this.close());
  }

  async tapped(what) {
    if (what === 'play') this.start({ person: true });
    else if (what === 'watch') this.watch();
    else if (what === 'choose') this.sheet.hidden ? await this.open() : this.close();
    else if (what === 'anew') this.start({ ...this.asked, breaks_off: true });
    else if (what === 'take_up') this.takeUp();
    else if (what === 'close') this.close();
  }

  /** Robots play here, and the scoreboard shows it in another window. */
  watch() {
    window.open('/', 'cribboard-scoreboard');
    this.start({ person: false });
  }

  takeUp() {
    this.close();
    this.act({ do: 'take_up' });
  }

  async start(more) {
    await this.fetchChoices();
    const { rules, options, way, strength } = this.lastChoice();
    this.close();
    this.place.classList.add('busy');
    await this.act({ do: 'start', rules, options, way, strength, ...more });
    this.place.classList.remove('busy');
  }

  /** Ask whether an unfinished game may be left for another. */
  confirm(asked) {
    this.asked = asked;
    const takeUp = this.left ? `<button type="button" class="tool first" data-do="take_up">${say('page.solo.take_up')}</button>` : '';
    this.sheet.innerHTML = `<p>${say('page.solo.unfinished')}</p>${takeUp}
      <button type="button" class="tool ${this.left ? '' : 'first'}" data-do="anew">${say('page.solo.anew')}</button>
      <button type="button" class="tool" data-do="close">${say(this.left ? 'page.help.close' : 'page.solo.keep')}</button>`;
    this.show(true);
    this.sheet.querySelector('button').focus();
  }

  async open() {
    await this.fetchChoices();
    const { rules, way, strength, coach } = this.lastChoice();
    const { rules: all, ways, strengths } = this.offered;
    this.sheet.innerHTML = `<label>${say('page.solo.rules')}<select name="rules"></select></label><div class="explained"></div>
      ${radios('way', say('page.solo.way'), 'page.solo.ways.', ways, way)}${radios('strength', say('page.solo.robot'), 'page.solo.strengths.', strengths, strength)}
      <label class="tick"><input type="checkbox" name="coach" ${coach ? 'checked' : ''}> ${say('page.solo.coach_wanted')}</label>
      <p class="ends"><button type="button" class="tool first" data-do="play">${say('page.solo.start')}</button>
      <button type="button" class="tool" data-do="watch">${say('page.solo.watch')}</button></p>`;
    const titles = this.sheet.querySelector('select');
    titles.append(...all.map((set) => new Option(set.name[language()], set.label, false, set.label === rules)));
    this.explain();
    this.show(true);
    titles.focus();
  }

  /** What the chosen rules are, and the options that they have. */
  explain() {
    const { rules, options } = this.lastChoice();
    const place = this.sheet.querySelector('.explained');
    const ticks = this.offering(rules).options.map(({ key, name, excludes }) => `<label><input type="checkbox" name="option"
      value="${key}" data-excludes="${excludes.join(' ')}" ${options.includes(key) ? 'checked' : ''}> ${name[language()]}</label>`);
    place.dataset.rules = rules;
    place.innerHTML = `<p>${this.offering(rules).says[language()] ?? ''}</p>`
      + (ticks.length ? `<fieldset><legend>${say('page.solo.options')}</legend>${ticks.join('')}</fieldset>` : '');
  }

  offering(label) {
    return this.offered.rules.find((set) => set.label === label);
  }

  changed(input) {
    if (input.checked && input.dataset.excludes) {
      for (const key of input.dataset.excludes.split(' ')) this.sheet.querySelector(`[value="${key}"]`).checked = false;
    }
    this.keep();
    if (input.name === 'rules') this.explain();
  }

  close() {
    const had = this.sheet.contains(document.activeElement);
    this.show(false);
    if (had) this.place.querySelector('[data-do="choose"]').focus();
  }

  show(wide) {
    if (!wide) this.asked = null;
    this.sheet.hidden = !wide;
    this.place.querySelector('[aria-expanded]').setAttribute('aria-expanded', String(wide));
  }

  async fetchChoices() {
    this.offered ??= await (await fetch('/solo/choices')).json();
  }

  /** Whether the coach is to speak. */
  get coach() {
    return chosenLast().coach ?? USUAL.coach;
  }

  /** What was chosen last, as far as the board still offers it. */
  lastChoice() {
    const chosen = chosenLast();
    const { label, options } = this.offering(chosen.rules) ?? this.offered.rules[0];
    const ticked = [chosen.options?.[label] ?? []].flat();
    return { ...USUAL, ...chosen, rules: label, options: options.map(({ key }) => key).filter((key) => ticked.includes(key)) };
  }

  keep() {
    const picked = (name) => this.sheet.querySelector(`[name="${name}"]:checked`)?.value;
    const coach = this.sheet.querySelector('[name="coach"]').checked;
    const ticked = [...this.sheet.querySelectorAll('[name="option"]:checked')].map(({ value }) => value);
    const options = { ...chosenLast().options, [this.sheet.querySelector('.explained').dataset.rules]: ticked };
    const rules = this.sheet.querySelector('select').value;
    const chosen = { rules, options, way: picked('way'), strength: picked('strength'), coach };
    try {
      localStorage.setItem(KEPT, JSON.stringify(chosen));
    } catch { /* this browser stores nothing */ }
  }

  draw() {
    this.place.querySelector('[data-do="play"]').textContent = say('page.solo.play');
    this.place.querySelector('[data-do="watch"]').textContent = say('page.solo.watch');
    this.place.querySelector('[data-do="choose"]').setAttribute('aria-label', say('page.solo.choose'));
    if (!this.sheet.hidden) this.asked ? this.confirm(this.asked) : this.open();
  }
}

function chosenLast() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? 'null') ?? {};
  } catch {
    return {}; // this browser stores nothing
  }
}

function radios(name, legend, code, values, chosen) {
  const buttons = values.map((value) => `<label><input type="radio" name="${name}" value="${value}" ${value === chosen ? 'checked' : ''}>
    ${say(`${code}${value}`)}</label>`);
  return `<fieldset><legend>${legend}</legend>${buttons.join('')}</fieldset>`;
}
