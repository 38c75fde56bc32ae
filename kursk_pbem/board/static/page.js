// @ts-check
// What does not change while the page is there: its map, what kind of map that is, where its game is asked.
import { maybe, get } from "./dom.js";

/** @type {SVGSVGElement} */
export const picture = /** @type {SVGSVGElement} */ (get("map").querySelector("svg"));
/** Whether it is a table top, not a map of hexes. */
export const plane = picture.dataset.form === "plane";
/** Units of the map that are an inch. */
export const inch = Number(picture.dataset.unitOfLength);
/** The address below which the game is asked. */
export const base = get("main").dataset.base || "";
/** Whether an older message is looked at. */
export const past = Boolean(get("main").dataset.past);

/** What is said under the panels, and read aloud. @param {string[]} lines @param {boolean} [bad] */
export function say(lines, bad) {
  const said = maybe("said");
  if (!said) return;
  said.className = bad ? "bad" : "";
  said.textContent = lines.filter(Boolean).join(" ");
}
