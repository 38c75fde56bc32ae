// @ts-check
// The news of a page: films that this browser has not seen, and results that are covered until then.
import { still } from "./camera.js";
import { stirs } from "./film.js";
/** @typedef {import("./film.js").Frame} Frame */

const root = document.documentElement;

/** Return whether the page covers results whose dice this browser has not seen. */
export const covered = () => root.classList.contains("covered");
/** Show all results without a film, because the film cannot be loaded. */
export const uncover = () => root.classList.remove("covered");
/** Return the numbers of the first and the last film of the news. */
function range() {
  return (root.dataset.news || "").split(" ").slice(1).map(Number);
}
/** Remember a film, and show what its dice cover. @param {number} number */
export function saw(number) {
  document.dispatchEvent(new CustomEvent("seen", { detail: number }));
}
/** Show all results. */
export function sawAll() {
  if (covered()) saw(range()[1]);
}
/** Return the next film of the news. Own dice that are in a message now are not thrown again. */
export function unseen() {
  if (!covered()) return [];
  const seen = Number(root.dataset.seen);
  const [start, end] = range();
  const number = seen < start ? start : end;
  /** @param {Frame[]} found */
  function choose(found) {
    const rolls = found.map((frame) => frame.card.dice.length > 0);
    if (seen + 1 !== number) return still.matches ? rolls.indexOf(true) : found.findIndex(stirs) < 0 ? -1 : 0;
    const first = rolls.lastIndexOf(true) + 1;
    return !still.matches && found.slice(first).some(stirs) ? first : -1;
  }
  return [{ seq: Math.ceil(number / 2), choose }];
}
