// A part of the desk: what the desk shows now, and the dialog in which it may ask.

export class DeskPart {
  constructor(desk, sheet = /** @type {any} */ (null)) {
    this.desk = desk;
    this.sheet = sheet;
  }

  /** The last snapshot. */
  get state() {
    return this.desk.snapshot;
  }
}
