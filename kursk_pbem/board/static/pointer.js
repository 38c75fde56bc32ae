// @ts-check
// The pointer on the map: clicks, dragged counters, and explanations for a resting pointer.
import * as chosen from "./chosen.js";
import * as composer from "./composer.js";
import { act } from "./deeds.js";
import { around, get } from "./dom.js";
import { counters, ownUnder, under, unitOf } from "./ground.js";
import * as overlay from "./overlay.js";
import { plane } from "./page.js";
import { draws, pointed, turns } from "./plane.js";
import * as stacks from "./stacks.js";
import { choose, goTo, why } from "./units.js";
/** @typedef {import("./types.js").Point} Point */

const REST = 700; // milliseconds of rest before an explanation

/** @param {MouseEvent} event @param {DOMPoint} point */
export function clicked(event, point) {
  overlay.setMark(null);
  if (around(event, ".handle")) return;
  const pill = around(event, ".answers");
  if (pill && !composer.held()) return void composer.open(pill.dataset.verb || "", pill.dataset.words);
  const pile = around(event, "[data-stack]");
  if (pile) return stacks.spread(pile.dataset.stack || "");
  const join = around(event, ".join [data-place]");
  const counter = around(event, "[data-unit]");
  const place = join ? join.dataset.place : counter ? counter.dataset.at : under(event);
  const at = /** @type {Point} */ ([Math.round(point.x), Math.round(point.y)]);
  act(counter ? unitOf(counter) : "", place || "", at, event.shiftKey || undefined);
}
/** Keep the width of the panels, so that the map stays where it is under a drag. @param {boolean} on */
function hold(on) {
  const panels = /** @type {HTMLElement} */ (document.querySelector("aside"));
  panels.style.width = on ? `${panels.getBoundingClientRect().width}px` : "";
}
/** Move the player's own counter to the end of a drag. @param {PointerEvent} event */
export function grab(event) {
  if (around(event, ".handle")) return turns();
  const counter = ownUnder(event);
  if (!counter || composer.inHand()) return null;
  /** @type {Promise<void> | null} */
  let ready = null;
  /** @type {any[]} */
  const bends = []; // the drag may be quicker than the answer, and the answer clears the way
  return {
    /** @param {PointerEvent} moved @param {DOMPoint} point */
    over(moved, point) {
      if (!ready) {
        hold(true);
        ready = chosen.unit === unitOf(counter) ? Promise.resolve() : choose(unitOf(counter), false);
      }
      const place = under(moved);
      chosen.setWay(bends);
      if (moved.shiftKey && chosen.lit[place]) chosen.by(place);
      overlay.setMark([point.x, point.y]);
      if (plane) draws(counter, [point.x, point.y], moved.shiftKey);
      else overlay.draw(chosen.lit[place]);
    },
    /** @param {PointerEvent | null} dropped @param {DOMPoint} point */
    async drop(dropped, point) {
      overlay.setMark(null);
      await ready;
      const place = dropped ? under(dropped) : "";
      hold(false);
      chosen.setWay(dropped ? bends : []);
      if (!dropped) return overlay.draw();
      if (chosen.lit[place]) goTo(place);
      else if (plane) await pointed([Math.round(point.x), Math.round(point.y)]);
      else if (place && place !== counter.dataset.at) why(place);
      overlay.draw();
    },
  };
}
let over = "";
let resting = 0;

/** @param {PointerEvent} event */
function hovers(event) {
  if (!chosen.unit || event.buttons || plane) return;
  const place = under(event);
  if (place === over) return;
  over = place;
  overlay.draw(chosen.lit[place]);
  clearTimeout(resting);
  const asks = get("compose").hidden && place && !chosen.lit[place] && !counters(place).length;
  if (asks) resting = window.setTimeout(() => chosen.unit && why(place), REST);
}
/** Add the listeners. */
export function begin() {
  get("map").addEventListener("pointermove", hovers);
}
