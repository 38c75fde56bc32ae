// @ts-check
// What a player is asked first, and has answered: it is not asked again while the answer is the same.
import { all } from "./dom.js";
import { base } from "./page.js";

const KEPT = "decided " + base;

/** @returns {string[]} */
function decided() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) || "[]");
  } catch (error) {
    return [];
  }
}
/** Show only what is still to be decided. */
export function show() {
  const known = decided();
  for (const question of all("[data-decide]")) question.hidden = known.includes(question.dataset.decide || "");
}
/** What is asked now, of one order or of all, is decided as it stands. @param {string} [verb] */
export function decide(verb) {
  const open = all("[data-decide]").map((question) => question.dataset.decide || "");
  const meant = open.filter((question) => !verb || question.split(" ")[0] === verb);
  sessionStorage.setItem(KEPT, JSON.stringify([...new Set([...decided(), ...meant])]));
  show();
}
