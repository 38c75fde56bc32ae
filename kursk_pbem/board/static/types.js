// @ts-check
// What the server answers, in types. A point is [across, down] in units of the map.

/** @typedef {[number, number]} Point */
/**
 * Where a move may end: its cost, whether it warns, the way there.
 * @typedef {{place: string, cost: string, marked: boolean, way: Point[]}} End
 */
/**
 * A phase in which the chosen unit may move; ``turns`` are orders in words.
 * @typedef {{key: string, name: string, verb: string, ends: End[], start: Point | null, turns: string[]}} Phase
 */
/**
 * What the chosen unit can attack.
 * @typedef {{verb: string, place: string, units: string[], at: Point, odds: string, declared: boolean,
 *   text: string}} Target
 */
/**
 * The card of a unit; ``verb`` and ``words`` begin the order against it, ``drawn`` is SVG.
 * @typedef {object} Card
 * @property {string} html
 * @property {boolean} mine
 * @property {Phase[]} phases
 * @property {Target[]} targets
 * @property {string} verb
 * @property {string} words
 * @property {string} drawn
 */
/**
 * The page after a change: its panels and the layers of its map that differ.
 * @typedef {object} Filled
 * @property {string} stamp
 * @property {Record<string, string>} panels
 * @property {Record<string, string>} layers
 * @property {string[]} said
 * @property {boolean} [bad]
 */

export {};
