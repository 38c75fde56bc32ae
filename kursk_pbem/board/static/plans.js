// @ts-check
// Planning arrows and circles, drawn with the right mouse button, or after the button Arrows. The browser keeps the
// plans of each game and message. Plans are private: no request contains them, so no draft and no signed text can.
import * as chosen from "./chosen.js";
import { around, get, shape } from "./dom.js";
import * as overlay from "./overlay.js";
import { back, base, picture, plane, say } from "./page.js";
import * as stacks from "./stacks.js";
import { strokes } from "./strokes.js";
/** @typedef {import("./types.js").Point} Point */
/** An arrow from ``a`` to ``b``; a circle if both are equal. @typedef {{a: Point, b: Point, hue: number}} Plan */

const MOST = 200; // plans of a message
const HOME = `kursk-plans ${base.split("/").slice(2).join("/")} ${get("main").dataset.message}`;
/** @type {Plan[]} */
let plans = [];
let pen = -1; // the color of the button; -1: the button is off
const layer = shape("g", { id: "layer-plans", "aria-hidden": "true" });

/** Return whether a value has the form of a plan. @param {any} plan */
function isPlan(plan) {
  const numbers = plan && [...[plan.a, plan.b].flat(), plan.hue];
  return Boolean(numbers && numbers.length === 5 && numbers.every(Number.isFinite) && [0, 1, 2, 3].includes(plan.hue));
}
/** Save the plans, or read the saved plans. @param {Plan[]} [now] @returns {Plan[]} */
function kept(now) {
  try {
    if (now && now.length) localStorage.setItem(HOME, JSON.stringify(now));
    else if (now) localStorage.removeItem(HOME);
    const found = JSON.parse(localStorage.getItem(HOME) || "[]");
    return Array.isArray(found) ? found.filter(isPlan).slice(0, MOST) : [];
  } catch (error) {
    return now || []; // a browser can refuse storage: then plans last as long as the page
  }
}
/** Return the color of the button, or of the held keys: Shift or Ctrl, Alt, both. @param {MouseEvent} event */
function hue(event) {
  if (pen >= 0 && event.button !== 2) return pen;
  return (event.shiftKey || event.ctrlKey ? 1 : 0) + (event.altKey || event.metaKey ? 2 : 0);
}
/** Return the size of plans: a small map has larger plans, or the eye would lose them. */
function size() {
  const per = Number(picture.style.getPropertyValue("--per")) || 1;
  return Math.max(plane ? 0.7 : 1, per / 48);
}
/** @param {Plan} plan */
function drawn({ a, b, hue }) {
  const look = { class: `plan plan-${hue}` };
  const large = size();
  const far = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!far) return shape("circle", { ...look, cx: a[0], cy: a[1], r: 800 * (plane ? large : 1) });
  const [x, y] = [(b[0] - a[0]) / far, (b[1] - a[1]) / far];
  const [head, half] = [Math.min(far, 620 * large), 330 * large];
  const at = (/** @type {number} */ back, /** @type {number} */ side) =>
    `${Math.round(b[0] - x * back - y * side)},${Math.round(b[1] - y * back + x * side)}`;
  const thin = half * 0.36;
  const left = [at(far, thin), at(head, thin), at(head, half), at(0, 0)];
  const right = [at(head, -half), at(head, -thin), at(far, -thin)];
  return shape("polygon", { ...look, points: [...left, ...right].join(" ") });
}
/** Draw all plans and the plan of the present drag. @param {Plan} [held] */
function draw(held) {
  layer.replaceChildren(...[...plans, ...(held ? [held] : [])].map(drawn));
}
/** Add a plan. The same plan again removes it; another color replaces it. @param {Plan} plan */
function add(plan) {
  const same = (/** @type {Plan} */ other) => String([other.a, other.b]) === String([plan.a, plan.b]);
  const old = plans.find(same);
  plans = plans.filter((other) => !same(other));
  if (!(old && old.hue === plan.hue)) plans = [...plans, plan].slice(-MOST);
  kept(plans);
  draw();
}
/** Delete the plans of this message; return whether there were any. */
export function clear() {
  const any = plans.length > 0;
  plans = [];
  kept(plans);
  draw();
  return any;
}
/** @param {number} wanted */
function take(wanted) {
  pen = wanted;
  const button = get("plan");
  button.setAttribute("aria-pressed", String(pen >= 0));
  button.className = `plan-${pen}`;
  get("map").classList.toggle("measuring", pen >= 0);
}
/** Turn the button on, or go on to the next color; after the last color, the button is off. */
export function turn() {
  take(pen === 3 ? -1 : pen + 1);
  if (pen === 0) say([`Drag to plan an arrow, tap for a circle. Arrows again takes another color, ${back} ends.`]);
}
/** Turn the button off; return whether it was on. */
export function off() {
  const was = pen >= 0;
  if (was) take(-1);
  return was;
}
/** Drop the chosen counter; return whether a counter or a stack was open. */
function drops() {
  const open = Boolean(chosen.unit || stacks.place);
  stacks.spread("");
  overlay.clear();
  return open;
}
/** Add the listeners, and draw the saved plans. */
export function begin() {
  get("layer-hand").after(layer);
  plans = kept();
  draw();
  strokes((event) => event.button === 2 || (pen >= 0 && event.button === 0), {
    over: (from, to, event) => draw({ a: from.point, b: to.point, hue: hue(event) }),
    done: (from, to, event) => add({ a: from.point, b: to.point, hue: hue(event) }),
    click: (at, event) => (pen < 0 && drops()) || add({ a: at.point, b: at.point, hue: hue(event) }),
    leave: draw,
  });
  get("map").addEventListener("contextmenu", (event) => {
    event.preventDefault();
    if (event.button !== 2 && !around(event, "[data-unit]")) drops(); // a long touch, which enlarges a counter
  });
  get("map").addEventListener("click", (event) => pen >= 0 && event.stopPropagation(), { capture: true });
  get("map").addEventListener("look", () => draw());
  get("plans-clear").addEventListener("click", clear);
}
