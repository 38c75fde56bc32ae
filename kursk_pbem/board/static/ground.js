// @ts-check
// Where hexes and counters lie on the map.
import { all, around, maybe } from "./dom.js";
/** @typedef {import("./types.js").Point} Point */

/** @type {Map<string, Point | null>} */
const middles = new Map();

/** The middle of a hex, null without such a hex. @param {string} place @returns {Point | null} */
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
/** Where a counter is drawn. @param {HTMLElement} counter @returns {Point} */
export function spot(counter) {
  const moved = /** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (counter)).transform.baseVal.consolidate();
  return moved ? [moved.matrix.e, moved.matrix.f] : [0, 0];
}
/** All counters on the map, or those of a hex. @param {string} [place] */
export function counters(place) {
  return all("#map [data-unit]").filter((counter) => place === undefined || counter.dataset.at === place);
}
/** The counters of the player at this board. */
export function own() {
  return all("#map [data-unit].mine");
}
/** @param {HTMLElement} counter @returns {string} */
export function unitOf(counter) {
  return counter.dataset.unit || "";
}
/** A counter in words. @param {HTMLElement} counter */
export function label(counter) {
  const title = counter.querySelector("title");
  return (title && title.textContent) || unitOf(counter);
}
/** The hex under a pointer, "" outside of all. @param {MouseEvent} event */
export function under(event) {
  const found = document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.closest(".hits"));
  return found ? found.id.slice(3) : "";
}
/** Whether an event is on a counter of one's own; that counter. @param {Event} event */
export function ownUnder(event) {
  return around(event, "[data-unit].mine");
}
