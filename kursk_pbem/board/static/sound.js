// @ts-check
// A knock for each face of a rolling die, off until wanted.
import { field } from "./dom.js";

const [WANTED, YEAR, LONG] = ["kursk-sound=on", 365 * 24 * 60 * 60, 0.06]; // LONG: seconds of a knock
/** @type {AudioContext | null} */
let audio = null;

export function knock() {
  if (!field("watch-sound").checked) return;
  audio = audio || new AudioContext();
  const [tone, loud, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.value = 150 + 150 * Math.random();
  loud.gain.setValueAtTime(0.3, now);
  loud.gain.exponentialRampToValueAtTime(0.001, now + LONG);
  tone.connect(loud).connect(audio.destination);
  tone.start(now);
  tone.stop(now + LONG);
}
/** Add the listener of the switch. */
export function begin() {
  const box = field("watch-sound");
  box.checked = document.cookie.split("; ").includes(WANTED);
  box.addEventListener("change", () => {
    document.cookie = `${WANTED}; path=/; max-age=${box.checked ? YEAR : 0}; samesite=strict`;
    knock();
  });
}
