// @ts-check
// Types of the server's answers. A point is [across, down] in map units.

/** @typedef {[number, number]} Point */
/**
 * The end of a move: its cost, its way, and whether the move needs a warning.
 * @typedef {{place: string, cost: string, marked: boolean, way: Point[]}} End
 */
/**
 * A phase in which the chosen unit may move; ``turns`` are orders in words.
 * @typedef {{key: string, name: string, verb: string, ends: End[], start: Point | null, turns: string[]}} Phase
 */
/**
 * A target of the chosen unit.
 * @typedef {{verb: string, place: string, units: string[], at: Point, odds: string, declared: boolean,
 *   text: string}} Target
 */
/**
 * The card of a unit; ``verb`` and ``words`` begin the order against the unit, ``drawn`` is SVG.
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
 * The page after a change: its panels and the changed map layers.
 * @typedef {object} Filled
 * @property {string} stamp
 * @property {Record<string, string>} panels
 * @property {Record<string, string>} layers
 * @property {string[]} said
 * @property {boolean} [bad]
 */

export {};
