// @ts-check
// Clauses behind one tick, such as leader and support of an Offensive. The tick shows and preselects the clauses.
import { chosen } from "./clauses.js";
import { all } from "./dom.js";
/** @typedef {HTMLElement} Clause */

/** @param {Clause} clause @returns {HTMLInputElement[]} */
function inputs(clause) {
  return /** @type {HTMLInputElement[]} */ (all("label > input", clause));
}
/** Return the clauses of a tick. @param {HTMLInputElement} box @returns {Clause[]} */
function behind(box) {
  return all(".clause", box.form || document).filter((clause) => clause.dataset.tick === box.dataset.tick);
}
/** Show or clear the clauses of a tick; choose the first possible leader. @param {HTMLInputElement} box */
export function ticked(box) {
  for (const clause of behind(box)) {
    clause.hidden = !box.checked;
    for (const input of inputs(clause)) input.checked = false;
  }
  const first = box.checked ? behind(box).flatMap(inputs).find((input) => !input.disabled) : null;
  if (!first) return;
  first.checked = true;
  follow(first, true);
}
/**
 * After a change, list only the choices that fit to the clause before, and tick these choices.
 * @param {HTMLInputElement} input @param {boolean} [choose]
 */
export function follow(input, choose) {
  const clause = /** @type {Clause | null} */ (input.closest(".clause"));
  const next = clause && /** @type {Clause | null} */ (clause.nextElementSibling);
  if (!clause || !next || !next.dataset.fits) return;
  const [leader] = chosen(clause);
  const fits = new Set(JSON.parse(next.dataset.fits)[leader] || []);
  for (const other of inputs(next)) {
    /** @type {HTMLElement} */ (other.parentElement).hidden = !fits.has(other.value);
    if (choose) other.checked = fits.has(other.value);
  }
}
/** Set the tick of a choice that is still hidden; return whether it was hidden. @param {HTMLInputElement} input */
export function reveal(input) {
  const clause = /** @type {Clause | null} */ (input.closest(".clause[data-tick][hidden]"));
  if (!clause || !input.form) return false;
  for (const box of /** @type {HTMLInputElement[]} */ (all(".ticks", input.form))) {
    if (box.dataset.tick !== clause.dataset.tick) continue;
    box.checked = true;
    ticked(box);
  }
  return true;
}
/** Begin with the choices of the draft. @param {HTMLFormElement} form */
export function begin(form) {
  for (const input of /** @type {HTMLInputElement[]} */ (all(".clause[data-tick] input:checked", form))) follow(input);
}
