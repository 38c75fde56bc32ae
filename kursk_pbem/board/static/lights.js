// @ts-check
// Which hexes a clause of an order may name, and what it says of them now; a click on one says it.
import { all, maybe } from "./dom.js";
/** @typedef {HTMLElement} Clause */

const MOST_LIT = 30; // places, beyond which a map that is lit says nothing

/** The rows of a clause in their order. @param {Clause} clause */
export function rows(clause) {
  return all(".rows li:not([hidden])", clause);
}
/** The hex at the end of a word such as "only K9", "" without one. @param {string} word */
function hexOf(word) {
  const last = word.split(" ").pop() || "";
  return last && maybe("at-" + last) ? last : "";
}
/** The hex that an order is about, from which one goes on. @param {Clause} clause */
function target(clause) {
  const form = clause.closest("form");
  return clause.dataset.word === "advance" && form ? hexOf((form.dataset.words || "").split(" ")[0]) : "";
}
/** How a unit of a row goes on: through a hex, past it, or as usual. @param {HTMLElement} row */
function onward(row) {
  return /** @type {HTMLSelectElement | null} */ (row.querySelector(".more"));
}
/** @param {HTMLElement} row */
function tick(row) {
  return /** @type {HTMLInputElement} */ (row.querySelector("input"));
}
/** Hexes that may be clicked for a clause. @param {Clause} clause @returns {string[]} */
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
 * What a clause says of each hex that it may name: "" for nothing.
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
 * A hex is clicked for units that advance: into the hex that is attacked goes the next of them; the last one that is
 * ticked goes on to another hex, with a second click past the attacked one only. While another clause is in hand, only
 * a click on the attacked hex is meant for this one. Whether that was said.
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
