// @ts-check
// A spread stack: the counters of one stack side by side at full size, so that every counter can be clicked.
import { all, get, shape } from "./dom.js";
import { counters, middle } from "./ground.js";
import { picture, plane } from "./page.js";

const [WIDE, LEAST] = [1300, 34]; // map units between counters; pixels of a readable counter
const [SHIFT, MOST] = [650, 2900]; // map units: away from targets; the largest width, to leave the next hexes free

/** The hex of the spread stack, or "". */
export let place = "";
/** Points that the spread stack must not cover. @type {[number, number][]} */
let clear = [];

/** Return the scale of the counters. @param {number} across */
function size(across) {
  const per = Number(picture.style.getPropertyValue("--per")) || 1;
  return Math.min(Math.max(1, (LEAST * per) / WIDE), Math.max(1, MOST / (across * WIDE)));
}
/** Return the middle of the spread stack: away from the points to keep clear. @param {[number, number]} middle */
function moved([x, y]) {
  const [right, down] = [0, 1].map((axis) => clear.reduce((sum, point) => sum + point[axis] - [x, y][axis], 0));
  const far = SHIFT / (Math.hypot(right, down) || 1);
  return [x - right * far, y - down * far];
}
/** Spread the stack of a hex, away from targets. @param {string} hex @param {[number, number][]} targets */
export function spread(hex, targets = []) {
  clear = targets;
  for (const counter of all("#map .spread")) {
    counter.setAttribute("transform", counter.dataset.lay || "");
    counter.classList.remove("spread");
  }
  for (const cloth of all("#map .cloth")) cloth.remove();
  for (const name of all("#layer-names .under")) name.classList.remove("under");
  const stack = counters(hex).reverse();
  const within = stack.length > 1 && !plane ? middle(hex) : null;
  place = within ? hex : "";
  if (!within) return;
  const at = moved(within);
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
    const there = `translate(${Math.round(at[0] + right)},${Math.round(at[1] + below)})`;
    counter.setAttribute("transform", `${there} scale(${scale.toFixed(3)})`);
    counter.classList.add("spread");
  });
}
/** Spread the stack again after new counters are drawn. */
export function again() {
  if (place) spread(place, clear);
}
