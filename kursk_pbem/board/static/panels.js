// @ts-check
// The panels beside the map: which is shown, and filling them and the layers of the map anew.
import * as chosen from "./chosen.js";
import * as deciding from "./deciding.js";
import { all, get, maybe, shape } from "./dom.js";
import * as editing from "./editing.js";
import * as filter from "./filter.js";
import { counters, label, unitOf } from "./ground.js";
import * as overlay from "./overlay.js";
import { plane } from "./page.js";
import * as stacks from "./stacks.js";

/** Whether the page holds words that nobody has kept yet. @param {string} id */
function edited(id) {
  const text = /** @type {HTMLTextAreaElement | null} */ (maybe(id));
  return Boolean(text && text.value !== text.defaultValue);
}
/** Fill panels; what is typed and where the focus is stay. @param {Record<string, string>} panels */
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
/** The page after a change. @param {import("./types.js").Filled} found */
export function fill(found) {
  put(found.panels);
  for (const name of Object.keys(found.layers)) get("layer-" + name).innerHTML = found.layers[name];
  dress();
}
/** @param {string} name @param {boolean} [focus] */
export function tab(name, focus) {
  for (const button of all("[role=tab]")) {
    const on = button.id === "tab-" + name;
    button.setAttribute("aria-selected", String(on));
    button.tabIndex = on ? 0 : -1;
    get(button.getAttribute("aria-controls") || "").hidden = !on;
    if (on && focus) button.focus();
  }
}
/** How often the player has turned to a tab. */
export let turns = 0;
/** The player turns to a tab; what comes late must keep away. @param {string} name @param {boolean} [focus] */
export function turn(name, focus) {
  turns += 1;
  tab(name, focus);
}
/** The tab beside the one that has the focus. @param {HTMLElement} now @param {boolean} on */
export function nextTab(now, on) {
  const tabs = all("[role=tab]");
  turn(tabs[(tabs.indexOf(now) + (on ? 1 : tabs.length - 1)) % tabs.length].id.slice(4), true);
}
/** Show the layers that are ticked. */
export function layers() {
  for (const box of /** @type {HTMLInputElement[]} */ (all("#layers input"))) {
    for (const layer of all(".layer-" + box.value)) layer.toggleAttribute("hidden", !box.checked);
  }
}
/** Counters can be read aloud; those of the player at this board are walked with n and p. */
export function dress() {
  const bar = all("#bar [data-own]")[0];
  const own = bar ? bar.dataset.own : "";
  const able = new Set(bar ? (bar.dataset.able || "").split(" ") : []);
  for (const sign of all("#map .able-sign")) sign.remove();
  for (const counter of counters()) {
    counter.setAttribute("role", "button");
    counter.setAttribute("tabindex", "-1");
    counter.setAttribute("aria-label", label(counter));
    counter.classList.toggle("mine", Boolean(own && counter.classList.contains(own)));
    counter.classList.toggle("chosen", unitOf(counter) === chosen.unit);
    if (able.has(unitOf(counter)) && !plane) {
      counter.append(shape("circle", { class: "able-sign", cx: -470, cy: -470, r: 130 }));
      counter.setAttribute("aria-label", `${label(counter)}, can still move`);
    }
  }
  deciding.show();
  editing.show();
  filter.show();
  stacks.again();
  layers();
  overlay.draw();
}
