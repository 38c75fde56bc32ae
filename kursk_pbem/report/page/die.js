// @ts-check
// Dice that tumble before they show their faces; without motion they stand still. Shared by the replay and the board.
import { still } from "./camera.js";

const [FACES, EACH] = [9, 90]; // faces before the last one, and milliseconds of a face: 0.8 seconds
const PIPS = ["", "5", "19", "159", "1379", "13579", "134679"]; // in a square of nine, by row

/** @param {HTMLElement} die @param {number} value @param {boolean} rolls */
function turnDie(die, value, rolls) {
  const pips = [...(PIPS[value] || "")].map(Number).map((place) => {
    return `<circle cx="${5 + 7 * ((place - 1) % 3)}" cy="${5 + 7 * Math.floor((place - 1) / 3)}" r="2.5"/>`;
  });
  die.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${pips.join("")}</svg>`;
  die.setAttribute("aria-label", rolls ? "a die rolls" : String(value));
  die.setAttribute("aria-busy", String(rolls));
}
/**
 * Return a die for each digit, and a promise of their rest.
 * @param {string} digits @param {boolean} rolls @param {() => void} [heard] called at each face
 */
export function kurskDice(digits, rolls, heard) {
  const dice = [...digits].map(() => document.createElement("span"));
  for (const die of dice) {
    die.className = "die";
    die.setAttribute("role", "img");
  }
  /** @type {Promise<void>} */
  const rest = new Promise((done) => {
    /** @param {number} left */
    function tumble(left) {
      dice.forEach((die, at) => {
        const digit = Number(digits[at]);
        turnDie(die, left ? 1 + ((digit + (at + 1) * left - 1) % 6) : digit, left > 0);
      });
      if (heard && rolls) heard();
      if (left) setTimeout(() => tumble(left - 1), EACH);
      else done();
    }
    tumble(rolls && dice.length && !still.matches ? FACES : 0);
  });
  return { dice, rest };
}
