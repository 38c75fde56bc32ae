// @ts-check
// A message is played on the map: counters slide, dice fall, results stand where they belong, the view follows.
import { ask } from "./asking.js";
import { all, field, get, maybe, shape } from "./dom.js";
import { picture } from "./page.js";
import { map } from "./view.js";
/** @typedef {import("./types.js").Point} Point */
/**
 * @typedef {object} Frame
 * @property {string} title
 * @property {string[]} lines
 * @property {string[]} dice
 * @property {Record<string, Point[]>} moves
 * @property {Record<string, string>} looks
 * @property {Record<string, Point>} came
 * @property {string[]} gone
 * @property {string} drawn
 * @property {Point[]} places
 */

const SLIDE = 900; // milliseconds for a move at the usual speed
const REST = 1600; // milliseconds for which a frame stands then
const HIDDEN = ["counters", "last", "orders", "battles"];
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Frame[]} */
let frames = [];
let next = 0;
let playing = false;
let speed = 1;
let turn = 0; // who plays: an older one ends by itself
/** @type {number[]} what was seen before */
let view = [];
/** @type {Map<string, Element>} */
const counters = new Map();

/** Whether a message is being watched. */
export function open() {
  return maybe("layer-watch") !== null;
}
/** Play a message from its beginning. @param {string} seq */
export async function watch(seq) {
  const found = await ask("watch/" + seq);
  if (!found) return;
  if (open()) close();
  view = map.view().slice();
  frames = found.frames;
  next = 0;
  for (const name of HIDDEN) get("layer-" + name).style.visibility = "hidden";
  picture.append(shape("g", { id: "layer-watch", class: "counters" }), shape("g", { id: "layer-watched" }));
  for (const each of found.counters) put(each.unit, each.at, each.look);
  get("watching").hidden = false;
  get("watch-title").textContent = `Message ${found.seq}`;
  get("watch-lines").textContent = "";
  get("watch-dice").replaceChildren();
  get("watch-play").focus({ preventScroll: true });
  playing = !still.matches;
  if (playing) play();
  else step();
}
/** End it: the map is as it was. */
export function close() {
  turn += 1;
  playing = false;
  counters.clear();
  for (const id of ["layer-watch", "layer-watched"]) get(id).remove();
  for (const name of HIDDEN) get("layer-" + name).style.visibility = "";
  get("watching").hidden = true;
  map.look(view);
  get("map").focus({ preventScroll: true });
}
/** Go on, or stop. */
export function toggle() {
  playing = !playing;
  if (playing && next >= frames.length) close();
  else if (playing) play();
  names();
}
/** One frame on. */
export async function step() {
  if (next >= frames.length) return close();
  turn += 1;
  await show(frames[next], turn);
}
async function play() {
  turn += 1;
  const mine = turn;
  names();
  while (playing && mine === turn && next < frames.length) {
    await show(frames[next], mine);
    await rest(REST / speed);
  }
  if (mine === turn && playing) close();
}
function names() {
  get("watch-play").textContent = playing ? "Pause" : next < frames.length ? "Play" : "Done";
}
/** @param {number} time */
function rest(time) {
  return new Promise((done) => setTimeout(done, time));
}
/** @param {string} unit @param {Point} at @param {string} look */
function put(unit, at, look) {
  const known = counters.get(unit);
  const made = known || shape("g", { "data-watched": unit });
  made.innerHTML = look;
  if (!known) get("layer-watch").append(made);
  counters.set(unit, made);
  move(made, at);
}
/** @param {Element} counter @param {Point} at */
function move(counter, at) {
  counter.setAttribute("transform", `translate(${Math.round(at[0])},${Math.round(at[1])})`);
}
/** @param {Frame} frame @param {number} mine */
async function show(frame, mine) {
  next += 1;
  get("watch-title").textContent = `${next} of ${frames.length}: ${frame.title}`;
  get("watch-lines").textContent = frame.lines.join("\n");
  get("watch-dice").replaceChildren(...frame.dice.flatMap((digits) => [...digits].map(die)));
  follow(frame.places);
  get("layer-watched").innerHTML = "";
  for (const [unit, at] of Object.entries(frame.came)) put(unit, at, frame.looks[unit]);
  await slide(frame.moves, mine);
  const layer = maybe("layer-watched");
  if (mine !== turn && !layer) return;
  for (const [unit, look] of Object.entries(frame.looks)) {
    const counter = counters.get(unit);
    if (counter) counter.innerHTML = look;
  }
  for (const unit of frame.gone) {
    const counter = counters.get(unit);
    if (counter) counter.remove();
    counters.delete(unit);
  }
  if (layer) layer.innerHTML = frame.drawn;
  names();
}
/** @param {string} digit */
function die(digit) {
  return Object.assign(document.createElement("span"), { className: "die", textContent: digit });
}
/** All counters of a frame go their ways at once. @param {Record<string, Point[]>} moves @param {number} mine */
function slide(moves, mine) {
  const ways = Object.entries(moves);
  const time = still.matches || !ways.length ? 0 : SLIDE / speed;
  const start = performance.now();
  return new Promise((done) => {
    /** @param {number} now */
    function tick(now) {
      const part = time && mine === turn ? Math.min(1, Math.max(0, (now - start) / time)) : 1;
      for (const [unit, way] of ways) {
        const counter = counters.get(unit);
        if (counter) move(counter, along(way, part));
      }
      if (part < 1) requestAnimationFrame(tick);
      else done(undefined);
    }
    requestAnimationFrame(tick);
  });
}
/** A point on a way, by the part of it that is gone. @param {Point[]} way @param {number} part @returns {Point} */
function along(way, part) {
  const legs = way.length - 1;
  const leg = Math.min(legs - 1, Math.floor(part * legs));
  const on = part * legs - leg;
  const [from, to] = [way[leg], way[leg + 1]];
  return [from[0] + (to[0] - from[0]) * on, from[1] + (to[1] - from[1]) * on];
}
/** The view goes where something happens, if that is not seen. @param {Point[]} places */
function follow(places) {
  if (!places.length || places.every((place) => map.seen(...place))) return;
  const middle = (/** @type {0 | 1} */ axis) => {
    const found = places.map((place) => place[axis]);
    return (Math.min(...found) + Math.max(...found)) / 2;
  };
  map.to(middle(0), middle(1));
}
/** A hand on the map wants to go on: what is being played ends. */
function touched() {
  if (open() && playing) close();
}
/** Listen, and play what has just come. @param {boolean} came */
export function begin(came) {
  get("map").addEventListener("pointerdown", touched);
  get("watch-speed").addEventListener("change", () => {
    speed = Number(field("watch-speed").value);
  });
  const last = all(".watch")[0];
  if (came && last && !still.matches) watch(last.dataset.seq || "");
}
