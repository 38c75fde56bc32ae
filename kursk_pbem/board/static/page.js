// @ts-check
// Constants of the page: its map, the kind of map, the address of the game.
import { block, get, maybe } from "./dom.js";

/** @type {SVGSVGElement} */
export const picture = /** @type {SVGSVGElement} */ (get("map").querySelector("svg"));
/** True on a table top, false on a map of hexes. */
export const plane = picture.dataset.form === "plane";
/** Map units of an inch. */
export const inch = Number(picture.dataset.unitOfLength);
/** The base address of requests. */
export const base = get("main").dataset.base || "";
/** True if the page shows an earlier message. */
export const past = Boolean(get("main").dataset.past);
/** True on a phone: fingers are the pointer. */
export const touch = window.matchMedia("(pointer: coarse)").matches;
/** The key or button that goes back. */
export const back = touch ? "Back" : "Esc";

/**
 * Show lines under the panels; screen readers read these lines. ``folded``: the words of the program for the same.
 * @param {string[]} lines @param {boolean} [bad] @param {string[]} [folded]
 */
export function say(lines, bad, folded) {
  const said = maybe("said");
  if (!said) return;
  said.className = bad ? "bad" : "";
  said.textContent = lines.filter(Boolean).join("\n");
  if (folded) said.append(block("details", "", block("summary", "", "In words of the program"), folded.join("\n")));
}
