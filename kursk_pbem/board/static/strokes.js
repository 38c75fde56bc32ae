// @ts-check
// Drags that draw above the map: planning arrows and the ruler. Other listeners of the map do not see these drags.
import { get } from "./dom.js";
import { middle, under } from "./ground.js";
import { picture, plane } from "./page.js";
/** @typedef {import("./types.js").Point} Point */
/** An end of a stroke; ``place`` is its hex, "" on a table top. @typedef {{point: Point, place: string}} End */
/** @typedef {(from: End, to: End, event: PointerEvent) => void} Draws */

const STILL = 4; // pixels that a click may move

/** Return the middle of the hex at a pointer, or the point of a table top. @param {PointerEvent} event */
function end(event) {
  const place = plane ? "" : under(event);
  const drawn = picture.getScreenCTM();
  const shown = new DOMPoint(event.clientX, event.clientY);
  const at = drawn ? shown.matrixTransform(drawn.inverse()) : shown;
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
  /** @type {{from: End, id: number, x: number, y: number, moved: boolean} | null} */
  let held = null;
  const hear = (/** @type {string} */ kind, /** @type {(event: PointerEvent) => void} */ heard) =>
    box.addEventListener(kind, (event) => heard(/** @type {PointerEvent} */ (event)), { capture: true });

  hear("pointerdown", (event) => {
    if (held || !wanted(event)) return;
    event.stopPropagation();
    held = { from: end(event), id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
    box.setPointerCapture(event.pointerId);
  });
  hear("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    event.stopPropagation();
    held.moved = held.moved || Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL;
    if (held.moved) over(held.from, end(event), event);
  });
  hear("pointerup", (event) => {
    if (!held || event.pointerId !== held.id) return;
    event.stopPropagation();
    const { from, moved } = held;
    held = null;
    if (moved) done(from, end(event), event);
    else click(from, event);
  });
  hear("pointercancel", (event) => {
    if (!held || event.pointerId !== held.id) return;
    held = null;
    leave();
  });
}
