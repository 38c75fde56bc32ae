// @ts-check
// The chosen unit, its moves by phase, its way and its targets. Only this module sets these values.
/** @import { End } from "./types.js" */

export let unit = "";
/** The unit of the card, own or enemy. */
export let shown = "";
/** The unit from which n and p continue. */
export let last = "";
/** @type {import("./types.js").Phase[]} */
export let phases = [];
export let phase = "";
/** The ends of moves in this phase, by hex. @type {Record<string, End>} */
export let lit = {};
/** The way so far: hexes, or points on a table top. @type {any[]} */
export let via = [];
/** @type {import("./types.js").Target[]} */
export let targets = [];
/** The drawing of the unit on a table top. */
export let drawn = "";

/** Clear the choice. */
export function drop() {
  unit = phase = "";
  phases = [];
  lit = {};
  via = [];
}
/** Set the unit of the card. @param {string} uid @param {import("./types.js").Card} card */
export function show(uid, card) {
  shown = uid;
  targets = card.targets;
  drawn = card.drawn;
}
/** Choose a unit. @param {string} uid @param {import("./types.js").Card} card */
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
/** Append a place to the way, unless the place is the last. @param {any} place */
export function by(place) {
  if (via[via.length - 1] !== place) via.push(place);
}
/** Return the facing in half hours of a clock, from the turn to the left; -1 if the unit cannot turn. */
export function faces() {
  const left = phases[0] && phases[0].turns[0];
  const [hour, half] = left ? left.split(" ").slice(-1)[0].split(":") : [];
  return hour ? ((Number(hour) % 12) * 2 + (half ? 1 : 0) + 1) % 24 : -1;
}
/** Return the order for a turn. @param {number} half */
export function turned(half) {
  const clock = (Math.floor(half / 2) || 12) + (half % 2 ? ":30" : "");
  return [...phases[0].turns[0].split(" ").slice(0, -1), clock].join(" ");
}
/** @param {any[]} way */
export function setWay(way) {
  via = way;
}
