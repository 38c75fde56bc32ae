// @ts-check
// Shared by the parts of a replay: the data, and where its pieces are.
import { get } from "./dom.js";
/** @typedef {[number, number, number, number]} Piece across, down, the number of the look, the rank in the stack */
/** @typedef {[string, string, [number, number][]]} Arrow the side's class, the kind, the points */
/** @typedef {[number, number, string, string]} Burst across, down, the word on the pill, the dice next to the pill */
/**
 * @typedef {{m: number, turn: string, kind: string, title: string, told: string, lines: string[],
 *   card: import("./card.js").Card, pieces: Record<string, Piece | 0>, overlay: number, arrows: Arrow[],
 *   bursts: Burst[]}} Frame
 */
/**
 * @typedef {{seq: number, from: string, kind: string, turn: string, id: string, note: string, headlines: string[],
 *   standing: string[][], luck: string[], verified: string, comments: string[][]}} Told
 */
/**
 * @typedef {{sides: string[], frames: Frame[], messages: Told[], charts: {name: string, values: number[][]}[],
 *   names: Record<string, string>, places: Record<string, [number, number]>, at: Record<string, [number, number]>,
 *   verdict: string, verified: string[], whatIf: string, past: Record<string, string>,
 *   lost: {title?: string, rows: string[][], sums: string[], curve: number[][]}}} Game
 */
/** @typedef {Game & {branches: (Game & {name: string})[]}} Study a game, or a game with branches */

/** @type {Study} */
export const whole = JSON.parse(get("data").textContent || "");
/** The number of the shown branch, 0 for the game. */
export const branch = whole.branches[Number(location.hash.slice(1)) - 1] ? Number(location.hash.slice(1)) : 0;
/** @type {Game} */
export const data = branch ? whole.branches[branch - 1] : whole;

/** Return the pieces after a frame. @param {number} upTo @returns {Record<string, Piece | 0>} */
export function pieces(upTo) {
  /** @type {Record<string, Piece | 0>} */
  const there = {};
  for (let number = 0; number <= upTo; number += 1) Object.assign(there, data.frames[number].pieces);
  return there;
}
/**
 * Return the points of a frame: battles, paths, new, changed and removed pieces.
 * @param {number} number @returns {[number, number][]}
 */
export function where(number) {
  const frame = data.frames[number];
  /** @type {[number, number][]} */
  const found = frame.bursts.map(([x, y]) => [x, y]);
  for (const [, , points] of frame.arrows) found.push(...points);
  if (!number) return found;
  const had = pieces(number - 1);
  for (const [id, now] of Object.entries(frame.pieces)) {
    for (const piece of same(had[id], now) ? [] : [had[id], now]) if (piece) found.push([piece[0], piece[1]]);
  }
  return found;
}
/** Return whether a piece has changed only its rank in a stack. @param {Piece | 0} [one] @param {Piece | 0} [other] */
function same(one, other) {
  return one && other && one[0] === other[0] && one[1] === other[1] && one[2] === other[2];
}
