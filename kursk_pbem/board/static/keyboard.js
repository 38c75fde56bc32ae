// @ts-check
// Keys for every action of the mouse.
import * as chosen from "./chosen.js";
import * as composer from "./composer.js";
import { enter, step } from "./deeds.js";
import { all, dialog, get, maybe } from "./dom.js";
import * as editing from "./editing.js";
import { kurskKey } from "./keys.js";
import { closes } from "./links.js";
import * as loupe from "./loupe.js";
import * as notes from "./notes.js";
import * as overlay from "./overlay.js";
import { covered } from "./news.js";
import { plane, say } from "./page.js";
import { nextTab } from "./panels.js";
import { rotate, way } from "./plane.js";
import * as plans from "./plans.js";
import * as ruler from "./ruler.js";
import * as stacks from "./stacks.js";
import { by, change, phase, walk, why } from "./units.js";
import { map } from "./view.js";
import * as watching from "./watching.js";

/** @type {Record<string, () => void>} */
const KEYS = {
  "+": () => map.zoom(0.8),
  "-": () => map.zoom(1.25),
  "0": () => map.fit(),
  "/": () => get("wanted").focus(),
  "?": () => dialog("help").showModal(),
  Escape: back,
  n: () => walk(1),
  p: () => walk(-1),
  m: phase,
  r: () => get("ruler").click(),
  t: notes.toggle,
  o: () => presses("give"),
  g: () => presses("sign"),
  h: hides,
  s: spreads,
  ",": () => rotate(0),
  ".": () => rotate(1),
  w: asksWhy,
  v: () => (chosen.lit[overlay.mark] ? by(overlay.mark) : say(["A way goes by hexes that are lit."])),
};
/** Keys during a film. @type {Record<string, () => unknown>} */
const FILM = { " ": watching.toggle, ArrowRight: watching.step, ArrowLeft: watching.back };
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Go one step back: Esc, or the button of a phone. */
export function back() {
  loupe.close();
  if (closes()) return;
  if (watching.open() || covered()) return watching.close();
  if (ruler.off() || plans.off()) return;
  if (composer.isOpen()) return composer.close();
  if (!chosen.unit && !stacks.place && !all(".edit[aria-pressed=true]").length && plans.clear()) return;
  editing.end();
  stacks.spread("");
  overlay.clear();
}
/** Press a button, if the page shows the button. @param {string} id */
function presses(id) {
  const button = maybe(id);
  if (button && button.checkVisibility()) button.click();
  else say([id === "give" ? "No order is open: choose a counter or an order first." : "Nothing can be signed now."]);
}
/** Hide all counters, or show them again. */
function hides() {
  const bare = get("map").classList.toggle("bare");
  say([bare ? "All counters are hidden: H shows them again." : "The counters are shown again."]);
}
function spreads() {
  const first = all("#map .chosen")[0];
  stacks.spread(stacks.place ? "" : overlay.mark || (first && first.dataset.at) || "");
}
function asksWhy() {
  if (plane && chosen.unit && overlay.at) why(way([overlay.at], ", "));
  else if (chosen.unit && overlay.mark) why(overlay.mark);
  else say(["Choose a unit and a hex first."]);
}
/** Handle a key on the map; return whether the key has an effect. @param {KeyboardEvent} event */
function onMap(event) {
  const arrow = ARROWS[event.key];
  if (arrow && event.shiftKey) map.pan(arrow[0] / 10, arrow[1] / 10);
  else if (arrow) step(...arrow);
  else if (event.key === "Enter") enter(event.shiftKey);
  else return false;
  return true;
}
/** @param {KeyboardEvent} event @param {HTMLElement} at */
function withControl(event, at) {
  if (at.matches("input:not([type=checkbox],[type=radio]),textarea")) return;
  const path = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[kurskKey(event)];
  if (!path) return;
  change(path);
  event.preventDefault();
}
/** @param {KeyboardEvent} event */
function pressed(event) {
  const at = /** @type {HTMLElement} */ (event.target);
  const key = kurskKey(event);
  if (event.ctrlKey || event.metaKey) return withControl(event, at);
  if (event.key === "Escape" && all(":popover-open").length) return; // the browser closes the popover
  if (event.altKey || at.closest("select,textarea,dialog")) return;
  const ticks = at.matches("[type=checkbox],[type=radio]") && "ogh".includes(key); // no letters there
  if (at.matches("input") && event.key !== "Escape" && !ticks) return;
  if (at.matches("input") && !ticks) get("map").focus();
  if (watching.open() && FILM[key] && !at.matches("button,input,summary")) {
    FILM[key]();
    event.preventDefault();
    return;
  }
  if (covered() && event.key !== "Escape") return; // the results are not shown yet
  const here = at === document.body || Boolean(at.closest("#map"));
  if (at.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) {
    nextTab(at, event.key === "ArrowRight" || event.key === "ArrowDown");
  } else if (here && onMap(event)) {
    // done
  } else if (KEYS[key]) KEYS[key]();
  else return;
  event.preventDefault();
}
/** Add the listeners. */
export function begin() {
  document.addEventListener("keydown", pressed);
}
