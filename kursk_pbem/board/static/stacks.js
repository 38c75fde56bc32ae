// @ts-check
// A spread stack: the counters of one stack side by side at full size, so that every counter can be clicked.
import { all, get, shape } from "./dom.js";
import { counters, middle } from "./ground.js";
import { picture, plane } from "./page.js";

const [WIDE, LEAST] = [1300, 34]; // map units between counters; pixels of a readable counter
const MOST = 2900; // largest width in map units, so that adjacent hexes can be clicked

/** The hex of the spread stack, or "". */
export let place = "";

/** Return the scale of the counters. @param {number} across */
function size(across) {
  const per = Number(picture.style.getPropertyValue("--per")) || 1;
  return Math.min(Math.max(1, (LEAST * per) / WIDE), Math.max(1, MOST / (across * WIDE)));
}
/** Spread the stack of a hex; close the other stacks. @param {string} hex */
export function spread(hex) {
  for (const counter of all("#map .spread")) {
    counter.setAttribute("transform", counter.dataset.lay || "");
    counter.classList.remove("spread");
  }
  for (const cloth of all("#map .cloth")) cloth.remove();
  for (const name of all("#layer-names .under")) name.classList.remove("under");
  const stack = counters(hex).reverse();
  const at = stack.length > 1 && !plane ? middle(hex) : null;
  place = at ? hex : "";
  if (!at) return;
  const across = Math.ceil(Math.sqrt(stack.length));
  const down = Math.ceil(stack.length / across);
  const scale = across > 2 ? Math.min(size(across), MOST / (across * WIDE)) : size(across);
  const far = WIDE * scale;
  const box = { x: at[0] - (across * far) / 2 - 60, y: at[1] - (down * far) / 2 - 60 };
  const cloth = shape("rect", { class: "cloth", ...box, width: across * far + 120, height: down * far + 120, rx: 160 });
  for (const name of /** @type {SVGTextElement[]} */ (/** @type {unknown} */ (all("#layer-names .name")))) {
    const lies = name.getBBox(); // names are above all counters, but must not cover the spread stack
    const beside = lies.x > box.x + across * far + 120 || lies.x + lies.width < box.x;
    name.classList.toggle("under", !beside && lies.y < box.y + down * far + 120 && lies.y + lies.height > box.y);
  }
  get("layer-counters").append(cloth); // above all other counters, in the sequence of the stack
  const pile = all(`#map [data-stack="${CSS.escape(hex)}"]`);
  get("layer-counters").append(...counters(hex), ...pile);
  stack.forEach((counter, number) => {
    const right = ((number % across) - (across - 1) / 2) * far;
    const below = (Math.floor(number / across) - (down - 1) / 2) * far;
    counter.dataset.lay = counter.getAttribute("transform") || "";
    const moved = `translate(${Math.round(at[0] + right)},${Math.round(at[1] + below)})`;
    counter.setAttribute("transform", `${moved} scale(${scale.toFixed(3)})`);
    counter.classList.add("spread");
  });
}
/** Return whether the spread stack covers a point. @param {number} x @param {number} y */
export function covers(x, y) {
  return all("#map .cloth").some((cloth) => {
    const { x: left, y: top, width, height } = /** @type {SVGRectElement} */ (/** @type {unknown} */ (cloth)).getBBox();
    return x > left && x < left + width && y > top && y < top + height;
  });
}
/** Spread the stack again after new counters are drawn. */
export function again() {
  if (place) spread(place);
}
