// The buzzer, silent until it is turned on.

export class Buzzer {
  constructor() {
    this.wanted = false;
    this.hz = 0;
  }

  /** Turned on or off by a click: without one a browser plays no sound. */
  want(wanted) {
    this.wanted = wanted;
    if (wanted && !this.context) {
      this.context = new AudioContext();
      this.volume = this.context.createGain();
      this.volume.gain.value = 0;
      this.tone = this.context.createOscillator();
      this.tone.type = 'square';
      const soft = this.context.createBiquadFilter();
      soft.type = 'lowpass';
      soft.frequency.value = 3200;
      this.tone.connect(soft).connect(this.volume).connect(this.context.destination);
      this.tone.start();
    }
    this.context?.[wanted ? 'resume' : 'suspend']();
    this.sing(this.hz);
  }

  /** The tone that the buzzer makes now, 0 for none. */
  sing(hz) {
    this.hz = hz;
    if (!this.context || !this.tone || !this.volume) return;
    const now = this.context.currentTime;
    if (hz) this.tone.frequency.setValueAtTime(hz, now);
    this.volume.gain.setTargetAtTime(hz && this.wanted ? 0.06 : 0, now, 0.004);
  }
}
