// @ts-check
// The unit in hand: where it may go in which phase, by which way, whom it may attack. Only this module sets them.
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").End} End */

export let unit = "";
/** Whose card is shown, one's own or not. */
export let shown = "";
/** Whose turn it was when units were walked. */
export let last = "";
/** @type {import("./types.js").Phase[]} */
export let phases = [];
export let phase = "";
/** Where it may end in this phase, by hex. @type {Record<string, End>} */
export let lit = {};
/** The way so far: hexes, on a table top points. @type {any[]} */
export let via = [];
/** @type {import("./types.js").Target[]} */
export let targets = [];
/** What a table top draws of it. */
export let drawn = "";

/** Let go of it. */
export function drop() {
  unit = phase = "";
  phases = [];
  lit = {};
  via = [];
}
/** Its card is shown. @param {string} uid @param {import("./types.js").Card} card */
export function show(uid, card) {
  shown = uid;
  targets = card.targets;
  drawn = card.drawn;
}
/** It is taken in hand. @param {string} uid @param {import("./types.js").Card} card */
export function take(uid, card) {
  unit = last = uid;
  phases = card.phases.filter((each) => each.verb);
}
/** @param {string} uid */
export function walkedTo(uid) {
  last = uid;
}
/** @param {string} key @returns {End[]} */
export function setPhase(key) {
  const found = phases.find((each) => each.key === key);
  phase = found ? found.key : "";
  lit = {};
  return found ? found.ends : [];
}
/** @param {End} end */
export function light(end) {
  lit[end.place] = end;
}
/** A place more on the way; the same twice is one. @param {any} place */
export function by(place) {
  if (via[via.length - 1] !== place) via.push(place);
}
/** Where it faces, in half hours of a clock, told by its turn to the left; -1 where it cannot turn. */
export function faces() {
  const left = phases[0] && phases[0].turns[0];
  const [hour, half] = left ? left.split(" ").slice(-1)[0].split(":") : [];
  return hour ? ((Number(hour) % 12) * 2 + (half ? 1 : 0) + 1) % 24 : -1;
}
/** The order that turns it there. @param {number} half */
export function turned(half) {
  const clock = (Math.floor(half / 2) || 12) + (half % 2 ? ":30" : "");
  return [...phases[0].turns[0].split(" ").slice(0, -1), clock].join(" ");
}
/** @param {any[]} way */
export function setWay(way) {
  via = way;
}
