// The dialog that asks before something is lost: a question, what follows, and a button for each answer.

export class Question {
  /** `dialog` has a button `sure-ANSWER` for each answer; the answer of `sure-no`, and of Escape, is empty. */
  constructor(dialog) {
    this.dialog = dialog;
    this.resolve = null; // gives the answer to whoever asked
    for (const button of dialog.querySelectorAll('button')) {
      const answer = button.id.slice('sure-'.length);
      button.addEventListener('click', () => dialog.close(answer === 'no' ? '' : answer));
    }
    // The event of a close comes later: by then the next question may stand there, and it is still to be answered.
    dialog.addEventListener('close', () => { if (!dialog.open) this.end(dialog.returnValue); });
  }

  /** Ask, with `words` for each part by its name (`what`, `then`, `yes`, `no`). Gives the answer; a question whose place
   *  another takes is left unanswered. */
  ask(words) {
    this.end('');
    for (const [part, text] of Object.entries(words)) this.dialog.querySelector(`#sure-${part}`).textContent = text;
    this.dialog.returnValue = '';
    this.dialog.showModal();
    return new Promise((resolve) => { this.resolve = resolve; });
  }

  end(answer) {
    this.resolve?.(answer);
    this.resolve = null;
  }
}
