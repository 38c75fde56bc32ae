// @ts-check
// Drawings above the map: lit hexes, the way, rings, and the mark that keys move.
import * as chosen from "./chosen.js";
import { all, get, shape } from "./dom.js";
import { counters, middle, spot, unitOf } from "./ground.js";
import { picture, plane } from "./page.js";
import { names, small } from "./view.js";
/** @typedef {import("./types.js").Point} Point */

/** The hex of the mark, or "". */
export let mark = "";
/** The point of the mark. @type {Point | null} */
export let at = null;
let aim = "";

/** @param {Point | null} point @param {string} [place] */
export function setMark(point, place) {
  at = point;
  if (place !== undefined) mark = place;
}
/** Set the hex of the open order. @param {string} place */
export function setAim(place) {
  aim = place;
  draw();
}
/** Drop the chosen unit and delete its drawings. */
export function clear() {
  chosen.drop();
  get("layer-lit").replaceChildren();
  get("layer-join").replaceChildren();
  for (const counter of all(".chosen")) counter.classList.remove("chosen");
  draw();
}
/** Light the ends of the chosen unit's moves in a phase. @param {string} key */
export function light(key) {
  const ends = chosen.setPhase(key);
  if (plane) {
    get("layer-lit").innerHTML = chosen.drawn;
    return void names();
  }
  const shapes = [];
  const joins = [];
  for (const end of ends) {
    const hex = document.getElementById("at-" + end.place);
    const found = middle(end.place);
    if (!hex || !found) continue;
    const [x, y] = found;
    chosen.light(end);
    const name = { role: "button", tabindex: "-1", "aria-label": "hex " + end.place };
    const kind = { class: end.marked ? "danger" : "" };
    const cost = end.cost + (end.marked ? "!" : "");
    const taken = counters(end.place).some((counter) => unitOf(counter) !== chosen.unit);
    shapes.push(shape("path", { d: hex.getAttribute("d") || "", ...kind, ...(taken ? {} : name) }));
    if (taken) joins.push(badge(end.place, x, y + 740, cost, { ...kind, ...name }));
    else shapes.push(shape("text", { x, y }, cost));
  }
  get("layer-lit").replaceChildren(...shapes);
  get("layer-join").replaceChildren(...joins);
  for (const button of all(".lights")) button.setAttribute("aria-pressed", String(button.dataset.phase === key));
}
/**
 * Draw the badge of a lit hex with a counter. The counter takes clicks, so the badge chooses the hex.
 * @param {string} place @param {number} x @param {number} y @param {string} cost @param {Record<string, string>} more
 */
function badge(place, x, y, cost, more) {
  const group = shape("g", { "data-place": place, ...more });
  group.append(shape("circle", { cx: x, cy: y, r: 210 }), shape("text", { x: x, y: y + 80 }, cost || "\u2193"));
  return group;
}
/**
 * Light the places that the open order can name, with their texts; a click names the place.
 * @param {Record<string, string>} places
 */
export function propose(places) {
  const shapes = [];
  const numbers = []; // numbers must be above the counters
  for (const [place, said] of Object.entries(places)) {
    const hex = document.getElementById("at-" + place);
    const at = middle(place);
    if (!hex || !at) continue;
    shapes.push(shape("path", { class: "proposed", "data-at": place, d: hex.getAttribute("d") || "" }));
    if (said) numbers.push(shape("text", { class: "proposed", x: at[0], y: at[1] - 640 }, said));
  }
  if (plane || chosen.unit) return;
  get("layer-lit").replaceChildren(...shapes);
  get("layer-join").replaceChildren(...numbers);
}
/** Return the way to an end, or to the pointer. @param {{place?: string, way: Point[]}} [end] @returns {Point[]} */
function wayTo(end) {
  const by = plane ? chosen.via : chosen.via.map(middle);
  if (end && !by.length) return end.way;
  const last = end ? (plane ? end.way : [middle(end.place || "")]) : [];
  return [...by, ...last].filter((point) => point !== null);
}
/** The facing during a drag of the turn handle, in half hours; -1 without a drag. */
let faced = -1;

/** @param {number} half */
export function setFaced(half) {
  faced = half;
  draw();
}
/** Return the handle to turn a model. @param {Point} from @param {number} half */
function handle(from, half) {
  const per = Number(picture.style.getPropertyValue("--per")) || 1;
  const angle = (half * Math.PI) / 12;
  const far = Math.max(1800, 48 * per);
  const to = [from[0] + far * Math.sin(angle), from[1] - far * Math.cos(angle)].map(Math.round);
  const group = shape("g", { class: "handle" });
  group.append(
    shape("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], pathLength: 100 }),
    shape("circle", { cx: to[0], cy: to[1], r: Math.max(260, 8 * per) }),
  );
  return group;
}
/** Draw the overlay again. @param {{place?: string, way: Point[]}} [end] */
export function draw(end) {
  const shapes = [];
  const start = plane && chosen.phases[0] ? chosen.phases[0].start : all("#map .chosen").map(spot)[0];
  if (end || chosen.via.length) {
    const points = wayTo(end);
    const line = [...(start ? [start] : []), ...points].map((point) => point.join(",")).join(" ");
    shapes.push(shape("polyline", { class: "way", points: line }));
    for (const [x, y] of points) shapes.push(shape("circle", { class: "dot", cx: x, cy: y, r: 110 }));
  }
  const aimed = aim ? middle(aim) : null;
  if (aimed) shapes.push(shape("circle", { class: "ring aim", cx: aimed[0], cy: aimed[1], r: 800 }));
  for (const target of plane || !chosen.unit ? [] : chosen.targets) {
    const [x, y] = target.at;
    const none = target.odds === "-" ? " none" : "";
    const above = picture.dataset.form !== "pointy"; // where the pill with the odds is
    const down = target.declared && above ? 890 : -660; // clear of the card and of the pill
    shapes.push(shape("circle", { class: "ring" + none, cx: x, cy: y, r: 760 }));
    if (!target.odds) continue;
    const text = shape("text", { class: "ring-text" + none, x, y: y + down }, target.odds);
    text.append(shape("title", {}, target.text));
    shapes.push(text);
  }
  const stands = all("#map .chosen").map(spot)[0]; // the end of the ordered move, not its start
  if (plane && stands && chosen.faces() >= 0) shapes.push(handle(stands, faced < 0 ? chosen.faces() : faced));
  if (at) shapes.push(shape("circle", { class: "cursor", cx: at[0], cy: at[1], r: plane ? 260 : 700 }));
  get("layer-hand").replaceChildren(...shapes);
  if (!end) small();
  if (!end && !plane) names();
}
