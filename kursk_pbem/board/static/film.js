// @ts-check
// The film of a message: counters appear, slide, change and go, and the view follows the counters.
import { still } from "./camera.js";
import { all, field, get, shape } from "./dom.js";
import { camera, names } from "./view.js";
/** @typedef {import("./types.js").Point} Point */
/**
 * @typedef {object} Frame
 * @property {import("./card.js").Card} card
 * @property {string} told
 * @property {boolean} fight
 * @property {Record<string, Point[]>} moves
 * @property {string[]} advances
 * @property {Record<string, string>} looks
 * @property {Record<string, Point>} came
 * @property {string[]} gone
 * @property {string | null} ground the flags and marks, null without a change
 * @property {string} drawn
 * @property {Point[]} places
 */

const SLIDE = 900; // milliseconds for a move at the usual speed
/** @type {Map<string, Element>} */
const counters = new Map();

/**
 * Place all counters as before the message.
 * @param {{unit: string, at: Point, look: string}[]} first @param {string} ground the flags and marks
 */
export function begin(first, ground) {
  counters.clear();
  get("layer-watch").replaceChildren();
  get("layer-watch-ground").innerHTML = ground;
  for (const counter of first) put(counter.unit, counter.at, counter.look);
}
/** Show the end of a frame at once. @param {Frame} frame */
export function over(frame) {
  enter(frame);
  for (const [unit, way] of Object.entries(frame.moves)) {
    const counter = counters.get(unit);
    if (counter) move(counter, way[way.length - 1]);
  }
  settle(frame);
}
/** @param {number} time */
export function rest(time) {
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
/** Add the new counters of a frame; raise moving and changing counters above the others. @param {Frame} frame */
export function enter(frame) {
  for (const [unit, at] of Object.entries(frame.came)) put(unit, at, frame.looks[unit]);
  for (const unit of [...Object.keys(frame.looks), ...Object.keys(frame.moves)]) {
    const counter = counters.get(unit);
    if (counter) get("layer-watch").append(counter);
  }
}
/** Put the map into the state after a frame. @param {Frame} frame */
export function settle(frame) {
  for (const [unit, look] of Object.entries(frame.looks)) {
    const counter = counters.get(unit);
    if (counter) counter.innerHTML = look;
  }
  for (const unit of frame.gone) {
    const counter = counters.get(unit);
    if (counter) counter.remove();
    counters.delete(unit);
  }
  if (frame.ground !== null) get("layer-watch-ground").innerHTML = frame.ground;
  overlay(frame.drawn);
  names();
}
/**
 * Show the arrows of a frame below the counters, and the results above.
 * @param {string} drawn @param {boolean} [waits] the dice roll: only the attack is shown
 */
export function overlay(drawn, waits) {
  for (const old of all("#layer-watch > .arrows")) old.remove();
  get("layer-watched").innerHTML = drawn;
  for (const later of waits ? all("#layer-watched :is(.burst, .arrow:not(.attack))") : []) later.remove();
  get("layer-watch").prepend(...all("#layer-watched > .arrows"));
}
/** Return whether a frame moves anything or throws dice. @param {Frame} frame */
export function stirs(frame) {
  return frame.card.dice.length + frame.gone.length + [frame.moves, frame.came].flatMap(Object.keys).length > 0;
}
/**
 * Slide the counters of a frame, those that advance after the others.
 * @param {Frame} frame @param {number} speed @param {() => boolean} awaited
 */
export async function slide(frame, speed, awaited) {
  for (const last of [false, true]) {
    const ways = Object.entries(frame.moves).filter(([unit]) => frame.advances.includes(unit) === last);
    await slideAll(ways, speed, awaited);
  }
}
/**
 * Slide counters at the same time; jump to the end if the film was stopped.
 * @param {[string, Point[]][]} ways @param {number} speed @param {() => boolean} awaited
 */
function slideAll(ways, speed, awaited) {
  const time = still.matches || !ways.length ? 0 : SLIDE / speed;
  const start = performance.now();
  return new Promise((done) => {
    /** @param {number} now */
    function tick(now) {
      const part = time && awaited() ? Math.min(1, Math.max(0, (now - start) / time)) : 1;
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
/** Return the point after a part of a way. @param {Point[]} way @param {number} part @returns {Point} */
function along(way, part) {
  const legs = way.length - 1;
  const leg = Math.min(legs - 1, Math.floor(part * legs));
  const on = part * legs - leg;
  const [from, to] = [way[leg], way[leg + 1]];
  return [from[0] + (to[0] - from[0]) * on, from[1] + (to[1] - from[1]) * on];
}
/** Move the view to the places of the frame if they are hidden or too small. @param {Point[]} places */
export function follow(places) {
  if (!field("watch-follow").checked) return camera.rest();
  camera.follow(places);
}
