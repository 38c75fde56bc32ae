// @ts-check
// Moves on table tops. Points are inches from the lower left. The board checks a way before writing the order.
import { ask, order } from "./asking.js";
import * as chosen from "./chosen.js";
import { all } from "./dom.js";
import { spot } from "./ground.js";
import * as overlay from "./overlay.js";
import { inch, picture, say } from "./page.js";
import { choose } from "./units.js";
/** @typedef {import("./types.js").Point} Point */

/** Return points in inches, in the form of orders. @param {Point[]} points @param {string} [between] */
export function way(points, between) {
  const table = picture.querySelector(".table");
  const high = Number(table ? table.getAttribute("height") : 0);
  const inches = (/** @type {number} */ value) => Math.max(0, value / inch).toFixed(2);
  const told = points.map(([x, y]) => inches(x) + (between || " ") + inches(high - y));
  return told.join(between ? "; " : " ");
}
/** @param {Point} point */
export function bend(point) {
  chosen.by(point);
  overlay.draw();
  say([`By way of ${way([point], ", ")}; choose the end of the way.`]);
}
/** Order the chosen model to a point if the way is free. @param {Point} point */
export async function pointed(point) {
  const unit = chosen.unit;
  const points = [...chosen.via, point];
  const now = chosen.phases[0];
  chosen.setWay([]);
  if (!now) return say(["This model cannot move now."], true);
  const found = await ask("why?" + new URLSearchParams({ unit: unit, place: way(points, ", ") }));
  overlay.draw();
  if (!found) return;
  if (found.lines.length) return say([`Not to ${way([point], ", ")}:`, ...found.lines], true);
  if (await order(`${now.verb} ${unit} ${way(points)}`)) await choose(unit);
}
/** Turn the chosen model to the left (0) or to the right (1). @param {number} step */
export async function rotate(step) {
  const unit = chosen.unit;
  const turns = chosen.phases[0] ? chosen.phases[0].turns : [];
  if (!turns.length) return say(["Choose a unit that can turn first."]);
  if (await order(turns[step])) await choose(unit);
}
/** Turn the chosen model by a drag of its handle. */
export function turns() {
  const unit = chosen.unit;
  const start = all("#map .chosen").map(spot)[0];
  let half = chosen.faces();
  return {
    /** @param {PointerEvent} _moved @param {DOMPoint} point */
    over(_moved, point) {
      if (!start) return;
      const angle = Math.atan2(point.x - start[0], start[1] - point.y);
      half = (Math.round((angle * 12) / Math.PI) + 24) % 24;
      overlay.setFaced(half);
    },
    /** @param {PointerEvent | null} dropped */
    async drop(dropped) {
      overlay.setFaced(-1);
      if (dropped && half !== chosen.faces() && (await order(chosen.turned(half)))) await choose(unit);
    },
  };
}
/** Move a counter by a drag. @param {HTMLElement} counter @param {Point} at @param {boolean} byWay */
export function draws(counter, at, byWay) {
  const start = chosen.phases[0] ? chosen.phases[0].start : null;
  const from = chosen.via[chosen.via.length - 1] || start || spot(counter);
  if (byWay && Math.hypot(at[0] - from[0], at[1] - from[1]) > inch) chosen.by(at.map(Math.round));
  overlay.draw({ way: [at] });
}
