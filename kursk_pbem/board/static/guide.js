// @ts-check
// A guided turn. Each step names an action and marks the button or hex. The guide continues after the action.
// "Done" ends the guide of this message. Later messages are guided, too, until the own dice of the side have fallen.
import { ask } from "./asking.js";
import { all, field, get, maybe, shape } from "./dom.js";
import { counters, spot, unitOf } from "./ground.js";
import { covered } from "./news.js";
import { base, past, picture, touch } from "./page.js";
import { tab } from "./panels.js";
import { bring } from "./view.js";
/** @typedef {{point: string, text: string, unit: string, touch?: string, drawn?: string}} Step */

const [KEPT, WHERE] = [`guided ${base}`, `guided step ${base} ${get("main").dataset.message}`];
const DICE = `guided dice ${base} ${get("bar").querySelector("[data-own]")?.getAttribute("data-own") || ""}`;
const DONE = "done"; // in place of the text of a step: no step has such a text
/** @type {Step[]} */
let steps = [];
let at = 0;
let known = 0; // the number of steps that an earlier turn has shown: how to use the map
let orders = 0; // the number of orders at the beginning of the step

/** Begin the guide at the first step. */
export async function start() {
  get("guide").hidden = false; // its place is reserved before the answer
  const found = await ask("guide");
  if (!found || !found.steps.length) return void (get("guide").hidden = true);
  const begun = sessionStorage.getItem(KEPT) ?? WHERE;
  sessionStorage.setItem(KEPT, begun);
  known = Number(begun !== WHERE);
  steps = found.steps.slice(known);
  const before = steps.findIndex((step) => step.text === sessionStorage.getItem(WHERE)); // the page was loaded again
  at = Math.max(before, 0);
  if (all("#orders .dice").length) sessionStorage.setItem(DICE, WHERE);
  show();
}
/** Close the guide in this window. */
export function leave() {
  sessionStorage.removeItem(KEPT);
  close();
}
function close() {
  sessionStorage.setItem(WHERE, DONE);
  steps = [];
  get("guide").hidden = true;
  unpoint();
}
/** @param {number} by */
export function go(by) {
  if (!steps.length) return; // not answered yet
  at = Math.max(0, at + by);
  if (at < steps.length) return show();
  close();
}
/** Return the number of orders. */
function many() {
  return all("#listed li").length;
}
function show() {
  const step = steps[at];
  sessionStorage.setItem(WHERE, step.text);
  orders = many();
  get("guide").hidden = false;
  get("guide-text").textContent = touch ? (step.touch || step.text).replace(/\bClick\b/g, "Tap") : step.text;
  get("guide-drawn").innerHTML = step.drawn || "";
  get("guide-where").textContent = `${at + 1} of ${steps.length}`;
  get("guide-next").textContent = at + 1 < steps.length ? "Next step" : "Done";
  field("guide-back").disabled = at === 0;
  point(step);
}
function unpoint() {
  for (const pointed of all(".pointed")) pointed.classList.remove("pointed");
  const ring = maybe("layer-guide");
  if (ring) ring.remove();
}
/** @param {Step} step */
function point(step) {
  unpoint();
  const [kind, name] = step.point.split(" ");
  if (step.unit) return pointAt(step.unit);
  if (kind === "verb" || kind === "orders" || kind === "attacked") tab("orders");
  const meant = {
    map: () => get("map"),
    sign: () => maybe("sign"),
    orders: () => maybe("listed"),
    attacked: () => all(".attacked")[0],
    tab: () => maybe("tab-" + name),
    verb: () => all(".verb").find((button) => button.dataset.verb === name),
  }[kind];
  const found = meant && meant();
  if (!found) return;
  found.classList.add("pointed");
  if (kind === "map") return;
  found.scrollIntoView({ block: "nearest" });
  const panel = found.closest("[role=tabpanel]");
  const edge = panel ? panel.getBoundingClientRect().top : 0;
  const boxes = panel ? [...panel.children].map((each) => each.getBoundingClientRect()) : [];
  const cut = boxes.find(({ top, bottom, height }) => top < edge && bottom > edge && height < 60);
  if (panel && cut) panel.scrollTop += cut.bottom - edge; // no line is half above the edge
}
/** Bring a counter into view, and draw a ring around the counter. @param {string} unit */
function pointAt(unit) {
  const counter = counters().find((other) => unitOf(other) === unit);
  if (!counter) return;
  const [x, y] = spot(counter);
  const group = shape("g", { id: "layer-guide" });
  group.append(shape("circle", { class: "guide-ring", cx: x, cy: y, r: 900 }));
  picture.append(group);
  bring([x, y]);
}
/** Continue if the action of the step is done; point at the new place otherwise. */
async function again() {
  if (!steps.length) return;
  const done = many() > orders && steps[at].point !== "orders";
  const text = steps[at].text;
  const found = await ask("guide");
  if (!found || !found.steps.length) return close();
  steps = found.steps.slice(known);
  const here = steps.findIndex((step) => step.text === text);
  at = Math.min(here < 0 ? at : here + Number(done), steps.length - 1);
  show();
}
/** Return whether this message is guided: in a new game, or if the last turn was guided, before the own dice. */
function wanted() {
  const ended = sessionStorage.getItem(WHERE) === DONE || (sessionStorage.getItem(DICE) || WHERE) !== WHERE;
  return !past && !ended && Boolean((get("main").dataset.guide || sessionStorage.getItem(KEPT)) && maybe("sign"));
}
/** Add the listeners; show the orders of a guided message. */
export function begin() {
  document.addEventListener("filled", () => void again());
  get("guide").hidden = !wanted();
  if (!wanted()) return;
  tab("orders");
  if (covered()) document.addEventListener("seen", () => void start(), { once: true });
  else void start();
}
