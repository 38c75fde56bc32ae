// @ts-check
// The places of hexes and counters on the map.
import { all, around, maybe } from "./dom.js";
/** @typedef {import("./types.js").Point} Point */

/** @type {Map<string, Point | null>} */
const middles = new Map();

/** Return the middle of a hex, or null if the hex does not exist. @param {string} place @returns {Point | null} */
export function middle(place) {
  const known = middles.get(place);
  if (known !== undefined) return known;
  const hex = /** @type {SVGGraphicsElement | null} */ (/** @type {unknown} */ (maybe("at-" + place)));
  const box = hex ? hex.getBBox() : null;
  /** @type {Point | null} */
  const found = box ? [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] : null;
  middles.set(place, found);
  return found;
}
/** Return the position of a counter. @param {HTMLElement} counter @returns {Point} */
export function spot(counter) {
  const moved = /** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (counter)).transform.baseVal.consolidate();
  return moved ? [moved.matrix.e, moved.matrix.f] : [0, 0];
}
/** Return all counters on the map, or the counters of a hex. @param {string} [place] */
export function counters(place) {
  return all("#map [data-unit]").filter((counter) => place === undefined || counter.dataset.at === place);
}
/** Return the player's own counters. */
export function own() {
  return all("#map [data-unit].mine");
}
/** @param {HTMLElement} counter @returns {string} */
export function unitOf(counter) {
  return counter.dataset.unit || "";
}
/** Return the name of a counter in words. @param {HTMLElement} counter */
export function label(counter) {
  return counter.dataset.label || unitOf(counter);
}
/** Return the hex under a pointer, or "". @param {MouseEvent} event */
export function under(event) {
  const found = document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.closest(".hits"));
  return found ? found.id.slice(3) : "";
}
/** Return the player's own counter at an event, or null. @param {Event} event */
export function ownUnder(event) {
  return around(event, "[data-unit].mine");
}
