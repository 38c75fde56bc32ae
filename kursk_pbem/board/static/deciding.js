// @ts-check
// Questions that the player decides first. An answered question stays hidden while it is unchanged.
import { all } from "./dom.js";
import { base } from "./page.js";

const KEPT = "decided " + base;

/** @returns {string[]} */
const decided = () => JSON.parse(sessionStorage.getItem(KEPT) || "[]");
/** Show only the open questions. */
export function show() {
  const known = decided();
  for (const question of all("[data-decide]")) question.hidden = known.includes(question.dataset.decide || "");
}
/** Mark the present questions of an order, or of all orders, as decided. @param {string} [verb] */
export function decide(verb) {
  const open = all("[data-decide]").map((question) => question.dataset.decide || "");
  const meant = open.filter((question) => !verb || question.split(" ")[0] === verb);
  sessionStorage.setItem(KEPT, JSON.stringify([...new Set([...decided(), ...meant])]));
  show();
}
