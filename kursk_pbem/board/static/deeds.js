// @ts-check
// The effect of a click on the map, by mouse or by keys. It depends on the open form and the chosen unit.
import * as chosen from "./chosen.js";
import * as composer from "./composer.js";
import { counters, middle, label, own, unitOf } from "./ground.js";
import * as loupe from "./loupe.js";
import * as overlay from "./overlay.js";
import { inch, picture, plane, say } from "./page.js";
import { bend, pointed, way } from "./plane.js";
import * as stacks from "./stacks.js";
import { against, by, choose, goTo, showPlace, why } from "./units.js";
import { bring } from "./view.js";
/** @typedef {import("./types.js").Point} Point */

let bent = false;

/** Take the next tap as a place of the way, as Shift does with a mouse. */
export function bends() {
  bent = true;
  say(["Tap the next place of the way."]);
}
/** @param {string} unit @param {string} place @param {Point} point @param {boolean} byWay */
export function act(unit, place, point, byWay = bent) {
  bent = false;
  if (composes(unit, place, point)) return;
  const foes = plane && chosen.unit && unit ? chosen.targets : [];
  const target = foes.find((each) => each.verb && each.units.includes(unit));
  if (target) void against(target.verb, target.place, unit);
  else if (plane && chosen.unit && !unit) void (byWay ? bend(point) : pointed(point));
  else if (chosen.lit[place] && byWay) by(place);
  else if (chosen.lit[place] && (!unit || unit === chosen.unit)) goTo(place);
  else if (unit) choose(unit);
  else if (chosen.unit && place) why(place);
  else if (place) showPlace(place);
}
/** Return whether the open form took the click. @param {string} unit @param {string} place @param {Point} point */
function composes(unit, place, point) {
  const form = composer.inHand();
  if (!form) return false;
  if (unit && place !== stacks.place) stacks.spread(place);
  if (unit && form.unit(unit)) return true;
  const meant = plane && !unit ? way([point]) : place;
  if (meant && form.place(meant, Boolean(unit))) return true;
  if (!composer.held() && !own().some((counter) => unitOf(counter) === unit)) return false;
  if (unit || meant) say([`${unit || meant} has no part in this order. Order first, or cancel.`]);
  return true;
}
/** Click on the mark. @param {boolean} byWay */
export function enter(byWay) {
  const counter = plane || chosen.lit[overlay.mark] ? null : counters(overlay.mark)[0];
  if (overlay.at) act(counter ? unitOf(counter) : "", overlay.mark, overlay.at, byWay);
}
/** Move the mark to the next hex, or by an inch. @param {number} right @param {number} down */
export function step(right, down) {
  const from = overlay.at || start();
  const best = plane ? beside(from, right, down) : nextHex(from, right, down);
  if (!best) return;
  overlay.setMark(...best);
  bring(best[0]);
  const end = chosen.lit[overlay.mark];
  overlay.draw(end);
  const [counter] = plane ? [] : counters(overlay.mark);
  if (counter) loupe.show(counter, true);
  else loupe.close();
  const cost = end && end.cost ? `, ${end.cost}` : "";
  const reached = end ? `can be reached${cost}${end.marked ? ", with a warning" : ""}` : "";
  say([overlay.mark, ...counters(overlay.mark).map(label), reached]);
}
/** @param {Point} from @param {number} right @param {number} down @returns {[Point, string]} */
function beside(from, right, down) {
  return [[from[0] + right * inch, from[1] + down * inch], overlay.mark];
}
/** @param {Point} from @param {number} right @param {number} down @returns {[Point, string] | null} */
function nextHex(from, right, down) {
  /** @type {[Point, string] | null} */
  let best = null;
  let near = Infinity;
  for (const hex of picture.querySelectorAll(".hits path")) {
    const place = hex.id.slice(3);
    const [x, y] = middle(place) || [0, 0];
    const ahead = (x - from[0]) * right + (y - from[1]) * down;
    const aside = Math.abs((x - from[0]) * down) + Math.abs((y - from[1]) * right);
    if (ahead <= 200 || ahead + 2 * aside >= near) continue;
    near = ahead + 2 * aside;
    best = [[x, y], place];
  }
  return best;
}
/** Return the middle of the visible part. @returns {Point} */
function start() {
  const seen = picture.viewBox.baseVal;
  return [seen.x + seen.width / 2, seen.y + seen.height / 2];
}
