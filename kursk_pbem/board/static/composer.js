// @ts-check
// The order form. This module holds the open form.
import { ask, order } from "./asking.js";
import { decide } from "./deciding.js";
import { dials } from "./dial.js";
import { all, field, get, maybe } from "./dom.js";
import * as editing from "./editing.js";
import { kurskForm } from "./form.js";
import { counters, middle, unitOf } from "./ground.js";
import * as overlay from "./overlay.js";
import { plane, say, touch } from "./page.js";
import * as panels from "./panels.js";
import { bring } from "./view.js";

/** @type {ReturnType<typeof kurskForm> | null} */
let form = null;

/** Return the open form, or null if its panel is hidden. */
export function inHand() {
  return form && !get("compose").hidden && maybe("form") ? form : null;
}
/** Return whether a form is open, even in a hidden panel. */
export function isOpen() {
  return form !== null;
}
/** Return whether a click elsewhere would lose an order: an edited order, or a form with choices. */
export function held() {
  return inHand() !== null && (editing.number("form") !== "" || Boolean(form && form.touched()));
}
/** Return whether the player has made choices in an open form. */
export function begun() {
  return form !== null && form.touched();
}
/** Open the form of an order. @param {string} verb @param {string} [words] @param {boolean} [edited] */
export async function open(verb, words, edited) {
  if (!edited) editing.end();
  const found = await ask("form?" + new URLSearchParams({ verb: verb, words: words || "" }));
  if (!found) return;
  if (found.told) say([found.told]);
  if (!found.html) {
    inWords(verb + " ", found.example);
    return;
  }
  if (!plane) overlay.clear();
  panels.put({ compose: found.html });
  if (edited) get("give").textContent = `Save order ${editing.number("form")}`;
  panels.tab("compose");
  get("compose").scrollTop = 0; // the panel may be scrolled to the end of the last form
  dials(get("form"));
  shares();
  overlay.setAim(found.at || (words || "").split(" ")[0]);
  const fought = found.at ? middle(found.at) : null;
  if (fought) bring(fought);
  if (fought && touch) requestAnimationFrame(() => requestAnimationFrame(() => bring(fought))); // the map is lower now
  form = kurskForm(/** @type {HTMLFormElement} */ (get("form")), tries, overlay.propose);
  const first = get("form").querySelector("input");
  if (first) first.focus({ preventScroll: true });
  tries();
}
/** Make the parts of the strip as wide as their chances. */
function shares() {
  for (const share of all(".share")) share.style.flexGrow = share.dataset.share || "0";
}
/** Close the form. */
export function close() {
  editing.end();
  if (!form) return;
  form = null;
  overlay.propose({});
  get("compose").innerHTML = "";
  for (const counter of all(".chosen")) counter.classList.remove("chosen");
  overlay.setAim("");
  panels.tab("orders", true);
}
/** Write the order; on a table top, also drop the chosen unit. */
export async function give() {
  if (!form || !(await order(form.words(), "form"))) return;
  decide(get("form").dataset.verb);
  if (plane) overlay.clear();
  close();
}
/** Continue in the text field. @param {string} text @param {string} [example] */
export function inWords(text, example) {
  panels.tab("orders");
  get("words").hidden = false; // a note in the page, where orders in words have no place
  field("typed").value = text;
  field("typed").placeholder = example || "";
  if (!touch) field("typed").focus(); // a phone would cover the map by its keyboard
}
/** Ask for the odds and faults of the present order; the odds before are dim until the answer. */
async function tries() {
  if (!form) return;
  const opens = form.opens();
  if (opens) {
    open(get("form").dataset.verb || "", opens);
    return;
  }
  const ticked = all("input:checked", get("form"));
  const part = new Set(ticked.map((input) => /** @type {HTMLInputElement} */ (input).value));
  for (const counter of counters()) counter.classList.toggle("chosen", part.has(unitOf(counter)));
  const words = form.words();
  if (!words) return;
  get("compose").classList.add("tries");
  const found = await ask("try", { words: words });
  get("compose").classList.remove("tries");
  const odds = maybe("odds");
  if (!found || !odds) return;
  say([]);
  const wrong = found.wrong && form.touched(); // a new form is incomplete, which is no mistake
  odds.innerHTML = found.wrong && !wrong ? "" : found.html;
  get("strip").innerHTML = found.strip;
  shares();
  get("brief").textContent = found.brief;
  get("brief").className = wrong ? "bad" : "";
}
