// @ts-check
// The player of films: a message is shown on the map with sliding counters, dice and results.
import { ask } from "./asking.js";
import { still } from "./camera.js";
import { kurskCard } from "./card.js";
import { field, get, maybe, shape } from "./dom.js";
import * as film from "./film.js";
import { covered, saw, sawAll, uncover, unseen } from "./news.js";
import { picture } from "./page.js";
import * as sound from "./sound.js";
import { camera, map, names as cities } from "./view.js";

const [REST, LETTER, LONGEST] = [1600, 35, 6000]; // milliseconds of a frame: at least, for each letter, at most
const HIDDEN = ["flags", "counters", "last", "orders", "battles"];
const OWN = ["layer-watch-ground", "layer-watch", "layer-watched"];
/** @typedef {import("./film.js").Frame} Frame */

/** The film: all counters before the message, then the frames. @type {any} */
let reel = null;
/** @type {Frame[]} */
let frames = [];
let next = 0;
let playing = false;
let over = false; // the film has ended and shows its last frame
let onward = false; // play the next message afterwards
let turn = 0; // the number of the present player: older players stop
/** @type {number[]} the view before the film */
let view = [];

/** Return whether a film is open. */
export const open = () => maybe("layer-watch") !== null;
const speed = () => Number(field("watch-speed").value);
/**
 * Play a message, or all messages from there.
 * @param {string | number} seq @param {boolean} [all]
 * @param {(frames: Frame[]) => number} [choose] returns the first frame to play, or -1 for no film
 */
export async function watch(seq, all, choose) {
  onward = Boolean(all);
  const mine = (turn += 1);
  const found = await ask("watch/" + seq);
  if (mine !== turn) return; // skipped before the answer
  if (!found) return uncover();
  const first = choose ? choose(found.frames) : 0;
  if (first < 0) return saw(found.number), showNews();
  putIn(found);
  if (first) jump(first);
  get("watch-play").focus({ preventScroll: true });
  playing = !still.matches;
  if (playing) play();
  else step();
}
/** Load the film of a message; return whether it exists. @param {number} seq */
async function load(seq) {
  const found = await ask("watch/" + seq);
  return Boolean(found) && putIn(found);
}
/** @param {any} found */
function putIn(found) {
  if (!open()) begins();
  reel = found;
  frames = found.frames;
  field("watch-at").max = String(frames.length);
  field("watch-before").disabled = found.seq < 2;
  field("watch-after").disabled = found.seq >= found.last;
  jump(0);
  return true;
}
/** Hide the layers under the film. */
function begins() {
  view = map.view().slice();
  for (const name of HIDDEN) get("layer-" + name).style.visibility = "hidden";
  picture.append(...OWN.map((id) => shape("g", { id, class: id === "layer-watch" ? "counters" : "" })));
  get("watching").hidden = false;
}
/** Play what this browser has not seen. */
const showNews = () => unseen().forEach(({ seq, choose }) => watch(seq, true, choose));
/** Close the film, show all results and restore the map. @param {boolean} [stay] keep the view */
export function close(stay) {
  turn += 1;
  playing = over = false;
  sawAll();
  if (!open()) return;
  for (const id of OWN) get(id).remove();
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
  film.begin(reel.counters, reel.ground);
  for (const frame of frames.slice(0, many)) film.over(frame);
  next = many;
  const shown = frames[many - 1];
  void tell(shown, false);
  if (shown) film.follow(shown.places);
  names();
  if (many >= frames.length) saw(reel.number);
}
/** Play or pause. */
export function toggle() {
  playing = !playing;
  if (playing && next >= frames.length && !more()) close();
  else if (playing) {
    jump(next); // a die that still rolls rests
    play();
  }
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
const more = () => onward && reel.seq < reel.last;
async function play() {
  const mine = (turn += 1);
  names();
  while (playing && mine === turn && next < frames.length) {
    await show(frames[next], mine);
    if (mine !== turn) return;
    if (next >= frames.length && !more()) break; // the last frame stays
    await film.rest(Math.max(REST, Math.min(LONGEST, LETTER * frames[next - 1].told.length)) / speed());
  }
  if (mine !== turn || !playing) return;
  if (more()) return void ((await load(reel.seq + 1)) && play());
  playing = false;
  over = true;
  names();
}
function names() {
  const ended = !playing && next >= frames.length && !more();
  get("watch-play").textContent = playing ? "Pause" : ended ? "Done" : "Play";
  get("watching").classList.toggle("ended", ended);
  get("watch-play").classList.toggle("main", !maybe("watch-on") || !ended); // the way on after a demonstration
}
/**
 * Show a frame: the card, the dice, then losses, retreats, advances and the words.
 * @param {Frame} frame @param {number} mine
 */
async function show(frame, mine) {
  const awaited = () => mine === turn && open();
  next += 1;
  film.follow(frame.places);
  film.overlay(frame.drawn, true);
  await tell(frame, true);
  if (!awaited()) return;
  film.enter(frame);
  if (frame.card.dice.length) film.settle(frame);
  await film.slide(frame, speed(), awaited);
  if (!awaited()) return;
  film.settle(frame);
  get("watch-told").textContent = frame.told;
  get("watch-told").scrollIntoView({ block: "end" }); // losses and retreats: the first words repeat the card
  names();
  if (next >= frames.length) saw(reel.number);
}
/** Show the title, the card and the words of a frame. @param {Frame | undefined} frame @param {boolean} rolls */
function tell(frame, rolls) {
  const where = reel.own ? "Your dice" : `Message ${reel.seq} of ${reel.last}`;
  get("watch-title").textContent = frame ? `${where}, step ${next} of ${frames.length}: ${frame.card.title}` : where;
  get("watch-told").textContent = frame && !(rolls && frame.card.dice.length) ? frame.told : "";
  field("watch-at").value = String(next);
  if (!frame) film.overlay("");
  return kurskCard(get("watch-card"), frame && frame.card, rolls, sound.knock);
}
/** Close the film if the player uses the map. */
function touched() {
  if (covered() || (open() && (playing || over))) close(true);
}
/** Add the listeners; play the news, or a game from the battle of a message. @param {string} battle */
export function begin(battle) {
  sound.begin();
  get("map").addEventListener("pointerdown", touched);
  field("watch-at").addEventListener("input", () => {
    playing = false;
    jump(Number(field("watch-at").value));
  });
  if (battle) return watch(battle, true, (reel) => Math.max(0, reel.findIndex((frame) => frame.fight)));
  showNews();
}
