// @ts-check
// A whole game, frame by frame. The file contains the data.
import { kurskCamera } from "./camera.js";
import { all, block, field, get, showTab } from "./dom.js";
import { kurskKey } from "./keys.js";
import { listBranches, listEvents, markEvent, onlyEvents } from "./events.js";
import { kurskMap } from "./map.js";
import { kurskNames } from "./names.js";
import { data, pieces, where } from "./parts.js";
import "./share.js";
import { draw, ring } from "./stage.js";
import { kurskTags } from "./tags.js";
import { tell } from "./told.js";

const [REST, READING, LONGEST] = [1400, 28, 6000]; // milliseconds: of a frame, for a letter to be read, at most
const REACH = 1500; // map units around a click on a table top
const picture = /** @type {SVGSVGElement} */ (document.querySelector("#map svg"));
const map = kurskMap(get("map"), picture, (_event, point) => touched(point));
const camera = kurskCamera(map, get("map"));
const tags = kurskTags(picture, stood);
const names = kurskNames(picture, get("names"), () => [...stood(), ...tags()]);
let now = 0; // the number of the frame
let timer = 0;
let marked = "";

/** Return the places of counters. @returns {[number, number][]} */
function stood() {
  return Object.values(pieces(now)).flatMap((piece) => (piece ? [[piece[0], piece[1]]] : []));
}
/** @param {number} number */
function show(number) {
  const before = now;
  now = Math.max(0, Math.min(data.frames.length - 1, number));
  const frame = data.frames[now];
  const slides = now === before + 1;
  const stays = () => frame === data.frames[now];
  void tell(frame, slides, go, stays).then(() => {
    if (!stays()) return;
    draw(now, slides);
    names();
    mark();
  });
  markEvent(now);
  if (field("follow").checked) camera.follow(where(now));
  else camera.rest();
  field("line").value = String(now);
  field("line").setAttribute("aria-valuetext", `${now + 1} of ${data.frames.length}: ${frame.title}`);
  field("turn").value = frame.turn;
}
/** Mark the found hex or unit on the map. */
function mark() {
  const here = marked && pieces(now)[marked];
  const at = here || data.places[marked] || data.at[marked];
  ring("found", at ? [[at[0], at[1]]] : []);
  return at;
}
/** Show a hex or a unit named in a line. @param {string} name */
function go(name) {
  marked = name;
  const at = mark();
  if (at) camera.follow([[at[0], at[1]]]);
}
/** Show the events at a click on the map. @param {DOMPoint} point */
function touched(point) {
  const spots = Object.entries(data.at);
  /** @param {[string, [number, number]]} spot */
  const far = ([, [x, y]]) => Math.hypot(x - point.x, y - point.y);
  const hex = spots.length ? spots.reduce((best, spot) => (far(spot) < far(best) ? spot : best)) : null;
  if (hex && far(hex) > 1000) return;
  marked = hex ? hex[0] : "";
  mark();
  tab(get("tab-events"));
  if (hex) onlyEvents(`On ${hex[0]}`, [hex[1]]);
  else onlyEvents("Around here", [[point.x, point.y]], REACH);
}
/** @param {string} text */
function find(text) {
  const wanted = text.trim().toLowerCase();
  const ids = Object.keys(data.names);
  const close = (/** @type {string} */ name) => name.toLowerCase().includes(wanted);
  const named = ids.find((id) => close(data.names[id]));
  const id = ids.find((name) => name.toLowerCase() === wanted) || named || ids.find(close);
  const hex = Object.keys(data.at).find((name) => name.toLowerCase() === wanted);
  marked = wanted ? hex || Object.keys(data.places).find(close) || id || "" : "";
  if (ids.includes(wanted)) marked = wanted;
  const at = mark();
  if (at) map.show(at[0], at[1]);
}
/** Continue after the reading time of the frame. */
function later() {
  const time = Math.min(LONGEST, REST + READING * data.frames[now].told.length) / Number(field("speed").value);
  timer = window.setTimeout(() => {
    show(now + 1);
    if (now < data.frames.length - 1) later();
    else play();
  }, time);
}
function play() {
  if (timer) {
    clearTimeout(timer);
    timer = 0;
  } else {
    if (now === data.frames.length - 1) show(0);
    later();
  }
  get("play").textContent = timer ? "Pause" : "Play";
}
/** @param {number} step */
function message(step) {
  const seq = data.frames[now].m + step;
  const wanted = data.frames.findIndex((frame) => frame.m === seq);
  if (wanted >= 0) show(wanted);
}
/** Return the tabs of the page. */
const tabs = () => all("[role=tab]:not([hidden])");
/** @param {HTMLElement} chosen */
function tab(chosen) {
  showTab(chosen);
  if (chosen.id === "tab-events") markEvent(now);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowRight: () => show(now + 1),
  ArrowLeft: () => show(now - 1),
  PageDown: () => message(1),
  PageUp: () => message(-1),
  Home: () => show(0),
  End: () => show(data.frames.length - 1),
  " ": play,
  "0": map.fit,
  f: () => field("follow").click(),
  "+": () => map.zoom(0.8),
  "-": () => map.zoom(1.25),
  "/": () => get("wanted").focus(),
};
/** Return whether the focused element uses a key. @param {HTMLElement} at @param {string} key */
function own(at, key) {
  if (["BUTTON", "SELECT"].includes(at.tagName) && [" ", "ArrowUp", "ArrowDown"].includes(key)) return true;
  return at.id === "line" && key.startsWith("Arrow");
}
document.addEventListener("keydown", (event) => {
  const at = /** @type {HTMLElement} */ (event.target);
  const key = kurskKey(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (at.id === "wanted") {
    if (event.key === "Escape") at.blur();
    return;
  }
  if (at.getAttribute && at.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) {
    const next = tabs()[(tabs().indexOf(at) + (event.key === "ArrowRight" ? 1 : tabs().length - 1)) % tabs().length];
    tab(next);
    next.focus();
  } else if (KEYS[key] && !own(at, key)) KEYS[key]();
  else return;
  event.preventDefault();
});
const STEPS = { first: "Home", back: "ArrowLeft", on: "ArrowRight", last: "End", play: " " };
for (const [id, key] of Object.entries(STEPS)) get(id).addEventListener("click", () => KEYS[key]());
get("line").addEventListener("input", () => show(Number(field("line").value)));
get("follow").addEventListener("change", () => show(now));
get("turn").addEventListener("change", () => show(data.frames.findIndex(({ turn }) => turn === field("turn").value)));
get("search").addEventListener("submit", (event) => {
  event.preventDefault();
  find(field("wanted").value);
});
get("map").addEventListener("look", names);
get("map").addEventListener("pointerdown", camera.rest);
get("tab-lost").hidden = !data.lost.title;
for (const one of tabs()) {
  one.addEventListener("click", (event) => {
    tab(one);
    if (event.detail) one.blur(); // after the mouse the arrows step again
  });
}
get("check").textContent = (data.verified.length > 2 ? "\u2713 " : "") + data.verified[0];
get("verdict").textContent = data.verdict.replace(/\((\d[^)]*)\)$/, "[$1]"); // the paragraph
field("line").max = String(data.frames.length - 1);
for (const turn of new Set(data.frames.map((frame) => frame.turn))) get("turn").append(block("option", "", turn));
const known = [...Object.keys(data.places), ...Object.keys(data.names)].sort();
get("known").append(...known.map((name) => block("option", "", name)));
listEvents(show, (number) => (number === null ? mark() : ring("found", where(number).slice(0, 40))));
listBranches();
tab(get(data.verdict ? "tab-chart" : "tab-events")); // a finished game begins with its result
show(Math.max(0, data.frames.findIndex((frame) => ["battle", "shot"].includes(frame.kind))));
