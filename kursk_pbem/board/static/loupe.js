// @ts-check
// A counter enlarged in a corner of the map, with its words: for a resting mouse, for keys, and for a long touch.
import { all, around, block, get, shape } from "./dom.js";
import { counters, label } from "./ground.js";
import { touch } from "./page.js";
import * as stacks from "./stacks.js";

const [REST, HOLD, STILL] = [400, 500, 8]; // milliseconds of a resting mouse, of a long touch; pixels of a still finger
const NEXT = "#layer-lit path, #layer-join g, #map .answers, #mini:not([hidden])"; // places of a next click
/** @type {HTMLElement | null} */
let over = null; // the counter under the mouse or finger
/** @type {HTMLElement | null} */
let shown = null;
let waits = 0;
let held = false; // a long touch is no click

/** Close the enlarged counter. */
export function close() {
  clearTimeout(waits);
  shown = null;
  get("loupe").hidden = true;
}
/** Return an enlarged counter with its words. @param {HTMLElement} counter */
function enlarge(counter) {
  const frame = shape("svg", { class: "kursk-map", viewBox: "-780 -800 1560 1600", "data-zoom": "near" });
  const copy = /** @type {HTMLElement} */ (counter.cloneNode(true));
  copy.classList.remove("under", "dimmed", "chosen", "spread");
  for (const { name } of [...copy.attributes]) if (name !== "class") copy.removeAttribute(name);
  for (const part of all(".facing, .whole", copy)) part.remove();
  frame.append(copy);
  const words = (counter.getAttribute("aria-label") || label(counter)).replace(/^[^,]*, /, ""); // without the id
  return block("figure", "", frame, block("figcaption", "", words));
}
/** Enlarge a counter, or all counters of its closed stack; by keys only if no next place is hidden. */
export function show(/** @type {HTMLElement} */ counter, byKeys = false) {
  const place = counter.dataset.at;
  const box = get("loupe");
  box.replaceChildren(...(place && place !== stacks.place ? counters(place).reverse() : [counter]).map(enlarge));
  box.hidden = false;
  shown = counter;
  const [map, own] = [get("map"), box].map((each) => each.getBoundingClientRect());
  const kept = [counter, ...all(NEXT)].map((each) => each.getBoundingClientRect());
  const corners = [map.bottom - own.height - 8, map.top + 8].flatMap((top) =>
    [map.right - own.width - 8, map.left + 8].map((left) => {
      const right = left + own.width;
      const bottom = top + own.height;
      const hides = (/** @type {DOMRect} */ each) =>
        each.left < right && each.right > left && each.top < bottom && each.bottom > top;
      return { left, top, hidden: Number(hides(kept[0])) * 1000 + kept.filter(hides).length };
    }));
  const best = corners.reduce((one, other) => (other.hidden < one.hidden ? other : one));
  Object.assign(box.style, { left: `${Math.max(8, best.left)}px`, top: `${best.top}px` });
  if (byKeys && best.hidden) close();
}
/** Return the counter at an event: for the number of a stack, its top counter. @param {Event} event */
function at(event) {
  const pile = around(event, "#map [data-stack]");
  return pile ? counters(pile.dataset.stack).reverse()[0] : around(event, "#map [data-unit]");
}
/** @param {PointerEvent} event @param {number} delay */
function wait(event, delay) {
  close();
  over = at(event);
  const counter = over;
  if (counter) waits = window.setTimeout(() => {
    held = delay === HOLD;
    show(counter);
  }, delay);
}
/** Add the listeners. */
export function begin() {
  const map = get("map");
  let [x, y] = [0, 0];
  map.addEventListener("pointerover", (event) => {
    if (!touch && event.pointerType === "mouse" && !event.buttons && at(event) !== over) wait(event, REST);
  });
  map.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "mouse") return;
    over = null;
    close();
  });
  map.addEventListener("pointerdown", (event) => {
    held = false;
    [x, y] = [event.clientX, event.clientY];
    if (event.pointerType === "mouse") close();
    else wait(event, HOLD);
  }, { capture: true });
  map.addEventListener("pointermove", (event) => {
    if (event.buttons && Math.hypot(event.clientX - x, event.clientY - y) > STILL) close();
  }, { capture: true });
  map.addEventListener("pointerup", () => held || clearTimeout(waits), { capture: true });
  map.addEventListener("click", (event) => held && event.stopPropagation(), { capture: true });
  map.addEventListener("look", () => shown && close());
  document.addEventListener("filled", close);
}
