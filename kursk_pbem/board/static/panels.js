// @ts-check
// The panels next to the map: show a panel, and update panels and map layers.
import * as chosen from "./chosen.js";
import * as deciding from "./deciding.js";
import { all, get, maybe, shape, showTab } from "./dom.js";
import * as editing from "./editing.js";
import * as filter from "./filter.js";
import { counters, label, unitOf } from "./ground.js";
import * as overlay from "./overlay.js";
import * as pills from "./pills.js";
import { covered } from "./news.js";
import { plane } from "./page.js";
import * as stacks from "./stacks.js";

/** Return whether a text field contains unsaved words. @param {string} id */
function edited(id) {
  const text = /** @type {HTMLTextAreaElement | null} */ (maybe(id));
  return Boolean(text && text.value !== text.defaultValue);
}
/** Fill panels; keep the typed words and the focus. @param {Record<string, string>} panels */
export function put(panels) {
  const before = /** @type {HTMLInputElement | null} */ (maybe("typed"));
  const typed = before ? before.value : "";
  const held = document.activeElement ? document.activeElement.id : "";
  const policy = edited("policy-text");
  for (const id of Object.keys(panels)) {
    const panel = maybe(id);
    if (panel && !(id === "offers" && policy)) panel.innerHTML = panels[id];
  }
  const after = /** @type {HTMLInputElement | null} */ (maybe("typed"));
  if (typed && after) after.value = typed;
  const focus = held ? maybe(held) : null;
  if (focus && document.activeElement !== focus) focus.focus();
}
/** Update the page after a change. @param {import("./types.js").Filled} found */
export function fill(found) {
  put(found.panels);
  for (const name of Object.keys(found.layers)) get("layer-" + name).innerHTML = found.layers[name];
  dress();
}
/** @param {string} name @param {boolean} [focus] */
export function tab(name, focus) {
  showTab(get("tab-" + name));
  if (focus) get("tab-" + name).focus();
}
/** The number of tabs that the player has opened. */
export let turns = 0;
/** Show a tab for the player; late answers must not change the tab. @param {string} name @param {boolean} [focus] */
export function turn(name, focus) {
  turns += 1;
  tab(name, focus);
}
/** Show the tab next to the focused tab. @param {HTMLElement} now @param {boolean} on */
export function nextTab(now, on) {
  const tabs = all("[role=tab]");
  turn(tabs[(tabs.indexOf(now) + (on ? 1 : tabs.length - 1)) % tabs.length].id.slice(4), true);
}
/** Show the ticked layers. */
export function layers() {
  for (const box of /** @type {HTMLInputElement[]} */ (all("#layers input"))) {
    for (const layer of all(".layer-" + box.value)) layer.toggleAttribute("hidden", !box.checked);
  }
}
/** Give counters names for screen readers; mark the player's own counters for n and p. */
export function dress() {
  const bar = all("#bar [data-own]")[0];
  const own = bar ? bar.dataset.own : "";
  if (bar && !covered()) document.title = bar.dataset.title || document.title;
  const able = new Set(bar ? (bar.dataset.able || "").split(" ") : []);
  for (const sign of all("#map .able-sign")) sign.remove();
  for (const counter of counters()) {
    const title = counter.querySelector("title");
    if (title) counter.dataset.label = title.textContent || "";
    title?.remove(); // the enlarged counter shows its words
    counter.setAttribute("role", "button");
    counter.setAttribute("tabindex", "-1");
    counter.setAttribute("aria-label", label(counter));
    counter.classList.toggle("mine", Boolean(own && counter.classList.contains(own)));
    counter.classList.toggle("chosen", unitOf(counter) === chosen.unit);
    if (!able.has(unitOf(counter))) continue;
    counter.setAttribute("aria-label", `${label(counter)}, can still move`);
    // below the card: no name or number is there
    if (!plane) counter.append(shape("rect", { class: "able-sign", x: -330, y: 650, width: 660, height: 110, rx: 55 }));
  }
  deciding.show();
  editing.show();
  filter.show();
  stacks.again();
  layers();
  pills.dress();
  overlay.draw();
}
