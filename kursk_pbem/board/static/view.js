// @ts-check
// The part of the map that is seen. It stays as it was: in this window, a second one, and when a board is started again.
import { get } from "./dom.js";
import { counters, spot } from "./ground.js";
import { kurskMap } from "./map.js";
import { picture, plane } from "./page.js";

/** @type {ReturnType<typeof kurskMap>} */
export let map;

/**
 * @param {(event: MouseEvent, point: DOMPoint) => void} clicked
 * @param {(event: PointerEvent) => any} grab
 */
export function begin(clicked, grab) {
  map = kurskMap(get("map"), picture, clicked, grab);
  window.addEventListener("pagehide", () => kept(map.view()));
  const before = kept();
  if (before) return map.look(before);
  const at = counters().map(spot);
  if (at.length && !plane) map.show(half(at.map((point) => point[0])), half(at.map((point) => point[1])), 2);
}
/** @param {number[]} list */
function half(list) {
  return list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
}
/** @param {number[]} [view] @returns {number[] | null} */
function kept(view) {
  try {
    const place = location.pathname.split("/").slice(2).join("/"); // the path of a board is another each time
    for (const held of view ? [sessionStorage, localStorage] : []) held.setItem(place, JSON.stringify(view));
    return JSON.parse(sessionStorage.getItem(place) || localStorage.getItem(place) || "null");
  } catch (error) {
    return null;
  }
}
/** Go on so that a point can be seen. @param {[number, number]} point */
export function bring(point) {
  if (!map.seen(...point)) map.to(...point);
}
