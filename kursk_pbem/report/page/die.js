// @ts-check
// A die that tumbles before it shows its face; without motion it stands still. Shared by the replay and the board.
import { still } from "./camera.js";

const [FACES, EACH] = [5, 80]; // faces before the last one, and milliseconds of a face: 0.4 seconds
const PIPS = ["", "5", "19", "159", "1379", "13579", "134679"]; // in a square of nine, by row

/** @param {string} digit */
export function kurskDie(digit) {
  const die = document.createElement("span");
  die.className = "die";
  die.setAttribute("role", "img");
  die.setAttribute("aria-label", digit);
  /** @param {number} value */
  function turn(value) {
    const pips = [...PIPS[value]].map(Number).map((place) => {
      return `<circle cx="${5 + 7 * ((place - 1) % 3)}" cy="${5 + 7 * Math.floor((place - 1) / 3)}" r="2.5"/>`;
    });
    die.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${pips.join("")}</svg>`;
  }
  /** @param {number} left */
  function tumble(left) {
    turn(((Number(digit) + left + 5) % 6) + 1);
    if (left) setTimeout(() => tumble(left - 1), EACH);
  }
  if (PIPS[Number(digit)]) tumble(still.matches ? 0 : FACES);
  else die.textContent = digit;
  return die;
}
