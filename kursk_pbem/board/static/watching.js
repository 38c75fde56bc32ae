// @ts-check
// The player of films: a message is shown on the map with sliding counters, dice and results.
import { ask } from "./asking.js";
import { still } from "./camera.js";
import { all, field, get, maybe, shape } from "./dom.js";
import * as film from "./film.js";
import { picture } from "./page.js";
import { camera, map, names as cities } from "./view.js";

const [REST, LETTER, LONGEST] = [1600, 35, 6000]; // milliseconds of a frame: at least, for each letter, at most
const HIDDEN = ["counters", "last", "orders", "battles"];
/** @typedef {import("./film.js").Frame} Frame */

/** The film: all counters before the message, then the frames. @type {any} */
let reel = null;
/** @type {Frame[]} */
let frames = [];
let next = 0;
let playing = false;
let over = false; // the film has ended and shows its last frame
let onward = false; // play the next message afterwards
let speed = 1;
let turn = 0; // the number of the present player: older players stop
/** @type {number[]} the view before the film */
let view = [];

/** Return whether a film is open. */
export function open() {
  return maybe("layer-watch") !== null;
}
/**
 * Play a message, or all messages from there.
 * @param {string | number} seq @param {boolean} [all]
 * @param {(frames: Frame[]) => number} [choose] returns the first frame to play, or -1 for no film
 */
export async function watch(seq, all, choose) {
  onward = Boolean(all);
  const found = await ask("watch/" + seq);
  const first = found && choose ? choose(found.frames) : 0;
  if (!found || first < 0) return;
  fit_in(found);
  if (first) jump(first);
  get("watch-play").focus({ preventScroll: true });
  playing = !still.matches;
  if (playing) play();
  else step();
}
/** Load the film of a message; return whether the film exists. @param {number} seq */
async function load(seq) {
  const found = await ask("watch/" + seq);
  if (found) fit_in(found);
  return Boolean(found);
}
/** @param {any} found */
function fit_in(found) {
  if (!open()) begins();
  reel = found;
  frames = found.frames;
  const slider = field("watch-at");
  slider.max = String(frames.length);
  field("watch-before").disabled = found.seq < 2;
  field("watch-after").disabled = found.seq >= found.last;
  jump(0);
}
/** Hide the layers under the film. */
function begins() {
  view = map.view().slice();
  for (const name of HIDDEN) get("layer-" + name).style.visibility = "hidden";
  picture.append(shape("g", { id: "layer-watch", class: "counters" }), shape("g", { id: "layer-watched" }));
  get("watching").hidden = false;
}
/** Close the film and restore the map. @param {boolean} [stay] keep the view */
export function close(stay) {
  turn += 1;
  playing = over = false;
  for (const id of ["layer-watch", "layer-watched"]) get(id).remove();
  for (const name of HIDDEN) get("layer-" + name).style.visibility = "";
  get("watching").hidden = true;
  camera.rest();
  if (!stay) map.look(view);
  cities();
  get("map").focus({ preventScroll: true });
}
/** Show the state after a number of frames at once. @param {number} many */
function jump(many) {
  turn += 1;
  over = false;
  film.begin(reel.counters);
  for (const frame of frames.slice(0, many)) film.over(frame);
  next = many;
  const shown = frames[many - 1];
  tell(shown);
  if (shown) film.follow(shown.places);
  names();
}
/** Play or pause. */
export function toggle() {
  playing = !playing;
  if (playing && next >= frames.length && !more()) close();
  else if (playing) play();
  names();
}
/** Show the next frame. */
export async function step() {
  if (next >= frames.length && !more()) return close();
  if (next < frames.length) jump(next); // sliding counters jump to their ends
  else if (!(await load(reel.seq + 1))) return;
  await show(frames[next], turn);
}
/** Show the previous frame. */
export function back() {
  playing = false;
  jump(Math.max(0, next - 1));
}
/** Load the next or previous message. @param {number} by */
export async function other(by) {
  playing = false;
  if (await load(reel.seq + by)) step();
}
/** Return whether another message will be played. */
function more() {
  return onward && reel.seq < reel.last;
}
async function play() {
  turn += 1;
  const mine = turn;
  names();
  while (playing && mine === turn && next < frames.length) {
    await show(frames[next], mine);
    await film.rest(Math.max(REST, Math.min(LONGEST, LETTER * frames[next - 1].told.length)) / speed);
  }
  if (mine !== turn || !playing) return;
  if (more()) {
    if (await load(reel.seq + 1)) play();
    return;
  }
  playing = false;
  over = true;
  names();
}
function names() {
  const ended = !playing && next >= frames.length && !more();
  get("watch-play").textContent = playing ? "Pause" : ended ? "Done" : "Play";
  const on = maybe("watch-on"); // the way on after a demonstration
  if (on) on.hidden = !ended;
  get("watch-play").classList.toggle("main", !on || !ended);
}
/** @param {Frame} frame @param {number} mine */
async function show(frame, mine) {
  next += 1;
  tell(frame);
  film.follow(frame.places);
  get("layer-watched").innerHTML = "";
  film.enter(frame);
  await film.slide(frame.moves, speed, () => mine === turn);
  if (mine !== turn || !open()) return;
  film.settle(frame);
  names();
}
/** Show the text of a frame under the map. @param {Frame} [frame] */
function tell(frame) {
  const where = `Message ${reel.seq} of ${reel.last}`;
  get("watch-title").textContent = frame ? `${where}, step ${next} of ${frames.length}: ${frame.title}` : where;
  get("watch-told").textContent = frame ? frame.told : "";
  get("watch-dice").replaceChildren(...(frame ? film.dice(frame) : []));
  field("watch-at").value = String(next);
  if (!frame) get("layer-watched").innerHTML = "";
}
/** Close the film if the player uses the map. */
function touched() {
  if (open() && (playing || over)) close(true);
}
/**
 * Add the listeners; play the new message if it stirs anything, or a game from the battle of a message.
 * @param {boolean} came @param {string} battle
 */
export function begin(came, battle) {
  get("map").addEventListener("pointerdown", touched);
  get("watch-speed").addEventListener("change", () => {
    speed = Number(field("watch-speed").value);
  });
  field("watch-at").addEventListener("input", () => {
    playing = false;
    jump(Number(field("watch-at").value));
  });
  if (battle) return watch(battle, true, (reel) => Math.max(0, reel.findIndex((frame) => frame.fight)));
  const last = all(".watch")[0];
  if (came && last && !still.matches) watch(last.dataset.seq || "", false, (reel) => (reel.some(film.stirs) ? 0 : -1));
}
