// Somebody plays alone on the twin's page: his cards face up, what lies open on the table, and what he does next. What
// he holds and what robots do is the daemon's; this draws it, and sends what he taps.

import { colour, corner } from '/page/cards.js';
import { say } from '/page/words.js';
import { cardFace } from '/twin/deck.js';
import { rove } from '/twin/fingers.js';
import { WINDOW } from '/twin/wires.js';
import { Choices } from './choices.js';
import { Guide, front, hasSteps, mayScore } from './guide.js';
import { Show, corrected, counted, ending } from './show.js';
import { Typing } from './typing.js';

const ERROR_MS = 6000;
/** The holes ahead that a phone shows: what most cards and hands make. */
const AHEAD = 8;
const STILL = matchMedia('(prefers-reduced-motion: reduce)');
/** What one presses next on the console, by what is asked: the key glows. */
const KEYS = { go: 'go', ...Object.fromEntries(['release', 'accept', 'next_count', 'points_first', 'nineteen', 'result', 'end_deal', 'game_claimed', 'resume', 'undo', 'late'].map((kind) => [kind, 'ok'])) };

/** `tune` lets the board speak the language of the page. The styles are there before the first state is drawn: where a
 *  phone scrolls to depends on them. */
export async function begin({ tune }) {
  await Promise.all([style('/solo/solo.css'), style('/solo/show.css')]);
  return new Solo(tune);
}

/** Add a stylesheet, and wait until it has loaded or failed. */
function style(href) {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  document.head.append(link);
  return new Promise((resolve) => (link.onload = link.onerror = resolve));
}

class Solo {
  constructor(tune) {
    this.tune = tune;
    document.querySelector('main').insertAdjacentHTML('beforeend', `<section id="solo" hidden>
      <div class="table"><div class="others"></div><div class="middle-cards"></div><section class="counted" hidden></section><div class="hand" role="group"></div></div>
      <section class="end" hidden></section>
      <div class="bar"><p class="say" role="status" tabindex="-1"></p><output class="typed"></output><p class="refused" role="alert"></p><span class="controls"></span></div>
    </section>`);
    this.place = document.querySelector('#solo');
    this.state = { playing: false };
    this.chosen = new Set();
    this.leaves = false; // whether the person is asked if he really leaves
    this.choices = new Choices((asked) => this.act(asked));
    this.show = new Show(this.place.querySelector('.counted'), paper, (at) => this.name(at));
    this.typing = new Typing(this.place.querySelector('.typed'), (points) => this.act({ do: 'peg', points }));
    this.guide = new Guide();
    // Ignore the second click of a double click.
    for (const part of [this.place, this.choices.said]) {
      part.addEventListener('click', (event) => event.detail < 2 && this.tapped(event.target));
    }
    rove(this.place.querySelector('.hand'), '[data-card]');
    this.draw();
    new EventSource(`/solo/events?window=${WINDOW}`).onmessage = (message) => this.receive(JSON.parse(message.data));
  }

  receive(state) {
    const dealt = state.phase !== this.state.phase || state.number < this.state.number;
    if (dealt || state.ask?.kind !== 'discard') this.chosen.clear();
    if (state.ask?.kind !== this.state.ask?.kind) this.refuse('');
    if (!state.playing || !state.hands) this.leaves = false;
    this.state = state;
    this.choices.left = state.left;
    document.body.classList.toggle('alone', state.playing);
    this.place.hidden = !state.playing;
    this.draw();
  }

  async act(asked) {
    if (asked.do === 'start') {
      if (this.state.unfinished && !asked.breaks_off) return this.choices.confirm(asked);
      await this.tune();
    }
    const answer = await fetch('/solo/act', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ window: WINDOW, ...asked }),
    }).catch(() => null);
    if (answer?.ok) return this.refuse('');
    const { code, values } = await answer?.json().catch(() => ({})) ?? {};
    return this.refuse(say(`page.solo.errors.${code}`, { ...values, card: values?.card && named(values.card) }, 'page.solo.errors.other'), code === 'no_hands' ? asked : null);
  }

  /** Show the reason where one looks: in the bar, or while nothing is played beside the buttons that begin a game. What another
   *  window keeps from this one, `again` does after it has taken over. */
  refuse(why, again = null) {
    clearTimeout(this.forgets);
    this.again = again;
    const place = this.state.playing ? this.place.querySelector('.refused') : this.choices.said;
    place.innerHTML = again ? `<span></span> ${button('take_here', say('page.solo.take_here'), 'first')}` : '<span></span>';
    place.firstChild.textContent = why;
    if (why && !again) this.forgets = setTimeout(() => this.refuse(''), ERROR_MS);
  }

  /** Take over in this window, and repeat what was refused. */
  async takeHere() {
    const { again } = this;
    await this.act({ do: 'take_over' });
    if (again) await this.act(again);
  }

  tapped(target) {
    const { ask } = this.state;
    const card = target.closest('.hand [data-card]')?.dataset.card;
    const act = target.closest('[data-act]')?.dataset.act;
    if (card && ask?.kind === 'discard') this.choose(card);
    else if (card) this.act({ do: 'lay', card });
    else if (act === 'discard') this.act({ do: 'discard', cards: [...this.chosen] });
    else if (act === 'pace') this.act({ do: 'pace', speed: this.state.pace.speed, waits: !this.state.pace.waits });
    else if (act === 'speed') this.faster();
    else if (act === 'help') this.guide.turn(this.state);
    else if (act === 'stay' || (act === 'leave' && !this.leaves && this.state.person && this.state.phase !== 'over')) this.leaves = act === 'leave';
    else if (act === 'take_here') this.takeHere();
    else if (act === 'again') this.choices.start({ person: this.state.person, breaks_off: true });
    else if (act) this.act({ do: act });
    this.draw();
  }

  /** Choose a card; one too many deselects the one that was tapped first. */
  choose(card) {
    if (this.chosen.delete(card)) return;
    this.chosen.add(card);
    if (this.chosen.size > this.state.ask.wanted) this.chosen.delete([...this.chosen][0]);
  }

  faster() {
    const { speed, speeds, waits } = this.state.pace;
    this.act({ do: 'pace', speed: speeds[(speeds.indexOf(speed) + 1) % speeds.length], waits });
  }

  // Drawing

  draw() {
    this.choices.draw();
    const { state } = this;
    this.typing.on = Boolean(state.playing && state.person && state.hands && state.way !== 'auto' && state.phase !== 'over');
    this.typing.front = state.scores?.[0] ?? 0;
    this.typing.draw();
    document.body.classList.toggle('against', Boolean(state.playing && state.person));
    document.body.dataset.press = (state.playing && state.hands && KEYS[state.ask?.kind]) || '';
    if (!state.playing) return this.guide.show(state);
    const focused = document.activeElement?.closest?.('#solo [data-card], #solo [data-act]');
    const says = this.place.querySelector('.say');
    const lost = [document.body, says].includes(document.activeElement);
    const sameAgain = focused && (focused.dataset.card ? `[data-card="${focused.dataset.card}"]` : `[data-act="${focused.dataset.act}"]`);
    this.fill('.say', this.says());
    this.fill('.controls', this.controls());
    this.place.querySelector('.others').classList.toggle('many', this.state.seats.length > 3);
    this.fill('.others', this.state.seats.map((seat, at) => this.player(seat, at)).join('') + lesson(this.choices.coach && this.state.coach));
    this.fill('.middle-cards', `${this.pack()}${counted(state) ? '' : this.laid()}${this.crib()}`);
    this.show.draw(state);
    this.fill('.end', ending(state, state.end && this.result())).hidden = !state.end;
    this.place.classList.toggle('ended', Boolean(state.end));
    this.drawHand();
    // If the focused control is gone, focus what is asked for, or else the line that says what is asked.
    const asked = this.place.querySelector('.stack.asked, .hand.asked [data-card], .controls .first:enabled');
    if (focused) (this.place.querySelector(sameAgain) ?? asked ?? says).focus({ preventScroll: true });
    else if (lost) asked?.focus({ preventScroll: true });
    this.guide.show(this.leaves ? { playing: false } : this.state);
    this.scroll();
    return undefined;
  }

  /** Where the table lies over the board, as on a phone: when points may be pegged, scroll to the front peg and the holes
   *  ahead, between the console above and the table below. Where step keys peg, scroll to these, above the table. */
  scroll() {
    const pegs = mayScore(this.state) || ['count_hand', 'count_crib'].includes(this.state.ask?.kind);
    const begins = pegs && !this.pegs;
    this.pegs = pegs;
    if (!begins || getComputedStyle(this.place).position !== 'sticky') return;
    requestAnimationFrame(() => {
      const behavior = STILL.matches ? 'auto' : 'smooth';
      if (hasSteps()) return scrollBy({ top: document.querySelector('#console').getBoundingClientRect().top, behavior });
      const holes = [0, AHEAD].map((ahead) => document.querySelector(front(this.state, ahead)).getBoundingClientRect());
      const [top, bottom] = [document.querySelector('#console').getBoundingClientRect().bottom, this.place.getBoundingClientRect().top];
      const middle = (Math.min(...holes.map((hole) => hole.top)) + Math.max(...holes.map((hole) => hole.bottom))) / 2;
      return scrollBy({ top: middle - (top + bottom) / 2, behavior });
    });
  }

  /** Write this into a part, if it is something else: what did not change is not drawn again under a finger. */
  fill(name, markup) {
    const part = this.place.querySelector(name);
    if (part.written !== markup) part.innerHTML = part.written = markup;
    return part;
  }

  says() {
    const { state } = this;
    const { ask } = state;
    if (state.person && !state.hands) return say('page.solo.elsewhere');
    if (this.leaves) return say('page.solo.leave_sure');
    if (state.phase === 'over' && state.winner !== null) return say('page.solo.over');
    if (!state.person) return say(state.pace.waits ? 'page.solo.watching_waits' : 'page.solo.watching');
    const shown = state.correction && counted(state)?.entry?.number === state.correction.number;
    const correction = shown ? '' : corrected(state.correction);
    const wrong = correction && `<span class="wrong">${correction}</span> `;
    if (ask) return wrong + say(`page.solo.ask.${ask.kind}${ask.wanted === 1 ? '_one' : ''}`, { ...ask, whose: say(ask.own ? 'page.solo.mine' : 'page.solo.theirs') }, 'page.solo.ask.other');
    if (state.leaves_time) return wrong + say('page.solo.score');
    if (!state.counting) return wrong + say('page.solo.wait_for');
    const { seat, crib } = state.counting;
    return say(crib ? 'page.solo.counts_crib' : 'page.solo.counts_hand', { who: state.seats.length === 2 ? say('page.solo.the_robot') : this.name(seat) });
  }

  result() {
    const { scores, winner } = this.state;
    const others = scores.filter((_, side) => side !== winner).join(', ');
    return say(this.state.person && winner === 0 ? 'page.solo.won' : 'page.solo.lost', { winner: this.state.person && this.state.seats.length === 2 ? say('page.solo.the_robot') : this.sideName(winner), points: scores[winner], others });
  }

  controls() {
    const { pace, hands, person } = this.state;
    if (this.leaves) return `${button('stay', say('page.solo.stay'), 'first')}${button('leave', say('page.solo.leave'))}`;
    if (!hands) return button('take_over', say(person ? 'page.solo.take_over' : 'page.solo.take_controls'), 'first');
    const speed = person ? '' : `${pace.waits ? button('step', say('page.solo.step')) : ''}${button('speed', `${say('page.solo.speed')} ×${pace.speed}`)}`;
    const ready = this.state.ask?.kind === 'discard' && this.chosen.size === this.state.ask.wanted;
    const isOver = this.state.phase === 'over';
    const first = isOver ? '' : {
      discard: button('discard', say('page.solo.discard'), ready ? 'first' : 'first off'), counted: button('counted', say('page.solo.done'), 'first'),
      go: button('go', say('page.solo.say_go'), 'first'),
    }[this.state.ask?.kind] ?? (mayScore(this.state) ? button('step', say('page.solo.none')) : '');
    const links = person ? '' : `<a class="tool" href="/" target="_blank">${say('page.to.board')}</a><a class="tool" href="/table" target="_blank">${say('page.solo.phones')}</a>`;
    const again = isOver ? button('again', say('page.solo.again'), 'first') : '';
    const waits = isOver && person ? '' : button('pace', say(pace.waits ? 'page.solo.go_on' : 'page.games.pause'));
    const hints = isOver || !person ? '' : button('help', say(this.guide.on ? 'page.solo.help_off' : 'page.solo.help'));
    const replay = isOver && this.state.end?.game ? `<a class="tool" href="/games/${this.state.end.game}?language=${document.documentElement.lang}" target="_blank">${say('page.solo.see_again')}</a>` : '';
    return `${first}${again}${replay}${links}${speed}${waits}${hints}${button('leave', say('page.solo.leave'))}`;
  }

  player(seat, at) {
    const { state } = this;
    const current = new Set(state.laid.filter(([whose]) => whose === at).map(([, card]) => card));
    const shown = seat.open.filter((card) => !current.has(card));
    const mine = state.person && at === 0;
    const backs = mine || !seat.held ? '' : seat.hand.length ? `<span class="held shown">${seat.hand.map(paper).join('')}</span>` : `<span class="held" role="img" aria-label="${say('page.solo.hidden', { count: seat.held })}">${'<i></i>'.repeat(seat.held)}</span>`;
    const deals = state.dealer === at ? `<em>${say('page.solo.dealer')}</em>` : '';
    return `<div class="player${state.turn === at ? ' turn' : ''}" data-side="${seat.side}"><b>${this.name(at)} ${deals}</b>
      <span class="small">${shown.map(paper).join('')}${backs}</span></div>`;
  }

  name(at) {
    const { state } = this;
    if (state.person && at === 0) return `${say('page.solo.you')} · ${this.sideName(state.seats[0].side)}`;
    if (state.person && state.seats[at].side === state.seats[0].side) return `${say('page.solo.partner')} · ${this.seatName(at)}`;
    return this.seatName(at);
  }

  /** As every other page names a side: by its name, or else by its colour. */
  sideName(side) {
    return this.state.names[side] || say(`side.${side}`);
  }

  /** A seat by its side, with a number where that has several, and its colour beside a name. */
  seatName(at) {
    const { seats, names } = this.state;
    const { side } = seats[at];
    const beside = seats.flatMap((seat, number) => (seat.side === side ? [number] : []));
    const name = `${this.sideName(side)}${beside.length > 1 ? ` ${beside.indexOf(at) + 1}` : ''}`;
    return names[side] ? `${name} · ${say(`side.${side}`)}` : name;
  }

  pack() {
    const { state } = this;
    const cuts = state.ask?.kind === 'cut' || state.ask?.kind === 'starter';
    if (state.starter) return `<div class="heap">${paper(state.starter)}<small>${say('page.table.starter')}</small></div>`;
    const cut = spread(state.cuts.map((card) => `<span>${paper(card)}</span>`));
    return `<div class="heap"><button type="button" class="stack${cuts ? ' asked' : ''}" data-act="cut" ${cuts ? '' : 'disabled'}
      aria-label="${say('page.solo.pack')}"><i></i><i></i><i></i></button>${cut}<small>${say('page.solo.pack')}</small></div>`;
  }

  laid() {
    const { laid, count, over } = this.state;
    const cards = spread(laid.map(([at, card]) => `<span data-side="${this.state.seats[at].side}">${paper(card)}</span>`));
    const badge = laid.length ? `<output>${count}</output>` : '';
    return `<div class="laid${over ? ' over' : ''}" role="group" aria-label="${say('page.solo.laid')}">${cards}${badge}</div>`;
  }

  crib() {
    const { crib, ask, dealer, seats } = this.state;
    const asked = ask?.kind === 'crib';
    const backs = Math.max(0, crib.size - crib.open.length);
    const back = backs ? `<button type="button" class="stack${asked ? ' asked' : ''}" data-act="crib" ${asked ? '' : 'disabled'}
      aria-label="${say(asked ? 'page.solo.turn' : 'page.solo.crib')}">${'<i></i>'.repeat(Math.min(3, backs))}</button>` : '';
    const side = dealer === null || dealer === undefined ? '' : ` data-side="${seats[dealer].side}"`;
    return `<div class="heap crib"${side}>${crib.open.map(paper).join('')}${back}<small>${crib.size ? say('page.solo.crib') : ''}</small></div>`;
  }

  drawHand() {
    const { state } = this;
    const hand = this.place.querySelector('.hand');
    const discards = state.ask?.kind === 'discard';
    hand.setAttribute('aria-label', say('page.solo.your_hand'));
    hand.classList.toggle('asked', ['discard', 'lay', 'show'].includes(state.ask?.kind));
    const cards = state.hand.map((card) => `<button type="button" class="own${this.chosen.has(card) ? ' chosen' : ''}"
      data-card="${card}" aria-label="${named(card)}" ${discards ? `aria-pressed="${this.chosen.has(card)}"` : ''}>${paper(card)}</button>`).join('');
    this.fill('.hand', cards).querySelectorAll('button').forEach((card, at) => (card.tabIndex = at ? -1 : 0));
  }
}

const button = (act, text, kind = '') =>
  `<button type="button" class="tool ${kind}" data-act="${act}" ${kind.includes('off') ? 'disabled' : ''}>${text}</button>`;

const paper = (card) => `<span class="paper ${colour(card[1])}" data-face="${card}" role="img"
  aria-label="${named(card)}">${cardFace(...card)}</span>`;

/** Cards that lie closer together where there is less room. */
const spread = (cards) => (cards.length ? `<span class="spread">${cards.join('')}</span>` : '');

const named = (card) => `${say(`page.rank.${card[0]}`)} ${SUIT[card[1]]}`;
const SUIT = { C: '♣', D: '♦', H: '♥', S: '♠' };

const spelled = (cards) => cards.map((card) => `${corner(card[0])}${SUIT[card[1]]}`).join(' ');

/** What the coach says of the last deal. */
function lesson(coach) {
  if (!coach) return '';
  const { discard, card, cards } = coach;
  const lines = [];
  const points = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1 });
  const values = (advice) => ({ chosen: spelled(advice.chosen), best: spelled(advice.best), points: points.format(advice.gave_up) });
  if (discard) lines.push(say(discard.is_best ? 'page.solo.coach_discard_best' : 'page.solo.coach_discard', values(discard)));
  if (card) lines.push(say('page.solo.coach_card', values(card)));
  else if (cards) lines.push(say('page.solo.coach_cards_best'));
  return lines.length ? `<aside class="coach"><b>${say('page.solo.coach')}</b>${lines.map((line) => `<p>${line}</p>`).join('')}</aside>` : '';
}
