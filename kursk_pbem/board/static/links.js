// @ts-check
// Links in texts: a paragraph opens next to the map, and a named hex or unit is shown on the map.
import { ask } from "./asking.js";
import { all, around, block, get, maybe, shape } from "./dom.js";
import { counters, middle, spot, unitOf } from "./ground.js";
import { plane } from "./page.js";
import { choose } from "./units.js";
import { bring } from "./view.js";

const RULE = "\\[(\\d{1,2}(?:\\.\\d{1,2}){1,3}(?:-[a-z0-9]+)*)\\]";
const RULING = `\\b(${get("main").dataset.rulings || "(?!)"}-[1-9]\\d{0,2})\\b`; // a T-34 is no ruling
const PLACE = "(?<![\\w.:/-])([A-Z]?\\d{1,4})(?![\\w.:/-]\\w|\\w)";
const UNIT = "(?<![\\w-])([a-z]-[a-z0-9]+(?:-[a-z0-9]+)*)(?![\\w-])";
const ANY = new RegExp(`${RULE}|${RULING}|${UNIT}|${PLACE}`, "g");
const NO_TEXT = "option,textarea,input,svg,script,pre,.cited,#draft,#keys,#help";
const NO_LINK = "button,summary,label,legend,a,h1,h2,h3,.bars th,.words,.came,.share,.result"; // a result D2 is no hex
const WITHIN = "aside,#watching,#rule,#signing";

/** @param {string} kind @param {string} text */
function link(kind, text) {
  return Object.assign(block("button", `link ${kind}`, text), { type: "button" });
}
/**
 * Return the nodes for a name in a text, or null. A name with a hyphen stays in one line even without a link.
 * @param {RegExpMatchArray} match @param {Set<string>} units @param {boolean} plain without links
 * @returns {Node[] | null}
 */
function linked(match, units, plain) {
  const [whole, rule, ruling, unit, place] = match;
  if (unit && (plain || !units.has(unit))) return [new Text(unit)];
  if (plain) return null;
  if (rule) return [together("[", [link("rule", rule)], "]")];
  if (ruling) return [link("rule", ruling)];
  if (unit) return [link("to-unit", unit)];
  if (place && !plane && maybe("at-" + place)) return [link("to-place", whole)];
  return null;
}
/** Return a link in one line with the bracket before the link and the signs after the link.
 * @param {string} opened @param {Node[]} made @param {string} closed */
function together(opened, made, closed) {
  return block("span", opened && closed ? "cited code" : "cited", opened, ...made, closed);
}
/** Replace the names in a text by links. @param {Text} text @param {Set<string>} units @param {boolean} plain */
function cut(text, units, plain) {
  const said = text.data;
  /** @type {Node[]} */
  const parts = [];
  let from = 0;
  for (const match of said.matchAll(ANY)) {
    const made = linked(match, units, plain);
    if (!made) continue;
    const before = said.slice(from, match.index);
    const opened = /[(\[]?$/.exec(before)?.[0] || "";
    const end = match.index + match[0].length;
    const closed = /^[)\]]?/.exec(said.slice(end))?.[0] || "";
    parts.push(new Text(before.slice(0, before.length - opened.length)), together(opened, made, closed));
    from = end + closed.length;
  }
  if (parts.length) text.replaceWith(...parts, new Text(said.slice(from)));
}
/** @param {Node} root */
function looks(root) {
  const inside = root instanceof Element ? root : root.parentElement;
  if (!inside || !inside.closest(WITHIN)) return;
  const units = new Set(counters().map(unitOf));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let text = root instanceof Text ? root : walker.nextNode(); text; text = walker.nextNode()) found.push(text);
  for (const text of /** @type {Text[]} */ (found)) {
    const parent = text.parentElement;
    if (!parent || parent.closest(NO_TEXT) || !/[\d-]/.test(text.data)) continue;
    cut(text, units, parent.closest(NO_LINK) !== null);
  }
}
/** Show a card next to the map. @param {string} path */
async function opens(path) {
  const found = await ask(path);
  if (!found) return;
  get("rule-text").innerHTML = found.html;
  get("rule").hidden = false;
  get("rule-close").focus({ preventScroll: true });
}
/** Draw a ring at the hex or unit of a link, while the pointer is on the link. @param {HTMLElement | null} at */
function points(at) {
  const old = maybe("layer-pointed");
  if (old) old.remove();
  const said = at ? at.textContent || "" : "";
  const counter = counters().find((other) => unitOf(other) === said);
  const point = counter ? spot(counter) : middle(said);
  if (!at || !point) return;
  const group = shape("g", { id: "layer-pointed" });
  group.append(shape("circle", { class: "guide-ring", cx: point[0], cy: point[1], r: plane ? 400 : 850 }));
  get("layer-hand").after(group);
}
/** @param {MouseEvent} event */
function clicked(event) {
  const at = around(event, ".link");
  if (!at) return;
  const said = at.textContent || "";
  if (at.classList.contains("rule")) return void opens("rule/" + encodeURIComponent(said));
  if (at.classList.contains("to-unit")) return void choose(said);
  const point = middle(said);
  if (point) bring(point);
  points(at);
  void opens("place/" + encodeURIComponent(said));
}
/** Close the open paragraph; return whether a paragraph was open. */
export function closes() {
  const open = !get("rule").hidden;
  get("rule").hidden = true;
  return open;
}
/** Add the listeners; make links in present and later texts. */
export function begin() {
  document.addEventListener("click", clicked);
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => points(around(event, ".to-place,.to-unit")));
  }
  for (const part of all(WITHIN)) looks(part);
  new MutationObserver((changes) => {
    for (const change of changes) for (const added of change.addedNodes) looks(added);
  }).observe(document.body, { childList: true, subtree: true });
}
