// Against burn-in, beside the small shifts of every television page: after some minutes without a change a dim and small
// page that wanders replaces it. Any change brings the page back at once.

const NIGHT_MS = 600000;
const WANDER_MS = 45000;
const GOLDEN = 0.61803398875;

export class Night {
  /** `page` is hidden; `dark` is what is shown instead. */
  constructor(page, dark) {
    this.page = page;
    this.dark = dark;
    this.wandered = 0;
    this.timer = 0;
    this.trouble = document.createElement('p');
    this.trouble.className = 'trouble';
    for (const touch of ['pointerdown', 'pointermove', 'keydown']) addEventListener(touch, () => this.wake(), { passive: true });
    this.wake();
  }

  /** End the night, because something has changed or somebody is there. */
  wake() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fall(), NIGHT_MS);
    if (this.dark.hidden) return;
    this.dark.hidden = true;
    this.page.hidden = false;
  }

  /** A message to show even at night, such as that the board is away; or nothing. */
  tell(trouble) {
    this.trouble.textContent = trouble;
  }

  fall() {
    const scores = [...this.page.querySelectorAll('.side:not([hidden])')].map((side) => side.querySelector('.score b').textContent);
    const name = document.createElement('p');
    name.textContent = 'Cribboard';
    const score = document.createElement('p');
    score.textContent = this.page.querySelector('#sides').hidden ? '' : scores.join(' – ');
    this.dark.replaceChildren(document.createElement('div'));
    this.dark.firstElementChild.append(name, score, this.trouble);
    this.page.hidden = true;
    this.dark.hidden = false;
    this.wander();
  }

  wander() {
    this.wandered += 1;
    const [across, down] = [(this.wandered * GOLDEN) % 1, (this.wandered * GOLDEN * GOLDEN) % 1];
    this.dark.firstElementChild.style.transform = `translate(${(62 * across).toFixed(1)}vw, ${(70 * down).toFixed(1)}vh)`;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wander(), WANDER_MS);
  }
}
