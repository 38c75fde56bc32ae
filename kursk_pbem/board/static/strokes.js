// @ts-check
// Drags that draw above the map: planning arrows and the ruler. Other listeners of the map do not see these drags.
import { get } from "./dom.js";
import { middle, under } from "./ground.js";
import { plane } from "./page.js";
import { map } from "./view.js";
/** @typedef {import("./types.js").Point} Point */
/** An end of a stroke; ``place`` is its hex, "" on a table top. @typedef {{point: Point, place: string}} End */
/** @typedef {(from: End, to: End, event: PointerEvent) => void} Draws */
/** @typedef {{from: End, id: number, x: number, y: number, moved: boolean}} Stroke */

const STILL = 4; // pixels that a click may move

/** Return the middle of the hex at a pointer, or the point of a table top. @param {PointerEvent} event */
function end(event) {
  const place = plane ? "" : under(event);
  const at = map.point(event);
  const found = middle(place) || [Math.round(at.x), Math.round(at.y)];
  return { point: /** @type {Point} */ (found), place };
}
/**
 * Draw by drags that begin at a wanted event. ``over`` draws during the drag, ``done`` at its end. ``click`` is called
 * instead if the pointer has not moved, ``leave`` if the browser stops the drag.
 * @param {(event: PointerEvent) => boolean} wanted
 * @param {{over: Draws, done: Draws, click: (at: End, event: PointerEvent) => void, leave: () => void}} draws
 */
export function strokes(wanted, { over, done, click, leave }) {
  const box = get("map");
  /** @type {Stroke | null} */
  let held = null;
  /** @param {string} kind @param {(event: PointerEvent, stroke: Stroke) => void} heard during a stroke */
  function hear(kind, heard) {
    box.addEventListener(kind, (heardEvent) => {
      const event = /** @type {PointerEvent} */ (heardEvent);
      if (!held || event.pointerId !== held.id) return;
      event.stopPropagation();
      heard(event, held);
    }, { capture: true });
  }
  box.addEventListener("pointerdown", (event) => {
    if (held || !wanted(event)) return;
    event.stopPropagation();
    held = { from: end(event), id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
    box.setPointerCapture(event.pointerId);
  }, { capture: true });
  hear("pointermove", (event, stroke) => {
    stroke.moved = stroke.moved || Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) > STILL;
    if (stroke.moved) over(stroke.from, end(event), event);
  });
  hear("pointerup", (event, { from, moved }) => {
    held = null;
    if (moved) done(from, end(event), event);
    else click(from, event);
  });
  hear("pointercancel", () => {
    held = null;
    leave();
  });
}
