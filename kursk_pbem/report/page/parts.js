// @ts-check
// Shared by the parts of a replay: the data, and functions to find and make elements.
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

const NS = "http://www.w3.org/2000/svg";
/** @param {string} id @returns {HTMLElement} */
export const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id @returns {HTMLInputElement} */
export const field = (id) => /** @type {HTMLInputElement} */ (get(id));
/** @type {Study} */
export const whole = JSON.parse(get("data").textContent || "");
/** The number of the shown branch, 0 for the game. */
export const branch = whole.branches[Number(location.hash.slice(1)) - 1] ? Number(location.hash.slice(1)) : 0;
/** @type {Game} */
export const data = branch ? whole.branches[branch - 1] : whole;

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
export function node(name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const key of Object.keys(attributes)) made.setAttribute(key, String(attributes[key]));
  if (text !== undefined) made.textContent = text;
  return made;
}
/** @param {string} name @param {string} text @param {string} [kind] */
export function words(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}
/** Return an element with children. @param {string} name @param {string} kind @param {...Node} children */
export function block(name, kind, ...children) {
  const made = words(name, "", kind);
  made.append(...children);
  return made;
}
/** @param {string} panel @param {Node[]} children */
export function fill(panel, children) {
  get(panel).replaceChildren(...children);
}
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
