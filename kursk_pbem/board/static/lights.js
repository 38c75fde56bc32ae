// @ts-check
// The hexes that a clause of an order can name, and their texts. A click on a lit hex names the hex.
import { all, maybe } from "./dom.js";
/** @typedef {HTMLElement} Clause */

const MOST_LIT = 30; // with more lit places the light is useless

/** Return the rows of a clause in sequence. @param {Clause} clause */
export function rows(clause) {
  return all(".rows li:not([hidden])", clause);
}
/** Return the hex at the end of a word such as "only K9", or "". @param {string} word */
function hexOf(word) {
  const last = word.split(" ").pop() || "";
  return last && maybe("at-" + last) ? last : "";
}
/** Return the attacked hex, where advances begin. @param {Clause} clause */
function target(clause) {
  const form = clause.closest("form");
  return clause.dataset.word === "advance" && form ? hexOf((form.dataset.words || "").split(" ")[0]) : "";
}
/** Return the choice of a row's advance: through a hex, past a hex, or the default. @param {HTMLElement} row */
function onward(row) {
  return /** @type {HTMLSelectElement | null} */ (row.querySelector(".more"));
}
/** @param {HTMLElement} row */
function tick(row) {
  return /** @type {HTMLInputElement} */ (row.querySelector("input"));
}
/** Return the hexes to click for a clause. @param {Clause} clause @returns {string[]} */
function named(clause) {
  if (clause.dataset.kind === "wishes") {
    const options = /** @type {HTMLOptionElement[]} */ (/** @type {unknown} */ (all("datalist option", clause)));
    return options.map((option) => option.value);
  }
  if (clause.dataset.kind !== "order") return [];
  const options = [...(rows(clause)[0] ? onward(rows(clause)[0]) || [] : [])];
  const found = options.map((option) => hexOf(/** @type {HTMLOptionElement} */ (option).value));
  return [...new Set([target(clause), ...found])].filter(Boolean);
}
/**
 * Return the text of each possible hex of a clause, "" for an unnamed hex.
 * @param {Clause} clause @returns {Record<string, string>}
 */
export function lights(clause) {
  const places = named(clause);
  /** @type {Record<string, string>} */
  const said = Object.fromEntries(places.length <= MOST_LIT ? places.map((place) => [place, ""]) : []);
  let number = 0;
  for (const row of rows(clause)) {
    const ticked = row.querySelector("input") ? tick(row).checked : true;
    if (!ticked) continue;
    number += 1;
    const more = onward(row);
    const place = hexOf(row.dataset.value || (more && more.value) || "") || target(clause);
    if (place in said) said[place] += (said[place] ? ", " : "") + number;
  }
  return said;
}
/**
 * Take a click on a hex for advancing units; return whether the clause took the click. A click on the attacked hex adds
 * the next unit. A click on another hex sends the last ticked unit there, a second click sends the unit past the hex.
 * While another clause is active, this clause takes only clicks on the attacked hex.
 * @param {Clause} clause @param {string} place @param {boolean} inHand
 */
export function advances(clause, place, inHand) {
  const meant = inHand ? named(clause) : [target(clause)];
  if (clause.dataset.kind !== "order" || !meant.includes(place)) return false;
  const ticked = rows(clause).filter((row) => tick(row).checked);
  const next = rows(clause).find((row) => !tick(row).checked && !tick(row).disabled);
  const row = place === target(clause) || !ticked.length ? next : ticked[ticked.length - 1];
  if (!row) return true;
  tick(row).checked = true;
  row.scrollIntoView({ block: "nearest" });
  if (ticked.length && !ticked.includes(row)) ticked[ticked.length - 1].after(row);
  const more = onward(row);
  if (!more || place === target(clause)) return true;
  const ways = [...more.options].map((option) => option.value).filter((value) => hexOf(value) === place);
  more.value = ways[ways.indexOf(more.value) + 1] || (more.value ? "" : ways[0]);
  return true;
}
